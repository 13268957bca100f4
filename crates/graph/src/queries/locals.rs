//! Local variables: which bindings belong to one variable, and which references mean it.
//!
//! Facts have a binding for each assignment, since each may change the inferred type. A variable is the set of bindings
//! that the language takes for one. Where that is uncertain they are merged: renaming two variables together keeps the
//! meaning of the program, renaming half of one does not.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use rustc_hash::FxHashMap;
use syntax::{Binding, BindingIdx, Home, Qualifier, RefIdx, Reference, Role, Symbol, SymbolIdx};

use crate::{
    engine::{meaning::Meaning, resolver::Resolver},
    files::FileIdx,
    lang::{self, LanguageRules, Semantics},
    view::View,
};

/// The local names of a file.
pub struct Locals {
    view: Arc<View>,
    text: Box<str>,
    homes: Vec<Home>,
    rules: &'static dyn LanguageRules,
    semantics: &'static Semantics,
    /// Offsets of shorthand properties: `{ size }` names a member and the variable with its value.
    shorthands: Vec<u32>,
    named: RefCell<FxHashMap<Box<str>, Rc<Named>>>,
}

/// The bindings of one name; the lists are parallel.
struct Named {
    bindings: Vec<BindingIdx>,
    reach: Vec<(u32, u32)>,
    /// The variable of each binding, by the variable's first binding.
    variables: Vec<BindingIdx>,
}

impl Locals {
    /// `None` if the facts are of another version of the text.
    pub fn new(lang: &'static syntax::Lang, text: &str, view: Arc<View>) -> Option<Locals> {
        let homes = syntax::homes(lang, text);
        let shorthands = syntax::shorthands(lang, text);
        let is_declared = |at: &u32| {
            view.facts
                .bindings
                .binary_search_by_key(at, |binding| binding.at)
                .is_ok()
        };
        let shorthands: Vec<u32> = shorthands.into_iter().filter(|at| !is_declared(at)).collect();
        (homes.len() == view.facts.bindings.len()).then(|| Locals {
            view,
            text: text.into(),
            homes,
            rules: lang::rules(lang.id),
            semantics: lang::of(lang.id),
            shorthands,
            named: RefCell::default(),
        })
    }

    pub fn view(&self) -> &Arc<View> {
        &self.view
    }

    pub fn home(&self, binding: BindingIdx) -> &Home {
        &self.homes[binding.as_usize()]
    }

    fn binding(&self, index: BindingIdx) -> &Binding {
        &self.view.facts.bindings[index]
    }

    fn name(&self, index: BindingIdx) -> &str {
        self.view.facts.names.get(self.binding(index).name)
    }

    /// The variable that a binding belongs to, as its first binding.
    pub fn variable(&self, binding: BindingIdx) -> BindingIdx {
        let named = self.named(self.name(binding));
        let place = named.bindings.iter().position(|one| *one == binding);
        place.map_or(binding, |place| named.variables[place])
    }

    /// The binding that declares a variable at an offset, where facts may have others for its narrowed types.
    pub fn declared_at(&self, at: u32) -> Option<BindingIdx> {
        let bindings = &self.view.facts.bindings;
        let first = bindings.partition_point(|binding| binding.at < at);
        let here = BindingIdx::enumerate_from(bindings, first).take_while(|(_, binding)| binding.at == at);
        let mut here = here.map(|(index, _)| index);
        here.find(|index| self.home(*index).is_declared)
    }

    /// All bindings of a variable, in the order of the text.
    pub fn bindings(&self, variable: BindingIdx) -> Vec<BindingIdx> {
        let named = self.named(self.name(variable));
        let all = named.bindings.iter().zip(&named.variables);
        all.filter(|(_, of)| **of == variable)
            .map(|(binding, _)| *binding)
            .collect()
    }

    /// The variable that a name means at an offset, by scopes alone.
    pub fn covering(&self, name: &str, at: u32) -> Option<BindingIdx> {
        let named = self.named(name);
        let inner = self.innermost(&named, at, |_| true)?;
        Some(named.variables[inner])
    }

    fn named(&self, name: &str) -> Rc<Named> {
        if let Some(known) = self.named.borrow().get(name) {
            return known.clone();
        }
        let bindings = self.view.bindings_named(name).to_vec();
        let mut named = Named {
            reach: bindings.iter().map(|binding| self.reach(*binding)).collect(),
            variables: Vec::new(),
            bindings,
        };
        // A union-find forest: each entry leads to an earlier binding of the same variable.
        let mut first: Vec<usize> = (0..named.bindings.len()).collect();
        let find = |first: &[usize], mut at: usize| {
            while first[at] != at {
                at = first[at];
            }
            at
        };
        for other in 0..named.bindings.len() {
            for one in self.same_variable(&named, other) {
                let (a, b) = (find(&first, one), find(&first, other));
                first[a.max(b)] = a.min(b);
            }
        }
        let declared = |at: usize| self.homes[named.bindings[at].as_usize()].is_declared;
        let of = |at: usize| {
            let own = find(&first, at);
            let mut all = (0..named.bindings.len()).filter(|other| find(&first, *other) == own);
            all.find(|at| declared(*at)).unwrap_or(own)
        };
        named.variables = (0..named.bindings.len()).map(|at| named.bindings[of(at)]).collect();
        let named = Rc::new(named);
        self.named.borrow_mut().insert(name.into(), named.clone());
        named
    }

    /// The other bindings of the name that belong to the same variable as one.
    fn same_variable(&self, named: &Named, second: usize) -> Vec<usize> {
        let (at, home) = (
            self.binding(named.bindings[second]).at,
            self.home(named.bindings[second]),
        );
        let is_declared = |one: usize| self.home(named.bindings[one]).is_declared;
        if !home.is_declared {
            return self.innermost(named, at, is_declared).into_iter().collect();
        }
        let earlier = (0..named.bindings.len()).filter(|one| *one != second && is_declared(*one));
        let is_one = |one: &usize| {
            let first = named.bindings[*one];
            if self.home(first).frame == home.frame {
                return !self.rules.shadows_in_scope(self.name(first))
                    || self.are_alternatives(first, named.bindings[second]);
            }
            let (start, end) = named.reach[*one];
            self.semantics.sets_outer_variables && !home.is_parameter && start <= at && at < end
        };
        earlier.filter(is_one).collect()
    }

    /// The binding in the innermost scope around an offset; of several there, the last one.
    fn innermost(&self, named: &Named, at: u32, is_one: impl Fn(usize) -> bool) -> Option<usize> {
        let all = (0..named.bindings.len()).filter(|one| {
            let (start, end) = named.reach[*one];
            start <= at && at < end && is_one(*one)
        });
        all.max_by_key(|one| (named.reach[*one].0, self.binding(named.bindings[*one]).at))
    }

    /// Alternatives of an or-pattern bind the same variable: `A(x) | B(x)`.
    fn are_alternatives(&self, first: BindingIdx, second: BindingIdx) -> bool {
        let (one, other) = (self.binding(first).at as usize, self.binding(second).at as usize);
        let between = self.text.get(one.min(other)..one.max(other)).unwrap_or_default();
        between.contains('|') && !between.contains([';', '='])
    }

    /// The scope of a binding; the whole function where variables are hoisted.
    fn reach(&self, index: BindingIdx) -> (u32, u32) {
        let (binding, home) = (self.binding(index), self.home(index));
        let own = (binding.scope.start, binding.scope.end);
        if !self.semantics.hoists_variables || !home.is_declared || home.is_parameter {
            return own;
        }
        let Some(frame) = home.frame else {
            return (0, self.text.len() as u32);
        };
        // Default values of parameters are outside of the body's scope.
        let around = self.view.around(binding.at).map(|(_, symbol)| symbol);
        let mut function = around.filter(|symbol| symbol.span.end == frame.end && symbol.span.start <= frame.start);
        let start = function
            .next()
            .map_or(frame.start, |symbol| symbol.signature.end.max(frame.start));
        (start.min(own.0), frame.end)
    }

    /// The function that a variable is a parameter of.
    pub fn function_of(&self, variable: BindingIdx) -> Option<SymbolIdx> {
        let home = self.home(variable);
        let at = self.binding(variable).at;
        let is_it = |symbol: &Symbol| {
            symbol.kind.is_function()
                && home.frame.is_some_and(|frame| frame.end == symbol.span.end)
                && self.view.parameters(symbol).any(|parameter| parameter.at == at)
        };
        let mut around = self.view.around(at);
        around
            .find(|(_, symbol)| home.is_parameter && is_it(symbol))
            .map(|(index, _)| index)
    }
}

/// What a reference is to the local variables of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalUse {
    /// A use of the variable with this first binding.
    Of(BindingIdx),
    /// Something else.
    Other,
    /// It was not resolved.
    Unknown,
}

impl Resolver<'_> {
    /// Which variable a reference means.
    pub fn local_use(&self, file: FileIdx, locals: &Locals, reference: RefIdx) -> LocalUse {
        let facts = &locals.view.facts;
        let used: &Reference = &facts.references[reference];
        let name = facts.names.get(used.name);
        let is_bare = used.on == Qualifier::Nothing && matches!(used.role, Role::Variable | Role::Call);
        let by_place = || locals.covering(name, used.at);
        match self.meaning(file, reference) {
            _ if locals.shorthands.contains(&used.at) => by_place().map_or(LocalUse::Other, LocalUse::Of),
            Meaning::Local(binding) => {
                let wide = locals.semantics.hoists_variables.then(by_place).flatten();
                LocalUse::Of(wide.unwrap_or_else(|| locals.variable(binding)))
            }
            meaning if is_bare => match (locals.semantics.hoists_variables.then(by_place).flatten(), meaning) {
                (Some(variable), _) => LocalUse::Of(variable),
                (None, Meaning::Unknown | Meaning::Missing) => LocalUse::Unknown,
                _ => LocalUse::Other,
            },
            _ => LocalUse::Other,
        }
    }
}
