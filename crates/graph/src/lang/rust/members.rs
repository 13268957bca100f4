//! Members that traits give to types: by `Deref`, and by implementations for foreign types.

use syntax::{Qualifier, RefIdx, Reference, Role, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver},
    },
    types::ty::{Base, UNKNOWN},
    view::SymbolId,
};

/// The associated type that says what a value derefs to.
const TARGET: &str = "Target";

impl Resolver<'_> {
    /// The members of what a value derefs to: `impl Deref for Guard { type Target = Shape; }`.
    pub(super) fn members_by_deref(&self, own: SymbolId, name: &str) -> Vec<SymbolId> {
        if name == TARGET {
            return Vec::new();
        }
        let targets = self.own_members(own, TARGET).into_iter();
        let targets = targets.map(|id| self.trail.deeper(UNKNOWN, || self.value_of_symbol(id, None)));
        let mut found = targets.filter_map(|target| match target.head {
            Base::Symbol(other) if other != own => Some(self.members(other, name)),
            _ => None,
        });
        found.find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// A method of a trait that is implemented for foreign types, or for any: `impl<I: Iterator> Ext for I`. It comes after
    /// those that a type has itself.
    pub(super) fn of_extension_trait(&self, place: At<'_>, reference: &Reference, found: Meaning) -> Meaning {
        if reference.role != Role::Call {
            return found;
        }
        let is_function = match reference.on {
            Qualifier::Value(receiver) => self.is_function_itself(place, receiver),
            Qualifier::Literal => false,
            _ => return found,
        };
        let found = match is_function {
            // A function has no methods of its own, whatever it returns: `digits.map(..)`.
            true => Meaning::External,
            false => found,
        };
        if !matches!(found, Meaning::External | Meaning::Unknown) {
            return found;
        }
        let name = place.view.facts.names.get(reference.name);
        if self.semantics(place.file).common_members.contains(&name) && !is_function {
            return found;
        }
        let is_known = is_function || reference.on == Qualifier::Literal;
        self.method_of_extension_trait(place, name, is_known).unwrap_or(found)
    }

    /// The place must name the trait, or import all names of a module. What is called on something whose type is not known
    /// may as well be a method that a type has by itself.
    fn method_of_extension_trait(&self, place: At<'_>, name: &str, is_type_known: bool) -> Option<Meaning> {
        let is_seen = |owner: SymbolId| {
            owner.file == place.file
                || place.view.has_name(&self.name_of(owner))
                || place.view.facts.imports.iter().any(|import| import.wildcard)
        };
        let members = self.members_named(place.file, name);
        let is_trait = |owner: SymbolId| self.kind_of(owner) == Some(SymbolKind::Trait);
        let found = members
            .iter()
            .filter(|(_, owner)| is_trait(*owner) && is_seen(*owner) && self.is_extension_trait(*owner));
        let (found, traits): (Vec<SymbolId>, Vec<SymbolId>) = found.copied().unzip();
        let is_beside = |(_, owner): &(SymbolId, SymbolId)| {
            let is_block = self.kind_of(*owner) == Some(SymbolKind::Impl);
            !is_trait(*owner) && !is_block && !traits.iter().any(|of| self.is_derived(*owner, *of))
        };
        if !found.is_empty() && !is_type_known && members.iter().any(is_beside) {
            return None;
        }
        Meaning::of(found, Rule::Likely)
    }

    /// Whether a value is a function that is not called.
    fn is_function_itself(&self, place: At<'_>, value: RefIdx) -> bool {
        place.view.facts.references[value].role == Role::Variable
            && match self.meaning(place.file, value) {
                Meaning::Symbols(symbols, _) => {
                    symbols.iter().all(|id| self.kind_of(*id) == Some(SymbolKind::Function))
                }
                _ => false,
            }
    }

    /// Whether a trait is implemented for a type parameter, or for a type that is not of this workspace.
    fn is_extension_trait(&self, of: SymbolId) -> bool {
        if let Some(known) = self.memo.borrow().extending.get(&of) {
            return *known;
        }
        let found = self.is_implemented_for_foreign(of);
        self.memo.borrow_mut().extending.insert(of, found);
        found
    }

    fn is_implemented_for_foreign(&self, of: SymbolId) -> bool {
        let name = self.name_of(of);
        self.world.mentioning(&name).into_iter().any(|file| {
            let Some(view) = self.view(file) else { return false };
            view.references_named(&name).iter().any(|index| {
                let reference = &view.facts.references[*index];
                let block = view.declaring(reference.at).map(|at| &view.facts.symbols[at]);
                let is_it = || matches!(self.meaning(file, *index), Meaning::Symbols(found, _) if found.contains(&of));
                let Some(block) = block.filter(|block| block.kind == SymbolKind::Impl) else {
                    return false;
                };
                let at = block.end_of_signature();
                let place = At { file, view: &view, at };
                let implements = reference.role == Role::Implementation && is_it();
                implements
                    && match self.lookup(place, view.facts.name(block), Role::Type) {
                        Meaning::Symbols(..) => false,
                        // `impl<T: Area> Area for Box<T>`: what has it already is given nothing new.
                        Meaning::Local(parameter) => {
                            let bounds = self.binding(file, parameter);
                            !bounds.heads().chain(bounds.rest.iter().copied()).any(|one| one == of)
                        }
                        _ => true,
                    }
            })
        })
    }
}
