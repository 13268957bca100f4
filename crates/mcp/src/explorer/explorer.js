"use strict";
// The explorer. Everything that it shows came from a repository that nobody vouches for: text is only ever set as text,
// addresses are only ever made by `to`, and the page's policy forbids the rest.

const main = document.getElementById("main");
const query = document.getElementById("query");
const TOKEN = "portolan-token";

// --- Elements ---

function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

// --- Addresses: `#/symbol/NAME?file=a.rs&line=3` ---

function to(view, name = "", options = {}) {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const rest = new URLSearchParams(given).toString();
  return `#/${view}${name === "" ? "" : `/${encodeURIComponent(name)}`}${rest ? `?${rest}` : ""}`;
}

function route() {
  const [path, rest = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view, ...name] = path.split("/");
  let plain = name.join("/");
  try {
    plain = decodeURIComponent(plain);
  } catch {
    // A `%` that somebody typed.
  }
  return { view, name: plain, options: Object.fromEntries(new URLSearchParams(rest)) };
}

// The token comes in the fragment, which no server sees, and does not stay in the address. `to` may say where to go on.
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!given.has("token")) return;
  sessionStorage.setItem(TOKEN, given.get("token"));
  const next = given.get("to") ?? "/";
  history.replaceState(null, "", `#${next.startsWith("/") ? next : "/"}`);
}

// --- Asking ---

class Refused extends Error {}

// What a tool says is wrong.
class Failed extends Error {
  constructor({ message, hint }) {
    super(message);
    this.hint = hint;
  }
}

async function ask(tool, given, draw = false) {
  const headers = { "Content-Type": "application/json" };
  const token = sessionStorage.getItem(TOKEN);
  if (token) headers.Authorization = `Bearer ${token}`;
  const body = JSON.stringify({ tool, arguments: given, draw });
  const answer = await fetch("/explorer/call", { method: "POST", headers, body, cache: "no-store" });
  if (answer.status === 401) throw new Refused("a token is needed");
  if (!answer.ok) throw new Error(await answer.text());
  const json = await answer.json();
  if (json.error) throw new Failed(json.error);
  return json;
}

// --- Pieces ---

function place(path, line) {
  const text = line ? `${path}:${line}` : path;
  return el("a", { class: "place", href: to("file", path, { line }) }, text);
}

function tag(text, kind = "") {
  return text ? el("span", { class: `tag ${kind}` }, text) : null;
}

function count(number) {
  return Number(number).toLocaleString("en");
}

function symbolAddress(one) {
  return to("symbol", one.qualified_name ?? one.name, { file: one.path, line: one.line });
}

function symbolRow(one) {
  const known = one.origin === "name" ? tag(`by name, ${one.confidence}`, "guess") : null;
  const sites = one.sites?.length ? el("span", { class: "place" }, `line ${one.sites.join(", ")}`) : null;
  return el("li", {},
    el("div", { class: "line" },
      el("a", { class: "name", href: symbolAddress(one) }, one.qualified_name ?? one.name),
      tag(one.kind), one.test ? tag("test") : null, known, place(one.path, one.line), sites),
    one.signature ? el("code", { class: "signature" }, one.signature) : null,
    one.text ? el("pre", {}, one.text) : null);
}

function rows(items, row) {
  return el("ul", { class: "rows" }, items.map(row));
}

function heading(text, number) {
  return el("h2", {}, text, number === undefined ? null : el("span", { class: "count" }, ` ${count(number)}`));
}

function coverage(answer) {
  const { complete, pending, unparsed } = answer.coverage ?? {};
  if (complete !== false) return null;
  if (unparsed && pending === undefined) {
    const files = unparsed === 1 ? "1 file" : `${count(unparsed)} files`;
    return el("p", { class: "note warn" }, `${files} with this name could not be parsed, so there may be more.`);
  }
  return el("p", { class: "note warn" }, "The index is not complete yet, so there may be more. ",
    el("a", { href: location.hash, click: () => render() }, "Ask again"));
}

// A name that is not known or not enough.
function choice(answer, name) {
  const many = [...(answer.groups ?? []).map((group) => group.symbol), ...(answer.candidates ?? [])];
  const near = answer.nearest ?? [];
  return [
    el("h1", {}, el("span", { class: "mono" }, name)),
    el("p", { class: "note" }, many.length
      ? `${count(answer.candidates_total ?? many.length)} definitions have this name. Which one?`
      : "There is no definition of this name."),
    near.length ? heading("Nearest names") : null,
    many.length || near.length ? rows(many.length ? many : near, symbolRow) : null,
    coverage(answer),
  ];
}

// --- Pictures ---

function picture(drawing, small, open) {
  const arrows = drawing.arrows.map((one) => svg("path", {
    class: one.class, d: one.d, "stroke-width": one.thickness, "marker-end": "url(#head)",
    "data-from": one.from, "data-to": one.to,
  }, svg("title", {}, one.tip)));
  const boxes = drawing.boxes.map((one, at) => svg("g", {
    class: one.class, "data-node": at, transform: `translate(${one.x} ${one.y})`,
    dblclick: () => { location.hash = open(one)[0].href; },
  },
  svg("title", {}, one.tip),
  svg("rect", { class: "box", width: one.width, height: one.height, rx: 6 }),
  svg("text", { class: "name", x: 11, y: 18 }, one.label),
  svg("text", { class: "detail", x: 11, y: 33 }, one.detail)));
  const head = svg("marker", {
    id: "head", viewBox: "0 0 8 8", refX: 7.5, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto",
  }, svg("path", { class: "head", d: "M0 0.5L8 4L0 7.5Z" }));
  const drawn = svg("svg", {
    class: "picture", role: "group", "aria-label": drawing.title, "data-width": drawing.width, "data-height": drawing.height,
  }, svg("defs", {}, head), svg("g", { class: "view" }, arrows, boxes));
  const zoom = el("div", { class: "zoom", role: "toolbar", "aria-label": "Zoom" },
    [["in", "+", "Zoom in"], ["out", "−", "Zoom out"], ["fit", "⤢", "Show all"]]
      .map(([way, sign, title]) => el("button", { "data-zoom": way, title, "aria-label": title }, sign)));
  const chosen = el("div", { class: "chosen", hidden: true, role: "status" });
  const stage = el("div", { class: small ? "stage small" : "stage" }, drawn, chosen, zoom);
  const picked = (node) => {
    chosen.hidden = node === null;
    if (node === null) return;
    const one = drawing.boxes[node];
    const links = open(one).map(({ href, text }) => el("a", { href }, text));
    chosen.replaceChildren(
      el("div", { class: "line" }, el("span", { class: "name" }, one.name), tag(one.kind)),
      el("div", { class: "line" }, el("span", { class: "place" }, one.line ? `${one.path}:${one.line}` : one.detail), links));
  };
  const legend = el("ul", { class: "legend" }, drawing.legend.map((one) => el("li", {},
    svg("svg", { width: 20, height: 14, "aria-hidden": "true" }, one.class === "guess"
      ? svg("path", { class: "edge guess", d: "M0 7H20" })
      : svg("rect", { class: `box ${one.class}`, x: 1, y: 1, width: 13, height: 12, rx: 3 })),
    one.text)));
  return {
    parts: [el("p", { class: "note" }, drawing.notes.join(" ")), stage, legend],
    start: () => pictureViewer(drawn, picked),
  };
}

function openFunction(one) {
  if (!one.path) return [{ href: to("search", one.name), text: "Search" }];
  const place = { file: one.path, line: one.line };
  if (one.kind === "file") return [{ href: to("file", one.path), text: "Open" }];
  return [
    { href: to("symbol", one.name, place), text: "Open" },
    { href: to("graph", one.name, { ...place, direction: "both" }), text: "Graph from here" },
  ];
}

function openModule(one) {
  if (one.kind === "file") return [{ href: to("file", one.path), text: "Open" }];
  return [{ href: to("map", one.path), text: "Map of this" }];
}

// --- Views: each gives what is shown, and perhaps what is to be done when it is. ---

async function home() {
  const status = await ask("index_status", {});
  const [state, modules] = [el("div", {}, cards(status)), el("div", {})];
  return {
    title: "Portolan",
    wide: true,
    parts: [
      el("h1", {}, status.session ?? "Portolan"),
      el("p", { class: "note mono" }, status.root ?? ""),
      state,
      el("p", {}, "Search above: a question in plain words, a name, a phrase in quotes, ", el("code", {}, "AND OR NOT"), ", ",
        el("code", {}, "path:src/*.rs"), ", ", el("code", {}, "kind:struct"), ". The key ", el("code", {}, "/"), " goes there. Or begin with the ",
        el("a", { href: to("map") }, "map"), "."),
      modules,
    ],
    focus: query,
    // The first question has everything indexed; the page does not wait for it.
    start: async () => {
      modules.replaceChildren(el("p", { class: "loading", role: "status" }, "Looking …"));
      try {
        const { drawing } = await ask("get_dependencies", { file_path: ".", max_tokens: 20000 }, true);
        const drawn = drawing?.boxes.length ? picture(drawing, true, openModule) : null;
        modules.replaceChildren(...(drawn ? [heading(drawing.title), ...drawn.parts] : []));
        drawn?.start();
        if (status.state !== "ready") state.replaceChildren(cards(await ask("index_status", {})));
      } catch (error) {
        modules.replaceChildren(problem(error));
      }
    },
  };
}

function cards(status) {
  const card = (term, value) => (value === undefined ? null : el("div", {}, el("dt", {}, term), el("dd", {}, value)));
  return el("dl", { class: "cards" },
    card("State", status.state), card("Files", status.files === undefined ? undefined : count(status.files)),
    card("Lines", status.lines === undefined ? undefined : count(status.lines)),
    card("Skipped", status.total === undefined ? undefined : count(status.total)));
}

async function status() {
  const answer = await ask("index_status", { max_tokens: 8000 });
  const languages = Object.entries(answer.languages ?? {});
  const facts = [
    ["Root", answer.root], ["Indexed at", answer.indexed_at], ["Generation", answer.generation],
    ["Freshness", answer.freshness], ["Chunks", answer.chunks], ["Index on disk, bytes", answer.index_bytes],
    ["Source, bytes", answer.source_bytes], ["Vectors", answer.vectors && `${answer.vectors.state}, ${answer.vectors.model ?? "no model"}`],
  ];
  return {
    title: "Index",
    parts: [
      el("h1", {}, "Index of ", answer.session ?? "this workspace"),
      cards(answer),
      rows(facts.filter(([, value]) => value !== undefined && value !== null), ([term, value]) => el("li", { class: "line" },
        el("span", { class: "note" }, term), el("span", { class: "mono" }, typeof value === "number" ? count(value) : value))),
      languages.length ? heading("Languages", languages.length) : null,
      languages.length ? el("p", {}, languages.map(([name, files]) => [tag(`${name} ${count(files)}`), " "])) : null,
      answer.skipped?.length ? heading("Skipped", answer.total) : null,
      answer.skipped?.length ? rows(answer.skipped, (one) => el("li", { class: "line" },
        el("span", { class: "mono" }, one.path), el("span", { class: "note" }, one.reason))) : null,
    ],
  };
}

async function search(text) {
  query.value = text;
  const given = { query: text, k: 20, max_tokens: 12000 };
  const answer = await ask("search_code", given);
  const list = el("ul", { class: "rows" });
  const more = el("button", { class: "more", click: () => next() }, "More");
  let cursor;
  const add = (page) => {
    list.append(...(page.results ?? []).map(hit));
    cursor = page.next_cursor;
    more.hidden = !cursor;
  };
  const next = async () => add(await ask("search_code", { ...given, cursor }));
  add(answer);
  const definitions = answer.definitions ?? [];
  return {
    title: text,
    parts: [
      el("h1", {}, text),
      answer.total ? null : el("p", { class: "note" }, "No match."),
      coverage(answer),
      definitions.length ? heading("Definitions", answer.definitions_total) : null,
      definitions.length ? rows(definitions, symbolRow) : null,
      answer.total ? [heading("Places", answer.total), list, more] : null,
    ],
  };
}

function hit(one) {
  return el("li", {},
    el("div", { class: "line" },
      one.symbol ? el("a", { class: "name", href: to("symbol", one.symbol, { file: one.path }) }, one.symbol) : null,
      tag(one.kind), place(one.path, one.start_line)),
    one.snippet ? el("pre", {}, one.snippet) : null);
}

const LISTS = [
  ["fields", "Fields"], ["required_methods", "Required methods"], ["methods", "Methods"], ["implements", "Implements"],
  ["implementations", "Implementations"], ["callers", "Callers"], ["callees", "Callees"], ["types", "Types"],
  ["used_by", "Used by"], ["exports", "Exports"], ["tests", "Tests"],
];

async function symbol(name, options) {
  const answer = await ask("deep_dive", { ...aim(name, options), depth: "context", max_tokens: 12000 });
  const found = answer.symbol;
  if (!found) return { title: name, parts: choice(answer, name) };
  const here = { file: found.path, line: found.line };
  const summary = answer.summary;
  const parts = [
    el("h1", {}, el("span", { class: "mono" }, found.qualified_name)),
    el("div", { class: "line" }, tag(found.kind), tag(found.visibility), found.test ? tag("test") : null, place(found.path, found.line),
      el("a", { href: to("graph", found.qualified_name, { ...here, direction: "both" }) }, "Call graph")),
    el("code", { class: "signature" }, found.signature),
    answer.doc ? el("p", {}, answer.doc) : null,
    summary ? el("p", { class: "line" }, tag(`risk of a change: ${summary.risk}`, summary.risk),
      el("span", { class: "note" }, summary.reason)) : null,
    coverage(answer),
    (answer.body ?? []).map((one) => source(one.text, one.line)),
  ];
  for (const [key, title] of LISTS) {
    const items = (answer[key] ?? []).filter((one) => typeof one === "object");
    if (items.length === 0) continue;
    const total = answer.totals?.[key] ?? items.length;
    parts.push(heading(title, total), rows(items, (one) => (one.path ? symbolRow(one) : plainRow(one))));
    if (total > items.length) parts.push(el("p", { class: "note" }, `${count(total - items.length)} more`));
  }
  if (answer.dependencies?.length) {
    parts.push(heading("Depends on"), rows(answer.dependencies, (one) => el("li", { class: "line" },
      one.path ? place(one.path) : null, el("span", { class: "note mono" }, (one.names ?? []).join(", ")))));
  }
  if (answer.elsewhere?.length) {
    parts.push(heading("Also calls external functions"), el("p", { class: "mono" }, answer.elsewhere.join(", ")));
  }
  return { title: found.qualified_name, parts };
}

function plainRow(one) {
  return el("li", { class: "line" }, el("span", { class: "name" }, one.qualified_name ?? one.name ?? ""), tag(one.kind));
}

function aim(name, { file, line }) {
  return { symbol: name || undefined, file, line: line ? Number(line) : undefined };
}

async function graph(name, options) {
  const { symbol: wanted, file, line } = aim(name, options);
  const direction = ["in", "out", "both"].includes(options.direction) ? options.direction : "both";
  const depth = Math.min(5, Math.max(1, Number(options.depth) || 1));
  const answer = await ask("get_call_graph", { symbol: wanted, file_path: file, line, direction, depth, max_tokens: 20000 }, true);
  if (!answer.drawing) return { title: name, parts: choice(answer, name) };
  const go = (changed) => { location.hash = to("graph", name, { ...options, direction, depth, ...changed }); };
  const select = (label, value, values, changed) => el("label", {}, label,
    el("select", { change: (event) => go(changed(event.target.value)) },
      values.map(([key, text]) => el("option", { value: key, selected: key === String(value) }, text))));
  const drawn = picture(answer.drawing, false, openFunction);
  return {
    title: answer.drawing.title,
    wide: true,
    parts: [
      el("h1", {}, answer.drawing.title),
      el("div", { class: "tools" },
        select("Show", direction, [["both", "callers and callees"], ["in", "callers"], ["out", "callees"]], (value) => ({ direction: value })),
        select("Depth", depth, ["1", "2", "3", "4", "5"].map((one) => [one, one]), (value) => ({ depth: value })),
        wanted ? el("a", { href: to("symbol", name, { file, line }) }, "All about it") : null),
      drawn.parts,
    ],
    start: drawn.start,
  };
}

async function map(path) {
  const [modules, tree] = await Promise.all([
    ask("get_dependencies", { file_path: path || ".", max_tokens: 20000 }, true),
    ask("map_code", { path: path || undefined, max_tokens: 8000 }),
  ]);
  const drawn = modules.drawing?.boxes.length ? picture(modules.drawing, false, openModule) : null;
  return {
    title: path || "Map",
    wide: true,
    parts: [
      el("h1", {}, path ? crumbs(path) : "Map of the repository"),
      drawn ? [heading(modules.drawing.title), drawn.parts] : null,
      heading("Files and what matters most in them", (tree.shown?.files ?? 0) + (tree.hidden?.files ?? 0)),
      tree.hidden?.files ? el("p", { class: "note" }, `${count(tree.hidden.files)} files and ${count(tree.hidden.symbols)} symbols are not shown; a directory by itself shows more.`) : null,
      coverage(tree),
      el("div", { class: "tree" }, treeOf(tree, path)),
    ],
    start: drawn?.start,
  };
}

function crumbs(path) {
  const steps = path.split("/");
  return [el("a", { href: to("map") }, "Map"), steps.map((step, at) => [" / ", el("a", { href: to("map", steps.slice(0, at + 1).join("/")) }, step)])];
}

// The files by directory. Maps, not objects: a directory may be called `__proto__`.
function treeOf(answer, base) {
  const root = { dirs: new Map(), files: [] };
  const below = (path) => (base && path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path);
  const dirAt = (names) => names.reduce((dir, name) => {
    if (!dir.dirs.has(name)) dir.dirs.set(name, { dirs: new Map(), files: [], path: undefined });
    return dir.dirs.get(name);
  }, root);
  for (const file of answer.files ?? []) {
    const names = below(file.path).split("/");
    dirAt(names.slice(0, -1)).files.push({ ...file, name: names.at(-1) });
  }
  for (const closed of answer.directories ?? []) dirAt(below(closed.path).split("/")).note = `${count(closed.files)} files`;
  const show = (dir, path) => [
    [...dir.dirs].map(([name, inner]) => {
      const own = path ? `${path}/${name}` : name;
      return el("details", { open: own.split("/").length - (base ? base.split("/").length : 0) <= 2 },
        el("summary", {}, el("a", { href: to("map", own) }, `${name}/`), inner.note ? el("span", { class: "note" }, ` ${inner.note}`) : null),
        show(inner, own));
    }),
    dir.files.map((file) => el("div", { class: "leaf" },
      el("a", { class: "mono", href: to("file", file.path) }, file.name), file.more ? el("span", { class: "note" }, ` +${file.more}`) : null,
      file.symbols?.length ? el("ul", {}, file.symbols.map((line) => el("li", {}, line))) : null)),
  ];
  return show(root, base);
}

function source(text, first, here) {
  const lines = text.replace(/\n$/, "").split("\n");
  return el("pre", { class: "source" }, lines.map((line, at) => el("div", { class: first + at === here ? "row here" : "row" },
    el("span", { class: "number" }, first + at), el("span", {}, line || " "))));
}

async function file(path, options) {
  const line = Number(options.line) || undefined;
  const [outline, read] = await Promise.all([
    // Not every file has an outline, and it need not be short enough.
    ask("get_symbols", { file_path: path, max_tokens: 6000 }).catch(() => ({})),
    ask("read_file", { path }),
  ]);
  const shown = el("div", {}, source(read.text, read.first_line ?? 1, line));
  let [offset, first] = [read.next_offset, (read.first_line ?? 1)];
  const more = el("button", { class: "more", hidden: !offset, click: () => next() }, "More of this file");
  const next = async () => {
    const page = await ask("read_file", { path, offset });
    first = page.first_line ?? first;
    shown.append(source(page.text, first, line));
    offset = page.next_offset;
    more.hidden = !offset;
  };
  // The line that was asked for is shown, however far down it is.
  while (line && offset && shown.querySelector(".here") === null) await next();
  const steps = path.split("/");
  return {
    title: path,
    parts: [
      el("h1", {}, crumbs(steps.slice(0, -1).join("/") || "."), " / ", steps.at(-1)),
      el("div", { class: "line" }, tag(read.language), el("span", { class: "note" }, `${count(read.lines)} lines`),
        el("a", { href: to("graph", "", { file: path, direction: "out" }) }, "Calls in this file")),
      outline.symbols?.length ? el("details", { open: !line && read.lines > 40 }, el("summary", {}, `Outline, ${count(outline.total)}`),
        rows(outline.symbols.flatMap((one) => flat(one, path, [])), (one) => one)) : null,
      shown, more,
    ],
    start: () => shown.querySelector(".here")?.scrollIntoView({ block: "center" }),
  };
}

function flat(one, path, owners) {
  const names = [...owners, one.name];
  const row = el("li", {}, el("div", { class: "line" },
    el("a", { class: "name", href: to("symbol", names.join("::"), { file: path }) }, names.join("::")), tag(one.kind),
    place(path, one.start_line)));
  return [row, ...(one.children ?? []).flatMap((child) => flat(child, path, names))];
}

// --- Showing ---

const VIEWS = {
  "": home,
  search: ({ name }) => search(name),
  symbol: ({ name, options }) => symbol(name, options),
  graph: ({ name, options }) => graph(name, options),
  map: ({ name }) => map(name === "." ? "" : name),
  file: ({ name, options }) => file(name, options),
  status,
};

function problem(error) {
  return el("div", { class: "error", role: "alert" }, el("strong", {}, "That did not work: "), error.message,
    error.hint ? el("p", { class: "note" }, error.hint) : null);
}

function login() {
  const field = el("input", { type: "password", autocomplete: "off", "aria-label": "Token" });
  const form = el("form", {
    class: "tools",
    submit: (event) => {
      event.preventDefault();
      sessionStorage.setItem(TOKEN, field.value.trim());
      render();
    },
  }, field, el("button", { class: "strong" }, "Open"));
  return {
    title: "Token",
    parts: [el("h1", {}, "Which token?"), el("p", { class: "note" }, "The server wants the bearer token that it was started with, or printed when it started."), form],
    focus: field,
  };
}

let shown = 0;

async function render() {
  const own = ++shown;
  const at = route();
  for (const link of document.querySelectorAll(".bar nav a")) {
    if (link.hash === `#/${at.view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (at.view !== "search") query.value = "";
  const waiting = setTimeout(() => {
    if (own === shown) main.replaceChildren(el("p", { class: "loading", role: "status" }, "Looking …"));
  }, 150);
  let page;
  try {
    const view = Object.hasOwn(VIEWS, at.view) ? VIEWS[at.view] : null;
    page = view ? await view(at) : { title: "Portolan", parts: [el("h1", {}, "There is no such page"), el("a", { href: "#/" }, "Begin again")] };
  } catch (error) {
    page = error instanceof Refused ? login() : { title: "Portolan", parts: [problem(error)] };
  }
  clearTimeout(waiting);
  if (own !== shown) return;
  document.title = page.title === "Portolan" ? "Portolan" : `${page.title} - Portolan`;
  main.classList.toggle("wide", page.wide === true);
  main.replaceChildren(...page.parts.flat(9).filter((part) => part !== null && part !== undefined && part !== ""));
  main.dataset.ready = location.hash || "#/";
  window.scrollTo(0, 0);
  (page.focus ?? main).focus({ preventScroll: true });
  page.start?.();
}

document.getElementById("search").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = query.value.trim();
  if (text) location.hash = to("search", text);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.target.closest("input, select, textarea")) {
    event.preventDefault();
    query.focus();
    query.select();
  }
});
window.addEventListener("hashchange", () => {
  takeToken();
  render();
});
takeToken();
render();
