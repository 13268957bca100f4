//! Many crates: what manifests make of a directory.

use expect_test::{Expect, expect};
use rust_ide::Outside;

use crate::kit::{load, meanings};

#[track_caller]
fn check(fixture: &str, expected: Expect) {
    expected.assert_eq(&meanings(fixture));
}

#[test]
fn a_workspace_with_path_dependencies_and_renames() {
    check(
        r#"
//- /Cargo.toml
[workspace]
members = ["crates/*"]
exclude = ["crates/apart"]
[workspace.package]
edition = "2021"
[workspace.dependencies]
the-core = { path = "crates/core" }
//- /crates/core/Cargo.toml
[package]
name = "the-core"
edition.workspace = true
//- /crates/core/src/lib.rs
pub fn base() {}
//- /crates/app/Cargo.toml
[package]
name = "app"
edition.workspace = true
[dependencies]
the-core.workspace = true
old = { package = "apart", path = "../apart" }
//- /crates/app/src/main.rs
mod own;
fn main() { the_core::$0base(); old::$0apart(); own::$0helper(); }
//- /crates/app/src/own.rs
pub fn helper() { the_core::$0base() }
//- /crates/app/src/bin/second.rs
fn main() { the_core::$0base() }
//- /crates/apart/Cargo.toml
[package]
name = "apart"
//- /crates/apart/src/lib.rs
pub fn apart() {}
"#,
        expect![[r#"
            crates/app/src/main.rs:2 base = crates/core/src/lib.rs:1 pub fn base() {}
            crates/app/src/main.rs:2 apart = crates/apart/src/lib.rs:1 pub fn apart() {}
            crates/app/src/main.rs:2 helper = crates/app/src/own.rs:1 pub fn helper() { the_core::base() }
            crates/app/src/own.rs:1 base = crates/core/src/lib.rs:1 pub fn base() {}
            crates/app/src/bin/second.rs:1 base = crates/core/src/lib.rs:1 pub fn base() {}
        "#]],
    );
}

#[test]
fn every_kind_of_target() {
    check(
        r#"
//- /Cargo.toml
[package]
name = "kinds"
edition = "2024"
[lib]
name = "other_name"
path = "lib/root.rs"
[[bin]]
name = "tool"
path = "tools/tool.rs"
[[test]]
name = "named"
path = "checks/named.rs"
[build-dependencies]
helper = { path = "helper" }
//- /lib/root.rs
pub fn root() {}
//- /tools/tool.rs
fn main() { other_name::$0root() }
//- /checks/named.rs
use other_name::$0root;
//- /tests/found.rs
mod shared;
fn t() { other_name::$0root(); shared::$0setup() }
//- /tests/shared/mod.rs
pub fn setup() {}
//- /tests/deep/main.rs
fn t() { other_name::$0root() }
//- /examples/show.rs
fn main() { other_name::$0root() }
//- /benches/speed.rs
fn main() { other_name::$0root() }
//- /build.rs
fn main() { helper::$0help() }
//- /helper/Cargo.toml
[package]
name = "helper"
//- /helper/src/lib.rs
pub fn help() {}
"#,
        expect![[r#"
            tools/tool.rs:1 root = lib/root.rs:1 pub fn root() {}
            checks/named.rs:1 root = lib/root.rs:1 pub fn root() {}
            tests/found.rs:2 root = lib/root.rs:1 pub fn root() {}
            tests/found.rs:2 setup = tests/shared/mod.rs:1 pub fn setup() {}
            tests/deep/main.rs:1 root = lib/root.rs:1 pub fn root() {}
            examples/show.rs:1 root = lib/root.rs:1 pub fn root() {}
            benches/speed.rs:1 root = lib/root.rs:1 pub fn root() {}
            build.rs:1 help = helper/src/lib.rs:1 pub fn help() {}
        "#]],
    );
}

#[test]
fn nested_and_broken() {
    check(
        r#"
//- /Cargo.toml
[package]
name = "outer"
edition = "2021"
[dependencies]
inner = { path = "inner" }
gone = { path = "gone" }
above = { path = "../above" }
//- /src/lib.rs
fn f() { inner::$0f(); gone::$0f(); above::$0f(); }
//- /inner/Cargo.toml
[workspace]
members = ["member"]
[package]
name = "inner"
edition = "2021"
//- /inner/src/lib.rs
pub fn f() {}
//- /inner/member/Cargo.toml
[package]
name = "member"
edition = "2021"
[dev-dependencies]
inner = { path = ".." }
//- /inner/member/src/lib.rs
#[cfg(test)]
fn f() { inner::$0f() }
//- /broken/Cargo.toml
[package
//- /broken/src/lib.rs
fn f() { $0f() }
"#,
        expect![[r#"
            src/lib.rs:1 f = inner/src/lib.rs:1 pub fn f() {}
            src/lib.rs:1 f = unknown
            src/lib.rs:1 f = unknown
            inner/member/src/lib.rs:2 f = inner/src/lib.rs:1 pub fn f() {}
            broken/src/lib.rs:1 f = unknown
        "#]],
    );
}

#[test]
fn all_features_are_on() {
    check(
        r#"
//- /Cargo.toml
[package]
name = "featured"
edition = "2021"
[features]
default = []
extra = ["dep:helper"]
[dependencies]
helper = { path = "helper", optional = true, features = ["more"], default-features = false }
//- /src/lib.rs
#[cfg(feature = "extra")]
pub fn f() { helper::$0more(); helper::$0lots() }
//- /helper/Cargo.toml
[package]
name = "helper"
[features]
default = ["lots"]
more = []
lots = []
//- /helper/src/lib.rs
#[cfg(feature = "more")]
pub fn more() {}
#[cfg(feature = "lots")]
pub fn lots() {}
"#,
        expect![[r#"
            src/lib.rs:2 more = helper/src/lib.rs:2 pub fn more() {}
            src/lib.rs:2 lots = helper/src/lib.rs:4 pub fn lots() {}
        "#]],
    );
}

const REGISTRY: &str = r#"
//- /dep-1.0.0/Cargo.toml
[package]
name = "dep"
version = "1.0.0"
[features]
default = ["std"]
std = []
big = ["dep:second"]
[dependencies]
second = { version = "0.2", optional = true }
[dev-dependencies]
gone = "1"
//- /dep-1.0.0/src/lib.rs
pub struct Old;
impl Old { pub fn new() -> Old { Old } }
//- /dep-1.2.0/Cargo.toml
[package]
name = "dep"
version = "1.2.0"
//- /dep-1.2.0/src/lib.rs
pub struct New;
pub trait Make: Sized { fn make(self) -> Self { self } fn times(self, n: u32) -> Self; }
//- /second-0.2.0-rc.1/Cargo.toml
[package]
name = "second"
version = "0.2.0-rc.1"
//- /second-0.2.0-rc.1/src/lib.rs
"#;

const USER: &str = r#"
//- /src/lib.rs
pub struct Own;
use dep::Make;
impl Make for Own { fn times(self, _: u32) -> Self { self } }
impl Own { fn done(self) {} }
fn f() { Own.$0make().$0times(2).$0done(); dep::$0Old::new().$0done() }
"#;

/// The same code with and without a lock file, next to a directory of packages.
#[test]
fn libraries_that_are_on_disk() {
    let packages = test_fixture::Repo::new(REGISTRY);
    let outside = Outside {
        registries: vec![packages.root()],
        max_bytes: 1 << 20,
        ..Outside::default()
    };
    let manifest = "//- /Cargo.toml\n[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\ndep = \"1\"\nabsent = \"3\"\n";
    let lock = r#"
//- /Cargo.lock
version = 4
[[package]]
name = "user"
version = "0.1.0"
dependencies = ["dep"]
[[package]]
name = "dep"
version = "1.0.0"
source = "registry+https://example.org/index"
"#;
    let mut shown = String::new();
    let none = Outside {
        max_bytes: 0,
        ..outside.clone()
    };
    for (title, lock, outside) in [
        ("newest", "", &outside),
        ("locked", lock, &outside),
        ("no room", lock, &none),
    ] {
        let (analysis, answers) = load(&format!("{manifest}{lock}{USER}"), outside);
        let summary = analysis.summary();
        shown.push_str(&format!(
            "{title}: {} library files, missing {:?}\n{answers}",
            summary.library_files, summary.missing
        ));
    }
    expect![[r#"
        newest: 1 library files, missing ["absent"]
        src/lib.rs:5 make = elsewhere
        src/lib.rs:5 times = src/lib.rs:3 impl Make for Own { fn times(self, _: u32) -> Self { self } }
        src/lib.rs:5 done = src/lib.rs:4 impl Own { fn done(self) {} }
        src/lib.rs:5 Old = unknown
        src/lib.rs:5 done = unknown
        locked: 1 library files, missing ["absent"]
        src/lib.rs:5 make = unknown
        src/lib.rs:5 times = unknown
        src/lib.rs:5 done = unknown
        src/lib.rs:5 Old = elsewhere
        src/lib.rs:5 done = unknown
        no room: 0 library files, missing ["absent", "dep"]
        src/lib.rs:5 make = unknown
        src/lib.rs:5 times = unknown
        src/lib.rs:5 done = unknown
        src/lib.rs:5 Old = unknown
        src/lib.rs:5 done = unknown
    "#]]
    .assert_eq(&shown);
}

const CHECKOUTS: &str = r#"
//- /Tools-0123456789abcdef/1a2b3c4/Cargo.toml
[workspace]
members = ["crates/*"]
[workspace.package]
version = "0.3.0"
edition = "2021"
[workspace.dependencies]
tools-core = { path = "crates/core" }
//- /Tools-0123456789abcdef/1a2b3c4/crates/api/Cargo.toml
[package]
name = "tools"
version.workspace = true
edition.workspace = true
[dependencies]
tools-core.workspace = true
//- /Tools-0123456789abcdef/1a2b3c4/crates/api/src/lib.rs
pub use tools_core::Make;
//- /Tools-0123456789abcdef/1a2b3c4/crates/core/Cargo.toml
[package]
name = "tools-core"
version.workspace = true
//- /Tools-0123456789abcdef/1a2b3c4/crates/core/src/lib.rs
pub trait Make: Sized { fn make(self) -> Self { self } }
//- /Tools-0123456789abcdef/fffffff/crates/api/Cargo.toml
[package]
name = "tools"
//- /Tools-0123456789abcdef/fffffff/crates/api/src/lib.rs
pub trait Make: Sized { fn make(self) -> u32 { 0 } }
"#;

/// A dependency from a repository is the one of the lock file's revision, or none.
#[test]
fn repositories_that_are_checked_out() {
    let checkouts = test_fixture::Repo::new(CHECKOUTS);
    let outside = Outside {
        checkouts: vec![checkouts.root()],
        max_bytes: 1 << 20,
        ..Outside::default()
    };
    let manifest = "//- /Cargo.toml\n[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\ntools = { git = \"https://example.org/some/Tools.git\", branch = \"main\" }\n";
    let user = "//- /src/lib.rs\nuse tools::Make;\npub struct Own;\nimpl Make for Own {}\nimpl Own { fn done(self) {} }\nfn f() { Own.$0make().$0done() }\n";
    let lock = |revision: &str| {
        let source = format!("git+https://example.org/some/Tools.git?branch=main#{revision}");
        let package = |name: &str, more: &str| {
            format!("[[package]]\nname = \"{name}\"\nversion = \"0.3.0\"\nsource = \"{source}\"\n{more}")
        };
        let own = "[[package]]\nname = \"user\"\nversion = \"0.1.0\"\ndependencies = [\"tools\"]\n";
        let tools = package("tools", "dependencies = [\"tools-core\"]\n");
        format!(
            "//- /Cargo.lock\nversion = 4\n{own}{tools}{}",
            package("tools-core", "")
        )
    };
    let mut shown = String::new();
    for (title, lock) in [
        ("checked out", lock("1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d")),
        ("another revision", lock("9999999d5e6f708192a3b4c5d6e7f8091a2b3c4d")),
        ("no lock file", String::new()),
    ] {
        let (analysis, answers) = load(&format!("{manifest}{lock}{user}"), &outside);
        let summary = analysis.summary();
        shown.push_str(&format!(
            "{title}: {} library files, missing {:?}\n{answers}",
            summary.library_files, summary.missing
        ));
    }
    expect![[r#"
        checked out: 2 library files, missing []
        src/lib.rs:5 make = elsewhere
        src/lib.rs:5 done = src/lib.rs:4 impl Own { fn done(self) {} }
        another revision: 0 library files, missing ["tools"]
        src/lib.rs:5 make = unknown
        src/lib.rs:5 done = unknown
        no lock file: 0 library files, missing ["tools"]
        src/lib.rs:5 make = unknown
        src/lib.rs:5 done = unknown
    "#]]
    .assert_eq(&shown);
}

#[test]
fn the_standard_library_when_it_is_there() {
    let library = test_fixture::Repo::new(
        r#"
//- /core/src/lib.rs
pub mod option { pub enum Option<T> { None, Some(T) } impl<T> Option<T> { pub fn unwrap(self) -> T { loop {} } } }
pub mod prelude { pub mod rust_2021 { pub use crate::option::Option::{self, None, Some}; } }
//- /std/src/lib.rs
pub use core::option;
pub mod prelude { pub mod rust_2021 { pub use core::prelude::rust_2021::*; } }
"#,
    );
    let fixture = r#"
//- /Cargo.toml
[package]
name = "user"
edition = "2021"
//- /src/lib.rs
pub struct Own;
impl Own { fn done(self) {} }
fn f(own: Option<Own>) { own.$0unwrap().$0done() }
"#;
    let mut shown = String::new();
    for sysroots in [Vec::new(), vec![library.root()]] {
        let outside = Outside {
            sysroots,
            max_bytes: 1 << 20,
            ..Outside::default()
        };
        let (analysis, answers) = load(fixture, &outside);
        shown.push_str(&format!("{}\n{answers}", analysis.summary().has_standard_library));
    }
    expect![[r#"
        false
        src/lib.rs:3 unwrap = unknown
        src/lib.rs:3 done = unknown
        true
        src/lib.rs:3 unwrap = elsewhere
        src/lib.rs:3 done = src/lib.rs:2 impl Own { fn done(self) {} }
    "#]]
    .assert_eq(&shown);
}
