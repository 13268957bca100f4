//! Type expressions: a tree for the text of a type in any language, as facts have it.
//!
//! Facts keep types as text. This is the only place where that text is taken apart: `TypeExpr::parse` reads it once, and
//! consumers ask a `TypeRef`, which stands for the whole type or a part of it. The grammar is the union of what the
//! languages write, so that it needs no language: `A[B]` is a `Subscript`, and whoever knows the language knows whether
//! that gives `A` an argument or takes a member out of it. What names mean is not known here.

mod lexer;
mod parser;
mod parts;
#[cfg(test)]
mod tests;

use lexer::{NONE, Name};
pub use parts::{Conditional, FunctionType, MappedType};

/// What a type expression is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeKind {
    /// `std::vector<T>`; items: the arguments.
    Named,
    /// `Map<K, V>::Entry`; items: the member. The outer type is the object.
    Member,
    /// `A[B]`, `A["key"]`; items: what is in the brackets. The outer type is the object.
    Subscript,
    /// `T[]`
    Array,
    /// `[]T`, `[4]T`
    Slice,
    /// `map[K]V`
    Map,
    /// `chan T`, `chan<- T`
    Channel,
    /// A type in brackets, or several: `[A]`, `[A, B]`, `[K: V]`.
    List,
    /// `(A, B)`, `(label: A)`, `()`
    Tuple,
    /// `(A)`
    Parenthesized,
    /// A label and a type: `name: A`. The label may be a type as well: `[K: V]`.
    Labelled,
    /// `(A, B) -> C`, `A.(B) -> C`
    ThinArrowFunction,
    /// `(a: A) => B`, `A => B`, `=> B`
    FatArrowFunction,
    /// A name or keyword with parameters: `Fn(A) -> B`, `func(a A) B`, `void(int)`.
    Callable,
    /// Type parameters before a type: `<T extends A>(of: T) => B`; items: the type.
    Generic,
    Union,
    /// `A & B`
    Intersection,
    /// `A + B`
    Bounds,
    /// `check extends pattern ? yes : no`
    Conditional,
    /// `T extends Shape`
    Bounded,
    /// `value is Shape`
    Predicate,
    /// `A as B`
    Cast,
    /// `keyof T`, `typeof value`, `infer T`
    Operator,
    /// `{ key: A }`; items: the members.
    Object,
    /// `[name: string]: A` in an object.
    KeyedMember,
    /// `[K in keyof T]: A` in an object.
    MappedMember,
    /// With a keyword, lifetime or attribute: `const A`, `dyn A`, `@escaping A`, `&'a A` without the ampersand.
    Modified,
    Reference,
    Pointer,
    /// `A?`, `?A`, `A!`, `? extends A`
    Optional,
    /// `...A`, `A...`
    Rest,
    /// A string literal, or a type in quotes; items: what is in the quotes.
    Quoted,
    Number,
    /// Types beside each other, of which one may be a name: `A a`, `unsigned int`, `Item = A`.
    Sequence,
    /// A keyword by itself, or what is not understood.
    Opaque,
}

/// What a node is to the one that it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Item,
    Label,
    Object,
    Parameter,
    Receiver,
    Result,
    TypeParameter,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    kind: TypeKind,
    role: Role,
    start: u32,
    end: u32,
    child: u32,
    next: u32,
}

impl Node {
    fn new(kind: TypeKind, start: u32, end: u32) -> Node {
        let end = end.max(start);
        Node {
            kind,
            role: Role::Item,
            start,
            end,
            child: NONE,
            next: NONE,
        }
    }
}

/// The text of a type, parsed.
#[derive(Debug)]
pub struct TypeExpr {
    text: Box<str>,
    /// The root first.
    nodes: Box<[Node]>,
    /// The names of types, in the order of the text.
    names: Box<[Name]>,
    is_complete: bool,
}

impl PartialEq for TypeExpr {
    fn eq(&self, other: &TypeExpr) -> bool {
        self.text == other.text
    }
}

impl Eq for TypeExpr {}

impl TypeExpr {
    /// Never fails: what is not understood is `Opaque`. Takes time in proportion to the text.
    pub fn parse(text: &str) -> TypeExpr {
        parser::parse(text)
    }

    pub fn root(&self) -> TypeRef<'_> {
        TypeRef { expr: self, node: 0 }
    }

    /// The whole text, spaces around the type included.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A type expression or a part of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypeRef<'t> {
    expr: &'t TypeExpr,
    node: u32,
}

impl<'t> TypeRef<'t> {
    fn node(self) -> &'t Node {
        &self.expr.nodes[self.node as usize]
    }

    pub fn kind(self) -> TypeKind {
        self.node().kind
    }

    pub fn is(self, kind: TypeKind) -> bool {
        self.kind() == kind
    }

    /// As it is written.
    pub fn text(self) -> &'t str {
        let node = self.node();
        &self.expr.text[node.start as usize..node.end as usize]
    }

    fn children(self) -> impl Iterator<Item = TypeRef<'t>> + Clone {
        let expr = self.expr;
        let of = move |node: u32| (node != NONE).then_some(TypeRef { expr, node });
        std::iter::successors(of(self.node().child), move |child| of(child.node().next))
    }

    fn of_role(self, role: Role) -> impl Iterator<Item = TypeRef<'t>> + Clone {
        self.children().filter(move |child| child.node().role == role)
    }

    /// The parts of its kind: alternatives of a union, elements of a tuple, arguments of a name, or the type inside.
    pub fn items(self) -> impl Iterator<Item = TypeRef<'t>> + Clone {
        self.of_role(Role::Item)
    }

    /// The only part of its kind, if there is but one.
    pub fn item(self) -> Option<TypeRef<'t>> {
        let mut items = self.items();
        items.next().filter(|_| items.next().is_none())
    }

    /// The outer type of a `Member` or `Subscript`.
    pub fn object(self) -> Option<TypeRef<'t>> {
        self.of_role(Role::Object).next()
    }

    /// The label or key of a `Labelled` type.
    pub fn label(self) -> Option<TypeRef<'t>> {
        self.of_role(Role::Label).next()
    }

    /// The type without its label.
    pub fn unlabelled(self) -> TypeRef<'t> {
        match self.kind() {
            TypeKind::Labelled => self.items().next().unwrap_or(self),
            _ => self,
        }
    }

    /// The path of a `Named` type, without arguments.
    pub fn path(self) -> Option<&'t str> {
        let first = self.is(TypeKind::Named).then(|| self.own_names().next())?;
        first.map(|name| self.expr.path(name))
    }

    fn own_names(self) -> impl Iterator<Item = &'t Name> + Clone {
        let Node { start, end, .. } = *self.node();
        let names = &self.expr.names;
        let first = names.partition_point(|name| name.start < start);
        let inside = names[first..].iter().take_while(move |name| name.start < end);
        // The label of a parameter or member; but not a type before the colon that it is followed by.
        inside.filter(move |name| name.colon >= end)
    }

    /// The paths of all types that it names, in the order of the text: `Map`, `String` and `Point` of
    /// `Map<String, &[Point]>`.
    pub fn names(self) -> impl Iterator<Item = &'t str> + Clone {
        self.own_names().map(|name| self.expr.path(name))
    }

    /// The first of the names, which says what it is.
    pub fn first_name(self) -> Option<&'t str> {
        self.names().next()
    }

    pub fn has_name(self, wanted: &str) -> bool {
        self.names().any(|name| name == wanted)
    }

    /// The only name in it.
    pub fn only_name(self) -> Option<&'t str> {
        let mut names = self.names();
        names.next().filter(|_| names.next().is_none())
    }

    /// Whether it is nothing but a name.
    pub fn is_name(self) -> bool {
        self.is(TypeKind::Named) && self.node().child == NONE
    }
}

impl TypeExpr {
    fn path(&self, name: &Name) -> &str {
        &self.text[name.start as usize..name.end as usize]
    }
}
