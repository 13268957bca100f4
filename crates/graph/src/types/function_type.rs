//! Function types: with an arrow, and those that a library names.

use std::sync::LazyLock;

use syntax::{TypeExpr, TypeRef};

use crate::types::type_names::last_part;

/// The parts of a function type.
pub(crate) struct FunctionType<'t> {
    /// The receiver before the others.
    pub parameters: Vec<TypeRef<'t>>,
    /// Missing where the text was cut off.
    pub result: Option<TypeRef<'t>>,
}

/// The function that a type expression is the type of: `(A, B) -> C`, `A => B`, `Func<A, B>`.
pub(crate) fn function_type(ty: TypeRef<'_>) -> Option<FunctionType<'_>> {
    let Some(function) = ty.function() else {
        return named_function(ty);
    };
    let parameters = function.parameters.into_iter().map(TypeRef::unlabelled);
    Some(FunctionType {
        parameters: function.receiver.into_iter().chain(parameters).collect(),
        result: function.result,
    })
}

/// Library types that are functions: `Func<A, B>`, `PartialFunction[A, B]`.
fn named_function(ty: TypeRef<'_>) -> Option<FunctionType<'_>> {
    let name = last_part(ty.first_name()?);
    let mut parameters: Vec<TypeRef<'_>> = ty.arguments().collect();
    let result = match name {
        "Func" | "PartialFunction" | "Function" | "Function1" | "Function2" | "Converter" => parameters.pop()?,
        "Expression" => return function_type(*parameters.first()?),
        "Action" => VOID.root(),
        "Predicate" => BOOL.root(),
        "Comparison" => {
            parameters.push(*parameters.first()?);
            INT.root()
        }
        "EventHandler" => {
            parameters.insert(0, OBJECT.root());
            VOID.root()
        }
        _ => return None,
    };
    let result = Some(result);
    Some(FunctionType { parameters, result })
}

static BOOL: LazyLock<TypeExpr> = LazyLock::new(|| TypeExpr::parse("bool"));
static INT: LazyLock<TypeExpr> = LazyLock::new(|| TypeExpr::parse("int"));
static OBJECT: LazyLock<TypeExpr> = LazyLock::new(|| TypeExpr::parse("object"));
static VOID: LazyLock<TypeExpr> = LazyLock::new(|| TypeExpr::parse("void"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_functions() {
        let cases = [
            ("(A, b: B<C, D>) -> E", "A; B<C, D> -> E"),
            ("suspend () -> Unit", " -> Unit"),
            ("Html.(A) -> Unit", "Html; A -> Unit"),
            ("((A) -> B)?", "A -> B"),
            (
                "@escaping (Result<A, Error>) throws -> Void",
                "Result<A, Error> -> Void",
            ),
            ("A => B", "A -> B"),
            ("(A, B) => C => D", "A; B -> C => D"),
            ("=> A", " -> A"),
            ("Func<A, B>", "A -> B"),
            ("Expression<Func<A, bool>>", "A -> bool"),
            ("EventHandler<A>", "object; A -> void"),
            ("Map<A, B>", "none"),
        ];
        for (text, expected) in cases {
            let parsed = TypeExpr::parse(text);
            let found = function_type(parsed.root()).map(|found| {
                let parameters: Vec<&str> = found.parameters.iter().map(|one| one.text()).collect();
                format!(
                    "{} -> {}",
                    parameters.join("; "),
                    found.result.map_or("", TypeRef::text)
                )
            });
            assert_eq!(found.as_deref().unwrap_or("none"), expected, "{text}");
        }
    }
}
