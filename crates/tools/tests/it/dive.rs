//! `deep_dive`: each kind of symbol at each depth.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::Kit;

const REPO: &str = r#"
//- /Cargo.toml
[package]
name = "pay"
//- /src/lib.rs
pub mod gateway;
pub mod order;
mod api;
//- /src/gateway.rs
use crate::order::Order;

/// Moves money.
pub trait Gateway {
    fn charge(&self, order: &Order) -> bool;

    fn name(&self) -> String {
        String::from("gateway")
    }
}

pub struct Stripe;

impl Gateway for Stripe {
    fn charge(&self, order: &Order) -> bool {
        order.total() > 0
    }
}
//- /src/order.rs
use std::fmt;

/// What somebody wants.
/// In two lines.
#[derive(Debug)]
pub struct Order {
    pub id: u64,
    items: Vec<u64>,
}

impl Order {
    pub fn new(id: u64) -> Order {
        Order { id, items: Vec::new() }
    }

    pub fn total(&self) -> u64 {
        self.items.iter().map(price).sum()
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.id)
    }
}

fn price(item: &u64) -> u64 {
    clamp(*item)
}

fn clamp(item: u64) -> u64 {
    item.min(100)
}

pub enum State {
    Open,
    Closed,
}

pub const LIMIT: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    fn made() -> Order {
        Order::new(1)
    }

    #[test]
    fn sums_up() {
        assert_eq!(made().total(), 0);
    }
}
//- /src/api.rs
use crate::gateway::{Gateway, Stripe};
use crate::order::{LIMIT, Order};

pub fn checkout(order: Order, gateway: &dyn Gateway) -> Result<u64, String> {
    if gateway.charge(&order) {
        Ok(order.total())
    } else {
        Err(format!("{order}: {LIMIT}"))
    }
}

pub fn manual() -> Result<u64, String> {
    checkout(Order::new(7), &Stripe)
}

pub fn batch() {
    let _ = checkout(Order::new(8), &Stripe);
    let _ = checkout(Order::new(9), &Stripe);
}
//- /lib/shapes.py
from lib.base import Base


class Square(Base):
    sides = 4

    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side ** 2


def draw(shape: Square) -> str:
    return f"{shape.area()}"
//- /lib/base.py
class Base:
    def area(self):
        raise NotImplementedError
//- /lib/inner/late.py
shapes = None
//- /lib/test_shapes.py
from lib.shapes import Square, draw


def test_area():
    assert Square(2).area() == 4


def test_draw():
    assert draw(Square(3)) == "9"
//- /web/store.ts
export interface Store {
  get(key: string): string;
  size: number;
}

export class Memory implements Store {
  size = 0;
  constructor(private values: Map<string, string>) {}
  get(key: string): string {
    return this.values.get(key) ?? "";
  }
}

export function open(store: Store): string {
  return store.get("open");
}
"#;

fn indexed() -> (Repo, Kit) {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({}));
    (repo, kit)
}

#[track_caller]
fn check(arguments: Value, expect: Expect) {
    let (_repo, kit) = indexed();
    expect.assert_eq(&kit.text("deep_dive", arguments));
}

#[test]
fn a_function_in_overview() {
    check(
        json!({ "symbol": "checkout" }),
        expect![[r#"
            src/api.rs:4:8 checkout (function, public)
              pub fn checkout(order: Order, gateway: &dyn Gateway) -> Result<u64, String>

            Callers (2):
            src/api.rs:12 manual()
            :16 batch()

            Callees (2):
            src/gateway.rs:5 Gateway::charge()
            src/order.rs:16 Order::total()

            Types (2):
            src/order.rs:6 Order struct
            src/gateway.rs:4 Gateway trait

            Calls outside or unresolved: Ok, Err, format
            Impact: 3 uses by 2 functions and 0 tests in 1 file; risk medium (used in 1 file; public: others may use it too; no test uses it directly)"#]],
    );
}

#[test]
fn a_function_in_context() {
    check(
        json!({ "symbol": "checkout", "depth": "context" }),
        expect![[r#"
            src/api.rs:4:8 checkout (function, public)
              pub fn checkout(order: Order, gateway: &dyn Gateway) -> Result<u64, String>
            ```rust
            4: pub fn checkout(order: Order, gateway: &dyn Gateway) -> Result<u64, String> {
            5:     if gateway.charge(&order) {
            6:         Ok(order.total())
            7:     } else {
            8:         Err(format!("{order}: {LIMIT}"))
            9:     }
            10: }
            ```

            Callers (2):
            src/api.rs:12 pub fn manual() -> Result<u64, String>
            :16 pub fn batch()

            Callees (2):
            src/gateway.rs:5 Gateway::charge: fn charge(&self, order: &Order) -> bool
            src/order.rs:16 Order::total: pub fn total(&self) -> u64

            Types (2):
            src/order.rs:6 pub struct Order
            src/gateway.rs:4 pub trait Gateway

            Calls outside or unresolved: Ok, Err, format
            Impact: 3 uses by 2 functions and 0 tests in 1 file; risk medium (used in 1 file; public: others may use it too; no test uses it directly)"#]],
    );
}

#[test]
fn a_function_in_full() {
    check(
        json!({ "symbol": "Order::total", "depth": "full" }),
        expect![[r#"
            src/order.rs:16:12 Order::total (method, public)
              pub fn total(&self) -> u64
            Callees: none
            ```rust
            16:     pub fn total(&self) -> u64 {
            17:         self.items.iter().map(price).sum()
            18:     }
            ```

            Callers (2):

            src/api.rs:4 checkout()
            ```rust
            4: pub fn checkout(order: Order, gateway: &dyn Gateway) -> Result<u64, String> {
            5:     if gateway.charge(&order) {
            6:         Ok(order.total())
            7:     } else {
            8:         Err(format!("{order}: {LIMIT}"))
            9:     }
            10: }
            ```

            src/gateway.rs:15 Stripe::charge()
            ```rust
            15:     fn charge(&self, order: &Order) -> bool {
            16:         order.total() > 0
            17:     }
            ```

            Tests (1):
            src/order.rs:51 tests::sums_up

            Calls outside or unresolved: iter, map, sum
            Impact: 3 uses by 2 functions and 1 test in 3 files; risk medium (used in 3 files; public: others may use it too)"#]],
    );
}

#[test]
fn a_trait() {
    check(
        json!({ "symbol": "Gateway" }),
        expect![[r#"
            src/gateway.rs:4:11 Gateway (trait, public)
              pub trait Gateway

            Required methods (1):
            :5 fn charge(&self, order: &Order) -> bool

            Provided methods (1):
            :7 fn name(&self) -> String

            Implementations (1):
            src/gateway.rs:14 Stripe

            Impact: 3 uses by 1 function and 0 tests in 2 files; risk medium (used in 2 files; 1 implementation; public: others may use it too; no test uses it directly)"#]],
    );
    check(
        json!({ "symbol": "Gateway", "depth": "full" }),
        expect![[r#"
            src/gateway.rs:4:11 Gateway (trait, public)
              pub trait Gateway
              Moves money.
            Tests: none
            ```rust
            4: pub trait Gateway {
            5:     fn charge(&self, order: &Order) -> bool;
            6: 
            7:     fn name(&self) -> String {
            8:         String::from("gateway")
            9:     }
            10: }
            ```

            Required methods (1):
            :5 fn charge(&self, order: &Order) -> bool

            Provided methods (1):
            :7 fn name(&self) -> String

            Implementations (1):

            src/gateway.rs:14 Stripe
            ```rust
            14: impl Gateway for Stripe {
            15:     fn charge(&self, order: &Order) -> bool {
            16:         order.total() > 0
            17:     }
            18: }
            ```

            Used by (1):

            src/api.rs:4 checkout()
            ```rust
            4: pub fn checkout(order: Order, gateway: &dyn Gateway) -> Result<u64, String> {
            5:     if gateway.charge(&order) {
            6:         Ok(order.total())
            7:     } else {
            8:         Err(format!("{order}: {LIMIT}"))
            9:     }
            10: }
            ```

            Impact: 3 uses by 1 function and 0 tests in 2 files; risk medium (used in 2 files; 1 implementation; public: others may use it too; no test uses it directly)"#]],
    );
}

#[test]
fn a_method_of_a_trait() {
    check(
        json!({ "symbol": "Gateway::charge" }),
        expect![[r#"
            src/gateway.rs:5:8 Gateway::charge (method, declaration)
              fn charge(&self, order: &Order) -> bool
            Callees: none

            Callers (1):
            src/api.rs:4 checkout()

            Overridden by (1):
            src/gateway.rs:15 Stripe::charge()

            Types (1):
            src/order.rs:6 Order struct

            Impact: 1 use by 1 function and 0 tests in 1 file; risk low (used in 1 file; 1 implementation; no test uses it directly)"#]],
    );
}

#[test]
fn a_struct() {
    check(
        json!({ "symbol": "Order" }),
        expect![[r#"
            src/order.rs:6:12 Order (struct, public)
              pub struct Order

            Fields (2):
            :7 pub id: u64
            :8 items: Vec<u64>

            Methods (3):
            :12 pub fn new(id: u64) -> Order
            :16 pub fn total(&self) -> u64
            :22 fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result

            Implements (2):
            Display
            Debug

            Used by (6):
            src/api.rs:4 checkout() parameter
            :12 manual() use
            :16 batch() use
            src/gateway.rs:5 Gateway::charge() parameter
            :15 Stripe::charge() parameter
            src/order.rs:46 tests::made() return type

            Impact: 14 uses by 6 functions and 1 test in 3 files; risk medium (used in 3 files; public: others may use it too)"#]],
    );
    check(
        json!({ "symbol": "Order", "depth": "context" }),
        expect![[r#"
            src/order.rs:6:12 Order (struct, public)
              pub struct Order
              What somebody wants.
            ```rust
            6: pub struct Order {
            7:     pub id: u64,
            8:     items: Vec<u64>,
            9: }
            ```

            Fields (2):
            :7 pub id: u64
            :8 items: Vec<u64>

            Methods (3):
            :12 pub fn new(id: u64) -> Order
            :16 pub fn total(&self) -> u64
            :22 fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result

            Implements (2):
            Display
            Debug

            Used by (6):
            src/api.rs:4 pub fn checkout(order: Order, gateway: &dyn Gateway) -> Result<u64, String>
            :12 pub fn manual() -> Result<u64, String>
            :16 pub fn batch()
            src/gateway.rs:5 Gateway::charge: fn charge(&self, order: &Order) -> bool
            :15 Stripe::charge: fn charge(&self, order: &Order) -> bool
            src/order.rs:46 tests::made: fn made() -> Order

            Impact: 14 uses by 6 functions and 1 test in 3 files; risk medium (used in 3 files; public: others may use it too)"#]],
    );
    check(
        json!({ "symbol": "Order", "depth": "full" }),
        expect![[r#"
            src/order.rs:6:12 Order (struct, public)
              pub struct Order
              What somebody wants.
            ```rust
            6: pub struct Order {
            7:     pub id: u64,
            8:     items: Vec<u64>,
            9: }
            ```

            Fields (2):
            :7 pub id: u64
            :8 items: Vec<u64>

            Methods (3):
            :12 pub fn new(id: u64) -> Order
            :16 pub fn total(&self) -> u64
            :22 fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result

            Implements (2):
            Display
            Debug

            Used by (6):

            src/api.rs:4 checkout()
            ```rust
            4: pub fn checkout(order: Order, gateway: &dyn Gateway) -> Result<u64, String> {
            5:     if gateway.charge(&order) {
            6:         Ok(order.total())
            7:     } else {
            8:         Err(format!("{order}: {LIMIT}"))
            9:     }
            10: }
            ```

            src/api.rs:12 manual()
            ```rust
            12: pub fn manual() -> Result<u64, String> {
            13:     checkout(Order::new(7), &Stripe)
            14: }
            ```

            src/api.rs:16 batch()
            ```rust
            16: pub fn batch() {
            17:     let _ = checkout(Order::new(8), &Stripe);
            18:     let _ = checkout(Order::new(9), &Stripe);
            19: }
            ```

            src/gateway.rs:5 Gateway::charge()
            ```rust
            5:     fn charge(&self, order: &Order) -> bool;
            ```

            src/gateway.rs:15 Stripe::charge()
            ```rust
            15:     fn charge(&self, order: &Order) -> bool {
            16:         order.total() > 0
            17:     }
            ```

            src/order.rs:46 tests::made()
            ```rust
            46:     fn made() -> Order {
            47:         Order::new(1)
            48:     }
            ```

            Tests (1):
            src/order.rs:51 tests::sums_up through made

            Impact: 14 uses by 6 functions and 1 test in 3 files; risk medium (used in 3 files; public: others may use it too)"#]],
    );
}

#[test]
fn an_enum_and_a_constant() {
    check(
        json!({ "symbol": "State" }),
        expect![[r#"
            src/order.rs:35:10 State (enum, public)
              pub enum State
            Used by: none

            Variants (2):
            :36 Open
            :37 Closed

            Impact: 0 uses by 0 functions and 0 tests in 0 files; risk low (nothing here uses it; public: others may use it too)"#]],
    );
    check(
        json!({ "symbol": "LIMIT" }),
        expect![[r#"
            src/order.rs:40:11 LIMIT (constant, public)
              pub const LIMIT: usize = 3
            Used by: none

            Imported in 1 file all the same.
            Impact: 1 use by 0 functions and 0 tests in 1 file; risk medium (used in 1 file; public: others may use it too)"#]],
    );
}

#[test]
fn a_module() {
    check(
        json!({ "symbol": "gateway", "context_file": "src/lib.rs" }),
        expect![[r#"
            src/lib.rs:1:9 gateway (module, public)
              pub mod gateway

            Public exports (2):
            src/gateway.rs:4 trait Gateway
            :12 struct Stripe

            Dependencies (1):
            src/order.rs Order

            Impact: 1 use by 0 functions and 0 tests in 1 file; risk medium (used in 1 file; public: others may use it too)"#]],
    );
    check(
        json!({ "symbol": "order#module", "depth": "context" }),
        expect![[r#"
            src/lib.rs:2:9 order (module, public)
              pub mod order
            Dependencies: none

            Public exports (3):
            src/order.rs:6 pub struct Order
            :35 pub enum State
            :40 pub const LIMIT: usize = 3

            Impact: 2 uses by 0 functions and 0 tests in 2 files; risk medium (used in 2 files; public: others may use it too)"#]],
    );
}

#[test]
fn a_module_that_is_a_file() {
    check(
        json!({ "symbol": "lib.shapes" }),
        expect![[r#"
            lib/shapes.py:1:1 lib.shapes (module)
              module lib.shapes

            Public exports (2):
            lib/shapes.py:4 class Square
            :14 function draw

            Dependencies (1):
            lib/base.py Base

            Imported in 1 file: get_dependencies with reverse lists them."#]],
    );
    // What is defined under a name comes first, and what is elsewhere below its beginning (`lib/inner/late.py`) is not it.
    check(
        json!({ "symbol": "lib.shapes.draw" }),
        expect![[r#"
        lib/shapes.py:14:5 draw (function, public)
          def draw(shape: Square) -> str

        Callers (1):
        lib/test_shapes.py:8 test_draw()

        Callees (1):
        lib/shapes.py:10 Square.area()

        Types (1):
        lib/shapes.py:4 Square class

        Impact: 2 uses by 0 functions and 1 test in 1 file; risk medium (used in 1 file; public: others may use it too)"#]],
    );
}

#[test]
fn python() {
    check(
        json!({ "symbol": "Square" }),
        expect![[r#"
            lib/shapes.py:4:7 Square (class, public)
              class Square(Base)

            Fields (2):
            :5 sides = 4
            :8 self.side = side

            Methods (2):
            :7 def __init__(self, side)
            :10 def area(self)

            Implements (1):
            lib/base.py:1 Base class

            Used by (3):
            lib/shapes.py:14 draw() parameter
            lib/test_shapes.py:4 test_area() call
            :8 test_draw() call

            Impact: 4 uses by 1 function and 2 tests in 2 files; risk medium (used in 2 files; public: others may use it too)"#]],
    );
    check(
        json!({ "symbol": "draw", "depth": "full" }),
        expect![[r#"
            lib/shapes.py:14:5 draw (function, public)
              def draw(shape: Square) -> str
            ```python
            14: def draw(shape: Square) -> str:
            15:     return f"{shape.area()}"
            ```

            Callers (1):

            lib/test_shapes.py:8 test_draw()
            ```python
            8: def test_draw():
            9:     assert draw(Square(3)) == "9"
            ```

            Callees (1):

            lib/shapes.py:10 Square.area()
            ```python
            10:     def area(self):
            11:         return self.side ** 2
            ```

            Types (1):

            lib/shapes.py:4 Square
            ```python
            4: class Square(Base):
            5:     sides = 4
            6: 
            7:     def __init__(self, side):
            8:         self.side = side
            9: 
            10:     def area(self):
            11:         return self.side ** 2
            ```

            Tests (1):
            lib/test_shapes.py:8 test_draw

            Impact: 2 uses by 0 functions and 1 test in 1 file; risk medium (used in 1 file; public: others may use it too)"#]],
    );
}

#[test]
fn typescript() {
    check(
        json!({ "symbol": "Store" }),
        expect![[r#"
            web/store.ts:1:18 Store (interface, public)
              export interface Store

            Required methods (1):
            :2 get(key: string): string

            Other members (1):
            :3 size: number

            Implementations (1):
            web/store.ts:6 Memory

            Impact: 2 uses by 1 function and 0 tests in 1 file; risk medium (used in 1 file; 1 implementation; public: others may use it too; no test uses it directly)"#]],
    );
    check(
        json!({ "symbol": "Memory", "depth": "context" }),
        expect![[r#"
            web/store.ts:6:14 Memory (class, public)
              export class Memory implements Store
            Used by: none
            ```typescript
            6: export class Memory implements Store {
            7:   size = 0;
            8:   constructor(private values: Map<string, string>) {}
            9:   get(key: string): string {
            10:     return this.values.get(key) ?? "";
            11:   }
            12: }
            ```

            Fields (2):
            :7 size = 0
            :8 private values: Map<string, string>

            Methods (2):
            :8 constructor(private values: Map<string, string>)
            :9 get(key: string): string

            Implements (1):
            web/store.ts:1 export interface Store

            Impact: 0 uses by 0 functions and 0 tests in 0 files; risk low (nothing here uses it; public: others may use it too)"#]],
    );
}

#[test]
fn a_type_is_meant_before_its_constructor() {
    let (_repo, kit) = indexed();
    let answer = kit.json("deep_dive", json!({ "symbol": "Memory" }));
    assert_eq!(answer["symbol"]["kind"], "class");
    let answer = kit.json("deep_dive", json!({ "symbol": "Memory.constructor" }));
    assert_eq!(answer["symbol"]["kind"], "constructor");
}

#[test]
fn a_file_narrows() {
    let (_repo, kit) = indexed();
    let several = kit.json("deep_dive", json!({ "symbol": "area" }));
    assert_eq!(several["candidates"].as_array().unwrap().len(), 2);
    for key in ["context_file", "contextFile", "file"] {
        let one = kit.json("deep_dive", json!({ "symbol": "area", key: "lib/base.py" }));
        assert_eq!(one["symbol"]["qualified_name"], "Base.area", "{key}");
    }
    let by_line = kit.json("deep_dive", json!({ "file": "lib/shapes.py", "line": 14 }));
    assert_eq!(by_line["symbol"]["name"], "draw");
}

#[test]
fn unknown_names_and_bad_depths() {
    let (_repo, kit) = indexed();
    let none = kit.json("deep_dive", json!({ "symbol": "chekout" }));
    assert_eq!(none["nearest"][0]["name"], "checkout");
    let wrong = kit.call("deep_dive", json!({ "symbol": "checkout", "depth": "deep" }));
    assert_eq!(wrong.structured["error"]["code"], -32602);
    let missing = kit.call(
        "deep_dive",
        json!({ "context_file": "src/nope.rs", "symbol": "checkout" }),
    );
    assert_eq!(missing.structured["error"]["code"], -32001);
    assert!(kit.call("deep_dive", json!({})).is_error());
}

#[test]
fn long_lists_are_cut_with_their_total() {
    let repo = Repo::new("//- /a.py\ndef used():\n    pass\n");
    for n in 0..23 {
        repo.write(
            &format!("m{n:02}.py"),
            format!("from a import used\n\ndef f{n}():\n    used()\n"),
        );
    }
    let kit = Kit::new(&repo.root());
    for (depth, title, rows) in [
        ("overview", "Callers (10 of 23):", 10),
        ("context", "Callers (15 of 23):", 15),
        // The others are on the next page.
        ("full", "Callers (23):", 20),
    ] {
        let arguments = json!({ "symbol": "used", "depth": depth });
        let text = kit.text("deep_dive", arguments.clone());
        assert!(text.contains(title), "{text}");
        let answer = kit.json("deep_dive", arguments);
        assert_eq!(answer["callers"].as_array().unwrap().len(), rows, "{depth}");
        assert_eq!(answer["totals"]["callers"], 23);
    }
    // The pages of a small budget are the whole.
    let whole = kit.json(
        "deep_dive",
        json!({ "symbol": "used", "depth": "full", "max_tokens": 20000 }),
    );
    assert_eq!(whole["callers"].as_array().unwrap().len(), 23);
    let mut arguments = json!({ "symbol": "used", "depth": "full", "max_tokens": 900 });
    let mut callers = Vec::new();
    let mut pages = 0;
    loop {
        let page = kit.json("deep_dive", arguments.clone());
        callers.extend(page["callers"].as_array().unwrap().clone());
        pages += 1;
        match page["next_cursor"].clone() {
            Value::Null => break,
            cursor => arguments["cursor"] = cursor,
        }
    }
    assert!(pages > 2, "{pages}");
    assert_eq!(&callers, whole["callers"].as_array().unwrap());
}

#[test]
fn what_is_guessed_looks_guessed() {
    let repo = Repo::new(
        "//- /a.py\nclass Box:\n    def unpack(self):\n        pass\n\ndef use(thing):\n    thing.unpack()\n",
    );
    let kit = Kit::new(&repo.root());
    let text = kit.text("deep_dive", json!({ "symbol": "unpack" }));
    assert!(text.contains("use() [by name, "), "{text}");
    let answer = kit.json("deep_dive", json!({ "symbol": "unpack" }));
    assert_eq!(answer["callers"][0]["origin"], "name");
}

#[test]
fn interfaces_that_a_type_has_without_saying_so() {
    let repo = Repo::new(
        r#"
//- /go.mod
module example.com/shop
//- /backend/backend.go
package backend

type Saver interface { Save(name string) error }

type Loader interface { Load(name string) error }

type Backend interface {
	Saver
	Loader
}

type Other interface { Save(name string, much int) error }
//- /local/local.go
package local

type Layout interface { Path() string }

type Config struct{}

func (c Config) Load(name string) error { return nil }

type Local struct {
	Config
	Layout
	size int
}

func (l *Local) Save(name string) error { return nil }

type Plain struct{ size int }
"#,
    );
    let kit = Kit::new(&repo.root());
    expect![[r#"
        local/local.go:9:6 Local (struct, public)
          type Local struct
        Used by: none

        Fields (3):
        :10 Config
        :11 Layout
        :12 size int

        Methods (1):
        :15 func (l *Local) Save(name string) error

        Implements (4):
        backend/backend.go:3 Saver interface
        :5 Loader interface
        :7 Backend interface
        local/local.go:3 Layout interface

        Embeds (2):
        local/local.go:5 Config struct
        :3 Layout interface

        Impact: 1 use by 1 function and 0 tests in 1 file; risk medium (used in 1 file; public: others may use it too; no test uses it directly)"#]].assert_eq(&kit.text("deep_dive", json!({ "symbol": "Local" })));
    let plain = kit.text("deep_dive", json!({ "symbol": "Plain" }));
    assert!(!plain.contains("Implements") && !plain.contains("Embeds"), "{plain}");
}

/// A service with long functions, many callers and a large class, in directories with long names.
fn large() -> Repo {
    let repo = Repo::new("//- /pom.xml\n<project/>\n");
    let dir = "src/main/java/com/example/shop/checkout";
    let lines = |n: usize, word: &str| -> String {
        let line = |at: usize| format!("        total = total + this.{word}({at}) * {at};\n");
        (0..n).map(line).collect()
    };
    let mut cart = "package com.example.shop.checkout;\n\npublic class Cart {\n    private int total;\n".to_owned();
    for n in 0..40 {
        cart += &format!(
            "\n    /** Adds something. */\n    public int add{n}(Line line, int count) {{\n{}        return total;\n    }}\n",
            lines(n % 9 + 2, "price")
        );
    }
    cart += &format!(
        "\n    public int price(int of) {{\n        int total = 0;\n{}        return total;\n    }}\n}}\n",
        lines(90, "add1")
    );
    repo.write(format!("{dir}/Cart.java").as_str(), cart);
    repo.write(
        format!("{dir}/Line.java").as_str(),
        "package com.example.shop.checkout;\n\npublic interface Line {\n    int count();\n}\n",
    );
    for n in 0..30 {
        repo.write(
            format!("{dir}/Service{n}.java").as_str(),
            format!(
                "package com.example.shop.checkout;\n\npublic class Service{n} implements Line {{\n    private Cart cart = new \
                 Cart();\n    public int total;\n\n    public int count() {{\n        return cart.price({n});\n    }}\n\n    \
                 public int price(int of) {{\n        return of;\n    }}\n\n    public void run(Cart cart) {{\n{}        \
                 cart.price(1);\n{}    }}\n}}\n",
                lines(12, "price"),
                lines(12, "price"),
            ),
        );
    }
    repo
}

#[test]
fn what_is_large_is_told_in_about_as_many_tokens() {
    let repo = large();
    let kit = Kit::new(&repo.root());
    for symbol in ["Cart", "Cart.price", "Cart.add3", "Line", "Service1", "Service1.run"] {
        for (depth, most) in [("overview", 500), ("context", 1100), ("full", 2400)] {
            let text = kit.text("deep_dive", json!({ "symbol": symbol, "depth": depth }));
            let tokens = tools::count_tokens(&text);
            // All of its 100 callers are listed there.
            let most = if (symbol, depth) == ("Cart.price", "full") {
                3300
            } else {
                most
            };
            assert!(tokens <= most, "{symbol} {depth}: {tokens} tokens\n{text}");
        }
    }
}

#[test]
fn what_is_cut_says_how_to_read_on() {
    let repo = large();
    let kit = Kit::new(&repo.root());
    let text = kit.text("deep_dive", json!({ "symbol": "Cart.price", "depth": "context" }));
    let rest = text.lines().find_map(|line| line.strip_prefix("... ("));
    let rest = rest.unwrap_or_else(|| panic!("{text}"));
    let (more, rest) = rest.split_once(" more lines: extract_code ").expect("a call");
    let rest = rest.trim_end_matches(')');
    let range = rest
        .rsplit_once(':')
        .and_then(|(_, lines)| lines.split_once('-'))
        .expect("lines");
    let (first, last): (u32, u32) = (range.0.parse().unwrap(), range.1.parse().unwrap());
    assert_eq!(more.parse(), Ok(last + 1 - first));
    let read = kit.text("extract_code", json!({ "targets": [rest] }));
    assert!(read.contains("total = total + this.add1(89) * 89;"), "{read}");
    let full = kit.text("deep_dive", json!({ "symbol": "Cart.price", "depth": "full" }));
    assert!(full.contains("; extract_code shows the others'."), "{full}");
}

#[test]
fn lines_that_are_left_out_count() {
    let before: String = (0..20).map(|n| format!("    x = {n}\n")).collect();
    let repo = Repo::new("//- /a.py\ndef used():\n    pass\n");
    repo.write(
        "b.py",
        format!("from a import used\n\ndef long():\n{before}    used()\n    return x\n"),
    );
    let kit = Kit::new(&repo.root());
    let text = kit.text("deep_dive", json!({ "symbol": "used", "depth": "full" }));
    for line in ["\n3: def long():\n", "\n... (18 lines)\n", "\n24:     used()\n"] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn a_package() {
    let repo = large();
    repo.write(
        "src/main/java/com/example/shop/Main.java",
        "package com.example.shop;\n\nimport com.example.shop.checkout.Cart;\nimport java.util.List;\n\npublic class Main {\n    Cart cart;\n}\n",
    );
    repo.write(
        "src/test/java/com/example/shop/MainTest.java",
        "package com.example.shop;\n\npublic class MainTest {}\n",
    );
    let kit = Kit::new(&repo.root());
    expect![[r#"
        com.example.shop (package)
          1 file in src/main/java/com/example/shop; 1 file of tests
        Dependents: none

        Public exports (1):
        Main.java:6 class Main

        Dependencies (1):
        src/main/java/com/example/shop/checkout Cart

        Imported from outside: java.util"#]]
    .assert_eq(&kit.text("deep_dive", json!({ "symbol": "com.example.shop" })));
    let answer = kit.json("deep_dive", json!({ "symbol": "com.example.shop.checkout" }));
    assert_eq!(answer["totals"]["exports"], 32);
    assert_eq!(answer["exports"].as_array().unwrap().len(), 20);
    assert_eq!(answer["package"], "com.example.shop.checkout");
    assert_eq!(
        answer["dependents"],
        json!([{ "path": "src/main/java/com/example/shop", "files": 1, "origin": "resolved" }])
    );
}

#[test]
fn a_package_of_go_that_a_type_has_the_name_of() {
    let repo = Repo::new(
        r#"
//- /go.mod
module example.com/shop
//- /main.go
package main

import "example.com/shop/cart"

func main() { cart.New() }
//- /cart/cart.go
package cart

import "fmt"

type cart struct{ lines []Line }

func New() *cart { fmt.Println("new"); return &cart{} }
//- /cart/line.go
package cart

type Line struct{ Price int }

func secret() {}
//- /web/cart/page.go
package cart

type Page struct{}
"#,
    );
    let kit = Kit::new(&repo.root());
    let found = kit.json("deep_dive", json!({ "symbol": "cart" }));
    assert_eq!(found["symbol"]["kind"], "struct");
    expect![[r#"
        example.com/shop/cart (package)
          2 files in cart
        Dependencies: none

        Public exports (2):
        line.go:3 struct Line
        cart.go:7 function New

        Dependents (1):
        . 1 file

        Imported from outside: fmt"#]]
    .assert_eq(&kit.text("deep_dive", json!({ "symbol": "shop/cart" })));
    // Two packages have that name.
    let several = kit.json("deep_dive", json!({ "symbol": "cart#package" }));
    assert_eq!(several["candidates"].as_array().unwrap().len(), 2);
}

#[test]
fn namespaces_of_other_languages() {
    let repo = Repo::new(
        r#"
//- /src/Cart.php
<?php
namespace App\Models;

use App\Money\Price;

class Cart { public function total(): Price { return new Price(); } }
//- /src/Line.php
<?php
namespace App\Models;

interface Line {}
//- /src/Price.php
<?php
namespace App\Money;

class Price {}
//- /web/Cart.cs
namespace Web.Shop;

public class Cart {}
internal class Hidden {}
//- /web/Line.cs
namespace Web.Shop
{
    public interface ILine {}
}
//- /app/Cart.kt
package app.shop

class Cart
fun open(): Cart = Cart()
//- /scala/Cart.scala
package com.acme.shop

class Cart
object Cart { def empty: Cart = new Cart }
//- /scala/Card.scala
package com.acme
package shop

class Card
//- /scala/Main.scala
package com.acme

object Main
//- /CMakeLists.txt
project(store LANGUAGES CXX)
//- /cpp/db.h
namespace store {
class DB {};
namespace log { class Writer {}; }
}
//- /cpp/log.h
namespace store::log { int open(); }
"#,
    );
    let kit = Kit::new(&repo.root());
    let exports = |symbol: &str| {
        let answer = kit.json("deep_dive", json!({ "symbol": symbol }));
        let rows = answer["exports"].as_array().cloned().unwrap_or_default();
        let names: Vec<String> = rows
            .iter()
            .map(|row| row["name"].as_str().unwrap().to_owned())
            .collect();
        (
            answer["package"].as_str().unwrap_or_default().to_owned(),
            names.join(" "),
        )
    };
    let named = |package: &str, names: &str| (package.to_owned(), names.to_owned());
    assert_eq!(exports("App\\Models"), named("App\\Models", "Cart Line"));
    assert_eq!(exports("Web.Shop"), named("Web.Shop", "Cart ILine"));
    assert_eq!(exports("app.shop"), named("app.shop", "Cart open"));
    // The second clause of a file goes on with the first.
    assert_eq!(exports("com.acme.shop"), named("com.acme.shop", "Card Cart"));
    assert_eq!(exports("com.acme"), named("com.acme", "Main"));
    // What builds it has its name, too.
    assert_eq!(exports("store"), named("store", "DB"));
    assert_eq!(exports("store::log"), named("store::log", "Writer open"));
}
