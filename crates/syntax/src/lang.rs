//! The languages: how each is recognised. Every other place reads this table.

/// One language: its name, the other names users give it, and what tells its files.
#[derive(Debug, PartialEq, Eq)]
pub struct Lang {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// Lower case, without the dot.
    pub extensions: &'static [&'static str],
    pub filenames: &'static [&'static str],
    /// Programs that a `#!` line may name.
    pub interpreters: &'static [&'static str],
}

const fn lang(
    name: &'static str,
    aliases: &'static [&'static str],
    extensions: &'static [&'static str],
    filenames: &'static [&'static str],
    interpreters: &'static [&'static str],
) -> Lang {
    Lang {
        name,
        aliases,
        extensions,
        filenames,
        interpreters,
    }
}

impl Lang {
    /// Text for people: documentation rather than code or data.
    pub fn is_prose(&self) -> bool {
        matches!(
            self.name,
            "plaintext" | "markdown" | "restructuredtext" | "asciidoc" | "latex"
        )
    }
}

/// Whatever is text and nothing else.
pub static PLAINTEXT: Lang = lang(
    "plaintext",
    &["text", "txt"],
    &["txt", "text", "log"],
    &["LICENSE", "COPYING"],
    &[],
);

/// Name, aliases, extensions, file names, interpreters.
#[rustfmt::skip]
pub static LANGS: &[Lang] = &[
    lang("rust", &["rs"], &["rs"], &[], &[]),
    lang("python", &["py"], &["py", "pyi", "pyw"], &["SConstruct", "SConscript", "wscript"], &["python", "python2", "python3"]),
    lang("typescript", &["ts", "tsx"], &["ts", "tsx", "mts", "cts"], &[], &["ts-node", "deno", "bun"]),
    lang("javascript", &["js", "jsx"], &["js", "jsx", "mjs", "cjs"], &[], &["node", "nodejs"]),
    lang("go", &["golang"], &["go"], &[], &[]),
    lang("java", &[], &["java"], &[], &[]),
    lang("c", &[], &["c"], &[], &["tcc"]),
    lang("cpp", &["c++", "cxx"], &["cpp", "cc", "cxx", "c++", "h", "hpp", "hh", "hxx", "inl", "ipp", "tpp", "cu", "cuh"], &[], &[]),
    lang("csharp", &["c#", "cs"], &["cs", "csx"], &[], &[]),
    lang("ruby", &["rb"], &["rb", "rake", "gemspec", "ru"], &["Rakefile", "Gemfile", "Vagrantfile", "Brewfile", "Podfile", "Guardfile"], &["ruby", "jruby"]),
    lang("php", &[], &["php", "phtml", "php5"], &[], &["php"]),
    lang("kotlin", &["kt"], &["kt", "kts"], &[], &["kotlin"]),
    lang("swift", &[], &["swift"], &[], &["swift"]),
    lang("scala", &[], &["scala", "sc", "sbt"], &[], &["scala"]),
    lang("bash", &["sh", "shell", "zsh"], &["sh", "bash", "zsh", "ksh", "bats"], &[".bashrc", ".bash_profile", ".profile", ".zshrc", "PKGBUILD"], &["sh", "bash", "zsh", "ksh", "dash", "ash"]),
    lang("fish", &[], &["fish"], &[], &["fish"]),
    lang("powershell", &["ps1", "pwsh"], &["ps1", "psm1", "psd1"], &[], &["pwsh"]),
    lang("batch", &["bat", "cmd"], &["bat", "cmd"], &[], &[]),
    lang("lua", &[], &["lua"], &[], &["lua", "luajit"]),
    lang("perl", &["pl"], &["pl", "pm", "t"], &[], &["perl"]),
    lang("elixir", &["ex"], &["ex", "exs"], &[], &["elixir"]),
    lang("erlang", &["erl"], &["erl", "hrl"], &["rebar.config"], &["escript"]),
    lang("haskell", &["hs"], &["hs", "lhs", "hsc"], &[], &["runhaskell"]),
    lang("ocaml", &["ml"], &["ml", "mli"], &[], &["ocaml"]),
    lang("fsharp", &["f#", "fs"], &["fs", "fsi", "fsx"], &[], &[]),
    lang("zig", &[], &["zig", "zon"], &[], &[]),
    lang("dart", &[], &["dart"], &[], &["dart"]),
    lang("r", &[], &["r", "rmd"], &[".Rprofile"], &["Rscript"]),
    lang("julia", &["jl"], &["jl"], &[], &["julia"]),
    lang("objc", &["objective-c"], &["m", "mm"], &[], &[]),
    lang("clojure", &["clj"], &["clj", "cljs", "cljc", "edn"], &[], &["bb"]),
    lang("elm", &[], &["elm"], &[], &[]),
    lang("groovy", &[], &["groovy", "gradle"], &["Jenkinsfile"], &["groovy"]),
    lang("solidity", &["sol"], &["sol"], &[], &[]),
    lang("gdscript", &["gd"], &["gd"], &[], &[]),
    lang("fortran", &["f90"], &["f", "f90", "f95", "f03", "f08", "for"], &[], &[]),
    lang("pascal", &["delphi"], &["pas", "pp", "dpr"], &[], &[]),
    lang("ada", &[], &["adb", "ads"], &[], &[]),
    lang("d", &["dlang"], &["d"], &[], &[]),
    lang("nim", &[], &["nim", "nims"], &[], &["nim"]),
    lang("crystal", &["cr"], &["cr"], &[], &["crystal"]),
    lang("commonlisp", &["lisp"], &["lisp", "lsp", "cl", "asd"], &[], &["sbcl"]),
    lang("elisp", &["emacs-lisp"], &["el"], &[], &[]),
    lang("scheme", &[], &["scm", "ss", "rkt"], &[], &["racket", "guile"]),
    lang("tcl", &[], &["tcl", "tm"], &[], &["tclsh", "wish"]),
    lang("awk", &[], &["awk"], &[], &["awk", "gawk"]),
    lang("verilog", &["systemverilog"], &["v", "sv", "svh"], &[], &[]),
    lang("vhdl", &[], &["vhd", "vhdl"], &[], &[]),
    lang("asm", &["assembly"], &["s", "asm", "nasm"], &[], &[]),
    lang("glsl", &[], &["glsl", "vert", "frag", "comp", "geom"], &[], &[]),
    lang("sql", &[], &["sql", "ddl", "psql"], &[], &[]),
    lang("html", &[], &["html", "htm", "xhtml"], &[], &[]),
    lang("css", &[], &["css"], &[], &[]),
    lang("scss", &["sass", "less"], &["scss", "sass", "less"], &[], &[]),
    lang("vue", &[], &["vue"], &[], &[]),
    lang("svelte", &[], &["svelte"], &[], &[]),
    lang("astro", &[], &["astro"], &[], &[]),
    lang("markdown", &["md"], &["md", "markdown", "mdx"], &["README", "CHANGELOG"], &[]),
    lang("restructuredtext", &["rst"], &["rst"], &[], &[]),
    lang("asciidoc", &["adoc"], &["adoc", "asciidoc"], &[], &[]),
    lang("latex", &["tex"], &["tex", "sty", "cls", "bib"], &[], &[]),
    lang("json", &["jsonc"], &["json", "jsonc", "json5", "jsonl", "webmanifest"], &[".babelrc", ".eslintrc", ".prettierrc"], &[]),
    lang("yaml", &["yml"], &["yaml", "yml"], &[".clang-format", ".clang-tidy"], &[]),
    lang("toml", &[], &["toml"], &["Cargo.lock", "poetry.lock", "uv.lock", "Pipfile"], &[]),
    lang("ini", &["conf", "cfg", "properties"], &["ini", "cfg", "conf", "properties", "editorconfig"], &[".editorconfig", ".gitconfig", ".gitmodules"], &[]),
    lang("xml", &[], &["xml", "xsd", "xsl", "xslt", "svg", "plist", "csproj", "vcxproj", "pom"], &[], &[]),
    lang("hcl", &["terraform", "tf"], &["hcl", "tf", "tfvars"], &[], &[]),
    lang("protobuf", &["proto"], &["proto"], &[], &[]),
    lang("graphql", &["gql"], &["graphql", "gql"], &[], &[]),
    lang("thrift", &[], &["thrift"], &[], &[]),
    lang("dockerfile", &["docker", "containerfile"], &["dockerfile"], &["Dockerfile", "Containerfile"], &[]),
    lang("make", &["makefile"], &["mk", "mak", "make"], &["Makefile", "makefile", "GNUmakefile"], &["make"]),
    lang("cmake", &[], &["cmake"], &["CMakeLists.txt"], &[]),
    lang("starlark", &["bazel"], &["bzl", "bazel", "star"], &["BUILD", "WORKSPACE", "BUILD.bazel", "WORKSPACE.bazel", "MODULE.bazel"], &[]),
    lang("nix", &[], &["nix"], &[], &[]),
    lang("just", &[], &["just"], &["justfile", "Justfile"], &["just"]),
    lang("vim", &["vimscript"], &["vim"], &[".vimrc"], &[]),
    lang("diff", &["patch"], &["diff", "patch"], &[], &[]),
];

/// The language of a file: by its name, else its extension, else the interpreter in its first line.
pub fn detect(file_name: &str, first_line: &[u8]) -> &'static Lang {
    by_file_name(file_name)
        .or_else(|| by_extension(file_name))
        .or_else(|| by_interpreter(first_line))
        .unwrap_or(&PLAINTEXT)
}

/// A language by its name, an alias or an extension, in any case: `TypeScript`, `ts`, `c++`.
pub fn lang_by_name(name: &str) -> Option<&'static Lang> {
    let name = name.trim().trim_start_matches('.').to_ascii_lowercase();
    let all = || LANGS.iter().chain([&PLAINTEXT]);
    all()
        .find(|lang| lang.name == name || lang.aliases.contains(&name.as_str()))
        .or_else(|| all().find(|lang| lang.extensions.contains(&name.as_str())))
}

/// Names for "did you mean" when `lang_by_name` knows nothing.
pub fn nearest_lang(name: &str, distance: impl Fn(&str, &str) -> f64) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let scored = LANGS.iter().map(|lang| (distance(lang.name, &name), lang.name));
    scored
        .filter(|(score, _)| *score > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

fn by_file_name(file_name: &str) -> Option<&'static Lang> {
    let whole = LANGS
        .iter()
        .chain([&PLAINTEXT])
        .find(|lang| lang.filenames.contains(&file_name));
    // `Dockerfile.dev`, `Makefile.am`: a known name with a suffix, unless the suffix is an extension of its own.
    whole.or_else(|| {
        let (stem, suffix) = file_name.split_once('.')?;
        let known = LANGS.iter().find(|lang| lang.filenames.contains(&stem))?;
        LANGS
            .iter()
            .all(|lang| !lang.extensions.contains(&suffix))
            .then_some(known)
    })
}

fn by_extension(file_name: &str) -> Option<&'static Lang> {
    let (_, extension) = file_name.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    LANGS
        .iter()
        .chain([&PLAINTEXT])
        .find(|lang| lang.extensions.contains(&extension.as_str()))
}

fn by_interpreter(first_line: &[u8]) -> Option<&'static Lang> {
    let line = first_line.strip_prefix(b"#!")?;
    let line = line.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line.get(..line.len().min(200))?).ok()?;
    let mut words = line
        .split_whitespace()
        .filter(|word| !word.starts_with('-') && !word.contains('='));
    let program = words.next()?.rsplit('/').next()?;
    let program = if program == "env" {
        words.next()?.rsplit('/').next()?
    } else {
        program
    };
    // `python3.11` is `python3`.
    let program = program.split('.').next()?;
    LANGS.iter().find(|lang| lang.interpreters.contains(&program))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn files_are_recognised_by_name_extension_and_shebang() {
        for (name, first_line, expected) in [
            ("main.rs", "", "rust"),
            ("App.TSX", "", "typescript"),
            ("util.jsx", "", "javascript"),
            ("a.h", "", "cpp"),
            ("Makefile", "", "make"),
            ("Makefile.am", "", "make"),
            ("Dockerfile.dev", "", "dockerfile"),
            ("README.md", "", "markdown"),
            ("run", "#!/usr/bin/env -S python3.11 -u\n", "python"),
            ("run", "#!/bin/sh -e\n", "bash"),
            ("run", "#!/opt/odd\n", "plaintext"),
            ("notes.txt", "#!/bin/sh", "plaintext"),
            ("x.unknown", "", "plaintext"),
            ("LICENSE", "", "plaintext"),
        ] {
            assert_eq!(
                detect(name, first_line.as_bytes()).name,
                expected,
                "{name} {first_line}"
            );
        }
    }

    #[test]
    fn a_language_answers_to_its_names() {
        for (asked, expected) in [
            ("TypeScript", "typescript"),
            ("tsx", "typescript"),
            ("c++", "cpp"),
            (".py", "python"),
        ] {
            assert_eq!(lang_by_name(asked).map(|lang| lang.name), Some(expected));
        }
        assert_eq!(lang_by_name("klingon"), None);
    }

    #[test]
    fn no_two_languages_claim_the_same_sign() {
        let mut claimed: HashMap<String, &str> = HashMap::new();
        for lang in LANGS.iter().chain([&PLAINTEXT]) {
            let extensions = lang.extensions.iter().map(|sign| format!(".{sign}"));
            let filenames = lang.filenames.iter().map(|sign| format!("name {sign}"));
            let interpreters = lang.interpreters.iter().map(|sign| format!("#!{sign}"));
            for sign in extensions.chain(filenames).chain(interpreters) {
                assert_eq!(claimed.insert(sign.clone(), lang.name), None, "{sign} is claimed twice");
            }
        }
    }
}
