//! Haskell.

use super::{DEFAULT, Definition, Hooks, Lang, Syntax, lang};
use crate::{
    extract::Walk,
    facts::{SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("haskell", &["hs"], &["hs", "lhs", "hsc"], &[], &["runhaskell"]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_haskell::LANGUAGE,
    include_str!("haskell.scm"),
    Hooks {
        visibility,
        is_test,
        kind,
        imports: Some(imports),
        has_clauses: true,
        ..DEFAULT
    },
);

/// Headers are looked for in this much of a file.
const HEADER_BYTES: usize = 16 << 10;

/// What the module's header lists is public; all of it if there is no list.
fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    if definition.parent.is_some() || matches!(definition.kind, SymbolKind::Impl | SymbolKind::Module) {
        return None;
    }
    let text = &definition.text[..definition.text.floor_char_boundary(HEADER_BYTES)];
    let Some(exports) = exports(text) else {
        return Some(Visibility::Public);
    };
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let is_word = definition.name.starts_with(is_part);
    let listed = exports.match_indices(definition.name).any(|(at, name)| {
        let before = exports[..at].chars().next_back();
        let after = exports[at + name.len()..].chars().next();
        !is_word || !(before.is_some_and(is_part) || after.is_some_and(is_part))
    });
    Some(if listed {
        Visibility::Public
    } else {
        Visibility::Private
    })
}

/// What stands between the parentheses of `module A (..) where`.
fn exports(text: &str) -> Option<&str> {
    let at = if text.starts_with("module ") {
        0
    } else {
        text.find("\nmodule ")? + 1
    };
    let header = &text[at..];
    let header = &header[..header.find("where").unwrap_or(header.len())];
    Some(&header[header.find('(')? + 1..])
}

/// Whether a module offers all that it has from another: `module A (module B) where`.
fn hands_on(text: &str, module: &str) -> bool {
    let exports = exports(&text[..text.floor_char_boundary(HEADER_BYTES)]).unwrap_or_default();
    let mut listed = exports.split([',', ')']).map(|one| one.split_whitespace());
    listed.any(|mut words| {
        let mut words = words.by_ref().skip_while(|word| *word != "module").skip(1);
        words.next() == Some(module)
    })
}

/// hspec and tasty, and QuickCheck's properties.
fn is_test(definition: &Definition<'_>) -> bool {
    match definition.kind {
        SymbolKind::Test => true,
        kind => kind.is_function() && (definition.name.starts_with("prop_") || definition.name.starts_with("test_")),
    }
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    let node = definition.node;
    match definition.kind {
        SymbolKind::Function if node.kind() == "signature" => {
            if node.child_by_field_name("type").is_some_and(is_function) {
                SymbolKind::Function
            } else {
                SymbolKind::Constant
            }
        }
        SymbolKind::Variable if definition.name == "main" => SymbolKind::Function,
        SymbolKind::Variable => SymbolKind::Constant,
        kind => kind,
    }
}

/// `a -> b`, `Ord a => a -> b`, `forall a. a -> b`; actions are functions of the world.
fn is_function(ty: Node<'_>) -> bool {
    let mut ty = ty;
    for _ in 0..8 {
        match ty.kind() {
            "function" | "linear_function" => return true,
            "context" | "forall" | "parens" => {
                let Some(inner) = ty.child_by_field_name("type").or_else(|| last_named(ty)) else {
                    return false;
                };
                ty = inner;
            }
            // `IO ()`
            "apply" => {
                return ty
                    .named_child(0)
                    .is_some_and(|name| name.end_byte() - name.start_byte() == 2);
            }
            _ => return false,
        }
    }
    false
}

fn last_named(node: Node<'_>) -> Option<Node<'_>> {
    node.named_children().last()
}

/// `import A`, `import A (f, T (..))`, `import A hiding (f)`, `import qualified A as B`.
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    let Some(module) = node.child_by_field_name("module") else {
        return;
    };
    let alias = node.child_by_field_name("alias");
    let (mut is_qualified, mut hides) = (false, false);
    for child in node.children() {
        is_qualified |= child.kind() == "qualified";
        hides |= child.kind() == "hiding";
    }
    let names = node.child_by_field_name("names").filter(|_| !hides);
    let called = |name: Option<Node<'_>>| name.is_some_and(|name| hands_on(walk.whole_text(), walk.text(name)));
    let reexport = called(Some(module)) || called(alias);
    let Some(names) = names else {
        if !is_qualified {
            walk.import(module, None, None, true, reexport, at);
        }
        if is_qualified || alias.is_some() {
            walk.import(module, None, alias, false, false, at);
        }
        return;
    };
    for name in names.named_children() {
        let item = name
            .child_by_field_name("variable")
            .or_else(|| name.child_by_field_name("type"))
            .or_else(|| name.named_child(0));
        if let Some(item) = item.filter(|_| name.kind() == "import_name") {
            // The alias is the module's, not the name's.
            walk.import(module, Some(item), None, false, reexport, at);
        }
    }
    if alias.is_some() {
        walk.import(module, None, alias, false, false, at);
    }
}
