//! Functions of Swift's library.

use crate::lang::{CallbackArg, Construction, Library, LibraryResult};

pub(super) const LIBRARY: Library = Library {
    infers_type_arguments: true,
    results: &[
        (
            LibraryResult::Receiver,
            &[
                "assertNoFailure",
                "dropFirst",
                "dropLast",
                "eraseToAnyPublisher",
                "filter",
                "intersection",
                "invoke",
                "lazy",
                "prefix",
                "receive",
                "removeDuplicates",
                "reversed",
                "shuffled",
                "sorted",
                "subtracting",
                "suffix",
                "symmetricDifference",
                "union",
            ],
        ),
        (
            LibraryResult::Element,
            &[
                "first",
                "get",
                "last",
                "max",
                "min",
                "next",
                "popFirst",
                "popLast",
                "randomElement",
                "remove",
                "removeFirst",
                "removeLast",
            ],
        ),
        (LibraryResult::Value, &["removeValue", "updateValue"]),
        (LibraryResult::CallbackResult, &["flatMap", "reduce"]),
        (LibraryResult::CallbackResults, &["compactMap", "map"]),
        (LibraryResult::TypeArgument(0), &["key", "offset"]),
        (LibraryResult::TypeArgument(1), &["element", "value"]),
        (LibraryResult::TypeArguments(0), &["keys"]),
        (LibraryResult::TypeArguments(1), &["values"]),
        (LibraryResult::MappedValues, &["compactMapValues", "mapValues"]),
        (LibraryResult::IndexFirst, &["enumerated"]),
        (LibraryResult::Nested, &["chunks", "split"]),
        (LibraryResult::External, &["count", "isEmpty"]),
    ],
    constructors: &[
        (Construction::Container, &["Array", "Set"]),
        (Construction::Zip, &["zip"]),
    ],
    callbacks: &[
        ("elementsEqual", &[CallbackArg::Element, CallbackArg::Element]),
        (
            "lexicographicallyPrecedes",
            &[CallbackArg::Element, CallbackArg::Element],
        ),
        ("max", &[CallbackArg::Element, CallbackArg::Element]),
        ("min", &[CallbackArg::Element, CallbackArg::Element]),
        ("reduce", &[CallbackArg::Initial, CallbackArg::Element]),
        ("sort", &[CallbackArg::Element, CallbackArg::Element]),
        ("sorted", &[CallbackArg::Element, CallbackArg::Element]),
    ],
    iteration: Some(("makeIterator", "next")),
    ..Library::NONE
};
