//! Indices into the lists of a file's facts, a type for each list.

use std::ops::Index;

use super::{Binding, Import, Reference, Symbol};

/// An index into one of the lists of `FileFacts`, and into nothing else. The list is indexed by it.
macro_rules! index {
    ($(#[$about:meta])* $name:ident: $record:ident) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// The record at this place of its list.
            pub fn new(index: usize) -> $name {
                $name(u32::try_from(index).expect("a file has fewer records than bytes, and these are counted in 32 bits"))
            }

            pub const fn as_usize(self) -> usize {
                self.0 as usize
            }

            /// The index of each record.
            pub fn all(list: &[$record]) -> impl DoubleEndedIterator<Item = $name> + Clone + use<> {
                (0..list.len() as u32).map($name)
            }

            /// Each record with its index.
            pub fn enumerate(list: &[$record]) -> impl DoubleEndedIterator<Item = ($name, &$record)> + Clone {
                list.iter().enumerate().map(|(at, record)| ($name(at as u32), record))
            }

            /// Each record from a place of the list on, with its index.
            pub fn enumerate_from(list: &[$record], first: usize) -> impl DoubleEndedIterator<Item = ($name, &$record)> + Clone {
                list[first..].iter().enumerate().map(move |(at, record)| ($name((first + at) as u32), record))
            }

            /// The indices before this one.
            pub fn all_before(self) -> impl DoubleEndedIterator<Item = $name> + Clone + use<> {
                (0..self.0).map($name)
            }

            /// That of the record behind, if there is one.
            pub const fn next(self) -> $name {
                $name(self.0 + 1)
            }

            pub fn previous(self) -> Option<$name> {
                self.0.checked_sub(1).map($name)
            }
        }

        impl Index<$name> for [$record] {
            type Output = $record;

            fn index(&self, index: $name) -> &$record {
                &self[index.as_usize()]
            }
        }

        impl Index<$name> for Vec<$record> {
            type Output = $record;

            fn index(&self, index: $name) -> &$record {
                &self[index.as_usize()]
            }
        }
    };
}

index!(
    /// A definition: an index into `FileFacts::symbols`.
    SymbolIdx: Symbol
);

index!(
    /// A use of a name: an index into `FileFacts::references`.
    RefIdx: Reference
);

index!(
    /// What an import brings in: an index into `FileFacts::imports`.
    ImportIdx: Import
);

index!(
    /// A local name: an index into `FileFacts::bindings`.
    BindingIdx: Binding
);

impl RefIdx {
    /// In an argument of which a language's hook says how its value is used; the end of the walk says whose value it is
    /// (`ArgValue::of`).
    pub(crate) const UNKNOWN: RefIdx = RefIdx(0);
}
