//! Extractor patterns: `case Circle(center, radius) =>`.

use syntax::Role;

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    types::ty::{Base, Ty, UNKNOWN},
};

impl Resolver<'_> {
    /// The type of a component of an extractor pattern: `Circle(center, radius)`.
    pub(super) fn extracted_component(&self, place: At<'_>, whole: &Ty, (pattern, nth): (&str, usize)) -> Ty {
        let meaning = match pattern.rsplit_once('.') {
            Some((outer, last)) => self.at_path(place, outer, last, Role::Call),
            None => self.lookup(place, pattern, Role::Call),
        };
        let Meaning::Symbols(symbols, _) = meaning else {
            // `Either[Error, Shape]`, `Try[Shape]`
            let is_first = matches!(pattern, "Left" | "Failure");
            return match &whole.given[..] {
                [first, _] if is_first => first.clone(),
                [.., last] => last.clone(),
                [] if whole.rest.len() == 1 => Ty::new(Base::Symbol(whole.rest[0])),
                [] => Ty::holding(Base::Unknown, whole.rest.clone()),
            };
        };
        let found = symbols.iter().find_map(|id| {
            let given = match whole.head == Base::Symbol(*id) {
                true => whole.given.clone(),
                false => Vec::new(),
            };
            let own = Ty {
                given,
                ..Ty::new(Base::Symbol(*id))
            };
            // An extractor object.
            let said = || {
                let given = self.member_result_type(&own, &["unapply"])?;
                let one = self.element_or_self(&given);
                Some(match &one.given[..] {
                    [_, _, ..] if one.head == Base::External => one.given.get(nth)?.clone(),
                    _ => one,
                })
            };
            said().or_else(|| self.field_in_head(&own, *id, nth))
        });
        found.unwrap_or(UNKNOWN)
    }
}
