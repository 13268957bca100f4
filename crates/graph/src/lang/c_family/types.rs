//! Types of C++ that depend on template arguments, and members of types that share their names.

use syntax::{SymbolKind, TypeExpr, TypeKind, TypeRef};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    infer::containers::single_element,
    types::{
        generics::StandsFor,
        ty::{Base, Ty},
    },
    view::SymbolId,
};

/// Library containers whose first type argument is the element; the others are comparators, allocators and deleters.
pub(super) const CONTAINERS_OF_FIRST: &[&str] = &[
    "deque",
    "forward_list",
    "list",
    "multiset",
    "priority_queue",
    "set",
    "shared_ptr",
    "unique_ptr",
    "unordered_multiset",
    "unordered_set",
    "vector",
];

/// Types inside of library containers whose values are used like an element.
pub(super) const ITERATORS: &[&str] = &[
    "const_iterator",
    "const_reference",
    "const_reverse_iterator",
    "iterator",
    "reference",
    "reverse_iterator",
    "value_type",
];

impl Resolver<'_> {
    /// The type of a member that is written as an alias of its class: `typedef typename std::list<T>::iterator Iterator;`.
    pub(super) fn member_alias(&self, id: SymbolId, ty: TypeRef<'_>, known: &[StandsFor]) -> Option<Ty> {
        let path = ty.first_name()?;
        let view = self.view(id.file)?;
        let place = At::signature(id.file, &view, &view.facts.symbols[id.symbol]);
        let Meaning::Symbols(symbols, _) = self.type_meaning(place, path) else {
            return None;
        };
        let mut aliases = symbols
            .into_iter()
            .filter(|alias| *alias != id && self.kind_of(*alias) == Some(SymbolKind::Type));
        let alias = aliases
            .find(|alias| matches!(self.owner(*alias), Base::Symbol(_)) && self.owner(*alias) == self.owner(id))?;
        let view = self.view(alias.file)?;
        let symbol = &view.facts.symbols[alias.symbol];
        let aliased = view.type_expr(symbol.type_expr()?);
        self.trail
            .deeper(None, || self.written_with(alias, &view, symbol, aliased, known))
    }

    /// An alias inside of a class template, by the template's arguments: `List<Shape>::Iterator`.
    pub(super) fn alias_in_template(
        &self,
        place: At<'_>,
        (path, written): (&str, TypeRef<'_>),
        known: &[StandsFor],
    ) -> Option<Ty> {
        let (outer, _) = path.rsplit_once("::")?;
        let mut outer = self.named_type(place, outer);
        if outer.given.is_empty() {
            let arguments = written.outer_type().unwrap_or(written).arguments();
            outer.given = arguments
                .map(|argument| self.type_with(place, argument, known))
                .collect();
        }
        if outer.given.is_empty() || !outer.is_known() {
            return None;
        }
        let Meaning::Symbols(symbols, _) = self.type_meaning(place, path) else {
            return None;
        };
        let inner = symbols
            .into_iter()
            .find(|id| self.kind_of(*id) == Some(SymbolKind::Type))?;
        self.trail.deeper(None, || self.of_value(inner, &outer))
    }

    /// An iterator of a library container is used like an element: `std::vector<Shape>::iterator`.
    pub(super) fn element_of_iterator(&self, place: At<'_>, ty: TypeRef<'_>, known: &[StandsFor]) -> Option<Ty> {
        let member = ty.inside_of(|kind| kind == TypeKind::Modified);
        let holder = match (member.outer_type(), member.path()) {
            (Some(outer), _) => {
                member.item()?.path().filter(|name| ITERATORS.contains(name))?;
                self.type_with(place, outer, known)
            }
            (None, path) => {
                let (outer, _) = path?.rsplit_once("::").filter(|(_, name)| ITERATORS.contains(name))?;
                self.type_with(place, TypeExpr::parse(outer).root(), known)
            }
        };
        let is_others = matches!(holder.head, Base::External | Base::Unknown);
        (is_others && holder.rest.len() == 1).then(|| single_element(holder))
    }

    /// Whether a member is of this type and not of another with its name in another namespace or class.
    pub(super) fn is_member_of(&self, member: SymbolId, own: SymbolId) -> bool {
        match self.owner(member) {
            Base::Symbol(owner) if self.kind_of(member) == Some(SymbolKind::Variant) && owner.file == own.file => {
                owner == own || self.owner(owner) == Base::Symbol(own)
            }
            Base::Symbol(owner) => owner == own || self.same_thing(owner).contains(&own),
            _ => true,
        }
    }

    /// Whether a using-declaration of a class adds what its bases have under a name to its own: `using Base::name;`.
    pub(super) fn has_using_declaration(&self, own: SymbolId, name: &str) -> bool {
        let is_used = self.symbol(own, |view, symbol| {
            let mut imports = view.facts.imports.iter();
            imports.any(|import| {
                let is_named = import.item.is_some_and(|item| view.facts.names.get(item) == name);
                is_named && symbol.span.start <= import.at && import.at < symbol.span.end
            })
        });
        is_used == Some(true)
    }
}
