//! The implicit conversions of C++.

use syntax::{Binding, LocalKind, SymbolKind, TypeExpr, TypeKind, TypeRef};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    overload::{
        arg_type::{ArgType, Shape},
        candidates::{arity_match, parameters},
        rank::{ConversionRank, Specialization},
    },
    types::type_names::last_part,
    view::SymbolId,
};

/// The longest chain of aliases that is followed.
const MAX_STEPS: u32 = 8;

impl Resolver<'_> {
    /// A written type with its aliases resolved.
    pub(crate) fn describe_c_type(&self, place: At<'_>, ty: TypeRef<'_>, steps: u32) -> ArgType {
        let written = CType::of(ty);
        if let Some(number) = number(&written.name()) {
            return written.of_shape(Shape::Named(number.to_owned()));
        }
        let Some(path) = written.inner.first_name() else {
            return written.of_shape(Shape::Unknown);
        };
        let local = place.view.binding_at(path, place.at);
        if local.is_some_and(|(_, binding)| binding.kind == LocalKind::Generic) {
            return written.of_shape(Shape::Generic);
        }
        let outside = || written.of_shape(library_shape(path));
        let Meaning::Symbols(symbols, _) = self.type_meaning(place, path) else {
            return outside();
        };
        let is_type = |id: &&SymbolId| self.kind_of(**id).is_some_and(SymbolKind::is_type);
        let is_itself = |id: &&SymbolId| self.kind_of(**id).is_some_and(SymbolKind::has_members);
        let found = symbols.iter().find(is_itself).or_else(|| symbols.iter().find(is_type));
        // A macro may stand for any type, or for different ones.
        if found.is_none() && symbols.iter().any(|id| self.kind_of(*id) == Some(SymbolKind::Macro)) {
            return written.of_shape(Shape::Unknown);
        }
        let Some(id) = found else { return outside() };
        if is_itself(&id) {
            return written.of_shape(Shape::Type(*id));
        }
        let Some(view) = self.view(id.file).filter(|_| steps < MAX_STEPS) else {
            return outside();
        };
        let symbol = &view.facts.symbols[id.symbol];
        let Some(ty) = symbol.type_expr().map(|ty| view.type_expr(ty)) else {
            return outside();
        };
        let place = At::signature(id.file, &view, symbol);
        let inner = self.describe_c_type(place, ty, steps + 1);
        ArgType {
            depth: inner
                .depth
                .zip(written.depth())
                .map(|(inner, outer)| inner.saturating_add(outer)),
            is_const: inner.is_const || written.is_const,
            ..inner
        }
    }

    /// The rank of a C++ conversion.
    pub(crate) fn c_conversion(&self, argument: &ArgType, parameter: &ArgType) -> Option<ConversionRank> {
        if let Some(rank) = self.conversion_of_open_types(argument, parameter) {
            return rank;
        }
        match (argument.depth, parameter.depth) {
            (Some(1..), Some(1..)) => self.conversion_of_pointers(argument, parameter),
            (Some(depth @ 1..), Some(0)) => match &parameter.shape {
                Shape::Named(name) if name == "bool" => Some(ConversionRank::UserDefined),
                Shape::Named(name) if is_text(name) => {
                    (argument.is_named("char") && depth == 1).then_some(ConversionRank::Conversion)
                }
                Shape::Type(id) => self.conversion_by_constructor(argument, *id),
                _ => (!parameter.is_number()).then_some(ConversionRank::Unproven),
            },
            (Some(0), Some(1..)) => {
                let is_library = matches!(argument.shape, Shape::Named(_)) && !argument.is_number();
                is_library.then_some(ConversionRank::Unproven)
            }
            _ => self.conversion_of_values(argument, parameter),
        }
    }

    /// The rank where one type is not known, a type parameter, null or a function; `None` where both are types.
    fn conversion_of_open_types(&self, argument: &ArgType, parameter: &ArgType) -> Option<Option<ConversionRank>> {
        let pointers = argument.depth.zip(parameter.depth);
        let unless_number = |rank| (!parameter.is_number()).then_some(rank);
        Some(match (&argument.shape, &parameter.shape) {
            // A number does not convert to a pointer.
            (_, Shape::Unknown) if matches!(pointers, Some((0, 1..))) && argument.is_number() => None,
            (Shape::Unknown, _) | (_, Shape::Unknown) => Some(ConversionRank::Unknown),
            (Shape::Generic, Shape::Generic) => Some(ConversionRank::Exact),
            (Shape::Generic, _) => Some(ConversionRank::Unknown),
            (Shape::Null, Shape::Generic) => Some(ConversionRank::Template(Specialization::Plain)),
            (Shape::Null, Shape::Type(id)) if parameter.depth == Some(0) => {
                self.conversion_by_constructor(argument, *id)
            }
            (Shape::Null, _) if parameter.depth == Some(0) => unless_number(ConversionRank::UserDefined),
            (Shape::Null, _) => Some(ConversionRank::Promotion),
            (_, Shape::Generic) => match pointers {
                Some((argument, parameter)) if argument < parameter => None,
                Some((_, 1..)) => Some(ConversionRank::Template(
                    match argument.is_const == parameter.is_const {
                        true => Specialization::PointerOfSameConst,
                        false => Specialization::Pointer,
                    },
                )),
                _ => Some(ConversionRank::Template(Specialization::Plain)),
            },
            (Shape::Function, Shape::Named(name)) if name == "function" => Some(ConversionRank::Promotion),
            (Shape::Function, _) => unless_number(ConversionRank::UserDefined),
            _ => return None,
        })
    }

    fn conversion_of_pointers(&self, argument: &ArgType, parameter: &ArgType) -> Option<ConversionRank> {
        match (&argument.shape, &parameter.shape) {
            // `void*`
            (_, Shape::Named(name)) if name == "void" && parameter.depth == Some(1) => {
                Some(ConversionRank::UserDefined)
            }
            _ if argument.depth != parameter.depth => None,
            (one, other) if one == other => Some(same_type(argument, parameter)),
            (Shape::Type(own), Shape::Type(base)) => self.is_derived(*own, *base).then_some(ConversionRank::Subtype),
            // A library type may have several names.
            _ => (!argument.is_number() && !parameter.is_number()).then_some(ConversionRank::Unproven),
        }
    }

    /// The rank of a conversion of values and references, or of pointers whose depth is not known.
    fn conversion_of_values(&self, argument: &ArgType, parameter: &ArgType) -> Option<ConversionRank> {
        Some(match (&argument.shape, &parameter.shape) {
            (one, other) if one == other => same_type(argument, parameter),
            (Shape::Type(own), Shape::Type(base)) => match self.is_derived(*own, *base) {
                true => ConversionRank::Subtype,
                false => ConversionRank::Unproven,
            },
            (Shape::Named(one), Shape::Named(other)) => match (argument.is_number(), parameter.is_number()) {
                (true, true) if is_promoted(one, other) => ConversionRank::Promotion,
                (true, true) => ConversionRank::Conversion,
                (false, false) if is_text(one) && is_text(other) => ConversionRank::Conversion,
                (false, false) if is_kind_of_stream(one, other) => ConversionRank::Subtype,
                _ => ConversionRank::Unproven,
            },
            (Shape::Type(id), Shape::Named(name)) if self.kind_of(*id) == Some(SymbolKind::Enum) => {
                match parameter.is_number() {
                    true if name == "int" => ConversionRank::Promotion,
                    true => ConversionRank::Conversion,
                    false => ConversionRank::Unproven,
                }
            }
            (Shape::Named(_), Shape::Type(id)) => return self.conversion_by_constructor(argument, *id),
            _ => ConversionRank::Unproven,
        })
    }

    /// The rank of a conversion to a class by one of its constructors.
    fn conversion_by_constructor(&self, argument: &ArgType, class: SymbolId) -> Option<ConversionRank> {
        if self.kind_of(class) == Some(SymbolKind::Enum) {
            return None;
        }
        let mut constructors = self.members(class, &self.name_of(class));
        constructors.retain(|id| self.kind_of(*id) == Some(SymbolKind::Constructor) && self.is_of(*id, class));
        // A class that is only declared may have any constructor.
        let is_declared = || {
            let is_declared = |id: SymbolId| self.symbol(id, |_, symbol| symbol.is_declaration) == Some(true);
            self.same_thing(class).into_iter().all(is_declared)
        };
        if constructors.is_empty() {
            let may_convert = self.has_other_supertypes(class) || is_declared();
            return may_convert.then_some(ConversionRank::UserDefined);
        }
        let takes = |id: &SymbolId| {
            let Some(view) = self.view(id.file) else { return true };
            let symbol = &view.facts.symbols[id.symbol];
            let parameters: Vec<&Binding> = parameters(&view, symbol).collect();
            arity_match(&parameters, 1).is_some() && {
                let parameter = self.arg_type_of_parameter(id.file, &view, symbol, parameters[0]);
                let is_class = matches!(parameter.shape, Shape::Type(_)) && parameter.depth == Some(0);
                !is_class && self.c_conversion(argument, &parameter).is_some()
            }
        };
        let converts = constructors.iter().any(takes);
        converts.then_some(ConversionRank::UserDefined)
    }

    /// Whether two types certainly differ.
    pub(crate) fn are_apart(&self, one: &ArgType, other: &ArgType) -> bool {
        let is_open = |arg_type: &ArgType| matches!(arg_type.shape, Shape::Unknown | Shape::Generic | Shape::Null);
        if is_open(one) || is_open(other) {
            return false;
        }
        let depths_differ = one.depth.zip(other.depth).is_some_and(|(one, other)| one != other);
        // A library type may have several names.
        let is_library = |arg_type: &ArgType| matches!(arg_type.shape, Shape::Named(_)) && !arg_type.is_number();
        if is_library(one) || is_library(other) {
            return depths_differ && one.shape == other.shape;
        }
        match (&one.shape, &other.shape) {
            (Shape::Type(one), Shape::Type(other)) if one != other => !self.same_thing(*one).contains(other),
            (one, other) => depths_differ || one != other,
        }
    }
}

impl ArgType {
    pub(crate) fn is_number(&self) -> bool {
        matches!(&self.shape, Shape::Named(name) if number(name).is_some())
    }

    fn is_named(&self, wanted: &str) -> bool {
        matches!(&self.shape, Shape::Named(name) if name == wanted)
    }

    /// The type of `*value`: an element of an array, a character of a string.
    pub(crate) fn pointed(self) -> ArgType {
        match (&self.shape, self.depth) {
            (_, Some(depth @ 1..)) => ArgType {
                depth: Some(depth - 1),
                ..self
            },
            (Shape::Named(name), _) if is_text(name) => library_type("char"),
            _ => ArgType::plain(Shape::Unknown),
        }
    }

    pub(crate) fn address(self) -> ArgType {
        ArgType {
            depth: self.depth.map(|depth| depth.saturating_add(1)),
            ..self
        }
    }
}

/// The rank of a type as itself.
fn same_type(argument: &ArgType, parameter: &ArgType) -> ConversionRank {
    match argument.is_const == parameter.is_const {
        true => ConversionRank::Exact,
        false => ConversionRank::Qualification,
    }
}

/// A built-in or library type, which needs no lookup.
pub(crate) fn library_type(text: &str) -> ArgType {
    let parsed = TypeExpr::parse(text);
    let written = CType::of(parsed.root());
    let shape = match number(&written.name()) {
        Some(name) => Shape::Named(name.to_owned()),
        None => library_shape(written.inner.first_name().unwrap_or_default()),
    };
    written.of_shape(shape)
}

fn library_shape(path: &str) -> Shape {
    Shape::Named(last_part(path).to_owned())
}

/// The parts of a C or C++ type.
struct CType<'t> {
    /// Keywords before the name that are part of it: `unsigned`.
    words: Vec<&'t str>,
    /// The type without marks and keywords.
    inner: TypeRef<'t>,
    /// Pointers, references and `const` behind one, in the order of the text.
    marks: Vec<&'t str>,
    is_const: bool,
}

impl<'t> CType<'t> {
    fn of(ty: TypeRef<'t>) -> CType<'t> {
        let mut found = CType {
            words: Vec::new(),
            inner: ty,
            marks: Vec::new(),
            is_const: false,
        };
        while let Some(inner) = found.inner.item() {
            match found.inner.kind() {
                TypeKind::Pointer => found.marks.push("*"),
                TypeKind::Reference => found.marks.push("&"),
                TypeKind::Modified => match found.inner.modifier() {
                    // `char *const`
                    "const"
                        if matches!(inner.kind(), TypeKind::Pointer | TypeKind::Reference)
                            && found.inner.begins_with(inner.kind()) =>
                    {
                        found.marks.push("const");
                    }
                    "const" => found.is_const = true,
                    "class" | "enum" | "struct" | "typename" | "union" | "volatile" => {}
                    word => found.words.push(word),
                },
                _ => break,
            }
            found.inner = inner;
        }
        found.marks.reverse();
        found
    }

    fn name(&self) -> String {
        self.name_with(self.inner.text())
    }

    /// The name with its keywords: `unsigned int`.
    fn name_with(&self, inner: &str) -> String {
        let words = self.words.iter().copied().chain([inner]);
        words.collect::<Vec<&str>>().join(" ")
    }

    fn depth(&self) -> Option<u8> {
        let depth = self.marks.iter().filter(|mark| **mark == "*").count();
        Some(u8::try_from(depth).unwrap_or(u8::MAX / 2))
    }

    fn of_shape(&self, shape: Shape) -> ArgType {
        ArgType {
            depth: self.depth(),
            is_const: self.is_const,
            ..ArgType::plain(shape)
        }
    }
}

/// Whether a type is `const` by its first word: `const char *`.
pub(super) fn begins_with_const(ty: TypeRef<'_>) -> bool {
    ty.is(TypeKind::Modified) && ty.modifier() == "const" && ty.text().starts_with("const")
}

/// The canonical spelling of a type: without namespaces and elaborated keywords, `const` first.
pub(crate) fn canonical_spelling(ty: TypeRef<'_>) -> String {
    let written = CType::of(ty);
    let name = match number(&written.name()) {
        Some(number) => number.to_owned(),
        // `std::vector<std::string>`
        None => written.name_with(&written.inner.text_with_names(last_part)),
    };
    let marks = written.marks.concat();
    // `const` of a parameter by value is no part of the signature.
    let is_const = written.is_const && !marks.is_empty();
    format!("{}{name}{marks}", if is_const { "const " } else { "" })
}

/// The canonical name of an arithmetic type, with aliases as on LP64 machines.
fn number(name: &str) -> Option<&'static str> {
    let name = name.strip_prefix("std::").unwrap_or(name);
    Some(match name {
        "bool" | "_Bool" => "bool",
        "char" => "char",
        "wchar_t" => "wchar_t",
        "char8_t" => "char8_t",
        "char16_t" => "char16_t",
        "char32_t" => "char32_t",
        "signed char" | "int8_t" => "signed char",
        "unsigned char" | "uint8_t" => "unsigned char",
        "short" | "short int" | "signed short" | "int16_t" => "short",
        "unsigned short" | "unsigned short int" | "uint16_t" => "unsigned short",
        "int" | "signed" | "signed int" | "int32_t" => "int",
        "unsigned" | "unsigned int" | "uint" | "uint32_t" => "unsigned int",
        "long" | "long int" | "signed long" | "int64_t" | "intptr_t" | "off_t" | "ptrdiff_t" | "ssize_t"
        | "streamoff" | "streamsize" | "time_t" => "long",
        "unsigned long" | "unsigned long int" | "long unsigned int" | "uint64_t" | "uintptr_t" | "size_t" => {
            "unsigned long"
        }
        "long long" | "long long int" | "signed long long" | "intmax_t" => "long long",
        "unsigned long long" | "unsigned long long int" | "uintmax_t" => "unsigned long long",
        "float" => "float",
        "double" => "double",
        "long double" => "long double",
        _ => return None,
    })
}

/// Whether a conversion of arithmetic types is a promotion.
fn is_promoted(argument: &str, parameter: &str) -> bool {
    let is_small = matches!(
        argument,
        "bool" | "char" | "signed char" | "unsigned char" | "short" | "unsigned short" | "wchar_t" | "char16_t"
    );
    (is_small && parameter == "int") || (argument == "float" && parameter == "double")
}

/// String types that a string literal converts to, of the standard library and of widespread others (Abseil, LLVM, Qt).
fn is_text(name: &str) -> bool {
    matches!(
        name,
        "string"
            | "string_view"
            | "basic_string"
            | "basic_string_view"
            | "StringPiece"
            | "StringRef"
            | "QString"
            | "path"
    )
}

/// Whether a stream class of the library is derived from another.
fn is_kind_of_stream(class: &str, base: &str) -> bool {
    match class {
        "ifstream" | "istringstream" => matches!(base, "istream" | "ios"),
        "ofstream" | "ostringstream" => matches!(base, "ostream" | "ios"),
        "fstream" | "iostream" | "stringstream" => matches!(base, "iostream" | "istream" | "ostream" | "ios"),
        "istream" | "ostream" => base == "ios",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_of_a_type() {
        let cases = [
            ("char const*", "const char*"),
            ("const char *", "const char*"),
            ("std::string const &", "const string&"),
            ("const std::vector<std::string>&", "const vector<string>&"),
            ("unsigned", "unsigned int"),
            ("const int", "int"),
            ("n::Part", "Part"),
            ("struct node*", "node*"),
            ("unsigned long const *const *", "const unsigned long*const*"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(canonical_spelling(TypeExpr::parse(text).root()), expected, "{text}");
        }
    }

    #[test]
    fn parts_of_a_type() {
        let cases = [
            ("const char*", ("char", 1, true)),
            ("char const *", ("char", 1, true)),
            ("char *const", ("char", 1, false)),
            ("std::string const&", ("std::string", 0, true)),
            ("unsigned long long int", ("unsigned long long int", 0, false)),
            ("constant", ("constant", 0, false)),
            ("Box", ("Box", 0, false)),
        ];
        for (text, (name, depth, is_const)) in cases {
            let parsed = TypeExpr::parse(text);
            let written = CType::of(parsed.root());
            let arg_type = written.of_shape(Shape::Unknown);
            assert_eq!(
                (written.name().as_str(), arg_type.depth, arg_type.is_const),
                (name, Some(depth), is_const),
                "{text}"
            );
        }
    }
}
