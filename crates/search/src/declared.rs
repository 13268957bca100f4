//! The name in a declaration that someone pasted as it stands in the code or in an answer:
//! `func (r *Repo) Save(ctx context.Context) error {` is `Repo.Save(ctx context.Context)`.

use index::token::is_word_char;

/// Words that say a function follows, and that a type does.
const FUNCTIONS: &[&str] = &["fn", "func", "fun", "function", "def", "defp", "sub", "proc"];
const TYPES: &[&str] = &[
    "class",
    "struct",
    "enum",
    "union",
    "interface",
    "trait",
    "protocol",
    "record",
    "object",
    "type",
    "typealias",
];
/// Those behind which a name has a value.
const VALUES: &[&str] = &["const", "let", "var", "val", "static"];

/// What is declared, as a name is written; nothing where the text is no declaration, or one that is no more than a name and
/// what it takes.
pub(crate) fn declared(text: &str) -> Option<String> {
    if !text.contains(char::is_whitespace) {
        return None;
    }
    let text = without_attributes(text);
    let mut rest = text;
    while let Some((word, behind)) = rest.split_once(char::is_whitespace) {
        let behind = behind.trim_start();
        if FUNCTIONS.contains(&word) {
            return function(behind).filter(|_| text.len() > rest.len() || !is_name(behind));
        }
        if TYPES.contains(&word) && !TYPES.contains(&first_word(behind)) {
            return a_type(word, behind).filter(|_| text.len() > rest.len() || !is_name(behind));
        }
        if VALUES.contains(&word) {
            let name = name_at_start(behind.strip_prefix("mut ").unwrap_or(behind));
            let behind = behind[name.len()..].trim_start();
            if !name.is_empty() && (behind.starts_with('=') || behind.starts_with(':') && !behind.starts_with("::")) {
                return Some(name.to_owned());
            }
        }
        // Whatever stands before: modifiers, `pub(crate)`.
        let is_modifier = word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| is_word_char(c) || matches!(c, '(' | ')' | ':'));
        if !is_modifier {
            break;
        }
        rest = behind;
    }
    by_parameters(text)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_word_char)
}

fn first_word(text: &str) -> &str {
    text.split(char::is_whitespace).next().unwrap_or_default()
}

/// A name with what it is inside of: `Cart::add`, `self.make`, `empty?`.
fn name_at_start(text: &str) -> &str {
    let is_part = |c: char| is_word_char(c) || matches!(c, ':' | '.' | '!' | '?' | '$' | '~');
    text[..text.find(|c| !is_part(c)).unwrap_or(text.len())].trim_end_matches([':', '.'])
}

/// What stands behind `fn`: a name, what it is given and what it takes, or in Go whose method it is.
fn function(text: &str) -> Option<String> {
    if let Some(receiver) = text.strip_prefix('(') {
        let (receiver, method) = receiver.split_once(')')?;
        let ty = receiver.split('[').next().unwrap_or(receiver);
        let ty = ty.rsplit(|c: char| !is_word_char(c)).find(|part| !part.is_empty())?;
        return Some(format!("{ty}.{}", named(method.trim_start())?));
    }
    named(text)
}

/// A name at the start of a text, and what it takes.
fn named(text: &str) -> Option<String> {
    let name = name_at_start(text);
    let bare = name.strip_prefix("self.").unwrap_or(name);
    if !bare.contains(is_word_char) {
        return None;
    }
    let behind = without_arguments(&text[name.len()..]);
    let taken = parameters(behind).unwrap_or_default();
    let is_declared = begins_a_body(&behind[taken.len()..]) || !taken.is_empty();
    is_declared.then(|| format!("{bare}{taken}"))
}

/// Whether nothing, a sign or a word of the language comes behind a name: prose has others.
fn begins_a_body(behind: &str) -> bool {
    const WORDS: &[&str] = &[
        "do",
        "where",
        "extends",
        "implements",
        "with",
        "permits",
        "struct",
        "interface",
        "func",
        "map",
        "is",
        "final",
    ];
    let behind = behind.trim_start();
    behind.is_empty()
        || behind.starts_with(['{', '(', ':', '=', ';', '[', '<', ','])
        || WORDS.contains(&first_word(behind).trim_end_matches(|c: char| !is_word_char(c)))
}

/// The list at the start of a text, with its brackets.
fn parameters(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?;
    let mut depth = 1;
    let close = inner.char_indices().find_map(|(at, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (depth == 0).then_some(at)
    })?;
    Some(&text[..close + 2])
}

/// A text without the types in brackets that it begins with: `<T: Into<String>>(value: T)`, `[K comparable](key K)`.
fn without_arguments(text: &str) -> &str {
    let mut depth = 0;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        depth += match c {
            '<' | '[' => 1,
            '>' if before != '-' && before != '=' => -1,
            ']' => -1,
            _ => 0,
        };
        before = c;
        if depth == 0 {
            return if matches!(c, '>' | ']') { &text[at + 1..] } else { text };
        }
    }
    text
}

/// In C a type's word may also begin what a function gives.
fn a_type(word: &str, text: &str) -> Option<String> {
    let name = name_at_start(text);
    let behind = without_arguments(&text[name.len()..]);
    let is_given = matches!(word, "struct" | "enum" | "union")
        && behind.starts_with(|c: char| c.is_whitespace() || matches!(c, '*' | '&'))
        && !behind.trim_start().starts_with(['{', ':'])
        && by_parameters(text).is_some();
    if is_given || !name.contains(is_word_char) {
        return by_parameters(text);
    }
    begins_a_body(behind).then(|| format!("{name}#type"))
}

/// The name before the first list of parameters, where no word says that one follows.
fn by_parameters(text: &str) -> Option<String> {
    if text.contains("operator") {
        return None;
    }
    let mut from = 0;
    while let Some(open) = text[from..].find('(').map(|at| from + at) {
        let before = without_arguments_behind(&text[..open]);
        let is_part = |c: char| is_word_char(c) || matches!(c, ':' | '.' | '~' | '$');
        let start = before.rfind(|c| !is_part(c)).map_or(0, |at| at + 1);
        let name = before[start..].trim_start_matches([':', '.']);
        let taken = parameters(&text[open..])?;
        if is_macro(name) {
            from = open + taken.len();
            continue;
        }
        let behind = text[open + taken.len()..].trim_matches(|c: char| c.is_whitespace() || matches!(c, '{' | ';'));
        let typed = text[..start].trim();
        let is_apart = start == 0 || before[..start].ends_with(|c: char| c.is_whitespace() || matches!(c, '*' | '&'));
        let is_declared = is_apart
            && name.starts_with(|c: char| is_word_char(c) || c == '~')
            && name.ends_with(is_word_char)
            && !(typed.is_empty() && behind.is_empty())
            && (!behind.is_empty() || taken != "()");
        return is_declared.then(|| format!("{name}{taken}"));
    }
    None
}

/// What looks like a function before one: `__attribute__((unused)) int f(int a)`, `API_EXPORT(int) f(int a)`.
fn is_macro(name: &str) -> bool {
    name.starts_with("__")
        || name
            .chars()
            .all(|c| c == '_' || c.is_ascii_uppercase() || c.is_ascii_digit())
}

/// A text without the types in brackets that it ends in.
fn without_arguments_behind(text: &str) -> &str {
    let mut depth = 0;
    for (at, c) in text.char_indices().rev() {
        depth += i32::from(matches!(c, '>' | ']')) - i32::from(matches!(c, '<' | '['));
        if depth == 0 {
            return if matches!(c, '<' | '[') { &text[..at] } else { text };
        }
    }
    text
}

/// A declaration without what is noted before it: `@Override`, `@Test(timeout = 1)`, `#[inline]`, `[HttpGet("/")]`.
fn without_attributes(text: &str) -> &str {
    let mut text = text.trim_start();
    loop {
        let behind = match text.chars().next() {
            Some('@') => {
                let behind = &text[1 + name_at_start(&text[1..]).len()..];
                &behind[parameters(behind).map_or(0, str::len)..]
            }
            Some('#') if text.starts_with("#[") => without_arguments(&text[1..]),
            Some('[') => without_arguments(text),
            _ => return text,
        };
        if behind.len() == text.len() || !behind.starts_with(char::is_whitespace) {
            return text;
        }
        text = behind.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_what_is_declared() {
        for (text, expected) in [
            (
                "func (r *Repo) Save(ctx context.Context) (int, error) {",
                "Repo.Save(ctx context.Context)",
            ),
            ("func (s Set[K]) Has(key K) bool", "Set.Has(key K)"),
            ("func Map[K comparable](m map[K]int) []K {", "Map(m map[K]int)"),
            ("func main() {", "main()"),
            (
                "pub(crate) async fn get<K: Into<Key>>(&self, key: K) -> Option<V>",
                "get(&self, key: K)",
            ),
            ("fn size(&self) -> usize;", "size(&self)"),
            (
                "async def get(self, key: str = \"a b\") -> str:",
                "get(self, key: str = \"a b\")",
            ),
            ("def self.make(name)", "make(name)"),
            ("def empty?", "empty?"),
            ("private def size: Int = 3", "size"),
            ("public function add(Item $item): ?Cart", "add(Item $item)"),
            (
                "export default async function load<T>(url: string): Promise<T> {",
                "load(url: string)",
            ),
            ("private async load(url: string): Promise<void> {", "load(url: string)"),
            ("add(a: number, b: number): number", "add(a: number, b: number)"),
            ("export const load = async (url) => {", "load"),
            ("pub const LIMIT: usize = 3;", "LIMIT"),
            (
                "@Override public static Map<String, Integer> count(List<String> all) throws IOException {",
                "count(List<String> all)",
            ),
            ("@Test(timeout = 1) void fails() throws IOException", "fails()"),
            (
                "[HttpGet(\"/\")] public async Task<int> Get(int id) => 3;",
                "Get(int id)",
            ),
            (
                "static inline struct node *node__new(struct list *list, int n) {",
                "node__new(struct list *list, int n)",
            ),
            (
                "struct node *node__new(struct list *list)",
                "node__new(struct list *list)",
            ),
            (
                "void Cart::add(const Item &item) const noexcept",
                "Cart::add(const Item &item)",
            ),
            ("API_EXPORT(int) cart_add(cart *c)", "cart_add(cart *c)"),
            ("template<typename T> T max(T a, T b)", "max(T a, T b)"),
            ("fun String.words(limit: Int): List<String>", "String.words(limit: Int)"),
            ("export abstract class Cart<T> extends Base<T> {", "Cart#type"),
            ("class Cart(Base):", "Cart#type"),
            ("pub struct Cart<F: Fn(u32) -> u32> {", "Cart#type"),
            ("type Cart struct {", "Cart#type"),
            ("enum class Colour : int {", "Colour#type"),
            ("data class Cart(val items: List<Item>)", "Cart#type"),
        ] {
            assert_eq!(declared(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "parse",
            "Parser::parse",
            "add(Item item)",
            "How to install",
            "Usage (advanced)",
            "Calling run()",
            "struct stream",
            "func main",
            "operator bool",
            "<Circle as Shape>::area",
            "type of things",
            "function of time",
            "<app::Cart<T> as Drop>::drop(&self, n: u32)",
            "void Cart::operator()(int n)",
            "db::(anonymous namespace)::Env",
        ] {
            assert_eq!(declared(text), None, "{text}");
        }
    }
}
