//! Members of classes that have no name: `new Visitor() { .. }`, `object : Visitor { .. }`, the body of an enum's constant;
//! and of objects that are written for an interface: `take({ visit() {} })`.

use syntax::{Qualifier, Role, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        occurrences::Spot,
        resolver::Resolver,
    },
    files::FileIdx,
    queries::references::{implementations::Implementation, type_around},
    view::SymbolId,
};

impl Resolver<'_> {
    /// The types that the class around a member is derived from, where that class has no name.
    pub(crate) fn unnamed_bases(&self, member: SymbolId) -> Vec<SymbolId> {
        let Some(view) = self.view(member.file) else {
            return Vec::new();
        };
        let symbols = &view.facts.symbols;
        let symbol = &symbols[member.symbol as usize];
        let outer = symbol.parent.map(|parent| &symbols[parent as usize]);
        let Some(outer) = outer.filter(|_| symbol.kind == SymbolKind::Method) else {
            return Vec::new();
        };
        if outer.kind == SymbolKind::Variant {
            let of = outer.parent.map(|symbol| SymbolId { symbol, ..member });
            return of.into_iter().collect();
        }
        if outer.kind.has_members() || matches!(outer.kind, SymbolKind::Module | SymbolKind::Namespace) {
            return Vec::new();
        }
        // What is named last before it, and in no declaration of a type.
        let references = &view.facts.references;
        let first = references.partition_point(|reference| reference.at < outer.span.start);
        let before = references.iter().enumerate().skip(first);
        let before = before
            .take_while(|(_, reference)| reference.at < symbol.span.start)
            .filter(|(_, reference)| reference.role == Role::Implementation)
            .filter(|(_, reference)| type_around(&view, reference.at).is_none());
        match before.last().map(|(index, _)| self.meaning(member.file, index as u32)) {
            Some(Meaning::Symbols(found, _)) => found,
            _ => Vec::new(),
        }
    }

    /// Where classes without a name are derived from a type, or something without a name stands in for a member.
    pub fn unnamed(&self, targets: &[SymbolId]) -> Vec<(FileIdx, u32)> {
        let mut found = Vec::new();
        let is_type = |id: &SymbolId| self.kind_of(*id).is_some_and(SymbolKind::is_type);
        let (types, members): (Vec<SymbolId>, Vec<SymbolId>) = targets.iter().partition(|id| is_type(id));
        self.each_clause(&types, |file, view, index, _| {
            let at = view.facts.references[index as usize].at;
            if type_around(view, at).is_none() {
                found.push((file, at));
            }
        });
        found.extend(types.iter().flat_map(|id| self.written_objects(*id)));
        for member in members.into_iter().filter(|id| self.is_function_told(*id)) {
            let keys = self.written_keys(member).into_iter();
            let bare = keys.filter(|(_, _, symbol)| symbol.is_none());
            found.extend(bare.map(|(file, at, _)| (file, at)));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Where objects that are no definitions are written for an interface: at the method of it that is rarest.
    fn written_objects(&self, interface: SymbolId) -> Vec<(FileIdx, u32)> {
        if self.kind_of(interface) != Some(SymbolKind::Interface) {
            return Vec::new();
        }
        let methods = self.all_members(&[interface]).into_iter();
        let methods = methods.filter(|id| self.is_function_told(*id));
        let rarest = methods.min_by_key(|id| self.world.mentioning(&self.name_of(*id)).len());
        let keys = rarest.map_or_else(Vec::new, |rarest| self.written_keys(rarest));
        let named = self.written_as(interface);
        let is_named = |file: FileIdx, at: u32| {
            let mut around = named.iter().filter(|one| one.symbol.file == file);
            around.any(|one| {
                self.symbol(one.symbol, |_, symbol| symbol.span.range().contains(&(at as usize))) == Some(true)
            })
        };
        let keys = keys.into_iter().filter(|(file, at, _)| !is_named(*file, *at));
        keys.map(|(file, at, _)| (file, at)).collect()
    }

    /// Functions of objects that are written for a member of an interface.
    pub(crate) fn written_members(&self, member: SymbolId, distance: u32) -> Vec<Implementation> {
        let keys = self.written_keys(member).into_iter();
        let symbols = keys.filter_map(|(file, _, symbol)| Some(SymbolId { file, symbol: symbol? }));
        let rule = Rule::Member;
        symbols
            .filter(|symbol| self.kind_of(*symbol).is_some_and(SymbolKind::is_function))
            .map(|symbol| Implementation { symbol, distance, rule })
            .collect()
    }

    /// The keys of objects that are written for a member of an interface, and what they define.
    fn written_keys(&self, member: SymbolId) -> Vec<(FileIdx, u32, Option<u32>)> {
        let mut found = Vec::new();
        let is_function = self.symbol(member, |_, symbol| symbol.kind.is_function() && !symbol.is_declaration);
        if !self.semantics(member.file).exports_apart || is_function != Some(false) {
            return found;
        }
        for mention in self.mentions(&[member], vec![self.name_of(member)], None) {
            let Some(view) = self.view(mention.file) else { continue };
            for Spot { index, .. } in mention.spots {
                let reference = &view.facts.references[index as usize];
                let is_key = reference.role == Role::Member && matches!(reference.on, Qualifier::Path(_));
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

    /// Whether a member is said to be a function.
    fn is_function_told(&self, member: SymbolId) -> bool {
        let is_told = self.symbol(member, |view, symbol| {
            let ty = symbol.ty.map_or("", |ty| view.facts.names.get(ty));
            symbol.kind.is_function() || ty.contains("=>")
        });
        is_told == Some(true)
    }

    /// The members of such classes that stand in for one of a type or of what is derived from it.
    pub(crate) fn unnamed_members(
        &self,
        target: SymbolId,
        owner: SymbolId,
        derived: &[Implementation],
    ) -> Vec<Implementation> {
        let name = self.name_of(target);
        if self.is_everywhere(&name) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for file in self.defining(&name).iter().copied() {
            let Some(view) = self.view(file) else { continue };
            for (symbol, _) in view.symbols_named(&name) {
                let member = SymbolId { file, symbol };
                let bases = self.unnamed_bases(member);
                let distance = bases
                    .iter()
                    .find_map(|base| match derived.iter().find(|one| one.symbol == *base) {
                        _ if *base == owner => Some(1),
                        Some(between) => Some(between.distance + 1),
                        None => None,
                    });
                if let Some(distance) = distance.filter(|_| self.stands_in(member, target)) {
                    let rule = Rule::Member;
                    found.push(Implementation {
                        symbol: member,
                        distance,
                        rule,
                    });
                }
            }
        }
        found
    }
}
