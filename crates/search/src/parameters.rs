//! What a name as users write it says that a function takes: `append(const char *)`, `resolve(String name, int port)`.

use index::token;

/// The parameters that are written behind a name, each as its words and signs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters(Vec<Vec<String>>);

impl Parameters {
    /// Nothing if none is written: `run()` is any function of that name.
    pub(crate) fn parse(text: &str) -> Option<Parameters> {
        let inner = text.strip_suffix(')')?;
        let inner = &inner[inner.find('(')? + 1..];
        let mut depth = 0;
        let is_between = |c: char| {
            depth += match c {
                '(' | '<' | '[' | '{' => 1,
                ')' | '>' | ']' | '}' => -1,
                _ => 0,
            };
            depth == 0 && c == ','
        };
        let all: Vec<Vec<String>> = inner.split(is_between).map(parts).collect();
        (!inner.trim().is_empty()).then_some(Parameters(all))
    }

    /// Whether a function takes as many, of the types that are written, with or without names.
    pub fn fits(&self, types: &[Option<String>]) -> bool {
        let is_like = |(written, ty): (&Vec<String>, &Option<String>)| {
            let Some(ty) = ty.as_deref().map(parts) else {
                return true;
            };
            match written.split_last() {
                Some((name, before)) if before == ty => name.chars().all(token::is_word_char),
                // `name: type`
                _ => *written == ty || (written.get(1).is_some_and(|sign| sign == ":") && written[2..] == ty),
            }
        };
        self.0.len() == types.len() && self.0.iter().zip(types).all(is_like)
    }
}

/// The words and signs of a type, without the packages that it is in, and without a value that it begins with.
fn parts(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = text.split('=').next().unwrap_or(text).trim();
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c| !token::is_word_char(c)).unwrap_or(rest.len());
        let is_path = rest.starts_with("::") || first == '.';
        let end = match word {
            0 if rest.starts_with("::") => 2,
            0 => first.len_utf8(),
            word => word,
        };
        let part = &rest[..end];
        if is_path {
            parts.pop();
        } else if !matches!(part, "struct" | "class" | "enum" | "union" | "final") {
            parts.push(part.to_owned());
        }
        rest = rest[end..].trim_start();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_with_and_without_names() {
        for (text, types, expected) in [
            ("f(const char *)", &["const char*"][..], true),
            ("f(const char *text, size_t n = 1)", &["const char*", "size_t"], true),
            ("f(char)", &["const char*"], false),
            ("f(char c)", &["char*"], false),
            (
                "f(java.lang.String, Map<String, Integer>)",
                &["String", "Map<String, Integer>"],
                true,
            ),
            ("f(size: Int)", &["Int"], true),
            ("f(struct node *)", &["node*"], true),
            ("f(String)", &["String", "int"], false),
        ] {
            let types: Vec<Option<String>> = types.iter().map(|ty| Some((*ty).to_owned())).collect();
            assert_eq!(Parameters::parse(text).unwrap().fits(&types), expected, "{text}");
        }
        assert_eq!(Parameters::parse("f()"), None);
        assert_eq!(Parameters::parse("f"), None);
    }
}
