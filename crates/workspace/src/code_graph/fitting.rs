//! Whether a function still fits what it stands in for, where a language says what that is and has one of a name: then the
//! signatures tell.

use graph::{Implementation, SymbolId};

use super::CodeGraph;
use crate::error::Error;

/// What can be told of a signature without knowing its types.
#[derive(Debug, PartialEq, Eq)]
struct Taken {
    /// How it is called on a value, if it is.
    receiver: Option<String>,
    others: usize,
    /// Not told of what is awaited.
    gives: Option<bool>,
}

impl CodeGraph<'_> {
    /// Definitions that stand in for changed ones and do not take what those do.
    pub(super) fn unlike(&self, ids: &[SymbolId]) -> Result<Vec<Implementation>, Error> {
        let mut found = Vec::new();
        for id in ids {
            let Some(wanted) = self.taken(*id)? else { continue };
            for one in self.resolver.implementations(&[*id]) {
                if self.taken(one.symbol)?.is_some_and(|taken| !taken.fits(&wanted)) {
                    found.push(one);
                }
            }
        }
        Ok(found)
    }

    /// Definitions that changed ones stand in for without taking what those do.
    pub(super) fn unlike_outer(&self, ids: &[SymbolId]) -> Result<Vec<SymbolId>, Error> {
        let mut found = Vec::new();
        for id in ids {
            let Some(own) = self.taken(*id)? else { continue };
            for outer in self.resolver.overridden(&[*id]) {
                if self.taken(outer)?.is_some_and(|wanted| !own.fits(&wanted)) {
                    found.push(outer);
                }
            }
        }
        Ok(found)
    }

    fn taken(&self, id: SymbolId) -> Result<Option<Taken>, Error> {
        let hit = self.hit(id)?;
        let is_told = hit.lang == "rust" && hit.kind.is_function();
        Ok(is_told.then(|| taken(&hit.signature, &hit.name)).flatten())
    }
}

impl Taken {
    fn fits(&self, wanted: &Taken) -> bool {
        let gives = self.gives.zip(wanted.gives);
        self.receiver == wanted.receiver
            && self.others == wanted.others
            && gives.is_none_or(|(one, other)| one == other)
    }
}

/// `None` if it does not read like a function.
fn taken(signature: &str, name: &str) -> Option<Taken> {
    let (before, behind) = signature.split_once(&format!("fn {name}"))?;
    let behind = behind.trim_start();
    // What it is given in angle brackets may have parentheses, too.
    let open = match behind.starts_with('<') {
        true => cuts(&behind[1..]).1 + 2,
        false => 0,
    };
    let list = behind[open..].trim_start().strip_prefix('(')?;
    let (commas, end) = cuts(list);
    let (list, rest) = (list.get(..end)?, list.get(end + 1..).unwrap_or_default());
    let mut starts = vec![0];
    starts.extend(commas.iter().map(|comma| comma + 1));
    let ends = commas.iter().copied().chain([list.len()]);
    let parts = starts.iter().zip(ends).map(|(start, end)| list[*start..end].trim());
    // A comma may end the list.
    let mut parts = parts.filter(|part| !part.is_empty()).peekable();
    let receiver = parts.next_if(|first| is_receiver(first)).map(|first| {
        let words = first.split_whitespace().filter(|word| !word.starts_with("&'"));
        let by_reference = if first.starts_with("&'") { "&" } else { "" };
        let words = words.collect::<Vec<_>>().join(" ");
        // Whether a value of one's own can be changed is nobody else's business.
        let words = words
            .strip_prefix("mut ")
            .filter(|_| by_reference.is_empty())
            .unwrap_or(&words);
        format!("{by_reference}{words}")
    });
    let given = rest.trim_start().strip_prefix("->").map(str::trim_start);
    let gives = given.is_some_and(|given| given.split(" where ").next().map(str::trim) != Some("()"));
    let is_awaited = before.split_whitespace().any(|word| word == "async");
    Some(Taken {
        receiver,
        others: parts.count(),
        gives: (!is_awaited).then_some(gives),
    })
}

fn is_receiver(part: &str) -> bool {
    let bare = part.split(':').next().unwrap_or(part);
    bare.rsplit([' ', '&']).next() == Some("self")
}

/// The commas of a list, and where it ends.
fn cuts(list: &str) -> (Vec<usize>, usize) {
    let (mut commas, mut depth, mut before) = (Vec::new(), 0, b' ');
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b'>' if before == b'-' => {}
            b')' | b']' | b'}' | b'>' if depth == 0 => return (commas, at),
            b')' | b']' | b'}' | b'>' => depth -= 1,
            b',' if depth == 0 => commas.push(at),
            _ => {}
        }
        before = byte;
    }
    (commas, list.len())
}

#[cfg(test)]
mod tests {
    use super::taken;

    #[test]
    fn signatures_are_compared_without_types() {
        let fits = |one: &str, other: &str| {
            let [one, other] = [one, other].map(|signature| taken(signature, "run").unwrap());
            one.fits(&other)
        };
        for (one, other, expected) in [
            ("fn run(&self, a: &Path)", "fn run(&self, _: &std::path::Path)", true),
            ("fn run(&self, a: A)", "fn run(&self, a: A, b: B)", false),
            ("fn run(&self, a: Map<A, B>)", "fn run(&self, a: C,)", true),
            ("fn run(&self, a: A)", "fn run(&mut self, a: A)", false),
            ("fn run(self)", "fn run(mut self)", true),
            ("fn run(&'a self)", "fn run(&self)", true),
            ("fn run(a: A)", "fn run(&self, a: A)", false),
            (
                "pub fn run<F: Fn(A, B) -> C>(f: F)",
                "fn run<F>(f: F) where F: Fn(A, B) -> C",
                true,
            ),
            ("fn run() -> A", "fn run()", false),
            ("fn run() -> ()", "fn run()", true),
            ("async fn run()", "fn run() -> impl Future<Output = ()>", true),
        ] {
            assert_eq!(fits(one, other), expected, "{one} / {other}");
        }
    }
}
