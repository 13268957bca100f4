//! What is told of a chunk besides its text.

use syntax::{FileFacts, Symbol, SymbolKind};

/// The words that count most in a chunk's vector, for each chunk: what the file is called, and the signatures of the
/// functions and types that begin there. The model was trained with the same.
pub fn chunk_heads(path: &str, facts: &FileFacts, text: &str) -> Vec<String> {
    let told = |symbol: &&Symbol| {
        let kind = symbol.kind;
        kind.is_function() || (kind.is_type() && kind != SymbolKind::Object) || symbol.runs()
    };
    let mut heads = vec![file_words(path).to_owned(); facts.chunks.len()];
    for symbol in facts.symbols.iter().filter(told) {
        let first = facts.chunks.partition_point(|chunk| chunk.end <= symbol.name_at);
        if let (Some(head), Some(signature)) = (heads.get_mut(first), text.get(symbol.signature.range())) {
            head.push(' ');
            head.push_str(signature);
        }
    }
    heads
}

/// A file's name without its extension, and the directory it is in.
fn file_words(path: &str) -> &str {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let dir = path[..name].trim_end_matches('/').rfind('/').map_or(0, |at| at + 1);
    let end = path[name..]
        .rfind('.')
        .filter(|dot| *dot > 0)
        .map_or(path.len(), |dot| name + dot);
    &path[dir..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_path() {
        let words: Vec<&str> = [
            "src/http/header_map.rs",
            "lib.rs",
            ".env",
            "a/.env",
            "Makefile",
            "x/y/z.tar.gz",
        ]
        .into_iter()
        .map(file_words)
        .collect();
        assert_eq!(
            words,
            ["http/header_map", "lib", ".env", "a/.env", "Makefile", "y/z.tar"]
        );
    }
}
