//! What says the type of a name: text, or how to find it.

use super::NameId;

/// Where the type of a definition or of a local name is known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeSource {
    /// A type expression: declared, in a comment, of a cast or a constructor, or what a test asked for.
    Expr(NameId),
    /// It is an element of its value: the variable of a loop.
    Element,
    /// Its value is a literal of one of the language's own types: a text, a list, a map.
    Literal,
    /// What is expected where it is declared: `Find(out var found)`, the parameter of a callback.
    Expected(ContextId),
    /// It is taken out of a value, or of what is expected, by destructuring.
    Destructured(PatternId),
    /// The component of its value with this index: `let (a, b) = pair`.
    Component(u32),
    /// That component of each element of its value: `for (a, b) in pairs`.
    ElementComponent(u32),
    /// That component of a pattern with a name: `Some(x)`.
    NamedComponent { pattern: NameId, index: u8 },
    /// What its value holds, taken out by a pattern that says no more.
    Held,
    /// The keys (0) or the elements (1) of its value: `for key, value := range all`.
    Range(u8),
    /// What a block is entered with that manages its value: `with session() as s`.
    Entered,
    /// It was tested, and is none of the types in this expression.
    Not(NameId),
    /// What the type guard says whose name is called at this place: `isCircle(shape)`.
    Guarded(u32),
    /// A member of it was tested, and has one of the tag's values, or none of them.
    Tagged { tag: TagId, holds: bool },
}

impl TypeSource {
    pub fn expr(self) -> Option<NameId> {
        match self {
            TypeSource::Expr(expr) => Some(expr),
            _ => None,
        }
    }

    /// Whether it is what a test found out of a name that is known already, and no type expression.
    pub fn is_test(self) -> bool {
        matches!(
            self,
            TypeSource::Not(_) | TypeSource::Guarded(_) | TypeSource::Tagged { .. }
        )
    }
}

/// A context in `FileFacts::contexts`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContextId(pub u32);

/// What tells which type is expected of an expression or a name: contextual typing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// A type that is written there.
    Type(NameId),
    /// The parameter of the function whose name is at `callee_at`.
    Argument { callee_at: u32, slot: ArgumentSlot },
    /// What is named at this place, and is given the value.
    AssignedTo(u32),
    /// What the function returns that is named at this place, and does not declare its return type.
    ReturnedFrom(u32),
    /// A member of what is expected.
    Member { of: ContextId, key: NameId },
    /// An element of what is expected.
    Element(ContextId),
    /// What the function returns that is expected.
    Result(ContextId),
    /// A parameter of the function that is expected.
    Parameter(CallbackParameter),
}

/// A parameter of a function that is passed to another one or is a member of an object literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CallbackParameter {
    /// Where the function stands, or the object that it is a member of.
    pub of: ContextId,
    /// The member that the function is.
    pub key: Option<NameId>,
    pub index: u32,
}

/// Which of its parameters takes an argument of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArgumentSlot {
    Nth(u32),
    /// The last one, which takes a block that is written behind the call.
    Trailing,
}

/// A pattern in `FileFacts::patterns`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PatternId(pub u32);

/// How a name is taken out of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// From the whole to the name.
    pub steps: Vec<PatternStep>,
    /// The parameter that is taken apart, if it is not the value of the binding.
    pub of: Option<CallbackParameter>,
}

/// One step from a value to a part of it; names are texts of the file before they are interned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatternStep<Name = NameId> {
    /// A component of a tuple, or what a type says that it is destructured to.
    Component(u32),
    /// That component of each element: `for first, last in ends`.
    ElementComponent(u32),
    /// An element of a list by its index: `[first, last] = ends`.
    ListElement(u32),
    /// A component of a pattern with a name: `Circle(radius)`.
    NamedComponent {
        pattern: Name,
        index: u32,
    },
    Element,
    /// The same value as one of this type: `case circle: Circle`.
    As(Name),
    Member(Name),
}

impl<Name> PatternStep<Name> {
    pub(crate) fn with_names<Other>(self, mut name: impl FnMut(Name) -> Other) -> PatternStep<Other> {
        match self {
            PatternStep::Component(index) => PatternStep::Component(index),
            PatternStep::ElementComponent(index) => PatternStep::ElementComponent(index),
            PatternStep::ListElement(index) => PatternStep::ListElement(index),
            PatternStep::NamedComponent { pattern, index } => PatternStep::NamedComponent {
                pattern: name(pattern),
                index,
            },
            PatternStep::Element => PatternStep::Element,
            PatternStep::As(ty) => PatternStep::As(name(ty)),
            PatternStep::Member(member) => PatternStep::Member(name(member)),
        }
    }
}

/// A tag in `FileFacts::tags`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TagId(pub u32);

/// A member that tells types apart by its value, and the values that were tested for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    pub member: NameId,
    pub values: Vec<NameId>,
}
