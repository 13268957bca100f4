//! Links in doc comments: names like any other, only written in prose.

use ra_ap_hir::{DocLinkDef, HasAttrs, IsInnerDoc, Semantics, resolve_doc_path_on};
use ra_ap_ide_db::{RootDatabase, defs::Definition};
use ra_ap_syntax::{
    AstNode, AstToken, SyntaxNode, SyntaxToken, TextSize,
    ast::{self, CommentPlacement},
    match_ast,
};

/// What the name at a place of a doc comment links to.
pub(crate) fn linked<'db>(
    sema: &Semantics<'db, RootDatabase>,
    token: &SyntaxToken,
    at: TextSize,
) -> Option<Definition<'db>> {
    let comment = ast::Comment::cast(token.clone())?;
    let inner = match comment.kind().doc? {
        CommentPlacement::Inner => IsInnerDoc::Yes,
        CommentPlacement::Outer => IsInnerDoc::No,
    };
    let link = link_at(token.text(), usize::from(at - token.text_range().start()))?;
    let node = token.parent()?;
    let found = match inner {
        IsInnerDoc::No => documented(sema, &node, link, inner),
        IsInnerDoc::Yes => node
            .ancestors()
            .take(3)
            .find_map(|node| documented(sema, &node, link, inner)),
    };
    found.map(Definition::from)
}

/// Resolves a link from where the item is that it documents.
fn documented(
    sema: &Semantics<'_, RootDatabase>,
    node: &SyntaxNode,
    link: &str,
    inner: IsInnerDoc,
) -> Option<DocLinkDef> {
    fn resolved(
        sema: &Semantics<'_, RootDatabase>,
        def: impl HasAttrs + Copy,
        link: &str,
        inner: IsInnerDoc,
    ) -> Option<DocLinkDef> {
        resolve_doc_path_on(sema.db, def, link, None, inner)
    }
    match_ast! {
        match node {
            ast::SourceFile(it) => resolved(sema, sema.to_def(&it)?, link, inner),
            ast::Module(it) => resolved(sema, sema.to_def(&it)?, link, inner),
            ast::Fn(it) => resolved(sema, sema.to_def(&it)?, link, inner),
            ast::Struct(it) => resolved(sema, sema.to_def(&it)?, link, inner),
            ast::Union(it) => resolved(sema, sema.to_def(&it)?, link, inner),
            ast::Enum(it) => resolved(sema, sema.to_def(&it)?, link, inner),
            ast::Variant(it) => resolved(sema, sema.to_def(&it)?, link, inner),
            ast::Trait(it) => resolved(sema, sema.to_def(&it)?, link, inner),
            ast::Static(it) => resolved(sema, sema.to_def(&it)?, link, inner),
            ast::Const(it) => resolved(sema, sema.to_def(&it)?, link, inner),
            ast::TypeAlias(it) => resolved(sema, sema.to_def(&it)?, link, inner),
            ast::Impl(it) => resolved(sema, sema.to_def(&it)?, link, inner),
            ast::RecordField(it) => resolved(sema, sema.to_def(&it)?, link, inner),
            ast::Macro(it) => resolved(sema, sema.to_def(&it)?, link, inner),
            _ => None,
        }
    }
}

/// The path up to the name at a place, if that is in a link: of `[text](a::b)` as of ``[`a::b()`]``.
fn link_at(text: &str, at: usize) -> Option<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let is_path = |c: char| is_name(c) || c == ':';
    let end = at + text.get(at..)?.find(|c| !is_name(c)).unwrap_or(text.len() - at);
    let start = text[..at].rfind(|c| !is_path(c)).map_or(0, |before| {
        before + text[before..].chars().next().map_or(1, char::len_utf8)
    });
    // What may stand between a bracket and a path: ticks, and the kind of what is meant.
    let before = text[..start].trim_end_matches(|c: char| c == '`' || c == '@' || c.is_ascii_lowercase());
    let is_link = before.ends_with('[') || before.ends_with("](");
    let link = text[start..end].trim_start_matches(':');
    (is_link && !link.is_empty()).then_some(link)
}
