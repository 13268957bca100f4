use super::*;

/// A tree in one line: kinds with their parts, and the text of what has none.
fn shown(ty: TypeRef<'_>) -> String {
    let parts: Vec<String> = ty.children().map(shown).collect();
    let head = match ty.kind() {
        TypeKind::Named => ty.path().unwrap_or_default().to_owned(),
        TypeKind::Opaque | TypeKind::Number | TypeKind::Quoted => ty.text().to_owned(),
        kind => format!("{kind:?}"),
    };
    match parts.is_empty() {
        true => head,
        false => format!("{head}({})", parts.join(" ")),
    }
}

#[test]
fn trees() {
    let cases = [
        ("Map<K, B<V>>", "Map(K B(V))"),
        ("Map<K, V>::Entry", "Member(Map(K V) Entry)"),
        ("Dict[str, A]", "Subscript(Dict str A)"),
        ("A[][]", "Array(Array(A))"),
        ("[]*A", "Slice(Pointer(A))"),
        ("[4]A", "Slice(A)"),
        ("map[string]*A", "Map(string Pointer(A))"),
        ("map[K][]A", "Map(K Slice(A))"),
        ("chan *A", "Channel(Pointer(A))"),
        ("[]chan<- A", "Slice(Channel(A))"),
        ("[]interface{}", "Slice(Sequence(interface Object))"),
        ("[4][]A", "Slice(Slice(A))"),
        ("[A, B][]", "Array(List(A B))"),
        ("unsigned long[]", "Modified(Array(long))"),
        ("<T as A>::B", "Generic(Cast(T A) B)"),
        ("func(a A) (B, error)", "Callable(Sequence(a A) Tuple(B error))"),
        ("func()", "Callable"),
        ("[A]", "List(A)"),
        ("[K: V]", "List(Labelled(K V))"),
        ("(a: A, b: B)", "Tuple(Labelled(a A) Labelled(b B))"),
        ("(A a, B b)", "Tuple(Sequence(A a) Sequence(B b))"),
        ("(A)", "Parenthesized(A)"),
        (
            "(a: A, ...b: B[]) => C",
            "FatArrowFunction(Labelled(a A) Labelled(Rest(b) Array(B)) C)",
        ),
        ("A.(B) -> C", "ThinArrowFunction(A B C)"),
        (
            "@escaping (A?) throws -> B",
            "Modified(ThinArrowFunction(Optional(A) B))",
        ),
        ("A => B => C", "FatArrowFunction(A FatArrowFunction(B C))"),
        ("=> A", "FatArrowFunction(A)"),
        (
            "A | (b: B) => C | D",
            "Union(A FatArrowFunction(Labelled(b B) Union(C D)))",
        ),
        (
            "<T extends A>(of: T) => void",
            "Generic(Bounded(T A) FatArrowFunction(Labelled(of T) void))",
        ),
        ("new () => T", "Modified(FatArrowFunction(T))"),
        ("A & B | C", "Union(Intersection(A B) C)"),
        ("const std::vector<T> &", "Modified(Reference(std::vector(T)))"),
        ("char const *", "Pointer(Modified(char))"),
        (
            "&'a mut dyn A + B",
            "Bounds(Reference(Modified(Modified(Modified(A)))) B)",
        ),
        ("Box<dyn Fn(A) -> B>", "Box(Modified(Callable(Fn A B)))"),
        ("Cow<'a, A>", "Cow(Modified A)"),
        ("? extends A", "Optional(Modified(A))"),
        ("T extends A ? B : C", "Conditional(T A B C)"),
        (
            "T extends (k: infer I) => void ? I : never",
            "Conditional(T FatArrowFunction(Labelled(k Operator(I)) void) I never)",
        ),
        (
            "T extends A ? U extends B ? X : Y : Z",
            "Conditional(T A Conditional(U B X Y) Z)",
        ),
        (
            "(k: T) => T extends A ? B : C",
            "FatArrowFunction(Labelled(k T) Conditional(T A B C))",
        ),
        ("T[keyof T]", "Subscript(T Operator(T))"),
        ("A['b']['c']", "Subscript(Subscript(A 'b'(b)) 'c'(c))"),
        ("\"A | None\"", "\"A | None\"(Union(A None))"),
        ("\"\"\"A | B\"\"\"", "\"A | B\"(Union(A B))"),
        ("'a|b' | 'c'", "Union('a|b'(Union(a b)) 'c'(c))"),
        ("{ a: A; b?: B }", "Object(Labelled(a A) Labelled(Optional(b) B))"),
        ("{ [name: string]: A }", "Object(KeyedMember(Labelled(name string) A))"),
        (
            "{ readonly [K in keyof T]?: T[K] }",
            "Object(MappedMember(K Operator(T) Subscript(T K)))",
        ),
        ("value is A", "Predicate(value A)"),
        ("unsigned int", "Modified(int)"),
        ("[u8; 32]", "List(Sequence(u8 32))"),
        ("", ""),
        ("A<B", "Sequence(A B)"),
        ("{ a: A", "Object(Labelled(a A))"),
    ];
    let cases = cases.map(|(text, expected)| (text, shown(TypeExpr::parse(text).root()), expected));
    let wrong: Vec<_> = cases.iter().filter(|(_, found, expected)| found != expected).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn names_in_types() {
    let cases = [
        ("Option<Circle<f64>>", "Option Circle f64"),
        ("&'a mut dyn shapes::Area", "shapes::Area"),
        ("map[string]*Base", "map string Base"),
        ("const std::vector<T>&", "std::vector T"),
        ("(item: Shape) => Promise<void>", "Shape Promise void"),
        ("\"Shape | None\"", "Shape None"),
        ("'Shape'", "Shape"),
        ("struct node", "node"),
        ("[u8; 32]", "u8"),
        ("any Sequence<Int>", "Sequence Int"),
        ("any | Shape", "any Shape"),
        ("inout Shape", "Shape"),
        ("\\App\\Model", "App\\Model"),
        ("", ""),
    ];
    for (text, expected) in cases {
        let parsed = TypeExpr::parse(text);
        assert_eq!(parsed.root().names().collect::<Vec<_>>().join(" "), expected, "{text}");
    }
    let nested = TypeExpr::parse("const std::map<K, V>::iterator &");
    assert_eq!(
        nested
            .root()
            .names_with_arity()
            .iter()
            .map(|(name, _)| &**name)
            .collect::<Vec<_>>()
            .join(" "),
        "std::map::iterator K V"
    );
}

#[test]
fn arguments_of_types() {
    let cases = [
        ("Box<Val>", "Val"),
        ("const ns::Map<A, B<C, D>>&", "A; B<C, D>"),
        ("Dict[str, List[\"A\"]]", "str; List[\"A\"]"),
        ("Cow<'a, Shape>", "Shape"),
        ("Run<(a: A) => B>", "(a: A) => B"),
        ("map[string]*Base", ""),
        ("A<B>::C<D>", ""),
        ("[Shape]", ""),
        ("Shape", ""),
    ];
    for (text, expected) in cases {
        let parsed = TypeExpr::parse(text);
        let found: Vec<&str> = parsed.root().arguments().map(TypeRef::text).collect();
        assert_eq!(found.join("; "), expected, "{text}");
    }
}

#[test]
fn types_to_choose_from() {
    let cases = [
        ("Shape", "Shape"),
        ("Shape | None", "Shape"),
        ("None | Shape", "Shape"),
        ("t.Optional[\"Shape\"]", "Shape"),
        ("Union[Shape, list[Box]]", "Shape, list[Box]"),
        ("type[Shape | Box] | None", "Shape, Box"),
        ("dict[str, A | B] | C", "dict[str, A | B], C"),
        ("(A | B)[]", "(A | B)[]"),
        ("(A | (B))", "A, B"),
        ("(a: A) => B | C", "(a: A) => B | C"),
        ("A | ((b: B) => C)", "A, (b: B) => C"),
        ("", ""),
    ];
    let is_wrapper = |path: &str| ["Optional", "Union", "type"].contains(&path.rsplit('.').next().unwrap_or(path));
    for (text, expected) in cases {
        let parsed = TypeExpr::parse(text);
        let found: Vec<&str> = parsed
            .root()
            .alternatives(is_wrapper)
            .into_iter()
            .map(TypeRef::text)
            .collect();
        assert_eq!(found.join(", "), expected, "{text}");
    }
}

#[test]
fn hostile_texts() {
    for unit in [
        "(",
        "<",
        "[",
        "{",
        "a:",
        "A<",
        "&",
        "?",
        "A=>",
        "map[a]",
        "A.(",
        "keyof ",
        "T extends ",
        "'",
        "\"(",
        "{[",
        "[]",
        "A[",
        "<A>",
        "fn(",
    ] {
        for close in ["", ")", ">", "]"] {
            let text = unit.repeat(4000) + &close.repeat(4000);
            let parsed = TypeExpr::parse(&text);
            assert!(parsed.root().descendants().count() > 0, "{unit}");
        }
    }
}

#[test]
fn substitution() {
    let (events, close) = (TypeExpr::parse("Events[K] | K"), TypeExpr::parse("'close'"));
    let replaced = events.root().substituted(&[("K", close.root())]);
    assert_eq!(replaced.as_ref().map(TypeExpr::text), Some("Events['close'] | 'close'"));
    assert!(events.root().substituted(&[("E", close.root())]).is_none());
    let beside = TypeExpr::parse("A & { b: { c: C } } & { [K in keyof T]: 1 }");
    assert_eq!(beside.root().without_objects().text(), "A &  & { [K in keyof T]: 1 }");
}
