//! The conversions that most languages have: to a supertype, a wider number, a box, a functional interface.

use syntax::{SymbolKind, TypeRef};

use crate::{
    engine::resolver::{At, Resolver},
    files::FileIdx,
    overload::{
        arg_type::{ArgType, Shape},
        rank::ConversionRank,
    },
    view::SymbolId,
};

/// What a language says about conversions between types that no source in the workspace declares.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Conversions {
    /// Types that every value is assignable to, or that say less than the value does: `Object`, Python's `Literal`.
    pub top_types: &'static [&'static str],
    /// Types without subtypes, each followed by the types that its values convert to: `int`, `long`, `double`.
    pub widening: &'static [&'static [&'static str]],
    /// Library types with the suffixes of their subtypes' names: an `Iterable` is every `..Collection` and `..Set`.
    /// Where a language has this table, an argument that has no rank cannot be passed.
    pub library_subtypes: &'static [(&'static str, &'static [&'static str])],
    /// Library interfaces that have no supertypes.
    pub root_types: &'static [&'static str],
    /// The supertypes that every definition of a kind has: `Comparable` of an enum.
    pub implied_supertypes: &'static [(SymbolKind, &'static str)],
    /// Types that are never null.
    pub primitives: &'static [&'static str],
    /// Box classes with what they hold: `Integer` and `int`.
    pub boxes: &'static [(&'static str, &'static str)],
    /// The static method of box classes that makes one: `Character.valueOf(c)`.
    pub boxing_method: Option<&'static str>,
    /// The number of parameters of a functional interface of the library.
    pub arity_of_library_interface: fn(&str) -> Option<usize>,
}

impl Conversions {
    pub const NONE: Conversions = Conversions {
        top_types: &[],
        widening: &[],
        library_subtypes: &[],
        root_types: &[],
        implied_supertypes: &[],
        primitives: &[],
        boxes: &[],
        boxing_method: None,
        arity_of_library_interface: |_| None,
    };

    /// Whether all conversions from a type are in the table.
    pub fn is_closed(&self, name: &str) -> bool {
        self.widened(name).is_some()
    }

    /// A closed type and the types that its values convert to, nearest first.
    pub fn widened(&self, name: &str) -> Option<&'static [&'static str]> {
        self.widening.iter().copied().find(|chain| chain[0] == name)
    }

    pub fn is_top(&self, name: &str) -> bool {
        self.top_types.contains(&name)
    }

    fn is_primitive(&self, ty: &ArgType) -> bool {
        matches!(&ty.shape, Shape::Named(name) if self.primitives.contains(&name.as_str()))
    }

    fn is_top_or_generic(&self, ty: &ArgType) -> bool {
        match &ty.shape {
            Shape::Generic => true,
            Shape::Named(name) => self.is_top(name),
            _ => false,
        }
    }

    /// Whether a library type is a subtype of another, as far as their names say: a `StringReader` is a `Reader`.
    fn is_library_subtype(&self, name: &str, supertype: &str) -> bool {
        match self.library_subtypes.iter().find(|(name, _)| *name == supertype) {
            Some((_, suffixes)) => suffixes.iter().any(|suffix| name.ends_with(suffix)),
            None => !self.library_subtypes.is_empty() && name.ends_with(supertype),
        }
    }

    /// The rank of an argument whose type only its spelling suggests: `Locale.ROOT` is likely a `Locale`.
    fn rank_of_guess(&self, argument: &ArgType, parameter: &ArgType) -> ConversionRank {
        let is_same = match (&argument.shape, &parameter.shape) {
            (Shape::Named(argument), Shape::Named(parameter)) => {
                argument == parameter || self.boxes.contains(&(argument, parameter))
            }
            _ => false,
        };
        match is_same && !parameter.is_array {
            true => ConversionRank::Exact,
            false => ConversionRank::Unknown,
        }
    }

    /// The rank of a library type as another one.
    fn rank_of_library_types(&self, argument: &str, parameter: &str) -> Option<ConversionRank> {
        if argument == parameter {
            return Some(ConversionRank::Exact);
        }
        if let Some(chain) = self.widened(argument) {
            let is_box = self.boxing_method.is_some() && argument.starts_with(char::is_uppercase);
            let steps = chain.iter().position(|one| *one == parameter)?;
            return Some(match is_box && self.primitives.contains(&parameter) {
                true => ConversionRank::Unboxing,
                false => ConversionRank::Widening(u8::try_from(steps).unwrap_or(u8::MAX)),
            });
        }
        // An `Object` may be anything, and is passed as nothing else.
        if self.top_types.first() == Some(&argument) {
            return None;
        }
        if self.is_library_subtype(argument, parameter) {
            return Some(ConversionRank::Subtype);
        }
        let is_open = !self.root_types.contains(&argument) && !self.is_closed(parameter);
        is_open.then_some(ConversionRank::Unknown)
    }
}

impl Resolver<'_> {
    /// Whether an argument can be passed for a type as written at a place.
    pub(crate) fn is_convertible(&self, place: At<'_>, argument: &ArgType, ty: TypeRef<'_>) -> bool {
        let parameter = self.arg_type_of_type(place, ty);
        self.conversion_rank(place.file, argument, &parameter).is_some()
    }

    /// Whether an argument certainly cannot be passed. One without a rank may still convert in a way that facts do not
    /// show: through a supertype outside of the workspace, an alias, a user-defined conversion.
    pub(crate) fn is_inconvertible(&self, file: FileIdx, argument: &ArgType, parameter: &ArgType) -> bool {
        let conversions = &self.semantics(file).conversions;
        if self.conversion_rank(file, argument, parameter).is_some() {
            return false;
        }
        if !conversions.library_subtypes.is_empty() {
            return true;
        }
        if matches!(argument.shape, Shape::Generic) || self.rules(file).may_convert(self, argument, parameter) {
            return false;
        }
        match (&argument.shape, &parameter.shape) {
            (Shape::Type(argument), Shape::Type(parameter)) => {
                self.has_known_supertypes(*argument) && self.has_known_supertypes(*parameter)
            }
            (Shape::Named(name), Shape::Type(parameter)) => {
                let is_library = conversions.is_closed(name) || self.defining(name).is_empty();
                is_library && self.has_known_supertypes(*parameter)
            }
            (Shape::Type(argument), Shape::Named(name)) => {
                conversions.is_closed(name) && self.has_known_supertypes(*argument)
            }
            (Shape::Named(argument), Shape::Named(parameter)) => {
                conversions.is_closed(argument) && conversions.is_closed(parameter)
            }
            (Shape::Function, Shape::Type(parameter)) => self.has_known_supertypes(*parameter),
            // The type may be callable, or the parameter `@autoclosure () -> Shape`.
            (Shape::Type(_), Shape::Function) => false,
            // A number or string for a function, null for a number.
            _ => true,
        }
    }

    /// Whether each supertype of a type is either in the workspace or certainly not.
    fn has_known_supertypes(&self, id: SymbolId) -> bool {
        let is_type = self
            .kind_of(id)
            .is_some_and(|kind| kind.is_type() && kind != SymbolKind::Type);
        let mut others = self.library_supertypes(id).into_iter();
        is_type && others.all(|other| self.defining(&other).is_empty())
    }

    /// How an argument converts to a parameter of a function in a file; `None` if it cannot be passed.
    pub(crate) fn conversion_rank(
        &self,
        file: FileIdx,
        argument: &ArgType,
        parameter: &ArgType,
    ) -> Option<ConversionRank> {
        self.rules(file).conversion_rank(self, file, argument, parameter)
    }

    /// The rank of a conversion in languages where those are to supertypes, wider numbers and boxes.
    pub(crate) fn subtype_conversion(
        &self,
        file: FileIdx,
        argument: &ArgType,
        parameter: &ArgType,
    ) -> Option<ConversionRank> {
        let semantics = self.semantics(file);
        let conversions = &semantics.conversions;
        if argument.is_guess {
            return Some(conversions.rank_of_guess(argument, parameter));
        }
        let are_arrays = argument.is_array && parameter.is_array;
        let of_arrays = |is_known: bool| match is_known {
            true => ConversionRank::Subtype,
            false => ConversionRank::Unknown,
        };
        if argument.shape == Shape::Unknown || parameter.shape == Shape::Unknown {
            return Some(of_arrays(are_arrays));
        }
        let is_null = argument.shape == Shape::Null;
        let is_generic = argument.shape == Shape::Generic;
        if is_null && parameter.is_array {
            return Some(ConversionRank::Unknown);
        }
        // An element is no array, unless the parameter is a rest parameter.
        let is_element = !argument.is_array && !is_null && !is_generic;
        if parameter.is_array && !parameter.is_rest && is_element && semantics.has_array_types {
            return None;
        }
        let is_any = conversions.is_top_or_generic(parameter);
        if is_generic && !argument.is_array && !parameter.is_array {
            return match parameter.shape {
                Shape::Generic => Some(ConversionRank::Subtype),
                _ => is_any.then_some(ConversionRank::Unknown),
            };
        }
        if is_any {
            let is_boxed = self.boxes_array(file, argument, parameter);
            return (!is_boxed || parameter.is_rest).then_some(of_arrays(are_arrays && !is_boxed));
        }
        if parameter.is_array && !argument.is_array && !is_null {
            return self.rank_of_shapes(file, argument, parameter);
        }
        if argument.is_array && !parameter.is_array {
            // The parameter may be an interface of arrays: a sequence, a read-only list.
            let is_open = matches!(&parameter.shape, Shape::Named(name) if !conversions.is_closed(name));
            return (is_open && conversions.library_subtypes.is_empty()).then_some(ConversionRank::Unknown);
        }
        // `int[]` converts to no other array.
        if are_arrays && (conversions.is_primitive(argument) || conversions.is_primitive(parameter)) {
            return (argument.shape == parameter.shape).then_some(ConversionRank::Exact);
        }
        self.rank_of_shapes(file, argument, parameter)
    }

    /// Whether `int[]` is passed for `Object[]` or `T[]`. It is no such array, but can be one element of it.
    pub(crate) fn boxes_array(&self, file: FileIdx, argument: &ArgType, parameter: &ArgType) -> bool {
        let semantics = self.semantics(file);
        let are_arrays = parameter.is_array && argument.is_array;
        let is_any = || semantics.conversions.is_top_or_generic(parameter);
        semantics.has_array_types && are_arrays && is_any() && semantics.conversions.is_primitive(argument)
    }

    /// The rank of a conversion between two types that are known and no arrays, or between their elements.
    fn rank_of_shapes(&self, file: FileIdx, argument: &ArgType, parameter: &ArgType) -> Option<ConversionRank> {
        let semantics = self.semantics(file);
        let conversions = &semantics.conversions;
        let is_closed = |name: &str| conversions.is_closed(name);
        let unknown_if = |may_convert: bool| may_convert.then_some(ConversionRank::Unknown);
        match (&argument.shape, &parameter.shape) {
            (Shape::Null, Shape::Named(_)) => unknown_if(!conversions.is_primitive(parameter)),
            (Shape::Null, _) => Some(ConversionRank::Unknown),
            (Shape::Function, Shape::Function) => Some(ConversionRank::Subtype),
            (Shape::Function, Shape::Type(id)) => {
                let is_functional = match self.kind_of(*id) {
                    Some(SymbolKind::Interface) => {
                        semantics.has_functional_interfaces
                            && !arities_differ(argument.takes, self.arity_of_functional_interface(*id))
                    }
                    kind => matches!(kind, Some(SymbolKind::Trait | SymbolKind::Type)),
                };
                is_functional.then_some(ConversionRank::Subtype)
            }
            (Shape::Function, Shape::Named(name)) => {
                let arity = (conversions.arity_of_library_interface)(name);
                unknown_if(!arities_differ(argument.takes, arity) && !is_closed(name))
            }
            (Shape::Type(own), Shape::Type(other)) if own == other => Some(ConversionRank::Exact),
            (Shape::Type(own), Shape::Type(other)) => self.is_derived(*own, *other).then_some(ConversionRank::Subtype),
            (Shape::Type(own), Shape::Named(name)) => self.rank_as_library_type(file, *own, name),
            (Shape::Named(_), Shape::Type(_)) => None,
            (Shape::Named(own), Shape::Named(other)) => conversions.rank_of_library_types(own, other),
            (Shape::Named(name), Shape::Function) => unknown_if(!is_closed(name)),
            (Shape::Type(own), Shape::Function) => unknown_if(self.may_be_function(*own)),
            (_, Shape::Function) => None,
            _ => Some(ConversionRank::Unknown),
        }
    }

    /// The rank of a class of the workspace as a library type.
    fn rank_as_library_type(&self, file: FileIdx, class: SymbolId, name: &str) -> Option<ConversionRank> {
        let conversions = &self.semantics(file).conversions;
        let kind = self.kind_of(class);
        let mut implied = conversions.implied_supertypes.iter();
        if implied.any(|(of, supertype)| kind == Some(*of) && *supertype == name) {
            return Some(ConversionRank::Subtype);
        }
        let supertypes = self.library_supertypes(class);
        if supertypes.iter().any(|supertype| supertype == name) {
            return Some(ConversionRank::DeclaredSupertype);
        }
        if supertypes
            .iter()
            .any(|supertype| conversions.is_library_subtype(supertype, name))
        {
            return Some(ConversionRank::Subtype);
        }
        let is_root = |supertype: &String| conversions.root_types.contains(&supertype.as_str());
        let is_open = supertypes.is_empty() || !supertypes.iter().all(is_root);
        let may_convert = !conversions.is_closed(name) && is_open && self.has_other_supertypes(class);
        may_convert.then_some(ConversionRank::Unknown)
    }
}

/// Whether two functions certainly take different numbers of arguments.
fn arities_differ(one: Option<usize>, other: Option<usize>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

#[cfg(test)]
mod tests {
    use syntax::LangId;

    use crate::overload::rank::ConversionRank;

    #[test]
    fn ranks_of_library_types() {
        let conversions = &crate::lang::of(LangId::Java).conversions;
        let cases = [
            ("int", "int", Some(ConversionRank::Exact)),
            ("int", "long", Some(ConversionRank::Widening(1))),
            ("int", "double", Some(ConversionRank::Widening(3))),
            ("long", "int", None),
            ("Integer", "int", Some(ConversionRank::Unboxing)),
            ("LinkedHashSet", "Iterable", Some(ConversionRank::Subtype)),
            ("StringReader", "Reader", Some(ConversionRank::Subtype)),
            ("Runnable", "Reader", None),
            ("Path", "Watchable", Some(ConversionRank::Unknown)),
            ("Object", "Path", None),
        ];
        for (argument, parameter, expected) in cases {
            let rank = conversions.rank_of_library_types(argument, parameter);
            assert_eq!(rank, expected, "{argument} to {parameter}");
        }
    }
}
