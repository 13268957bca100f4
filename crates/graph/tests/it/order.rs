//! Answers do not depend on what was asked before: a `Resolver` remembers what it found, and where names lead back to
//! themselves, what it remembers must not depend on where it began.

use std::fmt::Write;

use expect_test::expect;
use graph::{FileIdx, Implementation, Meaning, Resolver, SymbolId, Use, World, memory::InMemory};
use syntax::{RefIdx, SymbolIdx, SymbolKind};
use test_fixture::Fixture;

#[derive(Debug, Clone, Copy)]
enum Question {
    Meaning(FileIdx, RefIdx),
    Uses(SymbolId),
}

#[derive(Debug, PartialEq)]
enum Answer {
    Meaning(Meaning),
    Uses {
        declarations: Vec<SymbolId>,
        uses: Vec<Use>,
        others: Vec<(FileIdx, RefIdx)>,
        implementations: Vec<Implementation>,
    },
}

impl Answer {
    fn shown(&self) -> String {
        match self {
            Answer::Meaning(meaning) => format!("{meaning:?}"),
            Answer::Uses { uses, others, .. } => format!("{} uses and {} others", uses.len(), others.len()),
        }
    }
}

impl Question {
    /// What every reference means, then who uses every symbol.
    fn all(world: &InMemory) -> Vec<Question> {
        let mut meanings = Vec::new();
        let mut uses = Vec::new();
        for file in world.modules.files().all() {
            let facts = world.view(file).unwrap().facts.clone();
            meanings.extend(RefIdx::all(&facts.references).map(|index| Question::Meaning(file, index)));
            let symbols = SymbolIdx::enumerate(&facts.symbols);
            let symbols = symbols.filter(|(_, symbol)| symbol.kind != SymbolKind::Impl);
            uses.extend(symbols.map(|(symbol, _)| Question::Uses(SymbolId { file, symbol })));
        }
        [meanings, uses].concat()
    }

    fn answer(self, resolver: &Resolver) -> Answer {
        match self {
            Question::Meaning(file, reference) => Answer::Meaning(resolver.meaning(file, reference)),
            Question::Uses(id) => {
                let declarations = resolver.same_thing(id);
                let found = resolver.uses(&declarations);
                Answer::Uses {
                    uses: found.uses,
                    others: found.other_uses,
                    implementations: resolver.implementations(&declarations),
                    declarations,
                }
            }
        }
    }

    fn shown(self, world: &InMemory) -> String {
        let (word, file, at, name) = match self {
            Question::Meaning(file, index) => {
                let facts = &world.view(file).unwrap().facts;
                let reference = &facts.references[index];
                (
                    "meaning of",
                    file,
                    reference.at,
                    facts.names.get(reference.name).to_owned(),
                )
            }
            Question::Uses(SymbolId { file, symbol }) => {
                let facts = &world.view(file).unwrap().facts;
                let symbol = &facts.symbols[symbol];
                ("uses of", file, symbol.name_at, facts.name(symbol).to_owned())
            }
        };
        let line = world.view(file).unwrap().facts.lines.line(at);
        format!("{word} {name} at {}:{line}", world.modules.files().path(file))
    }
}

/// The same order at every run.
fn shuffled(count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    for at in (1..count).rev() {
        // xorshift64
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        order.swap(at, (state % (at as u64 + 1)) as usize);
    }
    order
}

/// The questions whose answers depend on others: of a resolver that was asked nothing else, and of one that was asked
/// everything, in several orders.
fn differing(world: &InMemory) -> String {
    let questions = Question::all(world);
    let new = || Resolver::new(world, &world.modules);
    let alone: Vec<Answer> = questions.iter().map(|question| question.answer(&new())).collect();
    let forward: Vec<usize> = (0..questions.len()).collect();
    let reverse = forward.iter().rev().copied().collect();
    let mut found = String::new();
    for (name, order) in [
        ("forward", forward),
        ("reverse", reverse),
        ("shuffled", shuffled(questions.len())),
    ] {
        let resolver = new();
        for index in order {
            let answer = questions[index].answer(&resolver);
            if answer != alone[index] {
                let (question, alone) = (questions[index].shown(world), alone[index].shown());
                let _ = writeln!(found, "{question}: alone {alone}; {name} {}", answer.shown());
            }
        }
    }
    found
}

pub fn check(world: &InMemory) {
    let found = differing(world);
    assert!(found.is_empty(), "answers depend on the order of questions:\n{found}");
}

fn parsed(fixture: &str) -> InMemory {
    let files = Fixture::parse(fixture).revisions.remove(0);
    let texts: Vec<(&str, &str)> = files
        .iter()
        .map(|file| (file.path.as_str(), file.text.as_str()))
        .collect();
    InMemory::new(&texts)
}

/// A condition that is gone through inside of itself, for another type.
#[test]
fn a_condition_inside_of_itself() {
    check(&parsed(
        "
//- /a.ts
class Shape { area() {} }
class Circle { radius = 1 }
class Square { side = 1 }
type A<T> = T extends Circle ? B : Shape;
type B = A<Square>;
function one(x: A<Circle>) { x.area(); }
function two(x: B) { x.area(); }
",
    ));
}

/// FIXME: a type with more conditions inside of each other than are gone through is read only where one of those inside
/// was asked for before.
#[test]
fn conditions_inside_of_conditions() {
    let world = parsed(
        "
//- /a.ts
class Shape { area() {} }
type A1 = string extends Shape ? A2 : A2;
type A2 = string extends Shape ? A3 : A3;
type A3 = string extends Shape ? A4 : A4;
type A4 = string extends Shape ? A5 : A5;
type A5 = string extends Shape ? A6 : A6;
type A6 = string extends Shape ? Shape : Shape;
function one(x: A1) { x.area(); }
function two(x: A2) { x.area(); }
function three(x: A3) { x.area(); }
function four(x: A4) { x.area(); }
function five(x: A5) { x.area(); }
",
    );
    expect![[r#"
        meaning of area at a.ts:8: alone Missing; shuffled Symbols([SymbolId { file: FileIdx(0), symbol: SymbolIdx(1) }], Member)
        uses of area at a.ts:1: alone 5 uses and 0 others; shuffled 5 uses and 0 others
        meaning of area at a.ts:9: alone Missing; shuffled Symbols([SymbolId { file: FileIdx(0), symbol: SymbolIdx(1) }], Member)
    "#]]
    .assert_eq(&differing(&world));
}

/// Modules that hand on what others hand on, in a circle, each with something of its own.
#[test]
fn exports_in_circles() {
    check(&parsed(
        "
//- /a.ts
export * from './b';
export { c1 as d1 } from './c';
export function a1() { return b1().side(); }
import { b1 } from './c';
//- /b.ts
export * from './c';
export { d1 as e1 } from './a';
import { a1, Shape } from './c';
export function b1(): Shape { return a1(); }
//- /c.ts
export * from './a';
export { e1 as c1 } from './b';
export class Shape { side() { return this; } area() {} }
import { b1, a1, c1 } from './b';
b1().side().area(); a1().area(); c1();
//- /p/__init__.py
from .q import *
from .r import r1 as p1
def p2(): return q2().side()
//- /p/q.py
from .r import *
from . import p1 as q1, p2
def q2() -> Shape: return p2()
//- /p/r.py
from . import *
from .q import q1 as r1
class Shape:
    def side(self): return self
    def area(self): pass
q2().side().area()
p2().area()
r1()
//- /src/lib.rs
mod x;
mod y;
pub use x::*;
pub use y::y1 as l1;
pub fn l2() -> Shape { x2().side() }
//- /src/x.rs
pub use crate::y::*;
pub use crate::l1 as x1;
pub fn x2() -> Shape { crate::l2() }
//- /src/y.rs
pub use crate::*;
pub use crate::x::x1 as y1;
pub struct Shape;
impl Shape { fn side(self) -> Self { self } fn area(&self) {} }
fn run() { x2().side().area(); l2().area(); y1(); }
",
    ));
}

/// Functions and variables whose types are inferred from each other.
#[test]
fn types_that_are_inferred_from_each_other() {
    check(&parsed(
        "
//- /a.ts
class Shape { next() { return this.other(); } other() { return this.third(); } third() { return this.next() || this; } area() {} }
function a(n: number) { return n ? b(n) : new Shape(); }
function b(n: number) { return n ? c(n) : a(n); }
function c(n: number) { return n ? a(n) : b(n); }
let x = y; let y = z; let z = x || c(1);
x.area(); y.area(); z.area(); a(1).area(); b(1).area(); c(1).area();
new Shape().next().area(); new Shape().other().area(); new Shape().third().area();
//- /a.py
class Shape:
    def next(self): return self.other()
    def other(self): return self.third() or self
    def third(self): return self.next()
    def area(self): pass
def a(n): return b(n) if n else Shape()
def b(n): return c(n) if n else a(n)
def c(n): return a(n) if n else b(n)
def run():
    x = c(1); y = x; z = y; x = z
    x.area(); y.area(); z.area(); a(1).area(); b(1).area(); c(1).area()
    Shape().next().area(); Shape().third().area()
//- /a.kt
class Shape { fun next() = other(); fun other() = third(); fun third() = next(); fun area() = 1 }
fun a(n: Int) = if (n > 0) b(n) else Shape()
fun b(n: Int) = if (n > 0) c(n) else a(n)
fun c(n: Int) = if (n > 0) a(n) else b(n)
val x = c(1)
val y = x.next()
fun run() { x.area(); y.area(); a(1).area(); b(1).area(); c(1).area() }
//- /a.rb
class Shape
  def next_one; other; end
  def other; third || self; end
  def third; next_one; end
  def area; end
end
def a(n); n ? b(n) : Shape.new; end
def b(n); n ? c(n) : a(n); end
def c(n); a(n); end
x = c(1)
x.area
a(1).area
b(1).area
Shape.new.third.area
",
    ));
}

/// Types that derive from each other, which no compiler takes but a file being edited may have.
#[test]
fn types_that_derive_from_each_other() {
    check(&parsed(
        "
//- /a.ts
class A extends B { a() { this.b(); this.c(); } }
class B extends C { b() { this.c(); this.a(); } m() {} }
class C extends A { c() { this.a(); this.b(); this.m(); } m() {} }
type X = Y | A; type Y = Z | B; type Z = X | C;
function run(x: X, y: Y, z: Z) { x.m(); y.m(); z.m(); x.a(); y.a(); z.a(); }
//- /a.py
class A(B):
    def a(self): self.b(); self.c(); self.m()
class B(C):
    def b(self): self.c(); self.a()
    def m(self): super().m()
class C(A):
    def c(self): self.a(); self.b(); self.m()
    def m(self): super().m()
//- /a.cpp
template<class T> struct A : B<A<T>> { void a() { this->b(); m(); } };
template<class T> struct B : C<B<T>> { void b() { this->a(); m(); } void m(); };
template<class T> struct C : A<C<T>> { void c() { this->a(); m(); } void m(); };
using X = Y; using Y = Z; using Z = X;
void run(A<int> a, X x) { a.m(); a.c(); x.m(); }
//- /a.rb
class A < B; def a; b; m; end; end
class B < C; def b; c; m; end; def m; super; end; end
class C < A; def c; a; m; end; def m; super; end; end
",
    ));
}

/// FIXME: in classes that derive from each other, which `m` is meant depends on what was asked before.
#[test]
fn java_classes_that_derive_from_each_other() {
    let world = parsed(
        "
//- /A.java
class A extends B { }
class B extends C { void m() { super.m(); } }
class C extends A { void m() { super.m(); } }
",
    );
    expect![[r#"
        meaning of m at A.java:3: alone Symbols([SymbolId { file: FileIdx(0), symbol: SymbolIdx(4) }], Inherited); forward Symbols([SymbolId { file: FileIdx(0), symbol: SymbolIdx(2) }], Inherited)
        meaning of m at A.java:3: alone Symbols([SymbolId { file: FileIdx(0), symbol: SymbolIdx(4) }], Inherited); reverse Symbols([SymbolId { file: FileIdx(0), symbol: SymbolIdx(2) }], Inherited)
        uses of m at A.java:2: alone 2 uses and 0 others; shuffled 0 uses and 2 others
        meaning of m at A.java:2: alone Symbols([SymbolId { file: FileIdx(0), symbol: SymbolIdx(2) }], Inherited); shuffled Symbols([SymbolId { file: FileIdx(0), symbol: SymbolIdx(4) }], Inherited)
        uses of m at A.java:3: alone 0 uses and 2 others; shuffled 2 uses and 0 others
    "#]].assert_eq(&differing(&world));
}
