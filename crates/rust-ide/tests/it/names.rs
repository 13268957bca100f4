//! Names in one crate.

use expect_test::{Expect, expect};

use crate::kit::meanings;

#[track_caller]
fn check(code: &str, expected: Expect) {
    let fixture = format!("//- /Cargo.toml\n[package]\nname = \"one\"\nedition = \"2024\"\n{code}");
    expected.assert_eq(&meanings(&fixture));
}

#[test]
fn methods_of_one_name_on_different_types() {
    check(
        r#"
//- /src/lib.rs
pub struct A;
pub struct B;
impl A { pub fn go(&self) -> B { B } }
impl B { pub fn go(&self) -> A { A } }
fn f(a: A) {
    a.$0go().$0go();
    let again = a.go().go();
    again.$0go();
    B::$0go(&B);
}
"#,
        expect![[r#"
            src/lib.rs:6 go = src/lib.rs:3 impl A { pub fn go(&self) -> B { B } }
            src/lib.rs:6 go = src/lib.rs:4 impl B { pub fn go(&self) -> A { A } }
            src/lib.rs:8 go = src/lib.rs:3 impl A { pub fn go(&self) -> B { B } }
            src/lib.rs:9 go = src/lib.rs:4 impl B { pub fn go(&self) -> A { A } }
        "#]],
    );
}

#[test]
fn trait_dispatch() {
    check(
        r#"
//- /src/lib.rs
pub trait Shape { fn area(&self) -> u32; fn twice(&self) -> u32 { 2 * self.$0area() } }
pub struct Square(u32);
impl Shape for Square { fn area(&self) -> u32 { self.0 } }
fn known(square: Square) -> u32 { square.$0area() + square.$0twice() }
fn any(shape: &dyn Shape) -> u32 { shape.$0area() }
fn generic<S: Shape>(shape: S) -> u32 { shape.$0area() + S::$0area(&shape) }
"#,
        expect![[r#"
            src/lib.rs:1 area = src/lib.rs:1 pub trait Shape { fn area(&self) -> u32; fn twice(&self) -> u32 { 2 * self.area() } }
            src/lib.rs:4 area = src/lib.rs:3 impl Shape for Square { fn area(&self) -> u32 { self.0 } }
            src/lib.rs:4 twice = src/lib.rs:1 pub trait Shape { fn area(&self) -> u32; fn twice(&self) -> u32 { 2 * self.area() } }
            src/lib.rs:5 area = src/lib.rs:1 pub trait Shape { fn area(&self) -> u32; fn twice(&self) -> u32 { 2 * self.area() } }
            src/lib.rs:6 area = src/lib.rs:1 pub trait Shape { fn area(&self) -> u32; fn twice(&self) -> u32 { 2 * self.area() } }
            src/lib.rs:6 area = src/lib.rs:1 pub trait Shape { fn area(&self) -> u32; fn twice(&self) -> u32 { 2 * self.area() } }
        "#]],
    );
}

#[test]
fn self_and_associated_items() {
    check(
        r#"
//- /src/lib.rs
pub trait Keyed { type Key; const LIMIT: u32; fn key(&self) -> Self::$0Key; }
pub struct User { name: u32 }
impl User {
    const FIRST: User = User { name: 1 };
    fn new(name: u32) -> Self { Self { $0name } }
    fn first() -> Self { Self::$0FIRST }
    fn other() -> Self { let user = Self::$0new(Self::$0LIMIT); User { $0name: user.$0name } }
}
impl Keyed for User { type Key = u32; const LIMIT: u32 = 3; fn key(&self) -> Self::Key { self.$0name } }
fn limit<K: Keyed>() -> u32 { K::$0LIMIT }
"#,
        expect![[r#"
            src/lib.rs:1 Key = src/lib.rs:1 pub trait Keyed { type Key; const LIMIT: u32; fn key(&self) -> Self::Key; }
            src/lib.rs:5 name = src/lib.rs:2 pub struct User { name: u32 } | src/lib.rs:5 fn new(name: u32) -> Self { Self { name } }
            src/lib.rs:6 FIRST = src/lib.rs:4 const FIRST: User = User { name: 1 };
            src/lib.rs:7 new = src/lib.rs:5 fn new(name: u32) -> Self { Self { name } }
            src/lib.rs:7 LIMIT = src/lib.rs:9 impl Keyed for User { type Key = u32; const LIMIT: u32 = 3; fn key(&self) -> Self::Key { self.name } }
            src/lib.rs:7 name = src/lib.rs:2 pub struct User { name: u32 }
            src/lib.rs:7 name = src/lib.rs:2 pub struct User { name: u32 }
            src/lib.rs:9 name = src/lib.rs:2 pub struct User { name: u32 }
            src/lib.rs:10 LIMIT = src/lib.rs:1 pub trait Keyed { type Key; const LIMIT: u32; fn key(&self) -> Self::Key; }
        "#]],
    );
}

#[test]
fn reexports_and_aliases() {
    check(
        r#"
//- /src/lib.rs
mod inner;
pub use inner::$0Thing;
pub use inner::make as $0build;
pub mod prelude { pub use super::*; }
fn f() -> prelude::$0Thing { prelude::$0build().$0touched() }
//- /src/inner.rs
pub struct Thing;
impl Thing { pub fn touched(self) -> Thing { self } }
pub fn make() -> Thing { Thing }
"#,
        expect![[r#"
            src/lib.rs:2 Thing = src/inner.rs:1 pub struct Thing;
            src/lib.rs:3 build = src/inner.rs:3 pub fn make() -> Thing { Thing }
            src/lib.rs:5 Thing = src/inner.rs:1 pub struct Thing;
            src/lib.rs:5 build = src/inner.rs:3 pub fn make() -> Thing { Thing }
            src/lib.rs:5 touched = src/inner.rs:2 impl Thing { pub fn touched(self) -> Thing { self } }
        "#]],
    );
}

#[test]
fn macros() {
    check(
        r#"
//- /src/lib.rs
macro_rules! accessor { ($name:ident) => { pub fn $name(&self) -> u32 { self.value } }; }
macro_rules! check { ($left:expr, $right:expr) => { if $left != $right { fail() } }; }
macro_rules! made { () => { pub fn hidden() {} }; }
macro_rules! items { ($($item:item)*) => { $($item)* }; }
pub struct Value { value: u32 }
impl Value { accessor!(get); }
made!();
items! { pub fn plain() {} }
fn fail() {}
fn f(value: Value) {
    $0check!(value.$0get(), value.$0value);
    $0hidden();
    $0plain();
    unheard!(value.$0get());
}
"#,
        expect![[r#"
            src/lib.rs:11 check = src/lib.rs:2 macro_rules! check { ($left:expr, $right:expr) => { if $left != $right { fail() } }; }
            src/lib.rs:11 get = src/lib.rs:6 impl Value { accessor!(get); }
            src/lib.rs:11 value = src/lib.rs:5 pub struct Value { value: u32 }
            src/lib.rs:12 hidden = elsewhere
            src/lib.rs:13 plain = src/lib.rs:8 items! { pub fn plain() {} }
            src/lib.rs:14 get = unknown
        "#]],
    );
}

#[test]
fn what_is_switched_off() {
    check(
        r#"
//- /src/lib.rs
#[cfg(target_os = "none")]
pub fn only_there(thing: Thing) { thing.$0touch(); $0helper(); }
#[cfg(not(target_os = "none"))]
pub fn here(thing: Thing) { thing.$0touch(); $0helper(); }
#[cfg(feature = "extra")]
pub fn extra() { $0helper() }
pub struct Thing;
impl Thing { fn touch(&self) {} }
fn helper() {}
"#,
        expect![[r#"
            src/lib.rs:2 touch = unknown
            src/lib.rs:2 helper = src/lib.rs:9 fn helper() {}
            src/lib.rs:4 touch = src/lib.rs:8 impl Thing { fn touch(&self) {} }
            src/lib.rs:4 helper = src/lib.rs:9 fn helper() {}
            src/lib.rs:6 helper = src/lib.rs:9 fn helper() {}
        "#]],
    );
}

#[test]
fn tests_and_local_names() {
    check(
        r#"
//- /src/lib.rs
pub fn add(a: u32, b: u32) -> u32 { $0a + b }
#[cfg(test)]
mod tests {
    use super::*;
    fn helper() -> u32 { $0add(1, 2) }
    #[test]
    fn adds() { let sum = $0helper(); assert(sum == $0sum) }
    fn assert(_: bool) {}
}
"#,
        expect![[r#"
            src/lib.rs:1 a = src/lib.rs:1 pub fn add(a: u32, b: u32) -> u32 { a + b }
            src/lib.rs:5 add = src/lib.rs:1 pub fn add(a: u32, b: u32) -> u32 { a + b }
            src/lib.rs:7 helper = src/lib.rs:5 fn helper() -> u32 { add(1, 2) }
            src/lib.rs:7 sum = src/lib.rs:7 fn adds() { let sum = helper(); assert(sum == sum) }
        "#]],
    );
}

#[test]
fn of_the_language_or_not_known() {
    check(
        r#"
//- /src/lib.rs
pub fn f(text: &$0str, any: $0Unheard) -> $0u32 {
    any.$0method();
    $0nothing::$0at_all()
}
//- /src/in_no_crate.rs
fn f() { $0f() }
"#,
        expect![[r#"
            src/lib.rs:1 str = elsewhere
            src/lib.rs:1 Unheard = unknown
            src/lib.rs:1 u32 = elsewhere
            src/lib.rs:2 method = unknown
            src/lib.rs:3 nothing = unknown
            src/lib.rs:3 at_all = unknown
            src/in_no_crate.rs:1 f = unknown
        "#]],
    );
}

#[test]
fn links_in_docs() {
    check(
        r#"
//- /src/lib.rs
//! See [`Thing::$0touch`] and [$0Thing], not $0Thing alone.
/// Like [`$0make`](make::$0quickly), [struct@$0Thing], [`$0make!`] or [nothing](https://$0example.org); [`Self::$0touch()`].
pub struct Thing;
impl Thing {
    /// Makes one with [`make::$0quickly`].
    pub fn touch(&self) {}
}
pub mod make {
    //! Has [$0quickly].
    pub fn quickly() {}
}
"#,
        expect![[r#"
            src/lib.rs:1 touch = src/lib.rs:6 pub fn touch(&self) {}
            src/lib.rs:1 Thing = src/lib.rs:3 pub struct Thing;
            src/lib.rs:1 Thing = unknown
            src/lib.rs:2 make = unknown
            src/lib.rs:2 quickly = src/lib.rs:10 pub fn quickly() {}
            src/lib.rs:2 Thing = src/lib.rs:3 pub struct Thing;
            src/lib.rs:2 make = unknown
            src/lib.rs:2 example = unknown
            src/lib.rs:2 touch = src/lib.rs:6 pub fn touch(&self) {}
            src/lib.rs:5 quickly = src/lib.rs:10 pub fn quickly() {}
            src/lib.rs:9 quickly = src/lib.rs:10 pub fn quickly() {}
        "#]],
    );
}

#[test]
fn names_in_format_strings() {
    check(
        r#"
//- /src/lib.rs
#[rustc_builtin_macro]
macro_rules! format_args { () => {}; }
const LIMIT: u32 = 3;
fn f(own: u32) { format_args!("{$0own} {$0LIMIT:>own$}"); }
"#,
        expect![[r#"
            src/lib.rs:4 own = src/lib.rs:4 fn f(own: u32) { format_args!("{own} {LIMIT:>own$}"); }
            src/lib.rs:4 LIMIT = src/lib.rs:3 const LIMIT: u32 = 3;
        "#]],
    );
}
