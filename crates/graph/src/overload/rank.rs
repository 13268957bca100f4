//! How well what a call gives fits what a parameter wants.

use syntax::SymbolKind;

use crate::{
    engine::resolver::{At, Resolver},
    files::FileIdx,
    lang::Semantics,
    overload::arg_type::{ArgType, Shape},
    view::SymbolId,
};

/// How well an argument fits a parameter. What does not fit has none.
pub(crate) type Fit = u32;

pub(crate) const ANY: Fit = 8;
const DERIVED: Fit = 24;
pub(crate) const EXACT: Fit = 32;

impl Resolver<'_> {
    /// Whether a value can be one of a type as it is written at a place.
    pub(crate) fn fits_type(&self, place: At<'_>, given: &ArgType, text: &str) -> bool {
        let wanted = self.described_type(place, text);
        self.fit(place.file, given, &wanted).is_some()
    }

    /// Whether a value is known to be none that a parameter takes. What is only not seen to fit may do so by ways that are
    /// not looked at: what is derived from a type out of sight, another name of it, a conversion.
    pub(crate) fn is_refused(&self, file: FileIdx, given: &ArgType, wanted: &ArgType) -> bool {
        let semantics = self.semantics(file);
        if self.fit(file, given, wanted).is_some() {
            return false;
        }
        // Where it is said what the library's types are derived from, and nothing is converted.
        if !semantics.library.is_empty() {
            return true;
        }
        let is_plain = |name: &str| semantics.widening.iter().any(|chain| chain[0] == name);
        let is_class = |id: SymbolId| self.is_settled(id);
        if matches!(given.shape, Shape::Generic) || self.rules(file).may_convert(self, given, wanted) {
            return false;
        }
        match (&given.shape, &wanted.shape) {
            (Shape::Type(given), Shape::Type(wanted)) => is_class(*given) && is_class(*wanted),
            (Shape::Named(name), Shape::Type(wanted)) => {
                let is_outside = is_plain(name) || self.defining(name).is_empty();
                is_outside && is_class(*wanted)
            }
            (Shape::Type(given), Shape::Named(name)) => is_plain(name) && is_class(*given),
            (Shape::Named(given), Shape::Named(wanted)) => is_plain(given) && is_plain(wanted),
            (Shape::Function, Shape::Type(wanted)) => is_class(*wanted),
            // It may be called, or be what a function is made of: `@autoclosure () -> Shape`.
            (Shape::Type(_), Shape::Function) => false,
            // A number or text and a function, or nothing and a number.
            _ => true,
        }
    }

    /// Whether all that a type is derived from is known, or known to be of elsewhere.
    fn is_settled(&self, id: SymbolId) -> bool {
        let is_type = self
            .kind_of(id)
            .is_some_and(|kind| kind.is_type() && kind != SymbolKind::Type);
        let mut others = self.library_supertypes(id).into_iter();
        is_type && others.all(|other| self.defining(&other).is_empty())
    }

    /// How well an argument fits a parameter; nothing if it cannot be passed.
    pub(crate) fn fit(&self, file: FileIdx, given: &ArgType, wanted: &ArgType) -> Option<Fit> {
        self.rules(file).fit(self, file, given, wanted)
    }

    /// The same where a conversion is from a type to one that it is derived from, or to a wider number.
    pub(crate) fn fit_of_subtype(&self, file: FileIdx, given: &ArgType, wanted: &ArgType) -> Option<Fit> {
        let semantics = self.semantics(file);
        if given.is_guess {
            let is_it = match (&given.shape, &wanted.shape) {
                (Shape::Named(given), Shape::Named(wanted)) => {
                    let is_box = |(class, held): &(&str, &str)| class == given && held == wanted;
                    given == wanted || semantics.boxes.iter().any(is_box)
                }
                _ => false,
            };
            return Some(if is_it && !wanted.is_array { EXACT } else { ANY });
        }
        let is_any = matches!(&wanted.shape, Shape::Named(name) if semantics.any_type.contains(&name.as_str()));
        if given.shape == Shape::Unknown || wanted.shape == Shape::Unknown {
            return Some(if given.is_array && wanted.is_array {
                DERIVED
            } else {
                ANY
            });
        }
        if given.shape == Shape::Null && wanted.is_array {
            return Some(ANY);
        }
        // What an array is made of is no array, unless any number of them is taken.
        let is_one = !given.is_array && !matches!(given.shape, Shape::Null | Shape::Generic);
        if wanted.is_array && !wanted.is_rest && is_one && semantics.has_bare_arrays {
            return None;
        }
        if given.shape == Shape::Generic && !given.is_array && !wanted.is_array {
            return match wanted.shape {
                Shape::Generic => Some(DERIVED),
                _ => is_any.then_some(ANY),
            };
        }
        if is_any || wanted.shape == Shape::Generic {
            let is_of_numbers = self.is_of_numbers(file, given, wanted);
            if is_of_numbers && !wanted.is_rest {
                return None;
            }
            return Some(if wanted.is_array && given.is_array && !is_of_numbers {
                DERIVED
            } else {
                ANY
            });
        }
        if wanted.is_array && !given.is_array && given.shape != Shape::Null {
            return self.fit_element(semantics, given, wanted);
        }
        if given.is_array && !wanted.is_array {
            // It may be one of the things that an array is: a sequence, a list that does not grow.
            let is_open = match &wanted.shape {
                Shape::Named(name) => !semantics.widening.iter().any(|chain| chain[0] == name),
                _ => false,
            };
            return (is_open && semantics.library.is_empty()).then_some(ANY);
        }
        // An array of numbers is one of those and of no others.
        let is_number =
            |one: &ArgType| matches!(&one.shape, Shape::Named(name) if semantics.primitives.contains(&name.as_str()));
        if given.is_array && wanted.is_array && (is_number(given) || is_number(wanted)) {
            return (given.shape == wanted.shape).then_some(EXACT);
        }
        self.fit_element(semantics, given, wanted)
    }

    /// Whether it is an array of numbers that an array of anything is asked for: nothing stands for a number in all of it.
    pub(crate) fn is_of_numbers(&self, file: FileIdx, given: &ArgType, wanted: &ArgType) -> bool {
        let semantics = self.semantics(file);
        let is_any = match &wanted.shape {
            Shape::Generic => true,
            Shape::Named(name) => semantics.any_type.contains(&name.as_str()),
            _ => false,
        };
        let is_number = matches!(&given.shape, Shape::Named(name) if semantics.primitives.contains(&name.as_str()));
        semantics.has_bare_arrays && wanted.is_array && given.is_array && is_any && is_number
    }

    fn fit_element(&self, semantics: &Semantics, given: &ArgType, wanted: &ArgType) -> Option<Fit> {
        let is_plain = |name: &str| semantics.widening.iter().any(|chain| chain[0] == name);
        match (&given.shape, &wanted.shape) {
            (Shape::Null, Shape::Named(name)) => (!semantics.primitives.contains(&name.as_str())).then_some(ANY),
            (Shape::Null, _) => Some(ANY),
            (Shape::Function, Shape::Function) => Some(DERIVED),
            (Shape::Function, Shape::Type(id)) => match self.kind_of(*id) {
                Some(SymbolKind::Interface) if !semantics.has_functional_interfaces => None,
                Some(SymbolKind::Interface) if differs(given.takes, self.arity_of_functional_interface(*id)) => None,
                Some(SymbolKind::Interface | SymbolKind::Trait | SymbolKind::Type) => Some(DERIVED),
                _ => None,
            },
            (Shape::Function, Shape::Named(name)) if differs(given.takes, (semantics.function_of)(name)) => None,
            (Shape::Function, Shape::Named(name)) => (!is_plain(name)).then_some(ANY),
            (Shape::Type(given), Shape::Type(wanted)) if given == wanted => Some(EXACT),
            (Shape::Type(given), Shape::Type(wanted)) => self.is_derived(*given, *wanted).then_some(DERIVED),
            (Shape::Type(given), Shape::Named(name)) => {
                let kind = self.kind_of(*given);
                let mut implied = semantics.implied.iter();
                if implied.any(|(of, implied)| kind == Some(*of) && implied == name) {
                    return Some(DERIVED);
                }
                let others = self.library_supertypes(*given);
                if others.contains(name) {
                    return Some(DERIVED + 1);
                }
                if others.iter().any(|other| is_of_library(semantics, other, name)) {
                    return Some(DERIVED);
                }
                let is_root = |other: &String| semantics.roots.contains(&other.as_str());
                let is_open = others.is_empty() || !others.iter().all(is_root);
                (!is_plain(name) && is_open && self.has_other_supertypes(*given)).then_some(ANY)
            }
            (Shape::Named(_), Shape::Type(_)) => None,
            (Shape::Named(given), Shape::Named(wanted)) if given == wanted => Some(EXACT),
            (Shape::Named(given), Shape::Named(wanted)) => {
                let chain = semantics.widening.iter().find(|chain| chain[0] == given);
                match chain {
                    // Unboxing: a parameter that takes the box itself is better.
                    Some(chain)
                        if semantics.boxing.is_some()
                            && chain[0].starts_with(char::is_uppercase)
                            && semantics.primitives.contains(&wanted.as_str()) =>
                    {
                        chain.contains(&wanted.as_str()).then_some(ANY / 2)
                    }
                    // The nearer in the chain the better.
                    Some(chain) => {
                        let at = chain.iter().position(|one| *one == wanted.as_str())?;
                        Some(DERIVED - 1 - (at as Fit).min(8))
                    }
                    // Of what may be anything nothing is known that a type could ask for.
                    None if semantics.any_type.first() == Some(&given.as_str()) => None,
                    None if is_of_library(semantics, given, wanted) => Some(DERIVED),
                    None if semantics.roots.contains(&given.as_str()) => None,
                    None => (!is_plain(wanted)).then_some(ANY),
                }
            }
            (Shape::Named(name), Shape::Function) => (!is_plain(name)).then_some(ANY),
            (Shape::Type(given), Shape::Function) => self.may_be_function(*given).then_some(ANY),
            (_, Shape::Function) => None,
            _ => Some(ANY),
        }
    }
}

/// Whether two functions are known to take different numbers of values.
fn differs(given: Option<usize>, wanted: Option<usize>) -> bool {
    given.zip(wanted).is_some_and(|(given, wanted)| given != wanted)
}

/// Whether a type of the library is derived from another, by what they are called: a `StringReader` is a `Reader`.
fn is_of_library(semantics: &Semantics, given: &str, wanted: &str) -> bool {
    match semantics.library.iter().find(|(name, _)| *name == wanted) {
        Some((_, others)) => others.iter().any(|other| given.ends_with(other)),
        None => !semantics.library.is_empty() && given.ends_with(wanted),
    }
}
