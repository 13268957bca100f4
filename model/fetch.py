#!/usr/bin/env python3
"""Fetch the sources that the model is trained on: `fetch.py debian|debs|pypi|npm|crates OUT [--limit N]`.

Which packages: those that Debian carries (its list of sources is the list of what is in use), plus the names in
`names.tsv` that it does not have. Which licences: permissive ones only, file by file where Debian says so.
Nothing that is fetched is executed. What was taken is appended to OUT/REGISTRY.tsv; `packages.tsv` is made of those.
Addresses are asked of the clients (apt-get, pip, npm, cargo), so that a mirror they are set up for is used here too.
"""
import concurrent.futures
import fnmatch
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import threading
import urllib.error
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
CODE = set("""rs py pyi js mjs cjs jsx ts tsx mts go java kt kts scala sc c h cc cpp cxx hpp hh hxx cs rb php swift ex exs
erl hrl hs ml mli lua sh bash zig dart jl r pl pm m mm groovy clj cljs fs fsx d nim cr elm vue svelte sql proto""".split())
DOCS = {"md", "rst", "txt"}
PERMISSIVE = re.compile(
    r"(?i)^(mit([-_ /].*)?|expat.*|x11.*|apache.*|asl[-_ ]?2.*|(bsd|0bsd).*|[234][- ]clause[- ]bsd.*|.*bsd[- _][0-9].*"
    r"|new bsd.*|modified bsd.*|isc.*|zlib.*|libpng.*|unlicense.*|the unlicense.*|cc0.*|psf.*|python.*|public[- ]domain.*"
    r"|boost.*|bsl-1.*|wtfpl.*|mit-0|ncsa.*|postgresql.*|blueoak.*|unicode.*|ruby|hpnd.*|curl|permissive)$")
COPYLEFT = re.compile(r"(?i)gpl|mpl|epl|cddl|eupl|ofl|cc-by|ms-pl|osl|cecill|sspl|busl|non-?commercial|proprietary")
# The tests: every repository of the search benchmark and of the truth set, under the names that registries know it by.
TESTS = r"""flask|httpx|httpcore|aeson|.*-aeson|alamofire|axios|bats|bats-core|.*cobra|gin|.*gin-gonic-gin|fmt|fmtlib|libfmt|
gson|.*google-gson|guzzle.*|php-guzzle.*|kotlinx-coroutines.*|libuv.*|monolog|php-monolog|newtonsoft.*|mono|nlohmann.*|plug|
.*elixir-plug|pandoc.*|haskell-pandoc.*|pydantic.*|rails|ruby-rails.*|ruby-acti.*|railties|redis|valkey|keydb|redux|
@reduxjs/.*|node-redux|requests|serde|serde_.*|rust-serde.*|telescope.*|zig|ziglang|zod|node-zod|circe|phoenix|rack|
ruby-rack|snapkit|bat|goldmark|.*yuin-goldmark|jsoup|leveldb|lua5\.\d|lua50|werkzeug|python-werkzeug|pip|python-pip|
quart|node-axios|python-flask|python-httpx|python-requests|types-requests|json|spdlog|ceph|nodejs|redict"""
# Famous projects that a benchmark of code search may well hold out: left alone, to be safe.
LIKELY = r"""ripgrep|rust-ripgrep|tokio|axum|clap|clap_.*|actix.*|express|node-express|fastify|react|vue|svelte|hono|fastapi|
click|python-click|rich|pytest|python-django|django|jekyll|sinatra|ruby-sinatra|sidekiq|ruby-devise|devise|laravel.*|
symfony|composer|okhttp|libokhttp-java|retrofit|jackson-.*|guava.*|libspring-java|ktor.*|moshi|exposed|cats|akka|http4s|
zio|vapor|kingfisher|rxswift|ecto|nginx|curl|sqlite3|jq|catch2|googletest|grpc|gorm|.*labstack-echo|.*go-chi-chi|
.*spf13-viper|.*uber-zap|hugo|dapper|serilog|automapper|polly|neovim|kong|nvm|hledger|xmonad|haskell-servant.*|
haskell-lens|zls|bun|starlette|celery|sqlalchemy|aiohttp|python-aiohttp|trpc|vite|vitest|prettier|eslint|typescript|
node-typescript|webpack|rollup|esbuild|abseil|boost.*|folly|rocksdb|.*messagepack|shellcheck|php-twig|twig|phpunit|slim|
.*gofiber-fiber|.*gorilla-mux|model2vec|semble|pygments|black|ruff|mypy|numpy|pandas|scikit-learn|libgit2|wren|jsonnet"""
EXCLUDED = re.compile(f"(?i)^({TESTS}|{LIKELY})$".replace("\n", ""))
SKIPPED_DIRS = re.compile(
    r"(?i)(^|/)(node_modules|vendor|third[-_]?party|thirdparty|deps|external|extern|_vendor|vendored|\.git|dist|build|"
    r"bundled|minified|contrib/vendor|godeps|requests|flask|httpx|pydantic|werkzeug|libuv|leveldb|jsoup|goldmark|fmtlib|"
    r"nlohmann|__pycache__)/")
MAX_FILE, MAX_FILES, MAX_ORIG = 200_000, 2500, 20_000_000
# Where sources are looked for: a mirror need not have all of them.
SUITES = ["bookworm", "trixie", "sid"]
LOCK = threading.Lock()


def get(url):
    for attempt in range(3):
        try:
            with urllib.request.urlopen(url, timeout=60) as reply:
                return reply.read()
        except urllib.error.HTTPError:
            raise
        except OSError as error:
            last = error
    raise last


def unpack(data, directory, is_allowed, strip=1):
    """Code and documents of a tar file, as bytes below `directory`; returns how many."""
    n = 0
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:*") as tar:
        for member in tar:
            path = "/".join(member.name.lstrip("./").split("/")[strip:])
            extension = path.rsplit(".", 1)[-1].lower()
            if not member.isfile() or not 40 < member.size < MAX_FILE or ".min." in path or ".." in path:
                continue
            if extension not in CODE and not (extension in DOCS and path.count("/") < 2):
                continue
            if SKIPPED_DIRS.search(path) or not is_allowed(path):
                continue
            target = os.path.join(directory, path)
            if len(target) > 240:
                continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as out:
                out.write(tar.extractfile(member).read())
            n += 1
            if n >= MAX_FILES:
                break
    trim(directory)
    return n


def trim(directory, budget=900_000):
    """Of a large package some files, chosen by a hash of their paths: one package must not be a language's only voice."""
    files = [os.path.join(at, name) for at, _, names in os.walk(directory) for name in names]
    files.sort(key=lambda path: (path.endswith((".md", ".rst", ".txt")) and -1, hashlib.sha256(path[len(directory):].encode()).digest()))
    for path in files:
        budget -= os.path.getsize(path)
        if budget < 0:
            os.remove(path)


def record(out, registry, *fields):
    with LOCK, open(os.path.join(out, registry + ".tsv"), "a") as log:
        log.write("\t".join((registry,) + tuple(str(field) for field in fields)) + "\n")


def is_permissive(licence):
    """`MIT OR Apache-2.0`, `MIT/Apache-2.0`, `(BSD-3-Clause AND MIT)`: any of an OR, all of an AND."""
    text = licence.strip().strip("()").replace("/", " or ")
    if not text or len(text) > 120:
        return False
    def one(word):
        word = word.strip().strip("()").strip()
        return bool(PERMISSIVE.match(word)) and not COPYLEFT.search(word)
    return any(all(one(part) for part in re.split(r"(?i)\s+and\s+|,", either)) for either in re.split(r"(?i)\s+or\s+", text))


def debian_licences(copyright):
    """The stanzas of a machine-readable debian/copyright: [(patterns, licence)], or None."""
    if not re.match(r"(?i)\s*format", copyright):
        return None
    stanzas = []
    for stanza in re.split(r"\n\s*\n", copyright):
        files = re.search(r"(?mi)^files:((?:.*\n?(?:[ \t].*\n?)*))", stanza)
        licence = re.search(r"(?mi)^licen[sc]e:[ \t]*(.*)", stanza)
        if files and licence:
            stanzas.append((files.group(1).split(), licence.group(1).strip()))
    return stanzas


def debian_names(out, suite):
    """[(name, version, {part: address})] by family, from the list of sources."""
    options = []
    if suite:
        own = os.path.join(os.path.abspath(out), "apt")
        for below in ("lists/partial", "cache"):
            os.makedirs(os.path.join(own, below), exist_ok=True)
        ask = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Component: main"]
        mirror = next(line for line in subprocess.run(ask, capture_output=True, text=True).stdout.split() if line.endswith("/debian/"))
        with open(os.path.join(own, "sources.list"), "w") as sources:
            sources.write(f"deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] {mirror} {suite} main\n")
        options = ["-o", f"Dir::Etc::sourcelist={own}/sources.list", "-o", "Dir::Etc::sourceparts=-", "-o",
                   f"Dir::State::lists={own}/lists", "-o", f"Dir::Cache={own}/cache"]
        subprocess.run(["apt-get", *options, "update"], check=True, stdout=subprocess.DEVNULL)
    ask = ["apt-get", *options, "indextargets", "--format", "$(FILENAME) $(REPO_URI)", "Created-By: Sources"]
    targets = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.split("\n")
    families = {}
    for path, mirror in (target.split() for target in targets if target):
        text = subprocess.run(["/usr/lib/apt/apt-helper", "cat-file", path], capture_output=True, check=True).stdout
        for stanza in text.decode("utf-8", "replace").split("\n\n"):
            field = lambda name: (re.search(rf"(?m)^{name}: *(.*)", stanza) or [None, ""])[1]
            name, section = field("Package"), field("Section").split("/")[-1]
            section = next((family for family, pattern in FAMILIES if re.match(pattern, name)), section)
            files = dict(re.findall(r"(?m)^ [0-9a-f]{32} \d+ (\S+?(\.orig\.tar|\.debian\.tar)\.\w+)$", stanza))
            files = {part: f"{mirror}{field('Directory')}/{file}" for file, part in files.items()}
            size = re.search(r"(?m)^ [0-9a-f]{32} (\d+) \S+\.orig\.tar\.\w+$", stanza)
            if len(files) != 2 or int(size[1]) > MAX_ORIG or EXCLUDED.match(name):
                continue
            if section in ("doc", "fonts", "localization", "games", "gnome", "kde", "gnu-r", "perl", "rust", "science",
                           "education", "translations", "x11", "metapackages", "debian-installer", "kernel", "tex", "text"):
                continue
            if name.startswith(("rust-", "fonts-", "r-", "gcc-", "linux", "lib" if name.endswith("-perl") else "rust-")):
                continue
            families.setdefault(section, []).append((name, field("Version").split("-")[0], files))
    return families


FAMILIES = [("golang", r"golang-"), ("javascript", r"node-"), ("ruby", r"ruby-"), ("php", r"php-"), ("haskell", r"haskell-"),
            ("ocaml", r"ocaml-|.*-ocaml$|ocaml"), ("java", r"lib.*-java$|jackson|maven-|plexus-"), ("lua", r"lua-"),
            ("erlang", r"erlang-|elixir|rebar"), ("perl", r"lib.*-perl$"), ("python", r"python-|python3-|django-|pytest-|.*-python$"),
            ("libs", r"lib"), ("gnu-r", r"r-"), ("rust", r"rust-"), ("fonts", r"fonts-"), ("kde", r"k[a-z]*$"),
            ("lisp", r"cl-|elpa-|emacs-|.*-el$|.*-clojure$")]
SHARES = {"haskell": 700, "java": 700, "libs": 1000, "libdevel": 100, "devel": 400, "utils": 400, "net": 400, "interpreters": 100,
          "misc": 1500, "web": 120, "database": 60, "admin": 200, "httpd": 40, "comm": 40, "graphics": 80, "sound": 60,
          "video": 40, "vcs": 40, "cli-mono": 60, "ocaml": 60, "erlang": 60, "lisp": 60, "lua": 10, "golang": 10, "ruby": 10,
          "javascript": 10, "python": 10, "php": 10}


def debian(out, limit):
    chosen, versions = [], {}
    for suite in SUITES:
        for section, packages in debian_names(out, suite).items():
            packages.sort(key=lambda package: hashlib.sha256(package[0].encode()).digest())
            for name, version, uris in packages[:SHARES.get(section, 10)]:
                versions.setdefault(name, []).append((version, uris))
    chosen = sorted(versions, key=lambda name: hashlib.sha256(name.encode()).digest())
    print(len(chosen), "chosen", flush=True)

    def one(name):
        for version, uris in dict(versions[name]).items():
            try:
                return one_version(name, version, uris)
            except urllib.error.HTTPError as error:
                last = error
        raise last

    def one_version(name, version, uris):
        directory = os.path.join(out, "debian", name)
        if os.path.isdir(directory):
            return
        with tarfile.open(fileobj=io.BytesIO(get(uris[".debian.tar"])), mode="r:*") as tar:
            try:
                copyright = tar.extractfile("debian/copyright").read().decode("utf-8", "replace")
            except KeyError:
                return
        stanzas = debian_licences(copyright)
        if not stanzas or not is_permissive(stanzas[0][1]):
            return
        refused = []
        for patterns, licence in stanzas:
            good = is_permissive(licence)
            refused += [(re.compile(fnmatch.translate(pattern.strip())), good) for pattern in patterns]

        def is_allowed(path):
            allowed = True
            for pattern, good in refused:
                if pattern.match(path):
                    allowed = good
            return allowed
        data = get(uris[".orig.tar"])
        sha = hashlib.sha256(data).hexdigest()
        if unpack(data, directory, is_allowed):
            record(out, "debian", name, version, stanzas[0][1], sha)
    everyone(one, chosen[:limit])


def deb_part(data, wanted):
    """A member of an ar archive whose name begins so."""
    at = 8
    while at + 60 <= len(data):
        name, size = data[at:at + 16].decode().strip().rstrip("/"), int(data[at + 48:at + 58])
        if name.startswith(wanted):
            return data[at + 60:at + 60 + size]
        at += 60 + size + size % 2
    raise KeyError(wanted)


BINARIES = [("golang", r"golang-.*-dev$", "usr/share/gocode/src/", 1100), ("ruby", r"ruby-", "usr/share/rubygems-integration/all/gems/|usr/lib/ruby/vendor_ruby/", 800),
            ("javascript", r"node-", "usr/share/nodejs/|usr/lib/nodejs/", 600), ("php", r"php-", "usr/share/php/", 500),
            ("python", r"python3-", "usr/lib/python3/dist-packages/", 1200), ("lua", r"lua-", r"usr/share/lua/5\.\d/", 90),
            ("ocaml", r"lib.*-ocaml-dev$", "usr/lib/ocaml/", 200), ("headers", r"lib.*-dev$", r"usr/include/(?:x86_64-linux-gnu/)?", 900),
            ("elixir", r"elixir$|erlang-.*", r"usr/lib/(?:elixir|erlang)/lib/", 60)]


def debs(out, limit):
    """Packages of Debian that hold sources as they are installed: scripts, Go, headers."""
    ask = ["apt-get", "indextargets", "--format", "$(FILENAME) $(REPO_URI)", "Created-By: Packages", "Codename: bookworm"]
    targets = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.split("\n")
    families, sources = {}, set()
    for path, mirror in (target.split() for target in targets if target):
        text = subprocess.run(["/usr/lib/apt/apt-helper", "cat-file", path], capture_output=True, check=True).stdout
        for stanza in text.decode("utf-8", "replace").split("\n\n"):
            field = lambda name: (re.search(rf"(?m)^{name}: *(\S*)", stanza) or [None, ""])[1]
            name = field("Package")
            family = next((binary for binary in BINARIES if re.match(binary[1], name)), None)
            if not family or EXCLUDED.match(name) or EXCLUDED.match(field("Source")) or EXCLUDED.match(re.sub("^python3?-|^ruby-|^node-|^php-|-dev$", "", name)):
                continue
            if 3_000 < int(field("Size")) < MAX_ORIG:
                families.setdefault(family[0], []).append((name, field("Version").split("-")[0], mirror + field("Filename"), family[2]))
    chosen = []
    for name, _, _, share in BINARIES:
        found = sorted(families.get(name, []), key=lambda package: hashlib.sha256(package[0].encode()).digest())
        chosen += found[:share]
    chosen.sort(key=lambda package: hashlib.sha256(package[0].encode()).digest())
    print(len(chosen), "chosen", flush=True)

    def one(package):
        name, version, uri, prefix = package
        directory = os.path.join(out, "debs", name)
        if os.path.isdir(directory):
            return
        data = get(uri)
        part = deb_part(data, "data.tar")
        if part[:4] == b"\x28\xb5\x2f\xfd":
            part = subprocess.run(["zstd", "-dcq"], input=part, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(part), mode="r:*") as tar:
            try:
                copyright = tar.extractfile(f"./usr/share/doc/{name}/copyright").read().decode("utf-8", "replace")
            except (KeyError, AttributeError):
                return
        stanzas = debian_licences(copyright)
        if not stanzas or not is_permissive(stanzas[0][1]):
            return
        # Paths are those of the sources: what is not permissive is refused wherever it is installed.
        refused = [re.compile(r"(.*/)?" + fnmatch.translate(pattern)) for patterns, licence in stanzas[1:] if not is_permissive(licence)
                   for pattern in patterns if pattern not in ("*", "debian/*")]
        begin = re.compile(prefix)

        def is_allowed(path):
            return begin.match(path) and not any(pattern.match(path) for pattern in refused)
        if unpack(part, directory, is_allowed, strip=0):
            record(out, "debs", name, version, stanzas[0][1], hashlib.sha256(data).hexdigest())
    everyone(one, chosen[:limit])


def everyone(one, names, workers=8):
    n = 0
    def safely(name):
        try:
            one(name)
        except Exception as error:
            print(str(name)[:60], type(error).__name__, error, flush=True)
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(safely, names):
            n += 1
            if n % 100 == 0:
                print(n, "of", len(names), flush=True)


def names_of(registry):
    names = []
    with open(os.path.join(HERE, "names.tsv")) as lines:
        for line in lines:
            kind, _, rest = line.rstrip("\n").partition("\t")
            if kind == registry:
                names += rest.split()
    return [name for name in dict.fromkeys(names) if not EXCLUDED.match(name)]


def pypi(out, limit):
    from pip._internal.models.index import PyPI
    def one(name):
        directory = os.path.join(out, "pypi", name)
        if os.path.isdir(directory):
            return
        page = json.loads(get(f"{PyPI.pypi_url}/{name}/json"))
        info = page["info"]
        classifiers = [c.split(" :: ")[-1] for c in info.get("classifiers", []) if c.startswith("License ::")]
        licence = info.get("license_expression") or ""
        if not licence and classifiers:
            licence = " AND ".join(re.sub(r" (Software )?License.*", "", c) for c in classifiers if c != "OSI Approved")
        licence = licence or info.get("license") or ""
        sdist = [url for url in page["urls"] if url["packagetype"] == "sdist" and url["size"] < MAX_ORIG]
        if not sdist or not is_permissive(licence):
            return print(name, "left out:", licence[:40].replace("\n", " "), flush=True)
        data = get(urllib.parse.urljoin(f"{PyPI.simple_url}/{name}/", sdist[0]["url"]))
        sha = hashlib.sha256(data).hexdigest()
        if sha == sdist[0]["digests"]["sha256"] and sdist[0]["filename"].endswith("gz") and unpack(data, directory, lambda path: True):
            record(out, "pypi", name, info["version"], licence, sha)
    everyone(one, names_of("pypi")[:limit])


def npm(out, limit):
    registry = subprocess.run(["npm", "config", "get", "registry"], capture_output=True, text=True).stdout.strip()
    def one(name):
        directory = os.path.join(out, "npm", name.replace("/", "__"))
        if os.path.isdir(directory):
            return
        page = json.loads(get(registry + name.replace("/", "%2f") + "/latest"))
        licence = page.get("license") or ""
        licence = licence.get("type", "") if isinstance(licence, dict) else str(licence)
        if not is_permissive(licence):
            return print(name, "left out:", licence[:40], flush=True)
        data = get(page["dist"]["tarball"])
        if len(data) < MAX_ORIG and unpack(data, directory, lambda path: True):
            record(out, "npm", name, page["version"], licence, hashlib.sha256(data).hexdigest())
    everyone(one, names_of("npm")[:limit])


def crates(out, limit):
    """What `cargo fetch` brings for each name, dependencies too."""
    home, project = os.path.join(out, "cargo"), os.path.join(out, "cargo-project")
    os.makedirs(os.path.join(project, "src"), exist_ok=True)
    open(os.path.join(project, "src", "lib.rs"), "w").close()

    def fetch(names):
        with open(os.path.join(project, "Cargo.toml"), "w") as manifest:
            manifest.write('[package]\nname = "fetched"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n')
            manifest.writelines(f'{name} = {{ version = "*", default-features = false }}\n' for name in names)
        if os.path.exists(os.path.join(project, "Cargo.lock")):
            os.remove(os.path.join(project, "Cargo.lock"))
        done = subprocess.run(["cargo", "fetch", "-q", "--target", "x86_64-unknown-linux-gnu"], cwd=project, env={**os.environ, "CARGO_HOME": home},
                              capture_output=True, text=True)
        if done.returncode and len(names) > 1:
            fetch(names[:len(names) // 2])
            fetch(names[len(names) // 2:])
    names = names_of("crates")[:limit]
    for start in range(0, len(names), 24):
        fetch(names[start:start + 24])
        print(start, "of", len(names), flush=True)
    cache = os.path.join(home, "registry", "cache")
    for registry in os.listdir(cache):
        for archive in sorted(os.listdir(os.path.join(cache, registry))):
            name, _, version = re.match(r"(.+?)(-)(\d[^/]*)\.crate$", archive).groups()
            if EXCLUDED.match(name) or name.startswith("windows") or name.startswith("winapi"):
                continue
            with open(os.path.join(cache, registry, archive), "rb") as file:
                data = file.read()
            with tarfile.open(fileobj=io.BytesIO(data), mode="r:*") as tar:
                manifest = tar.extractfile(archive[:-6] + "/Cargo.toml").read().decode("utf-8", "replace")
            licence = (re.search(r'(?m)^license = "(.*)"', manifest) or [None, ""])[1]
            directory = os.path.join(out, "crates", name)
            if is_permissive(licence) and not os.path.isdir(directory) and unpack(data, directory, lambda path: True):
                record(out, "crates", name, version, licence, hashlib.sha256(data).hexdigest())


def table(out, used):
    """What was used, as a table: `fetch.py table OUT packages.json`, the latter from pairs.py."""
    with open(used) as file:
        used = {name: (lang, is_test, pairs) for name, lang, is_test, pairs in json.load(file)}
    rows = {}
    for registry in ("crates", "npm", "pypi", "debs", "debian"):
        with open(os.path.join(out, registry + ".tsv")) as lines:
            for line in lines:
                _, name, version, licence, sha = line.rstrip("\n").split("\t")
                lang, is_test, pairs = used.get(f"{registry}/{name.replace('/', '__')}", ("", False, 0))
                if pairs:
                    rows[registry, name] = (registry, name, version, licence[:60], sha, lang, "test" if is_test else str(pairs))
    print("registry\tname\tversion\tlicence\tsha256\tlanguage\tpairs")
    for key in sorted(rows):
        print("\t".join(rows[key]))


if __name__ == "__main__":
    registry, out = sys.argv[1], sys.argv[2]
    if registry == "table":
        sys.exit(table(out, sys.argv[3]))
    limit = int(sys.argv[sys.argv.index("--limit") + 1]) if "--limit" in sys.argv else None
    os.makedirs(out, exist_ok=True)
    {"debian": debian, "debs": debs, "pypi": pypi, "npm": npm, "crates": crates}[registry](out, limit)
