//! Signatures and documentation of definitions as text for people, in any language.

use super::{FileFacts, Symbol, SymbolKind};

impl FileFacts {
    /// The definition without its body, on one line.
    pub fn signature(&self, symbol: &Symbol, text: &str) -> String {
        let written = text.get(symbol.signature.range()).unwrap_or_default();
        if written.starts_with("typedef") && symbol.name_at >= symbol.signature.end {
            // It is called by what stands behind its members, and may be a pointer to these: `} point, *points`.
            let before = text.get(symbol.signature.end as usize..symbol.name_at as usize);
            let stars = before
                .unwrap_or_default()
                .chars()
                .rev()
                .take_while(|c| *c == '*')
                .count();
            let stars = "*".repeat(stars);
            return format!("{} {{...}} {stars}{}", signature(written), self.name(symbol));
        }
        let name_end = symbol.name_at + self.name(symbol).len() as u32;
        let behind = text.get(name_end as usize..symbol.span.end as usize);
        let Some(behind) = behind.filter(|_| symbol.kind == SymbolKind::Type && name_end <= symbol.signature.end)
        else {
            return signature(written);
        };
        // All of an alias says what it is.
        let told = told_of_alias(behind);
        let end = name_end as usize + told;
        let line = signature(text.get(symbol.signature.start as usize..end).unwrap_or(written));
        let rest = behind[told..].trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ';' | '.'));
        match rest.is_empty() || rest.starts_with('{') {
            true => line,
            false => line + " ...",
        }
    }

    /// What its comment says, without comment marks.
    pub fn doc(&self, symbol: &Symbol, text: &str) -> Option<String> {
        let written = text.get(symbol.doc?.range())?;
        let lines = written.lines().filter(|line| !line.starts_with("#!")).map(bare_comment);
        let text = lines.collect::<Vec<_>>().join("\n");
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

/// Characters of an alias that are told, without white space.
const MAX_ALIAS: usize = 200;

/// How much of what is behind the name of an alias tells what it is: all of its lines, or what is before the braces that it
/// stands for.
fn told_of_alias(behind: &str) -> usize {
    let (mut before, mut length, mut last_gap) = (' ', 0, None);
    for (at, c) in behind.char_indices() {
        if c.is_whitespace() {
            last_gap = Some(at);
            continue;
        }
        length += 1;
        if c == '{' && matches!(before, ' ' | '=') {
            return at;
        }
        if length > MAX_ALIAS {
            return last_gap.unwrap_or(at);
        }
        before = c;
    }
    behind.len()
}

/// A line of a comment without what makes it one, in whatever language.
fn bare_comment(line: &str) -> &str {
    let mut line = line.trim();
    for open in ["<!--", "--[[", "(**", "(*", "<#", "{-|", "{-"] {
        line = line.strip_prefix(open).unwrap_or(line);
    }
    line = line.trim_start_matches(['/', '*', '#', '!', ';', '%', '-', '"', '\'']);
    line = line.trim_start().trim_start_matches(['|', '>', '<', '^']);
    for close in ["-->", "]]", "*)", "#>", "-}", "*/"] {
        line = line.strip_suffix(close).unwrap_or(line);
    }
    line.trim_end_matches(['"', '\'']).trim()
}

/// A line of several without the comment behind it, which would take what follows with it once they are one.
fn without_comment(line: &str) -> &str {
    let begins = |mark: &&str| line.trim_start().starts_with(*mark);
    // Conditions stand between parameters.
    let is_comment = ["//", "# ", "#if", "#el", "#endif"].iter().any(begins);
    let is_quoted = |at: usize| {
        ['"', '\'', '`']
            .iter()
            .any(|quote| line[..at].matches(*quote).count() % 2 == 1)
    };
    let marks = [" // ", "  # "].into_iter().filter_map(|mark| line.find(mark));
    let end = marks.filter(|at| !is_quoted(*at)).min().unwrap_or(line.len());
    if is_comment { "" } else { &line[..end] }
}

/// On one line, and without the opening of a body behind.
fn signature(written: &str) -> String {
    let mut line = String::with_capacity(written.len());
    let is_long = written.trim().contains('\n');
    let mut is_comment = false;
    let lines = written.lines().map(|line| {
        let begun = line.trim_start();
        if !is_long {
            line
        } else if !is_comment && !begun.starts_with("/*") {
            without_comment(line)
        } else {
            // Members of a type that is written out have comments of several lines.
            let end = begun.find("*/");
            is_comment = end.is_none();
            end.map_or("", |end| &begun[end + 2..])
        }
    });
    for word in lines.flat_map(str::split_whitespace) {
        // `Loader<` and `, >` of parameters that have lines of their own.
        let opens = line
            .strip_suffix('<')
            .is_some_and(|before| before.ends_with(char::is_alphanumeric));
        let closes = line.ends_with(',') && word.starts_with('>');
        if closes {
            line.pop();
        }
        let glued = line.is_empty() || line.ends_with('(') || word.starts_with([')', ',']) || opens || closes;
        if !glued {
            line.push(' ');
        }
        line.push_str(word);
    }
    let line = line.replace(",)", ")");
    // `names: list[str] = [`: a value that begins on this line.
    let opened = line.trim_end().strip_suffix(['[', '(']).map(str::trim_end);
    let line = opened.filter(|before| before.ends_with('=')).unwrap_or(&line);
    let line = line.trim_end_matches([' ', '{', '=', ':', ';', ',', '\\']);
    line.trim_end_matches("=>").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::signature;

    #[test]
    fn a_signature_ends_before_a_value_or_body() {
        for (written, expected) in [
            ("names: ClassVar[list[str]] = [", "names: ClassVar[list[str]]"),
            ("const SIZES = (", "const SIZES"),
            ("fn run(a: [u8; 4]) -> [u8; 4] {", "fn run(a: [u8; 4]) -> [u8; 4]"),
            ("class Shape {", "class Shape"),
        ] {
            assert_eq!(signature(written), expected);
        }
    }
}
