fn main() {
    let lang = std::env::args().nth(1).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut std::io::stdin(), &mut text).unwrap();
    let mut p = tree_sitter::Parser::new();
    let l: tree_sitter::Language = match lang.as_str() { "kotlin" => tree_sitter_kotlin_ng::LANGUAGE.into(), "swift" => tree_sitter_swift::LANGUAGE.into(), "scala" => tree_sitter_scala::LANGUAGE.into(), _ => tree_sitter_c_sharp::LANGUAGE.into() };
    p.set_language(&l).unwrap();
    let t = p.parse(&text, None).unwrap();
    fn show(n: tree_sitter::Node, d: usize, t: &str, f: Option<&str>) {
        println!("{}{}{}{} {}", "  ".repeat(d), f.map(|f| format!("{f}: ")).unwrap_or_default(), if n.is_named() { "" } else { "~" }, n.kind(), if n.child_count() == 0 { &t[n.byte_range()] } else { "" });
        for i in 0..n.child_count() { show(n.child(i as _).unwrap(), d + 1, t, n.field_name_for_child(i as u32)) }
    }
    show(t.root_node(), 0, &text, None);
}
