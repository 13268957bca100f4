//! Argument labels, which are part of a function's name: `remove(at:)` is not `remove(from:)`. And implicit members, whose
//! type is the one that their place expects: `.init(3)`, `.none`.

use syntax::{BEHIND, Context, LocalKind, NameId, RefIdx, Role, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver},
    },
    files::FileIdx,
    types::{
        function_type::function_type,
        ty::{Base, Ty},
    },
    view::SymbolId,
};

impl Resolver<'_> {
    /// An implicit member of the type that its place expects: `.none`.
    pub(crate) fn implied_member(&self, place: At<'_>, context: Context, name: &str, role: Role) -> Meaning {
        let wanted = self.contextual_type(place, context);
        match self.member_of(&wanted, name) {
            Meaning::Symbols(symbols, Rule::Element) => Meaning::Symbols(symbols, Rule::Member),
            found @ Meaning::Symbols(..) => found,
            _ => match context {
                Context::Type(path) => self.at_implied_type(place, path, &wanted, name, role),
                _ => Meaning::Unknown,
            },
        }
    }

    fn at_implied_type(&self, place: At<'_>, path: NameId, wanted: &Ty, name: &str, role: Role) -> Meaning {
        match self.at_path(place, place.view.facts.names.get(path), name, role) {
            found @ Meaning::Symbols(..) => found,
            // A type from elsewhere, which nothing here gives such a member.
            _ if *wanted == Ty::new(Base::External) && !self.is_added(place.file, name) => Meaning::External,
            _ => Meaning::Unknown,
        }
    }

    /// The functions whose parameters have the labels of a call.
    pub(crate) fn by_labels(&self, mut symbols: Vec<SymbolId>, file: FileIdx, call: RefIdx) -> Vec<SymbolId> {
        let Some(view) = self.view(file) else {
            return symbols;
        };
        if let Some(given) = view.facts.labels(call) {
            let is_behind = given.ends_with(BEHIND);
            symbols.retain(|id| {
                let labels = self.signature_of(*id);
                let fits = labels.is_none_or(|labels| matched(given, &labels).is_some());
                fits && (!is_behind || self.takes_function_last(*id))
            });
        }
        symbols
    }

    /// Whether the last parameter may take a trailing closure: not if its type is known to be no function.
    fn takes_function_last(&self, id: SymbolId) -> bool {
        let Some(view) = self.view(id.file) else { return true };
        let symbol = &view.facts.symbols[id.symbol];
        let parameters = view.parameters(symbol).filter(|one| one.kind != LocalKind::Generic);
        let Some((at, written)) = parameters
            .last()
            .and_then(|last| Some((last.at, view.type_expr(last.type_expr()?))))
        else {
            return true;
        };
        let place = At {
            file: id.file,
            view: &view,
            at,
        };
        let name = written.first_name().unwrap_or_default();
        // Aliases of function types: of the workspace, or by what those of libraries are called.
        let is_alias = || match self.type_meaning(place, name) {
            Meaning::Symbols(types, _) => types.iter().any(|id| self.kind_of(*id) == Some(SymbolKind::Type)),
            Meaning::External => ["Block", "Callback", "Closure", "Completion", "Handler"]
                .iter()
                .any(|end| name.ends_with(end)),
            _ => true,
        };
        function_type(written).is_some() || is_alias()
    }

    /// A library type whose constructor is declared by an extension here: `Int(hex: "ff")`.
    pub(crate) fn made_of_others(&self, file: FileIdx, name: &str, call: RefIdx) -> Meaning {
        let block = self.added_to(file, name);
        let is_made = |block: &SymbolId| {
            let constructors = self.semantics(file).constructors.iter();
            let constructors = constructors.flat_map(|name| self.members(*block, name)).collect();
            let view = self.view(file);
            // What has no label may as well be of where the type is from.
            let labels = view
                .as_ref()
                .and_then(|view| view.facts.labels(call))
                .unwrap_or_default();
            let is_told = labels.split(',').any(|label| !matches!(label, "" | "_"));
            is_told && !self.by_labels(constructors, file, call).is_empty()
        };
        block
            .filter(is_made)
            .map_or(Meaning::External, |block| Meaning::Symbols(vec![block], Rule::Member))
    }

    /// Whether a call of a type has the labels of an inherited constructor, and of none of its own.
    pub(crate) fn made_as_base(&self, made: SymbolId, constructor: SymbolId, file: FileIdx, call: RefIdx) -> bool {
        let own = self.own_members(made, &self.name_of(constructor));
        !self.by_labels(vec![constructor], file, call).is_empty() && self.by_labels(own, file, call).is_empty()
    }

    /// The parameter of each argument of a call.
    pub(crate) fn labelled(&self, file: FileIdx, call: RefIdx, id: SymbolId) -> Option<Vec<usize>> {
        let view = self.view(file)?;
        matched(view.facts.labels(call)?, &self.signature_of(id)?)
    }
}

/// The parameter for each argument, if all have one and no other parameter needs one.
fn matched(given: &str, shape: &str) -> Option<Vec<usize>> {
    let split = |text: &'_ str| -> Vec<String> {
        text.split(',')
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let wanted = split(shape);
    let name = |one: &str| one.trim_end_matches(['?', '*']).to_owned();
    let can_be_left_out = |one: &String| one.contains('?') || one.contains('*');
    let mut places = Vec::new();
    let mut next = 0;
    for label in split(given) {
        if label == BEHIND {
            let last = wanted.len().checked_sub(1).filter(|last| next <= *last)?;
            if !wanted[next..last].iter().all(can_be_left_out) {
                return None;
            }
            places.push(last);
            next = last + 1;
            continue;
        }
        // The others of a list have no name.
        let goes_on = label == "_" && next > 0 && wanted[next - 1].contains('*');
        if goes_on && wanted.get(next).is_none_or(|wanted| name(wanted) != "_") {
            places.push(next - 1);
            continue;
        }
        while wanted.get(next).is_some_and(|wanted| name(wanted) != label) {
            if !can_be_left_out(&wanted[next]) {
                return None;
            }
            next += 1;
        }
        wanted.get(next)?;
        places.push(next);
        next += 1;
    }
    wanted[next..].iter().all(can_be_left_out).then_some(places)
}

#[cfg(test)]
mod tests {
    use super::matched;

    #[test]
    fn arguments_find_their_parameters() {
        let cases = [
            ("at,_", "at,_", Some(vec![0, 1])),
            ("", "", Some(vec![])),
            ("", "at", None),
            ("", "at?", Some(vec![])),
            ("at", "_", None),
            ("_", "at?,_", Some(vec![1])),
            ("b", "a?,b,c?", Some(vec![1])),
            ("b,a", "a?,b", None),
            ("_,_,b", "_*,b?", Some(vec![0, 0, 1])),
            ("_,_", "_", None),
            ("a,{", "a,b?,done", Some(vec![0, 2])),
            ("{", "a,done", None),
        ];
        for (given, shape, expected) in cases {
            assert_eq!(matched(given, shape), expected, "{given} for {shape}");
        }
    }
}
