//! Macros of the C family that stand where the grammars expect none.

mod around;
mod blocks;
mod cursor;
mod declared;
mod types;
mod words;

use std::ops::Range;

pub(crate) use self::words::is_loud;
use self::{
    around::Around,
    words::{
        is_calling, is_convention, is_enum, is_given_numbers, is_inline, is_keyword, is_loop, is_primitive,
        is_qualifier, is_specifier, is_statement, is_statement_word, is_trailing, is_word,
    },
};
use super::conditions;

/// What a macro is looked up ahead for: arguments, and white space up to the next word.
const AHEAD: usize = 400;

/// Before the name of one type.
const MACROS: usize = 4;

/// What stands in place of a macro that is not written like one, so that its use is told from other text that is gone.
pub(crate) const QUIET: u8 = b'\t';

/// The text with macros blanked out that would tear a declaration apart: `class EXPORT Name : Base {`, `Q_OBJECT`,
/// `API type name(..);`, `typedef NS_ENUM(type, Name) {`. As long as the text, and with the same lines. `None` if there is
/// nothing to blank.
pub(super) fn masked(text: &str) -> Option<String> {
    let whole = conditions::with_whole_branches(text);
    without_macros(whole.as_deref().unwrap_or(text), false).or(whole)
}

/// The same for C++, which has loops over ranges.
pub(super) fn masked_with_ranges(text: &str) -> Option<String> {
    let whole = conditions::with_whole_branches(text);
    without_macros(whole.as_deref().unwrap_or(text), true).or(whole)
}

fn without_macros(text: &str, has_ranges: bool) -> Option<String> {
    let mut scan = Scan {
        bytes: text.as_bytes(),
        at: 0,
        before: 0,
        last: 0..0,
        is_first: true,
        has_ranges,
        around: Around::default(),
        masked: None,
    };
    scan.run();
    // Only whole words and what stands between them were overwritten, by ASCII.
    scan.masked.and_then(|masked| String::from_utf8(masked).ok())
}

struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    /// The last byte that is neither space nor comment; 0 at the beginning and behind a preprocessor line.
    before: u8,
    /// The last word, if nothing but space has followed it; else empty.
    last: Range<usize>,
    /// Nothing but space has come on this line.
    is_first: bool,
    has_ranges: bool,
    around: Around,
    masked: Option<Vec<u8>>,
}

impl Scan<'_> {
    fn run(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => {
                    self.is_first = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'#' if self.is_first && self.hides_condition() => {}
                b'#' if self.is_first => {
                    let end = self.end_of_directive();
                    self.hide_comments(self.at..end);
                    self.at = end;
                    self.before = 0;
                    self.last = 0..0;
                }
                b'/' if self.bytes.get(self.at + 1) == Some(&b'/') => self.at = self.end_of_line(self.at),
                b'/' if self.bytes.get(self.at + 1) == Some(&b'*') => self.at = self.end_of_comment(self.at),
                b'"' | b'\'' => {
                    self.at = self.end_of_quoted(byte);
                    self.token(byte);
                }
                b'0'..=b'9' => {
                    // With the separators of `1'000`.
                    while self
                        .bytes
                        .get(self.at)
                        .is_some_and(|byte| is_word(*byte) || matches!(byte, b'\'' | b'.'))
                    {
                        self.at += 1;
                    }
                    self.token(b'0');
                }
                _ if is_word(byte) => self.word(),
                _ => {
                    self.around.token(byte, self.before, &self.bytes[self.last.clone()]);
                    self.at += 1;
                    self.token(byte);
                }
            }
        }
    }

    /// Conditions that the grammar does not expect where they are. `int size()`, then `const` between `#if` and `#endif`,
    /// then the body: which of them hold is not known, and the function is the same. In a list of values that members begin
    /// with, what is in the first branch stays.
    fn hides_condition(&mut self) -> bool {
        if !matches!(self.before, b')' | b',' | b'}') {
            return false;
        }
        let start = self.at;
        let limit = self.bytes.len().min(start + AHEAD);
        let mut at = start;
        let mut branch: Option<Range<usize>> = None;
        let mut inside = start;
        while at < limit {
            let end = self.end_of_line(at);
            let line = self.bytes[at..end].trim_ascii();
            if let Some(word) = line.strip_prefix(b"#").map(<[u8]>::trim_ascii_start) {
                let is_first = at == start;
                if is_first != word.starts_with(b"if") {
                    return false;
                }
                if is_first {
                    inside = end;
                } else if branch.is_none() {
                    branch = Some(inside..at);
                }
                if word.starts_with(b"endif") {
                    let kept = branch.unwrap_or(inside..inside);
                    return self.hides_all_but(start..end, kept);
                }
            }
            at = end + 1;
        }
        false
    }

    fn hides_all_but(&mut self, whole: Range<usize>, kept: Range<usize>) -> bool {
        let content = self.bytes[kept.clone()].trim_ascii();
        let are_words = content.iter().all(|byte| is_word(*byte) || byte.is_ascii_whitespace());
        if self.before == b')' && are_words && self.next(whole.end).1 == b'{' {
            return self.blank(whole);
        }
        let first = content.iter().take_while(|byte| is_word(**byte)).count();
        let is_item = first > 0 && content.ends_with(b",") && matches!(content.get(first), Some(b'(' | b'{'));
        let is_list = match self.before {
            b',' => is_item,
            b')' | b'}' => content.starts_with(b",") && !content.ends_with(b","),
            _ => false,
        };
        if is_list && !content.contains(&b';') {
            self.blank(whole.start..kept.start);
            self.blank(kept.end..whole.end);
            self.at = kept.start;
        }
        is_list
    }

    fn token(&mut self, byte: u8) {
        self.before = byte;
        self.last = 0..0;
        self.is_first = false;
    }

    fn word(&mut self) {
        let start = self.at;
        let end = self.end_of_word(start);
        self.at = end;
        let word = &self.bytes[start..end];
        self.around.word(word, self.before);
        match word {
            b"signals" | b"Q_SIGNALS" if self.begins() && self.next(end).1 == b':' && !self.is_path(end) => {
                self.write(start, b"public");
                self.blank(start + 6..end);
            }
            b"slots" | b"Q_SLOTS"
                if matches!(&self.bytes[self.last.clone()], b"public" | b"protected" | b"private")
                    && self.next(end).1 == b':' =>
            {
                self.blank(start..end);
                return;
            }
            // `bool done __attribute__((unused)) = run();`
            b"__attribute__" | b"__attribute" if self.is_between_name_and_value(end) => {
                let behind = self.end_of_arguments(end).unwrap_or(end);
                self.blank(start..behind);
                return;
            }
            // `__suppress__("overflow") bool check(..)`
            _ if word.starts_with(b"__") && word.ends_with(b"__") && self.begins() => {
                let text = self.next(end).1 == b'(' && self.next(self.next(end).0 + 1).1 == b'"';
                if let Some(behind) = self.end_of_arguments(end).filter(|_| text)
                    && is_word(self.next(behind).1)
                {
                    self.blank(start..behind);
                    return;
                }
            }
            // `typedef u32 __bitwise __be32;`
            _ if self.around.head.is_alias && word.starts_with(b"__") && self.is_said_of_alias(end) => {
                self.blank(start..end);
                return;
            }
            // `void printflike(1, 2) report(const char *, ...);`
            _ if matches!(self.before, b'a' | b'*') && self.next(end).1 == b'(' && self.is_attribute(start..end) => {
                return;
            }
            _ if self.is_first && is_loop(word) && self.is_loop_ended(start..end) => return,
            _ if self.before == b'a' && self.is_prototype(start..end) => return,
            _ if self.around.is_code() && self.is_block(start..end) => {}
            _ if self.is_wrapped(start..end) => return,
            _ if self.is_between(start..end) || self.is_before_type(start..end) => return self.hide_quiet(start..end),
            _ if is_loud(word) && self.try_blank(start..end) => return,
            _ if is_loud(word) && self.is_type_of_many(end) => {}
            _ if is_loud(word) && self.begins() => self.hide_types(end, b';'),
            _ => {}
        }
        self.before = b'a';
        self.last = start..end;
        self.is_first = false;
    }

    /// A word between a type and the other name that it is given says something of the type.
    fn is_said_of_alias(&self, end: usize) -> bool {
        let last = &self.bytes[self.last.clone()];
        let is_type = !matches!(
            last,
            b"typedef" | b"struct" | b"union" | b"enum" | b"const" | b"volatile"
        );
        let (at, next) = self.next(end);
        self.before == b'a' && is_type && is_word(next) && self.next(self.end_of_word(at)).1 == b';'
    }

    /// Blanks a macro out that is given numbers, before the name of a function.
    fn is_attribute(&mut self, word: Range<usize>) -> bool {
        let Some(end) = self.end_of_arguments(word.end) else {
            return false;
        };
        let (at, next) = self.next(end);
        let is_before_name = is_word(next) && self.next(self.end_of_word(at)).1 == b'(';
        is_before_name && is_given_numbers(&self.bytes[word.end..end]) && self.blank(word.start..end)
    }

    /// A macro that says how a function is called, between its type and its name: `char * libcall\nname(..)`. Nowhere else
    /// do two names follow each other behind a type of the language, or a `*`.
    fn is_between(&self, word: Range<usize>) -> bool {
        let name = &self.bytes[word.clone()];
        let last = &self.bytes[self.last.clone()];
        let is_behind_type = match self.before {
            b'*' | b'&' => true,
            b'a' => is_primitive(last) || (is_calling(name) && !last.is_empty() && !is_keyword(last)),
            _ => false,
        };
        let (at, next) = self.next(word.end);
        if !is_behind_type || !is_word(next) || next.is_ascii_digit() {
            return false;
        }
        let (end, _) = self.end_of_path(at);
        let behind = &self.bytes[at..self.end_of_word(at)];
        // `int size GUARDED_BY(mutex);`, `int size OF((void));`: the other one is the macro.
        let (open, next) = self.next(end);
        let is_other = (is_loud(behind) && !is_loud(name)) || self.bytes[open..].starts_with(b"((");
        next == b'(' && !is_other && !is_keyword(name) && !is_keyword(behind)
    }

    /// A macro that is not written like one, before the type of a function: `static my_inline node *first(..)`.
    fn is_before_type(&self, word: Range<usize>) -> bool {
        let name = &self.bytes[word.clone()];
        let last = &self.bytes[self.last.clone()];
        let begins = match self.before {
            b':' => !self.bytes[..word.start].ends_with(b"::"),
            _ => self.begins(),
        };
        let (mut at, mut next) = self.next(word.end);
        if !is_word(next) || !(begins || is_specifier(last)) || is_loud(name) || is_keyword(name) {
            return false;
        }
        while matches!(&self.bytes[at..self.end_of_word(at)], b"const" | b"volatile") {
            (at, next) = self.next(self.end_of_word(at));
        }
        let end = self.end_of_word(at);
        let is_type = is_word(next) && !next.is_ascii_digit() && !is_calling(&self.bytes[at..end]);
        let is_name = |name: usize| {
            let end = self.end_of_word(name);
            !is_loud(&self.bytes[name..end]) && !self.bytes[self.next(end).0..].starts_with(b"((")
        };
        is_type && self.function_behind(at).is_some_and(is_name)
    }

    fn hide_quiet(&mut self, word: Range<usize>) {
        let is_quiet = !is_loud(&self.bytes[word.clone()]);
        self.blank(word.clone());
        if is_quiet {
            self.write(word.start, &vec![QUIET; word.len()]);
        }
    }

    /// Blanks a macro out where it stands in the way.
    fn try_blank(&mut self, word: Range<usize>) -> bool {
        let name = &self.bytes[word.clone()];
        let arguments = self.end_of_arguments(word.end);
        let whole = word.start..arguments.unwrap_or(word.end);
        let last = &self.bytes[self.last.clone()];
        if matches!(last, b"class" | b"struct" | b"union" | b"enum") {
            return self.names_type(whole.end, MACROS) && self.blank(whole);
        }
        if let Some(end) = arguments
            && (name.starts_with(b"MOCK_METHOD") || name.starts_with(b"MOCK_CONST_METHOD"))
        {
            return self.declares_mock(word, end);
        }
        if is_enum(name) {
            return arguments.is_some() && self.enumeration(word.start, whole.end);
        }
        let begins = self.begins() || matches!(self.before, b'"' | b'>' | b']') || is_specifier(last);
        let (at, next) = self.next(whole.end);
        if let Some(end) = arguments
            && matches!(self.before, b'<' | b',')
            && matches!(next, b'>' | b',')
        {
            self.hide_reason(word.end..end);
            return false;
        }
        if begins && is_qualifier(name) && (is_word(next) || next == b'~') {
            // A variable of a type with such a name has its end behind the next word.
            let (_, behind) = self.next(self.end_of_word(at));
            let is_type = !self.is_first_pair(at) && matches!(behind, b';' | b'=' | b',' | b'[' | b')' | b'{');
            if let Some(end) = arguments
                && behind == b'('
            {
                // `API(type) name(..);`
                let inner = &self.bytes[word.end..end];
                let is_wrapped = !inner.iter().any(|byte| matches!(byte, b'"' | b','));
                let open = inner.iter().position(|byte| *byte == b'(').unwrap_or(0);
                return is_wrapped && self.blank(word.start..word.end + open + 1) && self.blank(end - 1..end);
            }
            return !is_type && self.blank(whole);
        }
        // `FAST_FN Shape* make(..)`, `FAST_FN Shape::Shape()`: no type is followed by another, or by what makes one.
        if begins && arguments.is_none() && is_word(next) && self.is_function_behind(at) {
            return self.blank(whole);
        }
        // `CONST_INIT std::atomic<bool> flag{false};`: the grammar takes the macro for the type.
        if begins && arguments.is_none() && is_word(next) && self.is_variable_behind(at) {
            return self.blank(whole);
        }
        if let Some(end) = arguments
            && let Some(behind) = self.behind_variable(end)
        {
            return self.give(word, end, behind == b';');
        }
        // `void run(MAYBE_UNUSED Face &face)`: a type of such a name would have one name behind it.
        if matches!(self.before, b'(' | b',') && is_word(next) && arguments.is_none() && self.is_declared(at) {
            return self.blank(whole);
        }
        if is_convention(name) {
            let is_between = (self.before == b'a' || matches!(self.before, b'*' | b'&' | b'(')) && is_word(next);
            return (is_between || (self.before == b'(' && next == b'*')) && self.blank(whole);
        }
        // `void API_INLINE space::Type<T>::method(..)`
        if self.before == b'a' && is_inline(name) && is_word(next) && arguments.is_none() {
            return self.blank(whole);
        }
        if is_trailing(name) && (matches!(self.before, b')' | b'a') && matches!(next, b';' | b'{' | b'=' | b':')) {
            return self.blank(whole);
        }
        // `enum Kind OF_BYTES {`, `class Name FINAL_CLASS : Base {`
        if self.before == b'a' && (next == b'{' || (next == b':' && !self.is_path(whole.end))) && self.is_type_named() {
            return self.blank(whole);
        }
        self.try_blank_line(word, arguments)
    }

    /// Blanks out a macro that has a line to itself.
    fn try_blank_line(&mut self, word: Range<usize>, arguments: Option<usize>) -> bool {
        let name = &self.bytes[word.clone()];
        let whole = word.start..arguments.unwrap_or(word.end);
        let (at, next) = self.next(whole.end);
        // The last thing in a class.
        if (matches!(self.before, b';' | b'}' | b':') || (self.before == b'{' && self.is_type_opened(whole.start)))
            && self.is_first
            && self.is_line(whole.end)
            && self.ends_type(whole.end)
        {
            return self.blank(whole);
        }
        // `BEGIN_TRY {`, with the brace on a line of its own: the block is one like any other.
        let is_inside = word.start > 0 && matches!(self.bytes[word.start - 1], b' ' | b'\t');
        if self.begins() && self.is_first && is_inside && arguments.is_none() && self.is_line(word.end) && next == b'{'
        {
            return self.blank(whole);
        }
        if self.begins() && self.is_first && self.is_line(whole.end) {
            let is_known = arguments.is_none() || is_statement(name) || self.declares(at);
            // A type may have a line to itself before the name of a function.
            let is_type = is_word(next) && self.next(self.end_of_word(at)).1 == b'(';
            let is_before = is_word(next) || matches!(next, 0 | b'#' | b'@' | b'[' | b'~');
            let word = &self.bytes[at..self.end_of_word(at)];
            let is_access = matches!(word, b"public" | b"protected" | b"private");
            // No type stands before a statement: `TRY`, then `return make();`.
            let is_apart = is_access || (is_inside && arguments.is_none() && is_statement_word(word));
            return is_known
                && is_before
                && (!is_type || is_statement(name))
                && (name.contains(&b'_') || is_apart)
                && self.blank(whole);
        }
        false
    }

    /// Blanks a text out that says why a template has a condition, which the grammar takes for a parameter:
    /// `template <class T, REQUIRES("a number", is_number<T>)>`.
    fn hide_reason(&mut self, arguments: Range<usize>) {
        let before = &self.bytes[arguments.start.saturating_sub(AHEAD)..arguments.start];
        let start = before.iter().rposition(|byte| matches!(byte, b';' | b'{' | b'}'));
        let head = &before[start.map_or(0, |start| start + 1)..];
        let (quote, first) = self.next(self.next(arguments.start).0 + 1);
        if first != b'"' || memchr::memmem::find(head, b"template").is_none() {
            return;
        }
        let text = &self.bytes[quote + 1..arguments.end];
        let Some(close) = text.iter().position(|byte| *byte == b'"').map(|at| quote + 1 + at) else {
            return;
        };
        let (comma, behind) = self.next(close + 1);
        if behind == b',' {
            let at = self.at;
            self.blank(quote..comma + 1);
            self.at = at;
        }
    }

    /// A statement or declaration may begin here.
    fn begins(&self) -> bool {
        matches!(self.before, 0 | b';' | b'{' | b'}' | b':')
    }
}

#[cfg(test)]
mod tests {
    use super::{masked, masked_with_ranges};

    #[test]
    fn macros_in_declarations_are_blanked() {
        for (text, expected) in [
            ("class API_X Foo : Bar {", "class       Foo : Bar {"),
            ("struct ALIGN(16) Foo final {", "struct           Foo final {"),
            ("struct FILE_INFO info;", ""),
            ("enum { FOO_A\n};", ""),
            (
                "class A {\n  Q_OBJECT\n public slots:\n signals:\n  int a;",
                "class A {\n          \n public      :\n public :\n  int a;",
            ),
            ("LIB_API int *f(int);", "        int *f(int);"),
            (
                "class A {\n  int a;\n  ATTACH(A)\n};",
                "class A {\n  int a;\n           \n};",
            ),
            ("int a[] = {\n  FOO(1)\n};", ""),
            ("class A {\n  ATTACH(A)\npublic:\n", "class A {\n           \npublic:\n"),
            ("enum Kind OF_BYTES { A };", "enum Kind          { A };"),
            ("class A FINAL_CLASS : B {", "class A             : B {"),
            ("struct Foo BAR = {};", ""),
            ("__quiet__(\"x\") bool f();", "               bool f();"),
            ("__attribute__((a)) bool f();", ""),
            (
                "{ bool a __attribute__((unused)) = b(); C d __attribute__((e(f))) = 0; }",
                "{ bool a                         = b(); C d __attribute__((e(f))) = 0; }",
            ),
            ("SOME_API api;", ""),
            (
                "FMT_BEGIN_NAMESPACE\nnamespace a {",
                "                   \nnamespace a {",
            ),
            ("PROCESS_INFO\nget(void)", ""),
            (
                "typedef NS_ENUM(NSInteger, Mode) { A };",
                "        enum               Mode  { A };",
            ),
            ("void f() const FMT_NOEXCEPT {", "void f() const              {"),
            ("if (a) RETURN_X(b);", ""),
            ("#define LIB_API class LIB_API X {\n", ""),
            ("R\"(LIB_API int f();)\"; \"LIB_API int f(\" // LIB_API int f();", ""),
            ("A_B_END\n/* x */\nclass C {", "       \n/* x */\nclass C {"),
            ("LIB_API_(a::B) f(int);", "         a::B  f(int);"),
            ("{\n A_METHOD(X, 1)\n void x();", "{\n               \n void x();"),
            ("{\n A_CHECK(x)\n return y;", ""),
            ("LONG WINAPI run(int);", "LONG        run(int);"),
            ("void printf_like(1, 2) run(int);", "void                   run(int);"),
            ("int run(1, 2);", ""),
            (
                "{\n\tfor_each_cpu(cpu)\n\t\tuse(cpu);",
                "{\n\tfor_each_cpu(cpu)\n\t;use(cpu);",
            ),
            ("{\n  LIST_FOREACH(a, &b, c) {", "{\n  LIST_FOREACH(a, &b, c);{"),
            (
                "{\n  if (a)\n    for_each_a(b)\n      for_each_c(d)\n        *e = 1;",
                "{\n  if (a)\n    for_each_a(b)\n     ;for_each_c(d)\n       ;*e = 1;",
            ),
            ("{\n  idr_for_each(a, b);\n  c();", ""),
            ("int\nfor_each_a(b)\n int b;\n{", ""),
            ("{\n  foreach (Shape *a, b) {", ""),
            ("{\n  LIST_HEAD(, item) a;", "{\n  LIST_HEAD(  item) a;"),
            ("static A_LIST(b, c) d = 1;", "static A_LIST(   c) d = 1;"),
            ("{\n  A_CHECK(b, c);\n  d();", ""),
            ("char * lib_call\nname(int);", "char * \t\t\t\t\t\t\t\t\nname(int);"),
            ("int ZEXPORT name(int);", "int         name(int);"),
            ("size_t lib_cdecl name(int);", "size_t \t\t\t\t\t\t\t\t\t name(int);"),
            (
                "static in_line node *name(int);",
                "static \t\t\t\t\t\t\t node *name(int);",
            ),
            (
                "in_line const char *name(int);",
                "\t\t\t\t\t\t\t const char *name(int);",
            ),
            ("Node const *name(int); const Node name(1); a = b * c(d);", ""),
            (
                "int size GUARDED_BY(lock); Node *node GUARDED_BY(lock) = 0; Lock lock AFTER(other);",
                "int size =          lock ; Node *node                  = 0; Lock lock =     other ;",
            ),
            (
                "static Node *node GUARDED_BY(lock)\n  BEFORE(one, two);",
                "static Node *node =          lock \n                  ;",
            ),
            ("struct Node { int size GUARDED_BY(lock); };", ""),
            ("typedef int size A_TYPE(16);", "typedef int size           ;"),
            (
                "typedef u32 __bitwise __be32; typedef __u16 u16; typedef const __u16 u16; typedef struct __node node;",
                "typedef u32           __be32; typedef __u16 u16; typedef const __u16 u16; typedef struct __node node;",
            ),
            (
                "static Node NODE(lock); unsigned int NODE(lock); struct node NODE(a); Node *NODE(a);",
                "",
            ),
            (
                "A_INIT static std::atomic<bool> flag{false}; A_INIT a::B *b = 0;",
                "       static std::atomic<bool> flag{false};        a::B *b = 0;",
            ),
            ("A_TYPE flag{false}; A_TYPE const *b = 0; A_CALL(b) c;", ""),
            (
                "struct node *name(int); x = a && not name(1); T *operator new(int);",
                "",
            ),
            (
                "struct a {\n  int b;\n  A_BEGIN(2)\n  A_END\n};",
                "struct a {\n  int b;\n            \n       \n};",
            ),
        ] {
            assert_eq!(masked(text).as_deref().unwrap_or_default(), expected, "{text}");
        }
    }

    #[test]
    fn macros_with_a_block_are_what_they_read_like() {
        for (text, expected) in [
            (
                "void f() { IF_SOME(a, b) { } else { } }",
                "void f() { if\t\t\t\t\t(a, b) { } else { } }",
            ),
            (
                "void f() { if (a) { } else when(b) { } }",
                "void f() { if (a) { } else if\t\t(b) { } }",
            ),
            ("void f() { CASE(a, int) { } }", "void f() { if\t\t(a, 0  ) { } }"),
            (
                "void f() { EACH(int i, list) { } }",
                "void f() { for\t(int i: list) { } }",
            ),
            ("void f() { forever { } }", "void f() { \t\t\t\t\t\t\t { } }"),
            (
                "void f() { auto a = [](int b) { when(b) { } }; }",
                "void f() { auto a = [](int b) { if\t\t(b) { } }; }",
            ),
            (
                "struct A { A(B) { } void f() const { when(b) { } } };",
                "struct A { A(B) { } void f() const { if\t\t(b) { } } };",
            ),
            ("void f() { struct A { A(B) { } }; }", ""),
            ("namespace a { TEST(b, c) { } main(a) { } }", ""),
            ("A a{1}; B::B() : c{1}, d{e} { } A::A(b) { }", ""),
            (
                "struct A { static INLINED(void f(int a)) { } };",
                "struct A { static         void f(int a)  { } };",
            ),
        ] {
            assert_eq!(
                masked_with_ranges(text).as_deref().unwrap_or_default(),
                expected,
                "{text}"
            );
        }
    }
}
