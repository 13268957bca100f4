//! Which names a workspace leans on.

use expect_test::{Expect, expect};
use graph::{Centrality, FileIdx, Mentioned, NameKey, World, memory::InMemory};

/// The files and names that others refer to, most first, by hundredths.
fn check(texts: &[(&str, &str)], expected: Expect) {
    let world = InMemory::new(texts);
    let views: Vec<_> = (0..texts.len() as u32)
        .map(|file| world.view(FileIdx(file)).expect("it is there"))
        .collect();
    let mentioned: Vec<Mentioned> = (0..)
        .map(FileIdx)
        .zip(&views)
        .map(|(file, view)| Mentioned::of(&world.modules, file, &view.facts))
        .collect();
    let is_beside = |file: FileIdx| texts[file.0 as usize].0.starts_with("tests/");
    let centrality = Centrality::new(&world.modules, mentioned, is_beside);
    assert!((centrality.files.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    let mut found = Vec::new();
    for ((view, names), (path, _)) in views.iter().zip(&centrality.names).zip(texts) {
        for symbol in &view.facts.symbols {
            let name = view.facts.name(symbol);
            if let Some((_, count)) = names.iter().find(|(key, _)| *key == NameKey::of(name)) {
                found.push(((count * 100.0).round() as u32, format!("{path} {name}")));
            }
        }
    }
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let lines: Vec<String> = found.iter().map(|(count, name)| format!("{count} {name}")).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn names_are_those_of_the_files_that_are_imported() {
    check(
        &[
            ("a.py", "def shared(): pass\nclass NotImplemented: pass\n"),
            ("b.py", "def shared(): pass\ndef other(): pass\n"),
            (
                "one.py",
                "from b import shared\nimport a\n\ndef one():\n    a.shared()\n    return shared()\n",
            ),
            (
                "two.py",
                "from b import shared as mine, other\n\ndef two(print):\n    print(mine())\n",
            ),
            // A builtin is not what a file defines that is imported for something else.
            (
                "three.py",
                "from a import shared\n\ndef three():\n    return NotImplemented\n",
            ),
            (
                "tests/test_one.py",
                "from one import one\n\ndef test_one():\n    one()\n",
            ),
        ],
        expect![[r#"
            188 a.py shared
            188 b.py shared
            90 b.py other
            15 one.py one"#]],
    );
}

#[test]
fn names_are_handed_on() {
    check(
        &[
            (
                "src/lib.rs",
                "mod inner;\npub use inner::Thing;\npub use inner::deep::make;\n",
            ),
            (
                "src/inner/mod.rs",
                "pub mod deep;\npub struct Thing;\nimpl Thing {\n    pub fn new() -> Thing { Thing }\n}\n",
            ),
            (
                "src/inner/deep.rs",
                "use crate::Thing;\npub fn make() -> Thing { Thing::new() }\n",
            ),
            (
                "src/main.rs",
                "use crate::{Thing, make};\nfn main() {\n    let _: Thing = make();\n    let new = 1;\n    drop(new);\n}\n",
            ),
        ],
        expect![[r#"
            206 src/inner/mod.rs Thing
            206 src/inner/mod.rs Thing
            84 src/inner/deep.rs make"#]],
    );
}

#[test]
fn a_package_is_one_scope() {
    check(
        &[
            ("go.mod", "module example.com/shop\n"),
            (
                "cart/cart.go",
                "package cart\n\nfunc Total() int { return add(1, 2) }\n",
            ),
            (
                "cart/sum.go",
                "package cart\n\nfunc add(a, b int) int { return a + b }\n",
            ),
            (
                "main.go",
                "package main\n\nimport \"example.com/shop/cart\"\n\nfunc main() { cart.Total() }\n",
            ),
            (
                "other/add.go",
                "package other\n\nfunc add(a, b int) int { return a + b }\n",
            ),
        ],
        expect![[r#"
            106 cart/sum.go add
            88 cart/cart.go Total"#]],
    );
}

#[test]
fn what_stands_before_a_name_may_be_no_path() {
    check(
        &[
            ("a.cs", "namespace A { public class Made { } public class Other { } }\n"),
            (
                "b.cs",
                "using A;\nnamespace B { class Use { object F() => new Made(); } }\n",
            ),
            ("a.php", "<?php\nnamespace App;\nclass Item {}\nclass Rest {}\n"),
            (
                "b.php",
                "<?php\nnamespace Web;\nuse App;\nfunction f() { return new App\\Item(); }\n",
            ),
            ("a.rb", "class Top\nend\n"),
            ("b.rb", "module Net\n  class Top < ::Top\n  end\nend\n"),
            ("a.swift", "enum Mode { case fast, slow }\nfunc run(_ mode: Mode) {}\n"),
            ("b.swift", "func go() { run(.fast) }\n"),
        ],
        expect![[r#"
            90 a.cs A
            90 a.cs Made
            90 a.php App
            90 a.php Item
            36 a.swift run"#]],
    );
}
