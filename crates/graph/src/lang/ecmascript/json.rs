//! JSON as people write it in configuration files: with comments, and commas after the last item.

use serde_json::Value;

pub(crate) fn parse(text: &str) -> Option<Value> {
    serde_json::from_str(text)
        .ok()
        .or_else(|| serde_json::from_str(&strict(text)).ok())
}

fn strict(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.trim_start_matches('\u{feff}').chars().peekable();
    let mut in_string = false;
    while let Some(c) = rest.next() {
        match c {
            '\\' if in_string => {
                out.push(c);
                out.extend(rest.next());
                continue;
            }
            '"' => in_string = !in_string,
            '/' if !in_string && rest.peek() == Some(&'/') => {
                while rest.peek().is_some_and(|c| *c != '\n') {
                    rest.next();
                }
                continue;
            }
            '/' if !in_string && rest.peek() == Some(&'*') => {
                rest.next();
                let mut before = ' ';
                for c in rest.by_ref() {
                    if before == '*' && c == '/' {
                        break;
                    }
                    before = c;
                }
                continue;
            }
            '}' | ']' if !in_string => {
                let kept = out.trim_end().len();
                if out[..kept].ends_with(',') {
                    out.truncate(kept - 1);
                }
            }
            _ => {}
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn comments_and_last_commas_are_let_pass() {
        let text = "// a\n{ /* b */ \"x\": [\"//\", \"a\\\",]\", 1, ], // c\n}";
        let parsed = super::parse(text).map(|json| json.to_string());
        assert_eq!(parsed.as_deref(), Some(r#"{"x":["//","a\",]",1]}"#));
        assert_eq!(super::parse("{"), None);
    }
}
