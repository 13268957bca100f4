//! Elixir.

use super::{DEFAULT, Declared, Definition, Hooks, Lang, Syntax, TokenSink, lang};
use crate::{
    extract::Walk,
    facts::{Role, SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("elixir", &["ex"], &["ex", "exs"], &[], &["elixir"]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_elixir::LANGUAGE,
    include_str!("elixir.scm"),
    Hooks {
        visibility,
        is_test,
        imports: Some(imports),
        tokens,
        declared,
        name: bare,
        has_clauses: true,
        ..DEFAULT
    },
);

/// `defp`, `defmacrop`, `@typep`: a final `p` keeps it in the module.
fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    let keyword = definition.head.split([' ', '(']).next().unwrap_or_default();
    match keyword {
        "defp" | "defmacrop" | "defguardp" | "@typep" => Some(Visibility::Private),
        _ if matches!(definition.kind, SymbolKind::Impl | SymbolKind::Test) => None,
        // A module's attributes are its own.
        _ if definition.kind == SymbolKind::Constant => Some(Visibility::Private),
        _ => Some(Visibility::Public),
    }
}

fn is_test(definition: &Definition<'_>) -> bool {
    match definition.kind {
        SymbolKind::Test => true,
        SymbolKind::Module => definition.name.ends_with("Test"),
        _ => false,
    }
}

/// `:radius` and `radius: ` name the same key.
fn bare(name: &str) -> &str {
    let name = name.trim_end();
    let name = name.strip_suffix(':').unwrap_or(name);
    name.strip_prefix(':').unwrap_or(name)
}

/// The name in the head of a `def`: `f(x)`, `f`, `f(x) when x > 0`, `a <~> b`.
fn declared(head: Node<'_>) -> Option<Declared<'_>> {
    let mut head = head;
    // A guard around, an operator inside; nothing nests deeper.
    for _ in 0..4 {
        let name = match head.kind() {
            "identifier" => head,
            "call" => {
                head = head.child_by_field_name("target")?;
                continue;
            }
            "binary_operator" | "unary_operator" => {
                let operator = head.child_by_field_name("operator")?;
                if operator.kind() == "when" {
                    head = head.child_by_field_name("left")?;
                    continue;
                }
                operator
            }
            _ => return None,
        };
        return Some(Declared { name, owner: None });
    }
    None
}

/// `alias A.B`, `alias A.{B, C}`, `alias A.B, as: C`, `import A, only: [f: 1]`, `use A`, `require A`.
/// In `@spec name(integer()) :: t()` nothing is called.
fn tokens<'t>(tree: Node<'t>, sink: &mut TokenSink<'_, 't>) {
    let calls = tree.with_inside().filter(|node| node.kind() == "call");
    // The first is `spec` itself.
    for call in calls.skip(1) {
        let Some(target) = call.child_by_field_name("target") else {
            continue;
        };
        match target.kind() {
            "identifier" => sink(target, Role::Type, None, None),
            "dot" => {
                if let Some(name) = target.child_by_field_name("right") {
                    sink(name, Role::Type, None, target.child_by_field_name("left"));
                }
            }
            _ => {}
        }
    }
}

fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    let word = node
        .child_by_field_name("target")
        .map(|target| walk.text(target))
        .unwrap_or_default();
    let Some(arguments) = node.named_children().find(|child| child.kind() == "arguments") else {
        return;
    };
    let Some(module) = arguments.named_child(0) else { return };
    let options = arguments.named_child(1).filter(|options| options.kind() == "keywords");
    let option = |wanted: &str, walk: &Walk<'_>| {
        let options = options?;
        let pair = options.named_children().find(|pair| {
            let key = pair.child_by_field_name("key");
            key.is_some_and(|key| walk.text(key).trim_end().trim_end_matches(':') == wanted)
        });
        pair?.child_by_field_name("value")
    };
    let last = |path: &str| path.rsplit('.').next().unwrap_or(path).to_owned();
    if module.kind() == "dot" {
        let (Some(left), Some(right)) = (module.child_by_field_name("left"), module.child_by_field_name("right"))
        else {
            return;
        };
        let prefix = walk.text(left);
        for part in right.named_children() {
            let path = format!("{prefix}.{}", walk.text(part));
            let alias = (word == "alias").then(|| last(&path));
            walk.import_text(&path, None, alias.as_deref(), false, false, at);
        }
        return;
    }
    let path = walk.text(module);
    match word {
        "alias" => {
            let alias = option("as", walk).map_or_else(|| last(path), |alias| walk.text(alias).to_owned());
            walk.import_text(path, None, Some(&alias), false, false, at);
        }
        "import" => {
            let only = option("only", walk).filter(|only| only.kind() == "list");
            let Some(names) = only.and_then(|only| only.named_child(0)) else {
                walk.import_text(path, None, None, true, false, at);
                return;
            };
            for pair in names.named_children() {
                if let Some(key) = pair.child_by_field_name("key") {
                    let item = walk.text(key).trim_end().trim_end_matches(':');
                    walk.import_text(path, Some(item), None, false, false, at);
                }
            }
        }
        // What is used puts into the module what it likes, mostly an import of itself.
        _ => {
            let alias = option("as", walk).map(|alias| walk.text(alias).to_owned());
            walk.import_text(path, None, alias.as_deref(), word == "use", false, at);
        }
    }
}
