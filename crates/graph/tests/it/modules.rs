use std::fmt::Write;

use expect_test::{Expect, expect};
use graph::{FileIdx, Files, Modules, Outline, Target, is_manifest, needs_outline};
use syntax::{ChunkOptions, FileFacts, LangId, detect, file_facts};
use test_fixture::Fixture;

/// Every import of every file, with what it means. The only place that knows the interface.
#[track_caller]
fn check(fixture: &str, expect: Expect) {
    let files = Fixture::parse(fixture).revisions.remove(0);
    let facts: Vec<(LangId, FileFacts)> = files
        .iter()
        .map(|file| {
            let lang = detect(file.path.rsplit('/').next().unwrap_or_default(), file.text.as_bytes());
            (
                lang.id,
                file_facts(lang, &file.text, ChunkOptions { size: 512, overlap: 64 }),
            )
        })
        .collect();
    let outlines = files.iter().zip(&facts).map(|(file, (lang, facts))| {
        let outline = if needs_outline(*lang) {
            Outline::of(facts)
        } else {
            Outline::default()
        };
        (file.path.as_str(), *lang, outline)
    });
    let manifests: Vec<(&str, &str)> = files
        .iter()
        .filter(|file| is_manifest(&file.path))
        .map(|file| (file.path.as_str(), file.text.as_str()))
        .collect();
    let modules = Modules::new(Files::new(outlines), &manifests);
    let mut out = String::new();
    for (at, (file, (_, facts))) in files.iter().zip(&facts).enumerate() {
        if facts.imports.is_empty() || is_manifest(&file.path) {
            continue;
        }
        let _ = writeln!(out, "{}", file.path);
        for import in &facts.imports {
            let name = |id| facts.names.get(id);
            let item = import.item.map(|item| format!(" > {}", name(item)));
            let star = if import.wildcard { " > *" } else { "" };
            let shown = |found: &[FileIdx]| {
                let paths: Vec<&str> = found.iter().map(|file| modules.files().path(*file)).collect();
                paths.join(", ")
            };
            let target = match modules.resolve(FileIdx(at as u32), facts, import) {
                Target::Local(found) => shown(&found),
                Target::Candidates(found) => format!("perhaps {}", shown(&found)),
                Target::External(package) => format!("({package})"),
                Target::Unknown => "?".to_owned(),
            };
            let _ = writeln!(
                out,
                "  {}{}{star}: {target}",
                name(import.path),
                item.unwrap_or_default()
            );
        }
    }
    expect.assert_eq(&out);
}

#[test]
fn rust() {
    check(
        r#"
//- /Cargo.toml
[workspace]
members = ["crates/*"]
[workspace.dependencies]
shapes-core = { path = "crates/core" }
//- /crates/core/Cargo.toml
[package]
name = "shapes-core"
edition = "2024"
//- /crates/core/src/lib.rs
pub mod circle;
pub mod square;
mod inline { pub mod deep; pub struct Here; }
pub use circle::Circle;
pub use square::{Square, side::Side};
use inline::Here;
pub enum Kind { A }
use Kind::*;
//- /crates/core/src/circle.rs
use super::square;
use super::Kind;
use square::Square;
use crate::inline::deep::Deep;
use r#std::fmt;
mod tests {
    use super::*;
    use super::super::Kind;
    use crate::circle::Circle;
}
//- /crates/core/src/square/mod.rs
pub mod side;
use self::side::Side;
use super::circle::Circle;
//- /crates/core/src/square/side.rs
use super::Square;
use super::super::Kind;
use crate::Kind as K;
//- /crates/core/src/inline/deep.rs
use super::Here;
//- /crates/core/tests/it/main.rs
mod kit;
use shapes_core::circle::Circle;
use crate::kit::Kit;
//- /crates/core/tests/it/kit.rs
use shapes_core::Kind;
//- /crates/app/Cargo.toml
[package]
name = "app"
edition = "2021"
[dependencies]
shapes-core.workspace = true
serde = "1"
other = { path = "../core", package = "shapes-core" }
//- /crates/app/src/main.rs
mod cli;
use shapes_core::square::side::{self, Side};
use other::Circle;
use serde::{Deserialize, de::Visitor};
use ::std::io::Read;
use std::{fs, path::Path};
extern crate alloc;
//- /crates/app/src/cli.rs
use crate::run;
use app::x;
//- /vendor/serde/Cargo.toml
[package]
name = "serde"
//- /vendor/serde/src/lib.rs
mod old; mod de;
//- /vendor/serde/src/old.rs
use de::Visitor;
//- /vendor/serde/src/de.rs
pub struct Visitor;
"#,
        expect![[r#"
            crates/core/src/lib.rs
              circle > Circle: crates/core/src/circle.rs
              square > Square: crates/core/src/square/mod.rs
              square::side > Side: crates/core/src/square/side.rs
              inline > Here: crates/core/src/lib.rs
              Kind > *: crates/core/src/lib.rs
            crates/core/src/circle.rs
              super > square: crates/core/src/square/mod.rs
              super > Kind: crates/core/src/lib.rs
              square > Square: crates/core/src/square/mod.rs
              crate::inline::deep > Deep: crates/core/src/inline/deep.rs
              r#std > fmt: (std)
              super > *: crates/core/src/circle.rs
              super::super > Kind: crates/core/src/lib.rs
              crate::circle > Circle: crates/core/src/circle.rs
            crates/core/src/square/mod.rs
              self::side > Side: crates/core/src/square/side.rs
              super::circle > Circle: crates/core/src/circle.rs
            crates/core/src/square/side.rs
              super > Square: crates/core/src/square/mod.rs
              super::super > Kind: crates/core/src/lib.rs
              crate > Kind: crates/core/src/lib.rs
            crates/core/src/inline/deep.rs
              super > Here: crates/core/src/lib.rs
            crates/core/tests/it/main.rs
              shapes_core::circle > Circle: crates/core/src/circle.rs
              crate::kit > Kit: crates/core/tests/it/kit.rs
            crates/core/tests/it/kit.rs
              shapes_core > Kind: crates/core/src/lib.rs
            crates/app/src/main.rs
              shapes_core::square > side: crates/core/src/square/side.rs
              shapes_core::square::side > Side: crates/core/src/square/side.rs
              other > Circle: crates/core/src/lib.rs
              serde > Deserialize: (serde)
              serde::de > Visitor: (serde)
              ::std::io > Read: (std)
              std > fs: (std)
              std::path > Path: (std)
              alloc: (alloc)
            crates/app/src/cli.rs
              crate > run: crates/app/src/main.rs
              app > x: ?
            vendor/serde/src/old.rs
              de > Visitor: vendor/serde/src/de.rs
        "#]],
    );
}

#[test]
fn python() {
    check(
        r#"
//- /pyproject.toml
[project]
name = "shop"
//- /src/shop/__init__.py
from .cart import Cart
from . import price
from .tax.rates import *
//- /src/shop/cart.py
import os.path, json
import shop.price as p
from shop import price, Cart
from shop.tax import rates, rate_of
from ..outside import x
from .missing import y
import shop.gone
//- /src/shop/price.py
import requests
from requests.adapters import HTTPAdapter
//- /src/shop/tax/__init__.py
//- /src/shop/tax/rates.py
from ..price import total
from . import rate_of
from .. import cart
//- /src/space/part/one.py
from space.part import two
//- /src/space/part/two.py
//- /tests/test_cart.py
from shop.cart import Cart
from helpers import make
import tests.helpers
//- /tests/helpers.py
//- /plugins/alpha/setup.py
setup(package_dir={"": "code"})
//- /plugins/alpha/code/alpha/__init__.py
import alpha.inner
import beta.tool
//- /plugins/alpha/code/alpha/inner.py
//- /odd/place/beta/tool.py
"#,
        expect![[r#"
            src/shop/__init__.py
              .cart > Cart: src/shop/cart.py
              . > price: src/shop/price.py
              .tax.rates > *: src/shop/tax/rates.py
            src/shop/cart.py
              os.path: (os)
              json: (json)
              shop.price: src/shop/price.py
              shop > price: src/shop/price.py
              shop > Cart: src/shop/__init__.py
              shop.tax > rates: src/shop/tax/rates.py
              shop.tax > rate_of: src/shop/tax/__init__.py
              ..outside > x: ?
              .missing > y: ?
              shop.gone: ?
            src/shop/price.py
              requests: (requests)
              requests.adapters > HTTPAdapter: (requests)
            src/shop/tax/rates.py
              ..price > total: src/shop/price.py
              . > rate_of: src/shop/tax/__init__.py
              .. > cart: src/shop/cart.py
            src/space/part/one.py
              space.part > two: src/space/part/two.py
            tests/test_cart.py
              shop.cart > Cart: src/shop/cart.py
              helpers > make: tests/helpers.py
              tests.helpers: tests/helpers.py
            plugins/alpha/code/alpha/__init__.py
              alpha.inner: plugins/alpha/code/alpha/inner.py
              beta.tool: perhaps odd/place/beta/tool.py
        "#]],
    );
}

#[test]
fn ecmascript() {
    check(
        r##"
//- /package.json
{ "name": "root", "workspaces": ["packages/*"] }
//- /tsconfig.base.json
{ // shared
  "compilerOptions": { "baseUrl": ".", "paths": { "@shapes/*": ["packages/shapes/src/*"], "only": ["packages/app/src/only.ts"], }, } }
//- /packages/app/package.json
{ "name": "app", "imports": { "#db": "./src/db.ts", "#x/*": "./src/x/*.js" } }
//- /packages/app/tsconfig.json
{ "extends": "../../tsconfig.base" }
//- /packages/app/src/main.ts
import fs from "node:fs";
import { join } from "path";
import React, { useState } from "react";
import type { A } from "./a.js";
import type { D } from "./a.d.ts";
import { b } from "./b";
import "./style.css";
import logo from "./logo.svg?raw";
import { gone } from "./gone";
import * as all from "./parts";
import { Circle } from "@shapes/circle";
import only from "only";
import { draw } from "@me/draw";
import { line } from "@me/draw/line";
import { fill } from "@me/draw/shapes/fill";
import lib from "../../plain/index.js";
import plain from "plain";
import db from "#db";
import xy from "#x/y";
import { z } from "packages/app/src/x/y";
import home from "@/home";
import x from "@scope/pkg/deep";
export * from "..";
const late = require("./late");
import("./lazy.mjs");
//- /packages/app/src/a.ts
//- /packages/app/src/b/index.tsx
//- /packages/app/src/style.css
//- /packages/app/src/logo.svg
<svg/>
//- /packages/app/src/parts/index.js
//- /packages/app/src/only.ts
//- /packages/app/src/db.ts
//- /packages/app/src/x/y.ts
//- /packages/app/src/home.vue
<script>
import b from "./b/index";
</script>
//- /packages/app/src/late.cjs
//- /packages/app/src/lazy.mts
//- /packages/app/index.ts
//- /packages/shapes/src/circle.ts
//- /packages/draw/package.json
{ "name": "@me/draw", "exports": { ".": { "types": "./dist/index.d.ts", "import": "./dist/index.js" }, "./line": "./dist/esm/line.js", "./shapes/*": "./dist/shapes/*.js" } }
//- /packages/draw/src/index.ts
//- /packages/draw/src/line.ts
//- /packages/draw/src/shapes/fill.ts
//- /packages/plain/package.json
{ "name": "plain", "main": "lib/main" }
//- /packages/plain/lib/main.js
//- /packages/plain/index.js
"##,
        expect![[r#"
            packages/app/src/main.ts
              node:fs > default: (node:fs)
              path > join: (node:path)
              react > default: (react)
              react > useState: (react)
              ./a.js > A: packages/app/src/a.ts
              ./a.d.ts > D: packages/app/src/a.ts
              ./b > b: packages/app/src/b/index.tsx
              ./style.css: packages/app/src/style.css
              ./logo.svg?raw > default: packages/app/src/logo.svg
              ./gone > gone: ?
              ./parts: packages/app/src/parts/index.js
              @shapes/circle > Circle: packages/shapes/src/circle.ts
              only > default: packages/app/src/only.ts
              @me/draw > draw: packages/draw/src/index.ts
              @me/draw/line > line: packages/draw/src/line.ts
              @me/draw/shapes/fill > fill: packages/draw/src/shapes/fill.ts
              ../../plain/index.js > default: packages/plain/index.js
              plain > default: packages/plain/lib/main.js
              #db > default: packages/app/src/db.ts
              #x/y > default: packages/app/src/x/y.ts
              packages/app/src/x/y > z: packages/app/src/x/y.ts
              @/home > default: perhaps packages/app/src/home.vue
              @scope/pkg/deep > default: (@scope/pkg)
              .. > *: packages/app/index.ts
              ./late: packages/app/src/late.cjs
              ./lazy.mjs: packages/app/src/lazy.mts
            packages/app/src/home.vue
              ./b/index > default: packages/app/src/b/index.tsx
        "#]],
    );
}

#[test]
fn go() {
    check(
        r#"
//- /go.mod
module example.com/shop // the shop

replace example.com/tax => ./third/tax
//- /main.go
package main
import (
	"fmt"
	"net/http"
	"example.com/shop/cart"
	. "example.com/shop/cart/inner"
	"example.com/tax/rates"
	"example.com/shop/gone"
	_ "github.com/lib/pq"
	"github.com/vendored/thing"
	"example.com/shop"
)
//- /cart/cart.go
package cart
//- /cart/price.go
package cart
//- /cart/cart_test.go
package cart
import "example.com/shop/cart"
//- /cart/inner/inner.go
package inner
//- /third/tax/rates/rates.go
package rates
//- /vendor/github.com/vendored/thing/thing.go
package thing
"#,
        expect![[r#"
            main.go
              fmt: (fmt)
              net/http: (net/http)
              example.com/shop/cart: cart/cart.go, cart/price.go
              example.com/shop/cart/inner > *: cart/inner/inner.go
              example.com/tax/rates: third/tax/rates/rates.go
              example.com/shop/gone: ?
              github.com/lib/pq: (github.com/lib/pq)
              github.com/vendored/thing: vendor/github.com/vendored/thing/thing.go
              example.com/shop: main.go
            cart/cart_test.go
              example.com/shop/cart: cart/cart.go, cart/price.go
        "#]],
    );
}

#[test]
fn java_and_its_relatives() {
    check(
        r#"
//- /a/src/main/java/com/shop/Cart.java
package com.shop;
import java.util.List;
import com.shop.tax.Rate;
import com.shop.tax.Rate.Kind;
import com.shop.tax.*;
import static com.shop.tax.Rate.of;
import com.shop.tax.Generated;
import com.shop.kt.helper;
import org.plain.Base;
class Cart {}
//- /a/src/main/java/com/shop/tax/Rate.java
package com.shop.tax;
public class Rate { enum Kind {} static int of() { return 1; } }
//- /a/src/main/java/com/shop/tax/Table.java
package com.shop.tax;
class Table {}
//- /a/src/main/kotlin/Helpers.kt
package com.shop.kt
import com.shop.Cart
import com.shop.tax.*
fun helper() {}
class Tool
//- /a/src/main/scala/Deep.scala
package com.shop
package deep
import tax.Rate
import com.shop.kt.{Tool => T, helper}
object Deep
//- /a/src/main/groovy/org/plain/Base.groovy
class Base {}
//- /b/Other.java
package com.other;
import com.shop.deep.Deep;
import com.shop.deep.*;
"#,
        expect![[r#"
            a/src/main/java/com/shop/Cart.java
              java.util > List: (java.util)
              com.shop.tax > Rate: a/src/main/java/com/shop/tax/Rate.java
              com.shop.tax.Rate > Kind: a/src/main/java/com/shop/tax/Rate.java
              com.shop.tax > *: a/src/main/java/com/shop/tax/Rate.java, a/src/main/java/com/shop/tax/Table.java
              com.shop.tax.Rate > of: a/src/main/java/com/shop/tax/Rate.java
              com.shop.tax > Generated: ?
              com.shop.kt > helper: a/src/main/kotlin/Helpers.kt
              org.plain > Base: perhaps a/src/main/groovy/org/plain/Base.groovy
            a/src/main/kotlin/Helpers.kt
              com.shop > Cart: a/src/main/java/com/shop/Cart.java
              com.shop.tax > *: a/src/main/java/com/shop/tax/Rate.java, a/src/main/java/com/shop/tax/Table.java
            a/src/main/scala/Deep.scala
              tax > Rate: a/src/main/java/com/shop/tax/Rate.java
              com.shop.kt > Tool: a/src/main/kotlin/Helpers.kt
              com.shop.kt > helper: a/src/main/kotlin/Helpers.kt
            b/Other.java
              com.shop.deep > Deep: a/src/main/scala/Deep.scala
              com.shop.deep > *: a/src/main/scala/Deep.scala
        "#]],
    );
}

#[test]
fn csharp_and_php() {
    check(
        r#"
//- /Shop/Cart.cs
using System;
using Shop.Tax;
using static Shop.Tax.Rates;
using R = Shop.Tax.Rates;
namespace Shop;
class Cart {}
//- /Elsewhere/Rates.cs
namespace Shop.Tax { static class Rates {} }
//- /Elsewhere/Parts.cs
namespace Shop { namespace Tax { class Parts {} } }
//- /composer.json
{ "autoload": { "psr-4": { "App\\": "src/", "App\\Tests\\": ["tests"] } } }
//- /src/Models/Point.php
<?php
namespace App\Models;
use App\Paint\{Brush, Sub\Color as Colour};
use App\Tests\Kit;
use function App\helper;
use Vendor\Thing;
use Old\Legacy;
require_once __DIR__ . '/../helpers.php';
include 'legacy/old.php';
class Point {}
//- /src/Paint/Brush.php
<?php
namespace App\Paint;
class Brush {}
//- /src/Paint/Sub/Color.php
<?php
namespace App\Paint\Sub;
class Color {}
//- /src/helpers.php
<?php
namespace App;
function helper() {}
//- /tests/Kit.php
<?php
namespace App\Tests;
class Kit {}
//- /legacy/old.php
<?php
namespace Old;
class Legacy {}
"#,
        expect![[r#"
            Shop/Cart.cs
              System > *: (System)
              Shop.Tax > *: Elsewhere/Rates.cs, Elsewhere/Parts.cs
              Shop.Tax.Rates > *: Elsewhere/Rates.cs
              Shop.Tax > Rates: Elsewhere/Rates.cs
            src/Models/Point.php
              App\Paint > Brush: src/Paint/Brush.php
              App\Paint\Sub > Color: src/Paint/Sub/Color.php
              App\Tests > Kit: tests/Kit.php
              App > helper: src/helpers.php
              Vendor > Thing: (Vendor)
              Old > Legacy: legacy/old.php
              ./../helpers.php: src/helpers.php
              legacy/old.php: legacy/old.php
        "#]],
    );
}

#[test]
fn c_and_its_relatives() {
    check(
        r#"
//- /src/main.c
#include <stdio.h>
#include "list.h"
#include "util/map.h"
#include "shop/api.h"
#include <deep/one.h>
#include "twice.h"
#include "../gone.h"
//- /src/list.h
//- /src/util/map.h
#include "../list.h"
//- /include/shop/api.h
//- /third/x/deep/one.h
//- /third/a/twice.h
//- /third/b/twice.h
//- /third/b/near.cpp
#include <vector>
#include "twice.h"
using namespace std;
using shop::Cart;
//- /ios/App.m
#import <Foundation/Foundation.h>
#import <Kit/View.h>
@import UIKit;
//- /ios/Kit/Sources/View.h
@interface View
@end
"#,
        expect![[r#"
            src/main.c
              stdio.h > *: (stdio.h)
              list.h > *: src/list.h
              util/map.h > *: src/util/map.h
              shop/api.h > *: include/shop/api.h
              deep/one.h > *: perhaps third/x/deep/one.h
              twice.h > *: perhaps third/a/twice.h, third/b/twice.h
              ../gone.h > *: ?
            src/util/map.h
              ../list.h > *: src/list.h
            third/b/near.cpp
              vector > *: (vector)
              twice.h > *: third/b/twice.h
              std > *: (std)
              shop > Cart: ?
            ios/App.m
              Foundation/Foundation.h > *: (Foundation/Foundation.h)
              Kit/View.h > *: perhaps ios/Kit/Sources/View.h
              UIKit > *: (UIKit)
        "#]],
    );
}

#[test]
fn scripts() {
    check(
        r#"
//- /gem/lib/shop.rb
require "json"
require "shop/cart"
require_relative "shop/price"
require_relative "gone"
autoload :Tax, "shop/tax"
//- /gem/lib/shop/cart.rb
//- /gem/lib/shop/price.rb
require "active_record/base"
//- /gem/lib/shop/tax.rb
//- /gem/spec/cart_spec.rb
require "spec_helper"
require "shop"
//- /gem/spec/spec_helper.rb
//- /lua/main.lua
local cart = require("shop.cart")
local json = require "cjson"
require("shop")
//- /lua/shop/cart.lua
//- /lua/shop/init.lua
//- /bin/run.sh
#!/bin/bash
source ./lib/log.sh
. "$(dirname "$0")/lib/deep.sh"
source $HOME/.config/x
source "$ROOT/tools/other.sh"
//- /bin/lib/log.sh
//- /bin/lib/deep.sh
//- /tools/other.sh
//- /lib/Shop/Cart.pm
package Shop::Cart;
use strict;
use List::Util qw(sum);
use Shop::Tax;
require 'helpers.pl';
1;
//- /lib/Shop/Tax.pm
package Shop::Tax;
1;
//- /lib/helpers.pl
1;
//- /win/main.ps1
. $PSScriptRoot\helpers.ps1
Import-Module Pester
//- /win/helpers.ps1
"#,
        expect![[r#"
            gem/lib/shop.rb
              json: (json)
              shop/cart: gem/lib/shop/cart.rb
              ./shop/price: gem/lib/shop/price.rb
              ./gone: ?
              shop/tax > Tax: gem/lib/shop/tax.rb
            gem/lib/shop/price.rb
              active_record/base: (active_record)
            gem/spec/cart_spec.rb
              spec_helper: gem/spec/spec_helper.rb
              shop: gem/lib/shop.rb
            lua/main.lua
              shop.cart: lua/shop/cart.lua
              cjson: (cjson)
              shop: lua/shop/init.lua
            bin/run.sh
              ./lib/log.sh > *: bin/lib/log.sh
              $(dirname "$0")/lib/deep.sh > *: perhaps bin/lib/deep.sh
              $HOME/.config/x > *: ?
              $ROOT/tools/other.sh > *: perhaps tools/other.sh
            lib/Shop/Cart.pm
              List::Util > sum: (List::Util)
              Shop::Tax > *: lib/Shop/Tax.pm
              helpers.pl: lib/helpers.pl
            win/main.ps1
              $PSScriptRoot\helpers.ps1 > *: win/helpers.ps1
              Pester > *: (Pester)
        "#]],
    );
}

#[test]
fn named_modules() {
    check(
        r#"
//- /lib/shop/cart.ex
defmodule Shop.Cart do
  use GenServer
  alias Shop.{Tax, Price}
  import Shop.Tax, only: [rate: 1]
end
//- /lib/anything.ex
defmodule Shop.Tax do
end
defmodule Shop.Price do
end
//- /hs/src/Shop/Cart.hs
module Shop.Cart where
import Data.Map (Map)
import qualified Shop.Tax as T
import Shop.Unnamed
//- /hs/src/Shop/Tax.hs
module Shop.Tax where
//- /hs/src/Shop/Unnamed.hs
x = 1
//- /clj/src/shop/cart.clj
(ns shop.cart (:require [shop.tax-rates :as t] [clojure.string :as s]))
//- /clj/src/shop/tax_rates.clj
(ns shop.tax-rates)
//- /ml/cart.ml
open Printf
open Tax
//- /ml/tax.ml
let rate = 1
//- /erl/src/cart.erl
-module(cart).
-include("cart.hrl").
-import(tax, [rate/1]).
-import(lists, [map/2]).
//- /erl/include/cart.hrl
//- /erl/src/tax.erl
-module(tax).
//- /elm/src/Cart.elm
module Cart exposing (..)
import Html
import Shop.Tax exposing (rate)
//- /elm/src/Shop/Tax.elm
module Shop.Tax exposing (rate)
rate = 1
//- /f/main.f90
program main
  use tax
  use iso_fortran_env, only: real64
end program
//- /f/tax.f90
module tax
end module
//- /jl/main.jl
using LinearAlgebra
include("tax.jl")
//- /jl/tax.jl
module Tax
end
"#,
        expect![[r#"
            lib/shop/cart.ex
              GenServer > *: (GenServer)
              Shop.Tax: lib/anything.ex
              Shop.Price: lib/anything.ex
              Shop.Tax > rate: lib/anything.ex
            hs/src/Shop/Cart.hs
              Data.Map > Map: (Data.Map)
              Shop.Tax: hs/src/Shop/Tax.hs
              Shop.Unnamed > *: perhaps hs/src/Shop/Unnamed.hs
            clj/src/shop/cart.clj
              shop.tax-rates: clj/src/shop/tax_rates.clj
              clojure.string: (clojure.string)
            ml/cart.ml
              Printf > *: (Printf)
              Tax > *: ml/tax.ml
            erl/src/cart.erl
              cart.hrl > *: erl/include/cart.hrl
              tax > rate: erl/src/tax.erl
              lists > map: (lists)
            elm/src/Cart.elm
              Html: (Html)
              Shop.Tax: elm/src/Shop/Tax.elm
              Shop.Tax > rate: elm/src/Shop/Tax.elm
            f/main.f90
              tax > *: f/tax.f90
              iso_fortran_env > real64: (iso_fortran_env)
            jl/main.jl
              LinearAlgebra > *: (LinearAlgebra)
              tax.jl > *: jl/tax.jl
        "#]],
    );
}

#[test]
fn paths() {
    check(
        r#"
//- /app/pubspec.yaml
name: shop # ours
//- /app/lib/main.dart
import 'dart:async';
import 'package:shop/src/cart.dart';
import 'package:flutter/material.dart';
import 'src/cart.dart' show Cart;
part 'main.g.dart';
//- /app/lib/src/cart.dart
//- /ios/Sources/Shop/Cart.swift
import Foundation
import Tax
//- /ios/Sources/Tax/Rate.swift
//- /ios/Sources/Tax/inner/Table.swift
//- /proto/shop/v1/cart.proto
syntax = "proto3";
import "shop/v1/price.proto";
import "google/protobuf/timestamp.proto";
//- /proto/shop/v1/price.proto
syntax = "proto3";
//- /web/main.css
@import "base.css";
@import url("https://fonts.example/x.css");
//- /web/base.css
//- /zig/main.zig
const std = @import("std");
const base = @import("base.zig");
//- /zig/base.zig
//- /sol/Token.sol
import "./Base.sol";
import {IERC20} from "@openzeppelin/contracts/token/IERC20.sol";
//- /sol/Base.sol
//- /tf/main.tf
module "vpc" {
  source = "./modules/vpc"
}
//- /tf/modules/vpc/main.tf
//- /tf/modules/vpc/out.tf
//- /nix/default.nix
{ a = import ./parts; b = import <nixpkgs> {}; }
//- /nix/parts/default.nix
{ }
//- /Makefile
include mk/rules.mk
//- /mk/rules.mk
//- /CMakeLists.txt
add_subdirectory(core)
include(cmake/flags.cmake)
find_package(Threads)
//- /core/CMakeLists.txt
//- /cmake/flags.cmake
"#,
        expect![[r#"
            app/lib/main.dart
              dart:async > *: (dart:async)
              package:shop/src/cart.dart > *: app/lib/src/cart.dart
              package:flutter/material.dart > *: (flutter)
              src/cart.dart > Cart: app/lib/src/cart.dart
              main.g.dart > *: ?
            ios/Sources/Shop/Cart.swift
              Foundation > *: (Foundation)
              Tax > *: ios/Sources/Tax/Rate.swift, ios/Sources/Tax/inner/Table.swift
            proto/shop/v1/cart.proto
              shop/v1/price.proto: proto/shop/v1/price.proto
              google/protobuf/timestamp.proto: (google/protobuf/timestamp.proto)
            web/main.css
              base.css: web/base.css
              https://fonts.example/x.css: (https://fonts.example/x.css)
            zig/main.zig
              std: (std)
              base.zig: zig/base.zig
            sol/Token.sol
              ./Base.sol > *: sol/Base.sol
              @openzeppelin/contracts/token/IERC20.sol > IERC20: (@openzeppelin/contracts)
            tf/main.tf
              ./modules/vpc: tf/modules/vpc/main.tf, tf/modules/vpc/out.tf
            nix/default.nix
              ./parts: nix/parts/default.nix
              <nixpkgs>: (nixpkgs)
            Makefile
              mk/rules.mk: mk/rules.mk
            CMakeLists.txt
              core: core/CMakeLists.txt
              cmake/flags.cmake: cmake/flags.cmake
              Threads: (Threads)
        "#]],
    );
}
