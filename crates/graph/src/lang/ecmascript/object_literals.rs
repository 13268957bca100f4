//! Object literals: what their keys mean by the literal's contextual type, and which interfaces they implement.

use syntax::{Context, Qualifier, Role, SymbolIdx, SymbolKind, TypeKind, TypeRef};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        occurrences::Occurrence,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    infer::contextual::{ParameterIndex, is_key_of, only},
    queries::references::implementations::Implementation,
    types::ty::{Base, Ty},
    view::SymbolId,
};

/// References after the start of a literal among which its keys are looked for.
const MAX_KEYS: usize = 200;

impl Resolver<'_> {
    /// What a key of an object literal means: a member of the literal's contextual type.
    pub(super) fn key_of_object(&self, place: At<'_>, context: Context, name: &str) -> Meaning {
        let held_against = self.with_all_keys(place, context, self.contextual_type(place, context));
        match self.member_of(&held_against, name) {
            found @ Meaning::Symbols(_, Rule::Member | Rule::Inherited) => found,
            found @ Meaning::Symbols(_, Rule::Element) if self.are_attributes(place, context) => found,
            // `{ name }`: a variable, if nothing else.
            _ if place.view.is_shorthand(place.at) => Meaning::External,
            _ => Meaning::Unknown,
        }
    }

    /// Of the alternatives of an object literal's type those that have all of its keys.
    fn with_all_keys(&self, place: At<'_>, context: Context, ty: Ty) -> Ty {
        if !matches!(ty.head, Base::Any(_)) {
            return ty;
        }
        let facts = &place.view.facts;
        let tags = place.view.literal_tags(place.at);
        let begins = match (&tags, context) {
            (Some((literal, _)), _) => literal.start,
            (None, Context::Argument { callee_at, .. }) => callee_at,
            (None, _) => return ty,
        };
        let ends = tags.as_ref().map_or(u32::MAX, |(literal, _)| literal.end);
        let first = facts.references.partition_point(|reference| reference.at < begins);
        let inside = facts.references[first..].iter().take(MAX_KEYS);
        let inside = inside.take_while(|reference| reference.at < ends);
        let keys = inside.filter(|reference| is_key_of(place, reference, context));
        let keys: Vec<&str> = keys.map(|reference| facts.names.get(reference.name)).collect();
        let has_all = |own: SymbolId| keys.iter().all(|key| !self.members(own, key).is_empty());
        let ty = only(ty, has_all);
        let tags = tags.map_or_else(Vec::new, |(_, tags)| tags);
        tags.into_iter().fold(ty, |ty, (key, value)| {
            self.narrow_by_literal_member(ty, key, &[value], true)
        })
    }

    /// The type of a callback's parameter where the callback is a value of an object with any keys:
    /// `Record<string, (shape: Shape) => void>`.
    pub(super) fn taken_by_any_key(&self, place: At<'_>, ty: TypeRef<'_>, which: ParameterIndex) -> Option<Ty> {
        if let Some(value) = value_of_any_key(ty) {
            return self.parameter_of_type(place, value, which, &[]);
        }
        // The first parameter of every trap of a proxy is the proxy's target.
        if ty.first_name() == Some("ProxyHandler") && which == ParameterIndex::from(0) {
            return Some(self.type_from(place, ty.arguments().next()?)).filter(Ty::is_known);
        }
        let Meaning::Symbols(symbols, _) = self.type_meaning(place, ty.first_name()?) else {
            return None;
        };
        let alias = *symbols.iter().find(|id| self.kind_of(**id) == Some(SymbolKind::Type))?;
        self.trail.deeper(None, || {
            let view = self.view(alias.file)?;
            let symbol = &view.facts.symbols[alias.symbol];
            let declared = At::signature(alias.file, &view, symbol);
            self.taken_by_any_key(declared, view.type_expr(symbol.type_expr()?), which)
        })
    }

    /// Object literals and their functions that implement an interface or a member of one.
    pub(super) fn objects_implementing(&self, definition: SymbolId, distance: u32) -> Vec<Implementation> {
        let is_type = |kind: SymbolKind| kind.is_type() || kind == SymbolKind::Module;
        match self.kind_of(definition).is_some_and(is_type) {
            true => self.declared_objects(definition),
            false => self.methods_for(definition, distance),
        }
    }

    /// Where object literals without a name implement an interface, or values without a name a member of one.
    pub(super) fn unnamed_objects_implementing(&self, definition: SymbolId) -> Vec<(FileIdx, u32)> {
        if self.kind_of(definition).is_some_and(SymbolKind::is_type) {
            return self.unnamed_of_interface(definition);
        }
        if !self.is_declared_function(definition) {
            return Vec::new();
        }
        let keys = self.keys_for(definition).into_iter();
        let unnamed = keys.filter(|(_, _, symbol)| symbol.is_none());
        unnamed.map(|(file, at, _)| (file, at)).collect()
    }

    /// Object literals with the declared type of an interface: `const memory: Store = { load() {} }`.
    fn declared_objects(&self, interface: SymbolId) -> Vec<Implementation> {
        let mut found = Vec::new();
        if self.kind_of(interface) != Some(SymbolKind::Interface) {
            return found;
        }
        let name = self.name_of(interface);
        for file in self.world.mentioning(&name) {
            let Some(view) = self.view(file) else { continue };
            for (symbol, written) in SymbolIdx::enumerate(&view.facts.symbols) {
                let Some(ty) = written.type_expr().map(|ty| view.type_expr(ty)) else {
                    continue;
                };
                let is_object = !written.kind.is_type() && ty.names().any(|path| path.ends_with(name.as_str()));
                if !is_object || view.literal_members(symbol).is_none() {
                    continue;
                }
                let at = written.end_of_signature();
                let place = At { file, view: &view, at };
                if self.type_from(place, ty).head == Base::Symbol(interface) {
                    found.push(Implementation {
                        symbol: SymbolId { file, symbol },
                        distance: 1,
                        rule: Rule::Member,
                    });
                }
            }
        }
        found
    }

    /// Where object literals without a name implement an interface: at the method of it that is mentioned least.
    fn unnamed_of_interface(&self, interface: SymbolId) -> Vec<(FileIdx, u32)> {
        if self.kind_of(interface) != Some(SymbolKind::Interface) {
            return Vec::new();
        }
        let methods = self.all_members(&[interface]).into_iter();
        let methods = methods.filter(|id| self.is_declared_function(*id));
        let rarest = methods.min_by_key(|id| self.world.mentioning(&self.name_of(*id)).len());
        let keys = rarest.map_or_else(Vec::new, |rarest| self.keys_for(rarest));
        let named = self.declared_objects(interface);
        let is_named = |file: FileIdx, at: u32| {
            let mut around = named.iter().filter(|one| one.symbol.file == file);
            around.any(|one| {
                self.symbol(one.symbol, |_, symbol| symbol.span.range().contains(&(at as usize))) == Some(true)
            })
        };
        let keys = keys.into_iter().filter(|(file, at, _)| !is_named(*file, *at));
        keys.map(|(file, at, _)| (file, at)).collect()
    }

    /// Functions of object literals that implement a member of an interface.
    fn methods_for(&self, member: SymbolId, distance: u32) -> Vec<Implementation> {
        let keys = self.keys_for(member).into_iter();
        let symbols = keys.filter_map(|(file, _, symbol)| Some(SymbolId { file, symbol: symbol? }));
        let rule = Rule::Member;
        symbols
            .filter(|symbol| self.kind_of(*symbol).is_some_and(SymbolKind::is_function))
            .map(|symbol| Implementation { symbol, distance, rule })
            .collect()
    }

    /// The keys of object literals that implement a member of an interface, with the definitions there.
    fn keys_for(&self, member: SymbolId) -> Vec<(FileIdx, u32, Option<SymbolIdx>)> {
        let mut found = Vec::new();
        let is_function = self.symbol(member, |_, symbol| symbol.kind.is_function() && !symbol.is_declaration);
        if is_function != Some(false) {
            return found;
        }
        for mention in self.mentions(&[member], vec![self.name_of(member)], None) {
            let Some(view) = self.view(mention.file) else { continue };
            for Occurrence { index, .. } in mention.spots {
                let reference = &view.facts.references[index];
                let is_key = reference.role == Role::Member
                    && matches!(reference.on, Qualifier::Path(_) | Qualifier::Context(_));
                if is_key
                    && let Meaning::Symbols(symbols, _) = self.meaning(mention.file, index)
                    && symbols.contains(&member)
                {
                    let mut named = view.symbols_named(view.facts.names.get(reference.name));
                    let symbol = named.find(|(_, symbol)| symbol.name_at == reference.at);
                    found.push((mention.file, reference.at, symbol.map(|(symbol, _)| symbol)));
                }
            }
        }
        found
    }

    /// Whether a member is a function by its declaration: `run(): void`, `run: () => void`.
    fn is_declared_function(&self, member: SymbolId) -> bool {
        let is_function = self.symbol(member, |view, symbol| {
            let is_arrow = |one: TypeRef<'_>| one.is(TypeKind::FatArrowFunction);
            let is_function = |ty| view.type_expr(ty).descendants().any(is_arrow);
            symbol.kind.is_function() || symbol.type_expr().is_some_and(is_function)
        });
        is_function == Some(true)
    }
}

/// The value type of an index signature: `Shape` in `Record<string, Shape>`, `{ [name: string]: Shape }`.
fn value_of_any_key(ty: TypeRef<'_>) -> Option<TypeRef<'_>> {
    match ty.first_name() {
        Some("Partial" | "Readonly" | "Required") => value_of_any_key(ty.arguments().next()?),
        Some("Record") => ty.arguments().nth(1),
        _ => ty.value_of_any_key(),
    }
}
