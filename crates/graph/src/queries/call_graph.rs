//! The calls around some definitions as a graph: who calls whom, each function once.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use syntax::{RefIdx, SymbolIdx};

use crate::{
    engine::resolver::Resolver,
    files::FileIdx,
    queries::{calls::running, references::Origin},
    types::ty::Base,
    view::SymbolId,
};

/// A node of the call graph.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    Symbol(SymbolId),
    /// The top-level code of a file.
    TopLevel(FileIdx),
    /// A called name without a known definition: it is external, or several definitions have it.
    Elsewhere {
        name: String,
        is_external: bool,
    },
}

/// All calls of one function by another.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// Indices in the list of nodes.
    pub from: usize,
    pub to: usize,
    /// The offsets of the call sites, in the file of `from`.
    pub sites: Vec<u32>,
    /// It was found by searching for callers.
    pub upwards: bool,
    pub origin: Origin,
    pub confidence: f32,
}

/// Nodes and edges in the order of discovery: nearest to the roots first.
#[derive(Debug, Default)]
pub struct CallGraph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// The number of root nodes; they are the first.
    pub roots: usize,
    /// For each node the external names that it calls, in the order of the text.
    pub elsewhere: FxHashMap<usize, Vec<String>>,
    /// Called names that are ambiguous: several definitions have them, and none is likely enough.
    pub open: BTreeSet<String>,
    /// The search reached its limit before it was exhausted.
    pub is_cut: bool,
}

/// Which part of the graph to build.
#[derive(Debug, Clone, Copy)]
pub struct Drawing {
    /// Include callees.
    pub down: bool,
    /// Include callers.
    pub up: bool,
    pub depth: u32,
    /// External names are nodes, rather than only listed.
    pub elsewhere: bool,
    /// The number of functions that are visited in each direction.
    pub limit: usize,
}

struct Builder<'r, 'w> {
    resolver: &'r Resolver<'w>,
    graph: CallGraph,
    places: FxHashMap<Node, usize>,
    edges: FxHashMap<(usize, usize), usize>,
    main: FxHashMap<SymbolId, SymbolId>,
}

impl Resolver<'_> {
    /// The calls from and to some definitions, with all declarations of each; for a type also those of its methods.
    pub fn call_graph(&self, roots: &[SymbolId], drawing: Drawing) -> CallGraph {
        let mut builder = Builder::new(self);
        for root in roots {
            let main = builder.main(*root);
            builder.node(Node::Symbol(main));
            for method in self.methods(*root) {
                let main = builder.main(method);
                builder.node(Node::Symbol(main));
            }
        }
        builder.draw(drawing)
    }

    /// The functions that belong to a type, in the order of the text.
    fn methods(&self, of: SymbolId) -> Vec<SymbolId> {
        if !self.kind_of(of).is_some_and(|kind| kind.has_members()) {
            return Vec::new();
        }
        let mut files = self.world.extending(&self.name_of(of));
        files.push(of.file);
        files.sort_unstable();
        files.dedup();
        let mut found = Vec::new();
        for file in files {
            let Some(view) = self.view(file) else { continue };
            for (at, symbol) in SymbolIdx::enumerate(&view.facts.symbols) {
                let id = SymbolId { file, symbol: at };
                if symbol.kind.is_function() && self.owner(id) == Base::Symbol(of) {
                    found.push(id);
                }
            }
        }
        found
    }

    /// The calls from and to all definitions and the top-level code of a file.
    pub fn call_graph_of_file(&self, file: FileIdx, drawing: Drawing) -> CallGraph {
        let mut builder = Builder::new(self);
        let Some(view) = self.view(file) else {
            return builder.graph;
        };
        let mut doing = FxHashSet::default();
        let references = RefIdx::all(&view.facts.references);
        for index in references.filter(|index| self.is_call(file, &view, *index)) {
            doing.insert(running(&view, view.facts.references[index].at));
        }
        for (at, symbol) in SymbolIdx::enumerate(&view.facts.symbols) {
            let symbol_id = SymbolId { file, symbol: at };
            if symbol.kind.is_function() || doing.contains(&Some(symbol_id.symbol)) {
                let main = builder.main(symbol_id);
                builder.node(Node::Symbol(main));
            }
        }
        if doing.contains(&None) {
            builder.node(Node::TopLevel(file));
        }
        builder.draw(drawing)
    }
}

impl<'r, 'w> Builder<'r, 'w> {
    fn new(resolver: &'r Resolver<'w>) -> Builder<'r, 'w> {
        Builder {
            resolver,
            graph: CallGraph::default(),
            places: FxHashMap::default(),
            edges: FxHashMap::default(),
            main: FxHashMap::default(),
        }
    }

    /// The symbol that represents all declarations of an entity: its definition if there is one.
    fn main(&mut self, id: SymbolId) -> SymbolId {
        if let Some(main) = self.main.get(&id) {
            return *main;
        }
        let same = self.resolver.same_thing(id);
        let is_definition =
            |id: &&SymbolId| self.resolver.symbol(**id, |_, symbol| !symbol.is_declaration) == Some(true);
        let main = same.iter().find(is_definition).or(same.first()).copied().unwrap_or(id);
        for one in same {
            self.main.insert(one, main);
        }
        self.main.insert(id, main);
        main
    }

    fn node(&mut self, node: Node) -> usize {
        let next = self.graph.nodes.len();
        *self.places.entry(node).or_insert_with_key(|node| {
            self.graph.nodes.push(node.clone());
            next
        })
    }

    fn edge(&mut self, edge: Edge) {
        let next = self.graph.edges.len();
        let place = *self.edges.entry((edge.from, edge.to)).or_insert(next);
        match self.graph.edges.get_mut(place) {
            None => self.graph.edges.push(edge),
            // The search in the other direction has found the same call sites.
            Some(known) if known.upwards != edge.upwards => {}
            Some(known) => {
                known.sites.extend(edge.sites);
                known.sites.sort_unstable();
                known.sites.dedup();
                if edge.confidence > known.confidence {
                    (known.origin, known.confidence) = (edge.origin, edge.confidence);
                }
            }
        }
    }

    fn draw(mut self, drawing: Drawing) -> CallGraph {
        self.graph.roots = self.graph.nodes.len();
        for upwards in [true, false] {
            if !(if upwards { drawing.up } else { drawing.down }) {
                continue;
            }
            let mut seen: FxHashSet<usize> = (0..self.graph.roots).collect();
            let mut level: Vec<usize> = (0..self.graph.roots).collect();
            let mut looked_at = 0;
            for _ in 0..drawing.depth {
                let mut next = Vec::new();
                for node in std::mem::take(&mut level) {
                    if looked_at == drawing.limit {
                        self.graph.is_cut = true;
                        break;
                    }
                    looked_at += 1;
                    let found = if upwards {
                        self.callers(node)
                    } else {
                        self.callees(node, drawing.elsewhere)
                    };
                    next.extend(found.into_iter().filter(|one| seen.insert(*one)));
                }
                level = next;
            }
        }
        self.graph
    }

    fn callers(&mut self, to: usize) -> Vec<usize> {
        let Node::Symbol(symbol) = self.graph.nodes[to] else {
            return Vec::new();
        };
        let resolver = self.resolver;
        let uses = resolver.uses(&resolver.same_thing(symbol)).uses;
        let mut found = Vec::new();
        for caller in resolver.grouped(&uses, symbol, 1) {
            let node = match caller.symbol {
                Some(symbol) => Node::Symbol(self.main(symbol)),
                None => Node::TopLevel(caller.file),
            };
            let from = self.node(node);
            found.push(from);
            self.edge(Edge {
                from,
                to,
                sites: caller.sites,
                upwards: true,
                origin: caller.origin,
                confidence: caller.confidence,
            });
        }
        found
    }

    fn callees(&mut self, from: usize, elsewhere: bool) -> Vec<usize> {
        let callees = match self.graph.nodes[from] {
            Node::Symbol(symbol) => self.resolver.direct_callees(symbol, 1),
            Node::TopLevel(file) => self.resolver.called_at_top_level(file),
            Node::Elsewhere { .. } => return Vec::new(),
        };
        let mut found = Vec::new();
        for callee in callees {
            if callee.symbols.is_empty() && !callee.is_external && !elsewhere {
                self.graph.open.insert(callee.name);
                continue;
            }
            if callee.symbols.is_empty() && !elsewhere {
                let names = self.graph.elsewhere.entry(from).or_default();
                if !names.contains(&callee.name) {
                    names.push(callee.name);
                }
                continue;
            }
            let mut nodes: Vec<Node> = callee.symbols.iter().map(|id| Node::Symbol(self.main(*id))).collect();
            if nodes.is_empty() {
                nodes.push(Node::Elsewhere {
                    name: callee.name,
                    is_external: callee.is_external,
                });
            }
            nodes.dedup();
            for node in nodes {
                let to = self.node(node);
                found.push(to);
                self.edge(Edge {
                    from,
                    to,
                    sites: callee.sites.clone(),
                    upwards: false,
                    origin: callee.origin,
                    confidence: callee.confidence,
                });
            }
        }
        found
    }
}
