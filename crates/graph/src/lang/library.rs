//! What a language says of functions of its library, whose sources are not in the workspace.

/// Functions and types of a language's library. `infer` reads the tables, `overload` the names of result types.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Library {
    /// The type arguments of library containers are inferred, and results are computed from them: `List<Shape>.first()`.
    /// Elsewhere a result is something of the receiver's type, and which part of it often remains open.
    pub infers_type_arguments: bool,
    /// What members return.
    pub results: &'static [(LibraryResult, &'static [&'static str])],
    /// What functions and types that are called without a receiver make of their arguments.
    pub constructors: &'static [(Construction, &'static [&'static str])],
    /// What members pass to their callbacks, where that is not one element.
    pub callbacks: &'static [(&'static str, &'static [CallbackArg])],
    /// Members that insert their last argument into the receiver: `push`.
    pub inserting: &'static [&'static str],
    /// Prefixes of members that assign an element to an argument: `all.TryGetValue(key, out value)`.
    pub out_argument_prefixes: &'static [&'static str],
    /// Functions whose named arguments are fields of the value that they copy: `point.copy(x = 1)`.
    pub copying: &'static [&'static str],
    /// The type that a function returns whatever its receiver is, by its name: `String` for `trim`.
    pub result_type: fn(&str) -> Option<&'static str>,
    /// The member that returns an iterator, and the iterator's member that returns an element: `iterator` and `next`.
    pub iteration: Option<(&'static str, &'static str)>,
    /// Types of one value or none.
    pub option_types: &'static [&'static str],
    /// The members that those have themselves. Other members are those of the value, behind a mark that facts do not have:
    /// `?`.
    pub option_members: &'static [&'static str],
    /// Patterns that bind the value of an option: `Some(shape)`.
    pub option_patterns: &'static [&'static str],
    /// Types whose type argument is their element.
    pub container_types: &'static [&'static str],
}

/// What a member of a library type returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LibraryResult {
    /// The receiver: `clone`. Where type arguments are inferred also another container of the same: `filter`.
    Receiver,
    /// Another container of the receiver's elements: `slice`.
    SameElements,
    /// The same; of a map a container of its values: `values`.
    Values,
    /// An element; of a map, a key with its value: `first`.
    Element,
    /// The first component of a pair, or an element of a container: Kotlin's `pair.first` and `shapes.first()`.
    FirstOrElement,
    /// The value of a key: `get`.
    Value,
    /// An element in an option: Rust's `first`.
    OptionalElement,
    /// The value of an option: `unwrap`.
    OptionValue,
    /// What the callback returns: `fold`.
    CallbackResult,
    /// A list of that: `map`.
    CallbackResults,
    /// One of the receiver's type arguments: `component1` of a pair.
    TypeArgument(usize),
    /// A list of those: `keys`.
    TypeArguments(usize),
    /// A map whose keys the callback returns, from elements: `associateBy`.
    MapByCallback,
    /// A map from elements to what the callback returns: `associateWith`.
    MapToCallback,
    /// A map from what the callback returns to lists of elements: `groupBy`.
    Groups,
    /// A map with the receiver's keys, and values that the callback returns: `mapValues`.
    MappedValues,
    /// Two containers of the same: `partition`.
    Pair,
    /// Pairs with elements of the argument: `zip`.
    Zipped,
    /// Pairs with an index, which comes first or last: `withIndex`, `zipWithIndex`.
    IndexFirst,
    IndexLast,
    /// A list of such containers: `chunked`.
    Nested,
    /// No type of the workspace: `count`.
    External,
}

/// What a function of the library makes of its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Construction {
    /// A container of them: `listOf(shape)`.
    Container,
    /// A map, from pairs: `mapOf(name to shape)`.
    Map,
    /// A tuple of the receiver, if there is one, and the arguments: `Pair(a, b)`, `a to b`.
    Tuple,
    /// Pairs of the elements of two containers: `zip(shapes, names)`.
    Zip,
}

/// What a member of a library type passes to its callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallbackArg {
    /// The receiver itself: `let`.
    Receiver,
    Element,
    /// The key of an element.
    Key,
    /// An element of the argument beside the callback.
    OtherElement,
    /// The initial value: `fold(initial) { .. }`.
    Initial,
    Unknown,
}

impl Library {
    pub const NONE: Library = Library {
        infers_type_arguments: false,
        results: &[],
        constructors: &[],
        callbacks: &[],
        inserting: &[],
        out_argument_prefixes: &[],
        copying: &[],
        result_type: |_| None,
        iteration: None,
        option_types: &[],
        option_members: &[],
        option_patterns: &[],
        container_types: &[],
    };

    /// What a member returns, where that is computed from the receiver's type arguments.
    pub fn result(&self, name: &str) -> Option<LibraryResult> {
        self.infers_type_arguments.then(|| find(self.results, name))?
    }

    /// Whether a member returns this, where type arguments are not inferred.
    pub fn may_return(&self, name: &str, result: LibraryResult) -> bool {
        !self.infers_type_arguments && find(self.results, name) == Some(result)
    }

    /// Whether a member returns what a callback returns for each element, where type arguments are not inferred.
    pub fn maps_elements(&self, name: &str) -> bool {
        self.may_return(name, LibraryResult::CallbackResult) || self.may_return(name, LibraryResult::CallbackResults)
    }

    /// Whether the table says of any member that it returns this.
    pub fn lists(&self, result: LibraryResult) -> bool {
        self.results.iter().any(|(kind, _)| *kind == result)
    }

    pub fn construction(&self, name: &str) -> Option<Construction> {
        find(self.constructors, name)
    }

    pub fn callback_arg(&self, name: &str, nth: usize) -> CallbackArg {
        match self.callbacks.iter().find(|(member, _)| *member == name) {
            Some((_, passed)) => passed.get(nth).copied().unwrap_or(CallbackArg::Unknown),
            None if nth == 0 => CallbackArg::Element,
            None => CallbackArg::Unknown,
        }
    }
}

fn find<T: Copy>(table: &[(T, &[&str])], name: &str) -> Option<T> {
    table
        .iter()
        .find(|(_, names)| names.contains(&name))
        .map(|(kind, _)| *kind)
}

#[cfg(test)]
mod tests {
    use super::{Construction, Library, LibraryResult};

    const LIBRARY: Library = Library {
        results: &[
            (LibraryResult::Receiver, &["clone"]),
            (LibraryResult::CallbackResults, &["map"]),
        ],
        constructors: &[(Construction::Tuple, &["to"])],
        ..Library::NONE
    };

    #[test]
    fn results_without_type_arguments() {
        assert_eq!(LIBRARY.result("clone"), None);
        assert!(LIBRARY.may_return("clone", LibraryResult::Receiver));
        assert!(LIBRARY.maps_elements("map") && !LIBRARY.maps_elements("clone"));
    }

    #[test]
    fn results_by_type_arguments() {
        let library = Library {
            infers_type_arguments: true,
            ..LIBRARY
        };
        assert_eq!(library.result("clone"), Some(LibraryResult::Receiver));
        assert!(!library.may_return("clone", LibraryResult::Receiver));
        assert_eq!(library.construction("to"), Some(Construction::Tuple));
    }

    #[test]
    fn every_function_has_one_result() {
        for rules in crate::lang::ALL {
            let library = &rules.semantics().library;
            let mut names: Vec<&str> = library.results.iter().flat_map(|(_, names)| *names).copied().collect();
            let all = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), all, "{:?}", rules.semantics().languages);
        }
    }
}
