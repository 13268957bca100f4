//! Whether our parser makes the trees that tree-sitter makes: `cargo run --release -p syntax --example trees -- DIR`. Each file
//! is compared as it is, and with a piece of it missing, and so are the texts in other languages inside of it.

use std::path::Path;

use syntax::{Lang, compare_trees, detect};

fn main() {
    let dir = std::env::args().nth(1).expect("usage: trees DIR");
    let (mut n_compared, mut n_embedded, mut n_different) = (0, 0, 0);
    each_file(Path::new(&dir), &mut |path, lang, text| {
        let third = |n: usize| text.floor_char_boundary(text.len() / 3 * n);
        let torn = format!("{}{}", &text[..third(1)], &text[third(1).max(third(2))..]);
        for text in [text, &torn] {
            n_compared += 1;
            let compared = compare_trees(lang, text);
            n_embedded += compared.n_embedded;
            if let Some(difference) = compared.difference {
                n_different += 1;
                println!("{}: {difference}", path.display());
            }
        }
    });
    println!("{n_different} of {n_compared} texts, with {n_embedded} texts inside of them, have different trees");
}

fn each_file(dir: &Path, see: &mut impl FnMut(&Path, &'static Lang, &str)) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            each_file(&path, see);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let lang = detect(name, text.as_bytes());
            if syntax::bare_parse(lang, "") {
                see(&path, lang, &text);
            }
        }
    }
}
