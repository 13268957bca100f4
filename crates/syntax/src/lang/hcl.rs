//! HCL: Terraform and its relatives.

use super::{DEFAULT, Declared, Definition, Hooks, Lang, Syntax, lang};
use crate::{facts::SymbolKind, tree::Node};

pub(super) const LANG: Lang = lang("hcl", &["terraform", "tf"], &["hcl", "tf", "tfvars"], &[], &[]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_hcl::LANGUAGE,
    include_str!("hcl.scm"),
    Hooks {
        kind,
        declared,
        ..DEFAULT
    },
);

/// Blocks inside these are how something is set up rather than what there is.
const MAX_LEVELS: usize = 2;

fn kind(definition: &Definition<'_>) -> SymbolKind {
    let word = |head: &str| head.split_whitespace().next().unwrap_or_default().to_owned();
    match definition.kind {
        SymbolKind::Block if definition.parent.is_none() => match word(definition.head).as_str() {
            "variable" => SymbolKind::Variable,
            "module" => SymbolKind::Module,
            _ => SymbolKind::Block,
        },
        SymbolKind::Key if word(definition.parent_head) == "locals" => SymbolKind::Variable,
        kind => kind,
    }
}

/// `resource "type" "name"` is a `name` that belongs to `type`; a block without labels is known by its own word.
fn declared(node: Node<'_>) -> Option<Declared<'_>> {
    if node.kind() == "attribute" {
        let around = node.parent()?.parent();
        let is_outlined = around
            .is_none_or(|around| around.kind() == "config_file" || (labels(around).len() == 1 && levels(around) == 1));
        return is_outlined.then_some(Declared {
            name: node.named_child(0)?,
            owner: None,
        });
    }
    let labels = labels(node);
    (levels(node) <= MAX_LEVELS).then_some(Declared {
        name: *labels.last()?,
        owner: (labels.len() > 2).then(|| labels[1]),
    })
}

/// The block's word and the labels behind it.
fn labels(block: Node<'_>) -> Vec<Node<'_>> {
    let children = block.named_children();
    let words = children.filter(|child| matches!(child.kind(), "identifier" | "string_lit"));
    words
        .map(|word| {
            let text = word.named_children().find(|part| part.kind() == "template_literal");
            text.unwrap_or(word)
        })
        .collect()
}

/// How many blocks there are around a block, itself included; no more than matter.
fn levels(block: Node<'_>) -> usize {
    let mut levels = 1;
    let mut around = block.parent().and_then(|body| body.parent());
    while let Some(block) = around.filter(|node| node.kind() == "block" && levels <= MAX_LEVELS) {
        levels += 1;
        around = block.parent().and_then(|body| body.parent());
    }
    levels
}
