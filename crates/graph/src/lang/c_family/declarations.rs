//! Which declarations are of one entity, where files include each other: prototypes, forward declarations, `extern`,
//! specialisations of a template. What only one translation unit sees is an entity of its own.

use std::rc::Rc;

use syntax::{LangId, Modifier, Symbol, SymbolKind, TypeKind, TypeRef, Visibility};

use crate::{
    engine::resolver::{Resolver, sorted},
    files::FileIdx,
    lang::{
        c_family::{
            conversions::{begins_with_const, canonical_spelling},
            includes::is_header,
        },
        related,
    },
    scope::paths::{ends_alike, qualified_parts},
    types::ty::Base,
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// A definition with its declarations in all files.
    pub(crate) fn declarations_of(&self, id: SymbolId) -> Vec<SymbolId> {
        let Some(view) = self.view(id.file) else {
            return vec![id];
        };
        let symbol = &view.facts.symbols[id.symbol];
        let name = view.facts.name(symbol);
        // A test has the name of what it tests, but is another entity.
        if symbol.kind == SymbolKind::Test {
            return vec![id];
        }
        // A workspace has several programs, each with a `main`.
        let is_main = name == "main" && symbol.kind == SymbolKind::Function && symbol.parent.is_none();
        let own = self.declaration(id, &view, symbol);
        let all = match is_main || own.is_hidden {
            true => self.nearby_declarations(id.file, name, is_main),
            false => self.all_declarations(self.lang(id.file), name),
        };
        // The type of a tag may be completed in any file: `typedef struct node node;` in a header without the members.
        let n_definitions = all
            .iter()
            .filter(|one| one.is_definition && one.kind.has_members())
            .count();
        let completes =
            |one: &Declaration, other: &Declaration| one.is_tag && n_definitions == 1 && other.is_definition;
        let is_same = |one: &&Declaration| {
            let file = one.id.file;
            let is_included = || {
                self.transitive_includes(id.file).contains(&file) || self.transitive_includes(file).contains(&id.file)
            };
            // A specialisation has a body of its own and is still the same template.
            let is_template = one.is_specialised || own.is_specialised;
            let is_other = file != id.file
                && (one.is_hidden != own.is_hidden
                    || (one.is_definition && own.is_definition && !is_template)
                    || ((own.is_unit_local || one.is_unit_local)
                        && !completes(one, &own)
                        && !completes(&own, one)
                        && !is_included()));
            comparable(one.kind, own.kind)
                && one.kind != SymbolKind::Test
                && !is_other
                && ((own.is_alone && one.is_alone) || self.is_in_same(id, one.id))
        };
        let mut found: Vec<SymbolId> = all.iter().filter(is_same).map(|one| one.id).collect();
        // Several programs of a workspace may declare the same names: those that include each other are meant.
        let others = found.iter().filter(|other| other.file != id.file).count();
        if (2..64).contains(&others) {
            let own = self.transitive_includes(id.file);
            let is_near =
                |other: &SymbolId| own.contains(&other.file) || self.transitive_includes(other.file).contains(&id.file);
            if found.iter().any(|other| other.file != id.file && is_near(other)) {
                found.retain(is_near);
            }
        }
        if symbol.kind.is_function() && symbol.kind != SymbolKind::Macro && found.len() > 1 {
            found = self.with_signature_of(id, found);
        }
        sorted(found)
    }

    fn declaration(&self, id: SymbolId, view: &View, symbol: &Symbol) -> Declaration {
        Declaration {
            id,
            kind: symbol.kind,
            is_hidden: symbol.visibility == Some(Visibility::Private) && !view.is_member(symbol),
            is_definition: is_definition(symbol),
            is_specialised: is_specialised(view, symbol),
            is_unit_local: self.is_unit_local(id.file, view, symbol),
            is_tag: is_tag(view, symbol),
            is_alone: symbol.owner.is_none() && (symbol.parent.is_none() || is_block_declaration(view, symbol)),
        }
    }

    /// The declarations of a name in a file.
    fn declarations_in(&self, file: FileIdx, name: &str) -> Vec<Declaration> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let named = view.symbols_named(name);
        let all = named.map(|(index, symbol)| self.declaration(SymbolId { file, symbol: index }, &view, symbol));
        all.collect()
    }

    /// Declarations of a name with internal linkage: in the file, the files that it includes, and the includers of a header.
    /// Of `main` (`is_alone`) only those in the file.
    fn nearby_declarations(&self, file: FileIdx, name: &str, is_alone: bool) -> Rc<[Declaration]> {
        let included = self.direct_includes(file);
        let is_shared = !is_alone && is_header(self.modules.files().path(file));
        let is_near = |other: &FileIdx| {
            let includes = || included.contains(other) || (is_shared && self.direct_includes(*other).contains(&file));
            *other == file || (!is_alone && includes())
        };
        let defining = self.defining(name);
        let near = defining.iter().copied().filter(is_near);
        near.flat_map(|file| self.declarations_in(file, name)).collect()
    }

    /// The declarations of a name in all files of related languages, memoised because each of them is compared with all.
    fn all_declarations(&self, lang: LangId, name: &str) -> Rc<[Declaration]> {
        let known = self
            .memo
            .borrow()
            .c_family
            .declarations
            .get(&lang)
            .and_then(|names| names.get(name).cloned());
        if let Some(known) = known {
            return known;
        }
        let defining = self.defining(name);
        let files = defining.iter().copied().filter(|file| related(lang, self.lang(*file)));
        let all: Rc<[Declaration]> = self
            .in_turn(files)
            .flat_map(|file| self.declarations_in(file, name))
            .collect();
        let declarations = &mut self.memo.borrow_mut().c_family.declarations;
        declarations.entry(lang).or_default().insert(name.into(), all.clone());
        all
    }

    /// Whether a definition is local to each translation unit: a typedef, a constant of C++. A definition of its name in
    /// another file is another entity.
    pub(crate) fn is_unit_local(&self, file: FileIdx, view: &View, symbol: &Symbol) -> bool {
        let is_const = || {
            let ty = symbol.type_expr().map(|ty| view.type_expr(ty));
            matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant)
                && self.lang(file) == LangId::Cpp
                && ty.is_some_and(begins_with_const)
        };
        !view.is_member(symbol) && (symbol.kind == SymbolKind::Type || is_const())
    }

    /// Whether two definitions of one name are in the same type or namespace.
    fn is_in_same(&self, one: SymbolId, other: SymbolId) -> bool {
        if one == other {
            return true;
        }
        let type_around = |id| match self.owner(id) {
            _ if self.symbol(id, is_friend) == Some(true) => None,
            Base::Symbol(owner) if self.kind_of(owner).is_some_and(SymbolKind::is_type) => Some(owner),
            _ => None,
        };
        // Without a qualifier and in no type. It may be in a namespace that a macro opens, which is not seen.
        let is_free = |id| {
            let free = |view: &View, symbol: &Symbol| {
                symbol.owner.is_none() && (!view.is_member(symbol) || is_friend(view, symbol))
            };
            self.symbol(id, free).unwrap_or(false)
        };
        match (type_around(one), type_around(other)) {
            (Some(one), Some(other)) => one == other || self.same_thing(one).contains(&other),
            (Some(_), None) if is_free(other) => false,
            (None, Some(_)) if is_free(one) => false,
            _ => {
                let path = |id| {
                    self.symbol(id, |view, symbol| {
                        let path = declared_parts(view, symbol);
                        let path: Vec<String> = path.into_iter().map(str::to_owned).collect();
                        (path, symbol.owner.is_some())
                    })
                };
                let (Some((one, one_is_outside)), Some((other, other_is_outside))) = (path(one), path(other)) else {
                    return false;
                };
                // The qualifier of a definition outside of its namespace may leave outer namespaces out.
                one == other || ((one_is_outside || other_is_outside) && ends_alike(&one, &other))
            }
        }
    }

    /// Of functions of one name the declarations of this one: those with the same signature, or, where a signature is not
    /// comparable, those that have no declaration or definition of their own.
    fn with_signature_of(&self, id: SymbolId, all: Vec<SymbolId>) -> Vec<SymbolId> {
        struct Function {
            id: SymbolId,
            /// The types of its parameters, and whether it is `const`.
            signature: (Vec<Option<String>>, Option<Modifier>),
            is_declaration: bool,
            is_inside: bool,
            /// Whether it is a template; unknown outside of a class, where the class may be one.
            takes_types: Option<bool>,
        }
        let types_of = |view: &View, symbol: &Symbol| {
            let parameters = view.parameters(symbol);
            let types = parameters.map(|parameter| Some(canonical_spelling(view.type_expr(parameter.type_expr()?))));
            types.collect()
        };
        let functions = all.iter().filter_map(|id| {
            self.symbol(*id, |view, symbol| Function {
                id: *id,
                signature: (types_of(view, symbol), self.modifier_of(*id)),
                is_declaration: symbol.is_declaration,
                is_inside: symbol.owner.is_none() && view.is_member(symbol) && !is_friend(view, symbol),
                takes_types: symbol.owner.is_none().then(|| !self.parameters_of_type(*id).is_empty()),
            })
        });
        let functions: Vec<Function> = functions.collect();
        let has_counterpart = |one: &Function| {
            (one.is_inside && !one.is_declaration)
                || functions
                    .iter()
                    .any(|other| other.is_declaration != one.is_declaration && other.signature == one.signature)
        };
        let Some(own) = functions.iter().find(|one| one.id == id) else {
            return all;
        };
        let is_paired = has_counterpart(own) || functions.len() > 64;
        // C has no overloads: `void run();` declares a function with any parameters.
        let has_no_overloads = |other: &Function| {
            let mut both = [own, other].into_iter();
            both.any(|one| self.lang(one.id.file) == LangId::C)
        };
        // Two bodies are two functions, and so are two declarations in one class or with different parameter types.
        let may_be = |other: &Function| {
            let declared = [own, other].map(|one| one.is_declaration);
            let taken = [own, other].map(|one| one.signature.0.len() + usize::from(one.signature.1.is_some()));
            let is_only = has_no_overloads(other);
            // A function is not declared twice in one file with other spellings of its types.
            let is_beside = own.id.file == other.id.file;
            let are_apart =
                || own.is_inside && other.is_inside || is_beside || !self.has_same_parameter_types(own.id, other.id);
            (taken[0] == taken[1] || taken.contains(&0) || is_only)
                && declared != [false; 2]
                && !(declared == [true; 2] && !is_only && are_apart())
        };
        let is_like = |other: &Function| {
            own.takes_types
                .zip(other.takes_types)
                .is_none_or(|(own, other)| own == other)
        };
        let same = functions.iter().filter(|other| is_like(other)).filter(|other| {
            let is_open = has_no_overloads(other) || (!is_paired && !has_counterpart(other));
            other.signature == own.signature || (is_open && may_be(other))
        });
        same.map(|other| other.id).collect()
    }
}

/// A declaration, with what decides whether another of its name is of the same entity.
pub(crate) struct Declaration {
    id: SymbolId,
    kind: SymbolKind,
    /// Internal linkage: `static`.
    is_hidden: bool,
    is_definition: bool,
    /// A specialisation of a template.
    is_specialised: bool,
    is_unit_local: bool,
    /// A typedef of the struct of its name: `typedef struct node node;`.
    is_tag: bool,
    /// In no namespace or type.
    is_alone: bool,
}

/// Whether a declaration is a definition, of which a program has one.
fn is_definition(symbol: &Symbol) -> bool {
    if symbol.kind.is_function() {
        !symbol.is_declaration
    } else {
        symbol.kind.has_members()
    }
}

/// A specialisation of a template: `template <> struct traits<Point> {`.
fn is_specialised(view: &View, symbol: &Symbol) -> bool {
    let ty = symbol.type_expr().map(|ty| view.facts.names.get(ty));
    symbol.kind.has_members() && ty.is_some_and(|ty| ty.ends_with('>'))
}

/// A typedef of a struct with the name of its tag: `typedef struct node node;`.
fn is_tag(view: &View, symbol: &Symbol) -> bool {
    let is_of_tag = |ty| {
        let ty = view.type_expr(ty);
        let tag = ty.item().and_then(TypeRef::path);
        ty.is(TypeKind::Modified) && matches!(ty.modifier(), "struct" | "union") && tag == Some(view.facts.name(symbol))
    };
    symbol.kind == SymbolKind::Type && symbol.type_expr().is_some_and(is_of_tag)
}

/// A friend function, which is in the namespace around its class: `friend void draw(const Shape&);`.
fn is_friend(view: &View, symbol: &Symbol) -> bool {
    symbol.kind == SymbolKind::Function
        && symbol.owner.is_none()
        && view.parent(symbol).is_some_and(|outer| outer.kind.has_members())
}

/// As `qualified_parts`; a friend is in the namespace around its class.
fn declared_parts<'v>(view: &'v View, symbol: &Symbol) -> Vec<&'v str> {
    if !is_friend(view, symbol) {
        return qualified_parts(view, symbol);
    }
    let around = view
        .outwards(symbol.parent)
        .find(|(_, outer)| !outer.kind.has_members());
    let around = around.map(|(_, outer)| qualified_parts(view, outer));
    around.into_iter().flatten().chain([view.facts.name(symbol)]).collect()
}

/// Whether definitions of two kinds can be of one entity.
fn comparable(one: SymbolKind, other: SymbolKind) -> bool {
    let is_code = |kind: SymbolKind| kind.is_function() && kind != SymbolKind::Macro;
    one == other
        || (is_code(one) && is_code(other))
        || (one.is_type() && other.is_type())
        || (!one.is_function() && !one.is_type() && !other.is_function() && !other.is_type())
}

/// A declaration in the body of a function: `extern int run(void);`.
fn is_block_declaration(view: &View, symbol: &Symbol) -> bool {
    let is_free = |outer: &Symbol| outer.kind.is_function() && outer.parent.is_none() && outer.owner.is_none();
    symbol.is_declaration && symbol.kind.is_function() && view.parent(symbol).is_some_and(is_free)
}
