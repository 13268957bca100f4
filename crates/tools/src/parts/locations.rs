//! Places in code as people and programs write them: `file:10`, `file#symbol`, and whatever compilers, stack traces,
//! test runs and diffs name.

/// A place that someone asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceLocation {
    pub written: String,
    pub place: Place,
    /// Found in pasted text, which also names files of libraries.
    pub is_pasted: bool,
    /// The function that a stack trace says is there.
    pub function: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Lines {
        path: String,
        first: u32,
        last: u32,
    },
    /// A symbol of one file.
    Member {
        path: String,
        symbol: String,
    },
    /// A file or a symbol: whoever knows them decides.
    Name(String),
    Hunk(Hunk),
}

/// A piece of a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub before: Side,
    pub after: Side,
}

/// The piece as one of the two files has it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Side {
    pub path: String,
    pub start: u32,
    pub lines: Vec<String>,
    /// The first and last line of each change; a removal is where it was.
    pub changed: Vec<(u32, u32)>,
}

/// One target as a caller gives it; text that holds several is looked through.
pub(crate) fn parse(text: &str) -> Vec<SourceLocation> {
    let text = text.trim();
    if text.contains('\n') {
        return pasted(text);
    }
    // A line of a trace is looked through like all of it.
    let found = if text.starts_with("at ") || frame_of_debugger(text).is_some() {
        pasted(text)
    } else {
        Vec::new()
    };
    if !found.is_empty() {
        return found;
    }
    let place = match split_lines(text, |path| !path.is_empty() && !path.ends_with(':')) {
        Some((path, first, last, "" | ")" | "]" | ":")) => Place::Lines {
            path: local(path),
            first,
            last,
        },
        _ => match member(text) {
            Some(place) => place,
            None => {
                let found = if text.contains(char::is_whitespace) {
                    pasted(text)
                } else {
                    Vec::new()
                };
                if !found.is_empty() {
                    return found;
                }
                Place::Name(text.to_owned())
            }
        },
    };
    vec![SourceLocation {
        written: text.to_owned(),
        place,
        is_pasted: false,
        function: None,
    }]
}

/// `file#symbol`, `file::symbol` as pytest writes it, and `file:symbol`.
fn member(text: &str) -> Option<Place> {
    let is_name = |symbol: &str| symbol.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '~'));
    let (path, symbol) = text
        .match_indices(['#', ':'])
        .map(|(at, _)| (&text[..at], text[at + 1..].trim_start_matches(':')))
        .find(|(path, symbol)| is_file_name(path) && is_name(symbol))?;
    let symbol = symbol.split('[').next().unwrap_or(symbol);
    Some(Place::Member {
        path: local(path),
        symbol: symbol.to_owned(),
    })
}

/// Every place that compiler output, a stack trace, a test run or a diff names, once each, in order; of a trace where it
/// was raised first.
pub(crate) fn pasted(text: &str) -> Vec<SourceLocation> {
    let mut found = Found::default();
    let text = without_colours(text);
    let mut lines = text.lines().peekable();
    // A file whose places follow on lines of their own.
    let mut heading: Option<String> = None;
    let mut diff: Option<(String, String)> = None;
    let mut last_line = "";
    // Where the frames of a trace begin that ends with the innermost.
    let mut outermost: Option<usize> = None;
    while let Some(line) = lines.next() {
        if line.contains("(most recent call last)") {
            outermost = Some(found.targets.len());
        } else if (!line.starts_with(char::is_whitespace) || line.trim_start().starts_with("at "))
            && let Some(first) = outermost.take()
        {
            found.targets[first..].reverse();
        }
        if let Some(path) = line.strip_prefix("--- ")
            && lines.peek().is_some_and(|next| next.starts_with("+++ "))
        {
            let new_path = lines.next().map(|line| diff_path(&line[4..])).unwrap_or_default();
            diff = Some((diff_path(path), new_path));
            continue;
        }
        if let Some((old_path, new_path)) = &diff
            && let Some((old, new)) = hunk_header(line)
        {
            found.hunk(read_hunk(old_path, new_path, old, new, &mut lines));
            continue;
        }
        let before = found.targets.len();
        scan(line, &mut found);
        let function = function_of(line).or_else(|| function_before(last_line, line));
        last_line = line;
        if let Some(target) = found.targets.get_mut(before) {
            target.function = function.map(str::to_owned);
            continue;
        }
        let trimmed = line.trim();
        // Where the program knows its lines, the place follows.
        let has_place = lines.peek().is_some_and(|next| next.trim_start().starts_with("at "));
        let of_rust = frame_of_rust(trimmed).filter(|_| !has_place);
        if let Some(name) = frame_without_file(trimmed).or(of_rust) {
            found.push(name.to_owned(), Place::Name(name.to_owned()));
            continue;
        }
        match heading.as_deref().zip(row_number(line)) {
            Some((path, number)) => found.lines(path, number, number),
            None if !trimmed.contains(char::is_whitespace) && is_file_name(trimmed) => {
                heading = Some(local(trimmed));
            }
            // Elm: `-- TYPE MISMATCH ------ src/Main.elm`
            None if trimmed.starts_with("-- ") => {
                let last = trimmed.rsplit(' ').next().filter(|path| is_file_name(path));
                heading = last.map(local).or(heading);
            }
            None => {}
        }
    }
    let mut targets = found.targets;
    if let Some(first) = outermost {
        targets[first..].reverse();
    }
    targets
}

#[derive(Default)]
struct Found {
    targets: Vec<SourceLocation>,
}

impl Found {
    fn push(&mut self, written: String, place: Place) {
        let is_known = |known: &SourceLocation| known.written == written && known.place == place;
        if !self.targets.iter().any(is_known) {
            self.targets.push(SourceLocation {
                written,
                place,
                is_pasted: true,
                function: None,
            });
        }
    }

    fn lines(&mut self, path: &str, first: u32, last: u32) {
        let path = local(path);
        let written = match first == last {
            true => format!("{path}:{first}"),
            false => format!("{path}:{first}-{last}"),
        };
        self.push(written, Place::Lines { path, first, last });
    }

    fn hunk(&mut self, hunk: Hunk) {
        let side = if hunk.after.path.is_empty() {
            &hunk.before
        } else {
            &hunk.after
        };
        let written = match side.changed.first().zip(side.changed.last()) {
            Some((first, last)) if first.0 < last.1 => {
                format!("{}:{}-{}", side.path, first.0, last.1)
            }
            _ => format!(
                "{}:{}",
                side.path,
                side.changed.first().map_or(side.start, |change| change.0)
            ),
        };
        self.push(written, Place::Hunk(hunk));
    }
}

/// The function that a line of a stack trace names beside the place: of Python, Java, JavaScript and Ruby.
fn function_of(line: &str) -> Option<&str> {
    let line = line.trim();
    let name = match line.strip_prefix("at ") {
        Some(frame) => {
            let (name, _) = frame.split_once('(')?;
            name.trim().rsplit(['.', ' ', '$']).next()?
        }
        None if line.starts_with("File \"") => line.rsplit_once(", in ")?.1,
        // Firefox and Safari: `load@https://host/app.js:10:5`
        None if line.contains("@http") => line.split_once('@')?.0,
        None => frame_of_ruby(line).or_else(|| frame_of_debugger(line))?,
    };
    is_plain(name.trim_end_matches(['?', '!'])).then_some(name)
}

/// The method of a frame of Ruby: `app.rb:7:in 'block in Shop#sell'`, with a backtick before it in older ones.
fn frame_of_ruby(line: &str) -> Option<&str> {
    let (_, frame) = line.split_once(":in ")?;
    let (name, _) = frame.strip_prefix(['`', '\''])?.split_once('\'')?;
    name.rsplit([' ', '#', '.', ':']).next()
}

/// The function of a frame as gdb and lldb print it: `#1  0x0055 in parse (text=..) at src/parse.c:7`.
fn frame_of_debugger(line: &str) -> Option<&str> {
    let (_, rest) = digits(line.trim().strip_prefix('#')?)?;
    let rest = rest.strip_prefix(char::is_whitespace)?.trim_start();
    let rest = rest.split_once(" in ").map_or(rest, |(_, rest)| rest);
    let name = rest.split([' ', '(']).next()?;
    name.rsplit("::").next()
}

/// The function of a frame that tells no file: `at Shop.Cart.Add(Item item)` of .NET, `at shop.Cart.add(Unknown Source)` of
/// Java, `shop(cart_add+0x1c)[0x55]` of C's library.
fn frame_without_file(frame: &str) -> Option<&str> {
    let is_name = |name: &&str| {
        let mut parts = name.split(['.', '+', '$']);
        parts.clone().nth(1).is_some() && parts.all(is_plain)
    };
    if let Some(frame) = frame.strip_prefix("at ") {
        let name = frame.split_once('(').map(|(name, _)| name.trim())?;
        return Some(name.rsplit('/').next().unwrap_or(name)).filter(is_name);
    }
    let (_, frame) = frame
        .strip_suffix(']')?
        .rsplit_once("[0x")
        .map(|(frame, _)| frame.split_once('('))??;
    let (name, offset) = frame.trim_end().strip_suffix(')')?.split_once("+0x")?;
    let is_offset = offset.bytes().all(|byte| byte.is_ascii_hexdigit());
    Some(name).filter(|name| is_offset && is_plain(name))
}

/// The function of a frame of Rust, if it is not of the standard library: `3: shop::Cart::add::h0123456789abcdef`, with an
/// address before it, or closures behind.
fn frame_of_rust(frame: &str) -> Option<&str> {
    let (_, rest) = digits(frame)?;
    let name = rest.strip_prefix(':')?.trim();
    let addressed = name.split_once(" - ").filter(|(address, _)| address.starts_with("0x"));
    let mut name = addressed.map_or(name, |(_, name)| name);
    let is_hash = |last: &str| {
        let digits = last.strip_prefix('h').unwrap_or_default();
        digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    while let Some((outer, last)) = name.rsplit_once("::")
        && (last.starts_with('{') || is_hash(last))
    {
        name = outer;
    }
    let (outer, last) = name.rsplit_once("::")?;
    let crate_name = outer.trim_start_matches(['<', '&', '[']).split("::").next()?;
    let is_path = name.starts_with('<') || !outer.contains(' ');
    let is_own = !matches!(crate_name, "std" | "core" | "alloc" | "test" | "backtrace");
    (is_path && is_own && is_plain(last.split('<').next()?)).then_some(name)
}

/// Go names the function on the line before: `main.(*Server).run(0xc0000b2000)`.
fn function_before<'t>(before: &'t str, line: &str) -> Option<&'t str> {
    let (name, _) = before.trim().strip_suffix(')')?.rsplit_once('(')?;
    let name = name.rsplit('.').next().filter(|_| line.starts_with('\t'))?;
    is_plain(name).then_some(name)
}

fn is_plain(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
        && !matches!(name, "init" | "eval" | "anonymous" | "module" | "lambda" | "invoke")
}

/// What logs of builds put before a line.
const LOGGED: &[&str] = &["##[error]", "##[warning]"];

/// The places that one line of output names.
fn scan(line: &str, found: &mut Found) {
    // Python and OCaml: File "x.py", line 10
    if let Some((_, rest)) = line.split_once("File \"")
        && let Some((path, rest)) = rest.split_once('"')
        && let Some((number, _)) = rest
            .trim_start_matches([',', ' '])
            .strip_prefix("line")
            .and_then(|rest| number(rest.trim_start_matches(['s', ' '])))
    {
        if !path.starts_with('<') {
            found.lines(path, number, number);
        }
        return;
    }
    // GitHub's annotations: ::error file=src/a.ts,line=7,col=9::
    if let Some((_, rest)) = line.split_once("::").filter(|_| line.contains("file="))
        && let Some((_, rest)) = rest.split_once("file=")
        && let Some((path, rest)) = rest.split_once(',')
        && let Some((number, _)) = rest.split_once("line=").and_then(|(_, rest)| number(rest))
    {
        found.lines(path, number, number);
        return;
    }
    // .NET: at App.Run() in /my dir/a.cs:line 7
    if let Some((before, line)) = line.rsplit_once(":line ")
        && let Some((number, _)) = number(line)
        && let Some((_, path)) = before.split_once(" in ").filter(|(_, path)| is_file_name(path))
    {
        found.lines(path, number, number);
        return;
    }
    // A path that begins at the root may have spaces in it: /my dir/a.cs(7,13): error
    if let Some((path, first, last, _)) = split_lines(line.trim(), is_spaced_path) {
        found.lines(path, first, last);
        return;
    }
    // Linkers know a name and no place.
    if let Some((_, rest)) = line.split_once("undefined reference to `")
        && let Some((name, _)) = rest.split_once('\'')
    {
        let name = name.split('(').next().unwrap_or(name);
        found.push(name.to_owned(), Place::Name(name.to_owned()));
        return;
    }
    // Java's constructors are called so.
    let line = &line.replace(".<init>(", ".init(").replace(".<clinit>(", ".init(");
    let words: Vec<&str> = line
        .split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`'))
        .filter(|word| !word.is_empty())
        .collect();
    for (at, word) in words.iter().enumerate() {
        let word = word.trim_start_matches(['(', '[', '<', '{', '=', '@', '*', '|']);
        let word = LOGGED.iter().find_map(|mark| word.strip_prefix(mark)).unwrap_or(word);
        let word = word
            .split_once("@http")
            .map_or(word, |(function, _)| &word[function.len() + 1..]);
        // `app.ts?t=1699:10:5`
        let asked = word.find('?').filter(|_| word.contains("://"));
        let plain = asked.and_then(|at| Some(format!("{}{}", &word[..at], &word[at..][word[at..].find(':')?..])));
        let word = plain.as_deref().unwrap_or(word);
        if let Some((path, first, last, _)) = split_lines(word, is_file_name) {
            match java_file(path) {
                Some(path) => found.lines(&path, first, last),
                None => found.lines(path, first, last),
            }
        } else if let Some(path) =
            Some(without_scheme(word).trim_end_matches([':', ','])).filter(|path| is_file_name(path))
            && let Some(number) = line_behind(word, &words[at + 1..]).or_else(|| line_before(&words[..at]))
        {
            found.lines(path, number, number);
        } else if let Some(place @ Place::Member { .. }) = member(word).filter(|_| word.contains("::")) {
            found.push(word.to_owned(), place);
        }
    }
}

/// The line that the words behind a path tell.
fn line_behind(path: &str, words: &[&str]) -> Option<u32> {
    let mut words = words
        .iter()
        .map(|word| word.trim_start_matches([',', '(', '{', '}', ':']));
    let mut first = words.find(|word| !matches!(*word, "" | "on"))?;
    // Erlang: `{file,"a.erl"},{line,7}`; Gradle: `'a.gradle' line: 7`
    if let Some(rest) = first.strip_prefix("line:").or_else(|| first.strip_prefix("line,"))
        && !rest.is_empty()
    {
        return Some(number(rest)?.0);
    }
    if matches!(first, "line" | "lines" | "line:") {
        first = words.next()?;
        return Some(number(first)?.0);
    }
    let (line, rest) = number(first)?;
    // Shells and Kotlin: `a.sh: 7: no`, `A.kt: (7, 9): no`; webpack: `./a.ts 7:9`
    let is_column = after(rest, &[":"]).is_some();
    (is_column || (path.ends_with(':') && rest.starts_with([':', ',']))).then_some(line)
}

/// The line that the words before a path tell. Fortran: `At line 7 of file a.f90`
fn line_before(words: &[&str]) -> Option<u32> {
    let words = words.strip_suffix(&["file"]).unwrap_or(words);
    match words {
        [.., "line", line, "of" | "in"] => Some(number(line)?.0),
        _ => None,
    }
}

/// `path:10`, `path:10:5`, `path:10-50`, `path(10,5)`, `path:[10,5]`, `path:(10,5)-(12,3)`,
/// `path#L10-L50`: path, first and last line, rest.
fn split_lines(text: &str, is_path: impl Fn(&str) -> bool) -> Option<(&str, u32, u32, &str)> {
    let text = without_scheme(text);
    for (at, mark) in text.char_indices().filter(|(_, c)| matches!(c, ':' | '(' | '#')) {
        let (path, rest) = (&text[..at], &text[at + 1..]);
        let rest = match mark {
            ':' => rest.strip_prefix(['[', '(']).unwrap_or(rest),
            '#' => rest.strip_prefix('L').unwrap_or(rest),
            _ => rest,
        };
        let Some((first, rest)) = number(rest).filter(|_| is_path(path)) else {
            continue;
        };
        // A column, which a range may repeat behind its second line.
        let column = |rest| after(rest, &[":", ",", "C"]).map_or(rest, |(_, rest)| rest);
        let rest = column(rest);
        let (last, rest) = match after(rest, &["-L", "-", "..", ")-("]) {
            Some((last, rest)) => (last, column(rest)),
            None => (first, rest),
        };
        return Some((path, first.min(last), first.max(last), rest));
    }
    None
}

/// The path of an address: `webpack-internal:///./src/app.ts`, `http://localhost:5173/src/app.ts`, Dart's `package:app/a.dart`.
fn without_scheme(text: &str) -> &str {
    const MARKS: &[&str] = &["at:", "psql:"];
    let text = MARKS.iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    if let Some((_, path)) = text.strip_prefix("package:").and_then(|text| text.split_once('/')) {
        return path;
    }
    // Visual Studio's number of a project: `1>a.cpp(7,9)`
    let text = digits(text)
        .and_then(|(_, rest)| rest.strip_prefix('>'))
        .unwrap_or(text);
    let Some((scheme, rest)) = text.split_once("://") else {
        return text;
    };
    let is_scheme = scheme
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+'));
    match is_scheme {
        // What comes first is the host.
        true if scheme.starts_with("http") => rest.split_once('/').map_or(rest, |(_, path)| path),
        true => rest.strip_prefix("/./").unwrap_or(rest),
        false => text,
    }
}

fn after<'t>(text: &'t str, marks: &[&str]) -> Option<(u32, &'t str)> {
    number(marks.iter().find_map(|mark| text.strip_prefix(mark))?)
}

/// A line number and what follows it.
fn number(text: &str) -> Option<(u32, &str)> {
    digits(text).filter(|(value, _)| *value > 0)
}

/// The number at the beginning of a text and what follows it.
fn digits(text: &str) -> Option<(u32, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    Some((text[..length].parse().ok()?, &text[length..]))
}

/// `  10:5  error`: a row of a list below its file's name. `10|  code`: a line of it.
fn row_number(line: &str) -> Option<u32> {
    if let Some((row, _)) = number(line).filter(|(_, rest)| rest.starts_with('|')) {
        return Some(row);
    }
    let (row, rest) = number(line.trim_start()).filter(|_| line.starts_with(char::is_whitespace))?;
    let (_, rest) = after(rest, &[":"])?;
    rest.starts_with(char::is_whitespace).then_some(row)
}

/// Whether a text is the whole path of a file, with spaces in the names of its directories.
fn is_spaced_path(path: &str) -> bool {
    let is_whole = path.starts_with('/') || path.get(1..3).is_some_and(|drive| matches!(drive, ":\\" | ":/"));
    let mut words = path.split(' ').skip(1).peekable();
    let is_inside = words.peek().is_some() && words.all(|word| !word.starts_with(['-', '/']));
    let ends_outside = path.rfind(' ') < path.rfind(['/', '\\']);
    is_whole && is_inside && ends_outside && is_file_name(path)
}

/// Whether a text is the path of a file, by its extension or well-known name.
fn is_file_name(path: &str) -> bool {
    const NAMES: &[&str] = &[
        "Makefile",
        "Dockerfile",
        "Rakefile",
        "Gemfile",
        "Jenkinsfile",
        "Justfile",
        "BUILD",
    ];
    if path.contains("://") || path.contains(['<', '>', '=', ';', ',']) {
        return false;
    }
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let is_extension = |text: &str| {
        (1..=12).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && text.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    NAMES.contains(&name) || extension.is_some_and(is_extension)
}

/// `com.example.Foo.bar(Foo.java` is com/example/Foo.java.
fn java_file(path: &str) -> Option<String> {
    let (method, file) = path.rsplit_once('(').filter(|(_, file)| !file.contains([')', '/']))?;
    // A class loader or module before the class: `java.base/java.util.List.of`.
    let method = method.rsplit('/').next().unwrap_or(method);
    let mut parts: Vec<&str> = method.split('.').collect();
    parts.truncate(parts.len().saturating_sub(2));
    parts.push(file);
    Some(parts.join("/"))
}

/// With `/` between its parts, and no drive or `./` before it.
fn local(path: &str) -> String {
    let drive = path.as_bytes();
    if drive.len() > 2 && drive[0].is_ascii_alphabetic() && drive[1] == b':' && matches!(drive[2], b'\\' | b'/') {
        return path[2..].replace('\\', "/");
    }
    path.strip_prefix("./").unwrap_or(path).replace('\\', "/")
}

fn without_colours(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("\x1b[") {
        out.push_str(before);
        let end = behind
            .find(|c: char| c.is_ascii_alphabetic())
            .map_or(behind.len(), |at| at + 1);
        rest = &behind[end..];
    }
    out + rest
}

/// Empty for the side that has no file.
fn diff_path(path: &str) -> String {
    let path = path.split('\t').next().unwrap_or(path).trim().trim_matches('"');
    let inside = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/"));
    match path {
        "/dev/null" => String::new(),
        path => inside.unwrap_or(path).to_owned(),
    }
}

/// Start and length of both sides: `@@ -1,3 +1,4 @@`.
fn hunk_header(line: &str) -> Option<((u32, u32), (u32, u32))> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let side = |text: &str| {
        let (start, length) = text.split_once(',').unwrap_or((text, "1"));
        Some((start.parse().ok()?, length.parse().ok()?))
    };
    Some((side(old)?, side(new)?))
}

fn read_hunk<'t>(
    old_path: &str,
    new_path: &str,
    (old_start, mut old_left): (u32, u32),
    (new_start, mut new_left): (u32, u32),
    lines: &mut std::iter::Peekable<impl Iterator<Item = &'t str>>,
) -> Hunk {
    let side = |path: &str, start: u32| Side {
        path: path.to_owned(),
        start: start.max(1),
        ..Side::default()
    };
    let mut before = side(old_path, old_start);
    let mut after = side(new_path, new_start);
    let mut in_change = false;
    while old_left > 0 || new_left > 0 {
        let Some(line) = lines.peek() else { break };
        let (mark, text) = (line.chars().next().unwrap_or(' '), line.get(1..).unwrap_or_default());
        if !matches!(mark, ' ' | '+' | '-' | '\\') {
            break;
        }
        lines.next();
        if mark == '\\' {
            continue;
        }
        for (side, left, sign) in [(&mut before, &mut old_left, '-'), (&mut after, &mut new_left, '+')] {
            let here = side.start + side.lines.len() as u32;
            if mark != ' ' {
                if !in_change {
                    side.changed.push((here, here));
                }
                if let Some(change) = side.changed.last_mut().filter(|_| mark == sign) {
                    change.1 = here;
                }
            }
            if mark == ' ' || mark == sign {
                side.lines.push(text.to_owned());
                *left = left.saturating_sub(1);
            }
        }
        in_change = mark != ' ';
    }
    Hunk { before, after }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let shown: Vec<String> = parse(text).iter().map(show).collect();
        expected.assert_eq(&shown.join("\n"));
    }

    fn show(target: &SourceLocation) -> String {
        match &target.place {
            Place::Lines { path, first, last } => format!("{path} {first}-{last}"),
            Place::Member { path, symbol } => format!("{path} # {symbol}"),
            Place::Name(name) => format!("name {name}"),
            Place::Hunk(hunk) => {
                let side = |side: &Side| format!("{}@{} {:?}", side.path, side.start, side.changed);
                format!("{} -> {} ({})", side(&hunk.before), side(&hunk.after), target.written)
            }
        }
    }

    #[test]
    fn one_target() {
        for (text, expected) in [
            ("src/a.rs", "name src/a.rs"),
            ("src/a.rs:10", "src/a.rs 10-10"),
            ("src/a.rs:10:5", "src/a.rs 10-10"),
            ("src/a.rs:10-50", "src/a.rs 10-50"),
            ("src/a.rs:50-10", "src/a.rs 10-50"),
            ("src/a.rs:10:5-12:3", "src/a.rs 10-12"),
            ("src/a.rs#L10-L12", "src/a.rs 10-12"),
            ("src/a.rs#L10", "src/a.rs 10-10"),
            ("src/a.ts(10,5)", "src/a.ts 10-10"),
            (r"C:\code\a.rs:7", "/code/a.rs 7-7"),
            ("src/a.rs#parse", "src/a.rs # parse"),
            ("src/a.rs#Parser::parse", "src/a.rs # Parser::parse"),
            ("src/a.rs:parse", "src/a.rs # parse"),
            ("src/a.rs:Parser::parse", "src/a.rs # Parser::parse"),
            ("tests/test_a.py::TestA::test_b[1-2]", "tests/test_a.py # TestA::test_b"),
            ("LICENSE:3", "LICENSE 3-3"),
            ("Parser::parse", "name Parser::parse"),
            ("Class#method", "name Class#method"),
            ("pkg.Class.method", "name pkg.Class.method"),
            ("my dir/a.rs:3", "my dir/a.rs 3-3"),
            ("How to install", "name How to install"),
            ("src/a.rs:0", "name src/a.rs:0"),
            ("src/a.rs:99999999999", "name src/a.rs:99999999999"),
            ("src/a.rs:3: error: bad", "src/a.rs 3-3"),
            ("", "name "),
            (":", "name :"),
            ("::10", "name ::10"),
        ] {
            let shown: Vec<String> = parse(text).iter().map(show).collect();
            assert_eq!(shown.join("\n"), expected, "{text}");
        }
    }

    #[test]
    fn lines_of_other_tools() {
        for (text, expected, function) in [
            (
                "e: /p/src/A.kt: (7, 9): Unresolved reference: foo",
                "/p/src/A.kt 7-7",
                None,
            ),
            (
                "m.c:(.text+0x13): undefined reference to `beta(int)'",
                "name beta",
                None,
            ),
            ("ERROR in ./src/a.ts 7:9", "src/a.ts 7-7", None),
            ("##[error]src/a.ts(7,9): error TS2322: no", "src/a.ts 7-7", None),
            ("::error file=src/a.ts,line=7,col=9::no", "src/a.ts 7-7", None),
            ("load@http://localhost:5173/src/a.ts:7:9", "src/a.ts 7-7", Some("load")),
            ("died at src/a.pl line 7.", "src/a.pl 7-7", None),
            ("#0  beta (x=3) at src/a.c:7", "src/a.c 7-7", Some("beta")),
            ("bin/a.sh: line 7: foo: command not found", "bin/a.sh 7-7", None),
            ("bin/a.sh: 7: foo: not found", "bin/a.sh 7-7", None),
            ("{a,run,1,[{file,\"src/a.erl\"},{line,7}]}", "src/a.erl 7-7", None),
            ("in function  a:run/1 (src/a.erl, line 7)", "src/a.erl 7-7", None),
            ("src/A.hs:(7,5)-(9,3): Non-exhaustive patterns", "src/A.hs 7-9", None),
            ("File \"bin/a.ml\", lines 7-9, characters 2-3:", "bin/a.ml 7-7", None),
            (
                "Called from A.run in file \"bin/a.ml\", line 7, characters 2-3",
                "bin/a.ml 7-7",
                None,
            ),
            ("3: run(x) at a.R#7", "a.R 7-7", None),
            ("At line 7 of file src/a.f90 (unit = 5)", "src/a.f90 7-7", None),
            ("Build file '/p/build.gradle' line: 7", "/p/build.gradle 7-7", None),
            ("Fatal error: no: file App/A.swift, line 7", "App/A.swift 7-7", None),
            ("App/A.swift:7: Fatal error: no", "App/A.swift 7-7", None),
            ("psql:db/a.sql:7: ERROR:  syntax error", "db/a.sql 7-7", None),
            (r"1>C:\p\a.cpp(7,9): error C2065: no", "/p/a.cpp 7-7", None),
            (
                "   at A.B.Run(Int32 x) in /my dir/A.cs:line 7",
                "/my dir/A.cs 7-7",
                Some("Run"),
            ),
            (
                "/my dir/src/A.cs(7,13): error CS0103: The name",
                "/my dir/src/A.cs 7-7",
                None,
            ),
            ("/bin/cc -c src/a.c:7: no", "src/a.c 7-7", None),
            ("#0  main (package:app/src/a.dart:7:9)", "src/a.dart 7-7", Some("main")),
            ("package:app/src/a.dart 7:9  run", "src/a.dart 7-7", None),
            (
                "startup failed: a.groovy: 7: no @ line 7, column 9.",
                "a.groovy 7-7",
                None,
            ),
            (
                "-- NAMING ERROR ----- src/Main.elm\n\n7|    foo",
                "src/Main.elm 7-7",
                None,
            ),
            (
                "/gems/a-1.0/lib/a.rb:7:in `block in sell!'",
                "/gems/a-1.0/lib/a.rb 7-7",
                Some("sell!"),
            ),
            ("lib/a.rb:7:in 'Shop#sell': no (E)", "lib/a.rb 7-7", Some("sell")),
            ("lib/a.rb:7:in '<main>'", "lib/a.rb 7-7", None),
            (
                "#12 0x0055 in ns::alpha (s=0x55) at src/a.c:7",
                "src/a.c 7-7",
                Some("alpha"),
            ),
        ] {
            let found = pasted(text);
            let shown: Vec<String> = found.iter().map(show).collect();
            assert_eq!(shown.join("\n"), expected, "{text}");
            assert_eq!(found[0].function.as_deref(), function, "{text}");
        }
        assert_eq!(parse("#0  beta (x=3) at src/a.c:7").len(), 1);
        for (text, expected) in [
            ("   at Shop.Cart.Add(Item item)", "name Shop.Cart.Add"),
            ("at shop.Cart.add(Unknown Source)", "name shop.Cart.add"),
            ("\tat app//shop.Cart.add(Cart.java)", "name shop.Cart.add"),
            ("./shop(cart_add+0x1c)[0x5566]", "name cart_add"),
            ("./shop(+0x1c)[0x5566]", ""),
            ("at least (three) of them", ""),
            ("at <anonymous>", ""),
        ] {
            let shown: Vec<String> = pasted(text).iter().map(show).collect();
            assert_eq!(shown.join("\n"), expected, "{text}");
        }
    }

    #[test]
    fn compilers() {
        check(
            "error[E0425]: cannot find value `x`\n  --> src/main.rs:4:5\n   |\n4  |     x\n   |     ^ not found\n  ::: src/lib.rs:9:1\n\
             In file included from inc/b.h:3,\n                 from src/c.c:1:\nsrc/c.c:10:5: error: bad\nsrc/c.c:10:9: note: again\n\
             src/a.ts(3,14): error TS2322: no\n\x1b[96msrc/b.ts\x1b[0m:\x1b[93m2\x1b[0m:\x1b[93m7\x1b[0m - error\n\
             ./main.go:5:2: undefined: y\nsrc/Foo.java:7: error: ';' expected\n[ERROR] /w/src/Bar.java:[12,8] no symbol\n\
             Program.cs(4,9): error CS1002: ; expected [/w/a.csproj]\nsee http://localhost:8080 at 12:30:45, v1.2:3",
            expect![[r#"
                src/main.rs 4-4
                src/lib.rs 9-9
                inc/b.h 3-3
                src/c.c 1-1
                src/c.c 10-10
                src/a.ts 3-3
                src/b.ts 2-2
                main.go 5-5
                src/Foo.java 7-7
                /w/src/Bar.java 12-12
                Program.cs 4-4"#]],
        );
    }

    #[test]
    fn traces_and_tests() {
        check(
            "Traceback (most recent call last):\n  File \"/app/my dir/m.py\", line 10, in f\n  File \"<frozen runpy>\", line 3, in g\n\
             \x20 File \"/app/raises.py\", line 4, in h\n    raise E\n\
             Error: x\n    at run (/app/src/a.js:10:5)\n    at file:///app/b.mjs:2:1\n    at node:internal/main:3:4\n    at <anonymous>:1:1\n\
             Exception in thread \"main\" E\n\tat com.acme.Foo$Bar.run(Foo.java:12)\n\tat com.acme.Baz.<init>(Baz.java:7)\n\tat java.base/java.util.List.of(List.java:3)\n\
             thread 'main' panicked at src/main.rs:3:9:\n   5: app::f\n             at ./src/f.rs:7:1\n\
             \x20  6: <app::Cart<T> as core::ops::Drop>::drop\n   7: std::rt::run\n\
             \x20  8:     0x55d - app::Cart::add::{{closure}}::h0123456789abcdef\n   9: main\n\
             goroutine 1:\nmain.f(0x1)\n\t/w/main.go:8 +0x1d\n\
             tests/test_x.py:9: AssertionError\nFAILED tests/test_x.py::TestA::test_b - assert 1\n\
             #0 /w/a.php(10): f()\nPHP error in /w/b.php on line 4\n   at A.B() in C:\\w\\C.cs:line 21\n\
             /w/src/lint.js\n  3:7  error  no-unused  x\n  9:1  warning  y",
            expect![[r#"
                /app/raises.py 4-4
                /app/my dir/m.py 10-10
                /app/src/a.js 10-10
                /app/b.mjs 2-2
                com/acme/Foo.java 12-12
                com/acme/Baz.java 7-7
                java/util/List.java 3-3
                src/main.rs 3-3
                src/f.rs 7-7
                name <app::Cart<T> as core::ops::Drop>::drop
                name app::Cart::add
                /w/main.go 8-8
                tests/test_x.py 9-9
                tests/test_x.py # TestA::test_b
                /w/a.php 10-10
                /w/b.php 4-4
                /w/C.cs 21-21
                /w/src/lint.js 3-3
                /w/src/lint.js 9-9"#]],
        );
    }

    #[test]
    fn diffs() {
        check(
            "diff --git a/src/a.rs b/src/a.rs\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -3,4 +3,5 @@ fn f() {\n a\n-b x.rs:9\n+c\n+d\n e\n f\n\
             @@ -20,3 +21,2 @@\n x\n-y\n z\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+one\n+two\n\
             --- a/old.py\t2020\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\nsrc/b.rs:3: after",
            expect![[r#"
                src/a.rs@3 [(4, 4)] -> src/a.rs@3 [(4, 5)] (src/a.rs:4-5)
                src/a.rs@20 [(21, 21)] -> src/a.rs@21 [(22, 22)] (src/a.rs:22)
                @1 [(1, 1)] -> new.py@1 [(1, 2)] (new.py:1-2)
                old.py@1 [(1, 1)] -> @1 [(1, 1)] (old.py:1)
                src/b.rs 3-3"#]],
        );
    }
}
