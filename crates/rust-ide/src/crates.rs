//! The crate graph: which file each crate begins with, what it is compiled with and what it can name.

use std::{
    collections::{BTreeMap, BTreeSet},
    env::consts,
};

use cargo_platform::{Cfg, Ident};
use ra_ap_base_db::{
    AbsPathBuf, CrateBuilderId, CrateDisplayName, CrateGraphBuilder, CrateName, CrateOrigin, CrateWorkspaceData,
    DependencyBuilder, Env, FileId, LangCrateOrigin,
};
use ra_ap_hir::{CfgOptions, Symbol};
use ra_ap_ide_db::span::Edition;
use triomphe::Arc;

use crate::{
    files::Files,
    manifest::Section,
    outside::STANDARD,
    project::{Home, Package, Project, join},
};

/// What a program for this machine is compiled with.
pub(crate) fn platform() -> Vec<(&'static str, Option<String>)> {
    let width = usize::BITS.to_string();
    let endian = if cfg!(target_endian = "big") { "big" } else { "little" };
    let env = match consts::OS {
        "linux" if cfg!(target_env = "musl") => "musl",
        "linux" => "gnu",
        "windows" => "msvc",
        _ => "",
    };
    let vendor = match consts::OS {
        "macos" | "ios" => "apple",
        "windows" => "pc",
        _ => "unknown",
    };
    let mut found = vec![
        (consts::FAMILY, None),
        ("target_family", Some(consts::FAMILY.to_owned())),
        ("target_os", Some(consts::OS.to_owned())),
        ("target_arch", Some(consts::ARCH.to_owned())),
        ("target_env", Some(env.to_owned())),
        ("target_vendor", Some(vendor.to_owned())),
        ("target_endian", Some(endian.to_owned())),
        ("target_pointer_width", Some(width.clone())),
        ("panic", Some("unwind".to_owned())),
        ("debug_assertions", None),
        ("overflow_checks", None),
        ("target_thread_local", None),
    ];
    let atomic = ["8", "16", "32", "64", "ptr"];
    found.extend(atomic.map(|size| ("target_has_atomic", Some(size.to_owned()))));
    found
}

/// The same, as conditions of manifests are checked against.
pub(crate) fn platform_cfgs() -> Vec<Cfg> {
    let ident = |name: &str| Ident {
        name: name.to_owned(),
        raw: false,
    };
    let platform = platform().into_iter();
    platform
        .map(|(key, value)| match value {
            Some(value) => Cfg::KeyPair(ident(key), value),
            None => Cfg::Name(ident(key)),
        })
        .collect()
}

struct Builder<'a> {
    graph: CrateGraphBuilder,
    shared: Arc<CrateWorkspaceData>,
    /// Crates name a directory to run macros in; nothing is run.
    nowhere: Arc<AbsPathBuf>,
    standard: BTreeMap<&'static str, CrateBuilderId>,
    files: &'a Files,
}

/// One compilation.
struct Target<'p> {
    package: &'p Package,
    root: FileId,
    name: String,
    is_proc_macro: bool,
}

/// Builds the graph; and the number of crates of the workspace.
pub(crate) fn build(project: &Project, files: &Files, nowhere: AbsPathBuf) -> (CrateGraphBuilder, usize) {
    let mut builder = Builder {
        graph: CrateGraphBuilder::default(),
        shared: Arc::new(CrateWorkspaceData {
            target: Err("no compiler is asked".into()),
            toolchain: None,
        }),
        nowhere: Arc::new(nowhere),
        standard: BTreeMap::new(),
        files,
    };
    builder.add_standard();
    let libs: Vec<Option<CrateBuilderId>> = project
        .packages
        .iter()
        .map(|package| builder.add_lib(package))
        .collect();
    let mut others: Vec<(usize, CrateBuilderId, bool)> = Vec::new();
    for (at, package) in project.packages.iter().enumerate() {
        for (root, is_build) in builder.programs(package) {
            let name = package.manifest.name.clone();
            let id = builder.add(Target {
                package,
                root,
                name,
                is_proc_macro: false,
            });
            others.push((at, id, is_build));
        }
    }
    let n_local = others.len()
        + project
            .packages
            .iter()
            .zip(&libs)
            .filter(|(one, lib)| one.is_local() && lib.is_some())
            .count();
    // What tests need may need what is tested: a circle that is closed by dependencies of tests is cut there.
    for sections in [&[Section::Normal][..], &[Section::Dev, Section::Build]] {
        for (at, package) in project.packages.iter().enumerate() {
            for (dependency, used) in &package.used {
                let dependency = &package.manifest.dependencies[*dependency];
                let Some(lib) = libs[*used].filter(|_| sections.contains(&dependency.section)) else {
                    continue;
                };
                let renamed = dependency.key != dependency.package;
                let name = if renamed {
                    dependency.key.clone()
                } else {
                    project.packages[*used].lib_name()
                };
                let programs = others
                    .iter()
                    .filter(|(of, _, is_build)| *of == at && *is_build == (dependency.section == Section::Build));
                let own = libs[at].filter(|_| dependency.section != Section::Build);
                for from in own.into_iter().chain(programs.map(|(_, id, _)| *id)) {
                    builder.depend(from, &name, lib);
                }
            }
        }
        for (at, id, is_build) in &others {
            if let Some(lib) = libs[*at].filter(|_| !is_build && sections.contains(&Section::Normal)) {
                builder.depend(*id, &project.packages[*at].lib_name(), lib);
            }
        }
    }
    (builder.graph, n_local)
}

impl Builder<'_> {
    fn add_standard(&mut self) {
        for (name, needs) in STANDARD {
            let Some(root) = self.files.standard(&format!("{name}/src/lib.rs")) else {
                continue;
            };
            let id = self.graph.add_crate_root(
                root,
                Edition::Edition2024,
                Some(CrateDisplayName::from_canonical_name(name)),
                None,
                cfg_options(),
                None,
                Env::default(),
                CrateOrigin::Lang(LangCrateOrigin::from(*name)),
                Vec::new(),
                false,
                self.nowhere.clone(),
                self.shared.clone(),
            );
            for need in *needs {
                if let Some(need_id) = self.standard.get(need).copied() {
                    self.depend(id, need, need_id);
                }
            }
            self.standard.insert(name, id);
        }
    }

    fn depend(&mut self, from: CrateBuilderId, name: &str, on: CrateBuilderId) {
        if from != on {
            let dependency = DependencyBuilder::new(CrateName::normalize_dashes(name), on);
            // A circle is no error here: what closes it is left out.
            let _ = self.graph.add_dep(from, dependency);
        }
    }

    fn add_lib(&mut self, package: &Package) -> Option<CrateBuilderId> {
        let path = package.manifest.targets.lib_path.as_deref().unwrap_or("src/lib.rs");
        let root = self.file(package, path)?;
        Some(self.add(Target {
            package,
            root,
            name: package.lib_name(),
            is_proc_macro: package.manifest.targets.is_proc_macro,
        }))
    }

    fn file(&self, package: &Package, path: &str) -> Option<FileId> {
        match &package.home {
            Home::Workspace(dir) => self.files.local(&join(dir, path)?),
            Home::Library(_) => self.files.library(package, &join("", path)?),
        }
    }

    /// The roots of a package's programs, tests, examples and benchmarks; and whether it is the build script.
    fn programs(&self, package: &Package) -> Vec<(FileId, bool)> {
        let Home::Workspace(dir) = &package.home else {
            return Vec::new();
        };
        let targets = &package.manifest.targets;
        let mut roots: BTreeSet<String> = targets.roots.iter().filter_map(|path| join("", path)).collect();
        for discovered in &targets.discovered {
            let below = self.files.below(&join(dir, discovered).unwrap_or_default());
            let found = below.into_iter().filter(|path| match path.split_once('/') {
                None => true,
                Some((_, rest)) => rest == "main.rs",
            });
            roots.extend(found.map(|path| format!("{discovered}/{path}")));
        }
        let build = targets.build.as_deref().and_then(|path| join("", path));
        let lib = targets.lib_path.as_deref().unwrap_or("src/lib.rs");
        roots.retain(|path| path != lib && Some(path) != build.as_ref());
        let programs = roots.iter().filter_map(|path| Some((self.file(package, path)?, false)));
        let build = build.and_then(|path| Some((self.file(package, &path)?, true)));
        programs.chain(build).collect()
    }

    fn add(&mut self, target: Target<'_>) -> CrateBuilderId {
        let package = target.package;
        let manifest = &package.manifest;
        let mut cfg = cfg_options();
        if package.is_local() {
            cfg.insert_atom(Symbol::intern("test"));
        }
        for feature in &package.features {
            cfg.insert_key_value(Symbol::intern("feature"), Symbol::intern(feature));
        }
        let name = Symbol::intern(&manifest.name);
        let origin = match package.is_local() {
            true => CrateOrigin::Local {
                repo: None,
                name: Some(name),
            },
            false => CrateOrigin::Library { repo: None, name },
        };
        let id = self.graph.add_crate_root(
            target.root,
            edition(manifest.edition.as_deref()),
            Some(CrateDisplayName::from_canonical_name(&target.name)),
            Some(manifest.version.clone()),
            cfg,
            None,
            environment(package),
            origin,
            Vec::new(),
            target.is_proc_macro,
            self.nowhere.clone(),
            self.shared.clone(),
        );
        for (name, is_named) in [
            ("core", true),
            ("alloc", false),
            ("std", true),
            ("proc_macro", target.is_proc_macro),
            ("test", false),
        ] {
            if let Some(on) = self.standard.get(name) {
                let dependency =
                    DependencyBuilder::with_prelude(CrateName::normalize_dashes(name), *on, is_named, true);
                let _ = self.graph.add_dep(id, dependency);
            }
        }
        id
    }
}

fn cfg_options() -> CfgOptions {
    let mut cfg = CfgOptions::default();
    for (key, value) in platform() {
        match value {
            Some(value) => cfg.insert_key_value(Symbol::intern(key), Symbol::intern(&value)),
            None => cfg.insert_atom(Symbol::intern(key)),
        }
    }
    cfg
}

fn edition(text: Option<&str>) -> Edition {
    match text {
        Some("2018") => Edition::Edition2018,
        Some("2021") => Edition::Edition2021,
        Some("2024") => Edition::Edition2024,
        // A workspace's that is not here: more likely a newer one than none.
        Some(_) => Edition::CURRENT,
        None => Edition::Edition2015,
    }
}

/// What cargo tells the compiler of a package.
fn environment(package: &Package) -> Env {
    let manifest = &package.manifest;
    let mut env = Env::default();
    let mut version = manifest.version.split(['.', '-', '+']);
    let mut part = || version.next().unwrap_or_default();
    for (key, value) in [
        ("CARGO", "cargo"),
        ("CARGO_MANIFEST_DIR", "."),
        ("CARGO_PKG_NAME", &manifest.name),
        ("CARGO_CRATE_NAME", &package.lib_name()),
        ("CARGO_PKG_VERSION", &manifest.version),
        ("CARGO_PKG_VERSION_MAJOR", part()),
        ("CARGO_PKG_VERSION_MINOR", part()),
        ("CARGO_PKG_VERSION_PATCH", part()),
    ] {
        env.set(key, value);
    }
    env
}
