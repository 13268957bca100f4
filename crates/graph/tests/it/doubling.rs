//! Types that name another one twice, which names another one twice, and so on: what there is to read of them grows as two
//! to the power of how many they are, and must not be read to its end. Without a bound these would run for years.

use graph::{Meaning, Resolver, World, memory::InMemory};

const LEVELS: usize = 60;

/// What `area` means where it is asked of the last of many levels; `#` stands for a level and `@` for the one below.
fn asked_of_last(levels: usize, path: &str, before: &str, level: &str, behind: &str) -> Meaning {
    let each = (1..=levels).map(|at| level.replace('#', &at.to_string()).replace('@', &(at - 1).to_string()));
    let last = behind.replace('#', &levels.to_string());
    let text = format!("{before}\n{}\n{last}\n", each.collect::<Vec<_>>().join("\n"));
    let world = InMemory::new(&[(path, &text)]);
    let resolver = Resolver::new(&world, &world.modules);
    let file = world.modules.files().at(path).unwrap();
    let view = world.view(file).unwrap();
    let last = *view.references_named("area").last().unwrap();
    resolver.meaning(file, last)
}

#[test]
fn types_that_double_are_not_read_to_their_end() {
    let typescript = "class Shape { area() {} }\n";
    let run = "function run(x: A#<Shape>) { x.area(); }";
    for (before, level) in [
        ("type A0<T> = T;", "type A#<T> = A@<T> | A@<T>;"),
        ("type A0<T> = T;", "type A#<T> = A@<T> & A@<T>;"),
        (
            "type Or<A, B> = A | B;\ntype A0<T> = T;",
            "type A#<T> = Or<A@<T>, A@<T>>;",
        ),
        ("type A0<T> = T;", "type A#<T> = T extends Shape ? A@<T> : A@<T>;"),
        (
            "type A0<T> = A60<A1<T>> | A1<A60<T>>;",
            "type A#<T> = A@<A0<T>> | A0<A@<T>>;",
        ),
    ] {
        asked_of_last(LEVELS, "a.ts", &format!("{typescript}{before}"), level, run);
    }
    // One inside of the other, in the text of one type.
    let nested = format!("{}Shape{}", "Q<".repeat(LEVELS), ">".repeat(LEVELS));
    let run = format!("function run(x: {nested}) {{ x.area(); }}");
    asked_of_last(
        LEVELS,
        "a.ts",
        &format!("{typescript}type Q<T> = {{ a: number }};"),
        "",
        &run,
    );
    asked_of_last(
        LEVELS,
        "a.kt",
        "class Shape { fun area() = 1 }\nclass Pair<A, B>(val a: A, val b: B)\ntypealias A0<T> = Pair<T, T>",
        "typealias A#<T> = Pair<A@<T>, A@<T>>",
        "fun run(x: A#<Shape>) = x.a.a.area()",
    );
    asked_of_last(
        LEVELS,
        "a.cpp",
        "struct Shape { int area(); };\ntemplate<class A, class B> struct Pair { A a; B b; };\nusing A0 = Pair<Shape, Shape>;",
        "using A# = Pair<A@, A@>;",
        "int run(A# x) { return x.a.a.area(); }",
    );
    asked_of_last(
        LEVELS,
        "a.rs",
        "struct Shape; impl Shape { fn area(&self) {} }\nstruct Pair<A, B> { a: A, b: B }\ntype A0<T> = Pair<T, T>;",
        "type A#<T> = Pair<A@<T>, A@<T>>;",
        "fn run(x: A#<Shape>) { x.a.a.area() }",
    );
    asked_of_last(
        LEVELS,
        "a.ts",
        "class Shape { area() {} }\nclass Pair<A, B> { constructor(public a: A, public b: B) {} }\nconst v0 = new Shape();",
        "const v# = new Pair(v@, v@);",
        "v#.a.area();",
    );
}

#[test]
fn modules_that_double_are_not_read_to_their_end() {
    // None of them has the name, so that all of them are asked.
    asked_of_last(
        LEVELS,
        "a.ml",
        "module A0 = struct let other = 1 end",
        "module A# = struct include A@ include A@ end",
        "let run x = A#.area x",
    );
    asked_of_last(
        LEVELS,
        "a.ml",
        "module A0 = A60",
        "module A# = struct module B = A@ include B include A@ end",
        "let run x = A#.B.B.area x",
    );
    // Packages that are each other's bases.
    let package = |at: usize| {
        format!(
            "package A{at};\nuse parent 'A{}', 'A{}';\n",
            (at + 1) % 40,
            (at + 2) % 40
        )
    };
    let mut texts: Vec<(String, String)> = (0..40).map(|at| (format!("lib/A{at}.pm"), package(at))).collect();
    texts[0].1.push_str("sub run { my $self = shift; $self->area; }\n");
    let texts: Vec<(&str, &str)> = texts
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let world = InMemory::new(&texts);
    let resolver = Resolver::new(&world, &world.modules);
    let file = world.modules.files().at("lib/A0.pm").unwrap();
    let view = world.view(file).unwrap();
    let asked = *view.references_named("area").last().unwrap();
    assert!(!matches!(resolver.meaning(file, asked), Meaning::Symbols(..)));
}

#[test]
fn a_few_levels_are_read() {
    let found = asked_of_last(
        7,
        "a.ts",
        "class Shape { area() {} }\ntype A0<T> = T;",
        "type A#<T> = A@<T> | A@<T>;",
        "function run(x: A#<Shape>) { x.area(); }",
    );
    assert!(matches!(found, Meaning::Symbols(..)), "{found:?}");
}
