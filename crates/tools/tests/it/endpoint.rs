//! A model on a server: its vectors follow the index, and whatever the server does, every search is answered.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::{Kit, string};

const REPO: &str = r#"
//- /src/config.rs
/// Reads the configuration file and parses it.
pub fn read_config(path: &Path) -> Result<Config, Error> {
    let text = std::fs::read_to_string(path)?;
    toml::from_str(&text)
}
//- /web/color.ts
export function mixColors(first: Color, second: Color, ratio: number): Color {
    const red = first.red * (1 - ratio) + second.red * ratio;
    return new Color(red, 0);
}
//- /net/retry.go
package net

func RetryWithBackoff(attempts int, call func() error) error {
	for attempt := 0; attempt < attempts; attempt++ {
		call()
	}
	return errors.New("too many attempts")
}
"#;

const KEY: &str = "sk-very-secret-4711";
const MIXING: &str = "function tint(a, b) { return new Color(a.red, b.red); }";

/// What the server does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mood {
    /// Vectors of so many components.
    Well(usize),
    /// Answers correctly only to this many texts in all.
    WellFor(usize),
    Status(u16),
    /// Accepts no more than one text at a time, of no more than 300 bytes.
    Narrow,
    Garbage,
    TooFew,
    Uneven,
    TwiceTheSame,
    Infinite,
    Hanging,
}

/// Texts that were asked for, with the authorization that came with each.
type Asked = Vec<(String, Option<String>)>;

/// A server in a thread. Vectors count letters; they come in the reverse order.
struct Fake {
    address: SocketAddr,
    mood: Arc<Mutex<Mood>>,
    asked: Arc<Mutex<Asked>>,
    over: Arc<AtomicBool>,
}

impl Fake {
    fn new(mood: Mood) -> Fake {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let fake = Fake {
            address: listener.local_addr().unwrap(),
            mood: Arc::new(Mutex::new(mood)),
            asked: Arc::default(),
            over: Arc::default(),
        };
        let (mood, asked, over) = (fake.mood.clone(), fake.asked.clone(), fake.over.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if over.load(Ordering::SeqCst) {
                    return;
                }
                let (mood, asked, over) = (mood.clone(), asked.clone(), over.clone());
                std::thread::spawn(move || serve(stream, &mood, &asked, &over));
            }
        });
        fake
    }

    fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    fn set(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    /// How many texts of chunks it was given; questions are one line.
    fn n_asked(&self) -> usize {
        let asked = self.asked.lock().unwrap();
        asked.iter().filter(|(text, _)| text.contains('\n')).count()
    }

    fn kit(&self, root: &Path) -> Kit {
        Kit::with(root, false, &self.flags()).reopened_with_env(&[("PORTOLAN_MODEL_KEY", KEY)])
    }

    fn flags(&self) -> [(&'static str, &'static str); 2] {
        // Settings live as long as the test.
        [("search.model", self.url().leak()), ("search.model_name", "letters")]
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
    }
}

fn serve(stream: TcpStream, mood: &Mutex<Mood>, asked: &Mutex<Asked>, over: &AtomicBool) {
    let mut reader = BufReader::new(stream);
    loop {
        let (mut length, mut key) = (0, None);
        let mut line = String::new();
        loop {
            line.clear();
            if reader.read_line(&mut line).is_err() || line.is_empty() {
                return;
            }
            let lower = line.to_ascii_lowercase();
            if let Some(n) = lower.strip_prefix("content-length:") {
                length = n.trim().parse().unwrap();
            }
            if lower.starts_with("authorization:") {
                key = Some(line["authorization:".len()..].trim().to_owned());
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        if reader.read_exact(&mut body).is_err() {
            return;
        }
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["model"], "letters");
        let texts: Vec<String> = body["input"].as_array().unwrap().iter().map(string).collect();
        let mood = *mood.lock().unwrap();
        let mut known = asked.lock().unwrap();
        known.extend(texts.iter().map(|text| (text.clone(), key.clone())));
        let so_far = known.len();
        drop(known);
        let mut data: Vec<Value> = texts
            .iter()
            .enumerate()
            .map(|(n, text)| json!({ "object": "embedding", "index": n, "embedding": letters(text, mood) }))
            .rev()
            .collect();
        let mut status = 200;
        match mood {
            Mood::Hanging => {
                while !over.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(10));
                }
                return;
            }
            Mood::Status(code) => status = code,
            Mood::WellFor(n) if so_far > n => status = 503,
            Mood::Narrow if texts.len() > 1 || texts[0].len() > 300 => status = 413,
            Mood::TooFew => data.truncate(data.len() - 1),
            Mood::TwiceTheSame => data.iter_mut().for_each(|item| item["index"] = 0.into()),
            _ => {}
        }
        let said = json!({ "error": { "message": format!("not with {}", key.unwrap_or_default()) } });
        let body = match (mood, status) {
            (Mood::Garbage, _) => "<html>here is no model</html>".to_owned(),
            (Mood::Infinite, _) => json!({ "data": data }).to_string().replace("0.5", "1e39"),
            (_, 200) => json!({ "object": "list", "data": data }).to_string(),
            _ => said.to_string(),
        };
        let head = format!(
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        if reader.get_mut().write_all((head + &body).as_bytes()).is_err() {
            return;
        }
    }
}

fn letters(text: &str, mood: Mood) -> Vec<f32> {
    let dim = match mood {
        Mood::Well(dim) => dim,
        Mood::Uneven => 20 + text.len() % 7,
        _ => 26,
    };
    let mut counts = vec![0.5; dim];
    for letter in text.bytes().filter(u8::is_ascii_alphabetic) {
        counts[usize::from(letter.to_ascii_lowercase() - b'a') % dim] += 1.0;
    }
    counts
}

fn index(kit: &Kit) -> Value {
    kit.json("index_repository", json!({}));
    kit.json("index_status", json!({}))["vectors"].clone()
}

fn vector_health(kit: &Kit) -> (String, String) {
    let part = kit.json("health_check", json!({}))["parts"]["vector_index"].clone();
    (string(&part["status"]), string(&part["message"]))
}

/// Every search is answered by words, and says why.
fn answers_by_words(kit: &Kit, reason: &str, told: &str) {
    for mode in ["auto", "hybrid", "semantic"] {
        let answer = kit.json("search_code", json!({ "query": "mix colors ratio", "mode": mode }));
        assert_eq!(answer["results"][0]["path"], "web/color.ts", "{told} {mode}");
        assert_eq!(answer["coverage"]["engines"], json!(["text"]), "{told} {mode}");
        let note = string(&answer["note"]);
        assert!(note.contains(reason), "{told} {mode}: {note}");
    }
    let answer = kit.json("find_similar", json!({ "code": MIXING }));
    assert_eq!(answer["engine"], "keywords", "{told}");
    assert_eq!(answer["results"][0]["path"], "web/color.ts", "{told}");
    assert!(string(&answer["note"]).contains(reason), "{told}: {}", answer["note"]);
}

#[test]
fn the_server_makes_the_vectors() {
    let repo = Repo::new(REPO);
    let fake = Fake::new(Mood::Well(26));
    let kit = fake.kit(&repo.root());
    let engine = format!("letters at {}/embeddings", fake.url());
    assert_eq!(
        index(&kit),
        json!({ "state": "ready", "model": engine, "chunks": 3, "vectors": 3 })
    );
    assert_eq!(fake.n_asked(), 3);
    let texts: BTreeMap<String, Option<String>> = fake.asked.lock().unwrap().iter().cloned().collect();
    assert!(
        texts
            .values()
            .all(|key| key.as_deref() == Some(&format!("Bearer {KEY}")))
    );
    let (color, _) = texts.iter().find(|(text, _)| text.contains("mixColors")).unwrap();
    // What the file is called and what it defines come first, as for the built-in model.
    assert!(color.starts_with("web/color "), "{color}");
    assert!(color.contains("\nexport function mixColors"), "{color}");

    let answer = kit.json("find_similar", json!({ "file": "web/color.ts", "line": 2 }));
    assert_eq!(answer["engine"], engine);
    assert_eq!(answer["results"].as_array().unwrap().len(), 2);
    for (mode, engines) in [
        ("semantic", json!(["vectors"])),
        ("hybrid", json!(["text", "vectors"])),
        ("auto", json!(["text", "vectors"])),
    ] {
        let answer = kit.json(
            "search_code",
            json!({ "query": "retry with backoff attempts attempt", "mode": mode }),
        );
        assert_eq!(answer["results"][0]["path"], "net/retry.go", "{mode}");
        assert_eq!(answer["coverage"]["engines"], engines, "{mode}");
        assert!(answer["coverage"].get("vectors").is_none(), "{mode}");
    }
    // The letters decide, whatever the words are.
    let answer = kit.json(
        "search_code",
        json!({ "query": "rrrtttyyy tttrrry", "mode": "semantic" }),
    );
    assert_eq!(answer["results"][0]["path"], "net/retry.go");
    assert_eq!(
        vector_health(&kit),
        ("healthy".into(), format!("3 vectors of {engine}"))
    );

    // Only what has changed is asked for, and another process finds what is there.
    let before = fake.n_asked();
    repo.write("web/color.ts", "export const blue = mix(green, yellow);\n");
    assert_eq!(index(&kit)["chunks"], 3);
    assert_eq!(fake.n_asked(), before + 1);
    let kit = kit.reopened();
    assert_eq!(index(&kit)["chunks"], 3);
    assert_eq!(fake.n_asked(), before + 1);
}

#[test]
fn another_model_makes_them_anew() {
    let repo = Repo::new(REPO);
    let fake = Fake::new(Mood::Well(26));
    let kit = Kit::new(&repo.root());
    assert_eq!(index(&kit)["state"], "ready");
    let built_in = kit.json("find_similar", json!({ "code": MIXING }));
    let kit = kit.reopened_with(&fake.flags());
    assert_eq!(index(&kit)["chunks"], 3);
    assert_eq!(fake.n_asked(), 3);

    // The same name with vectors of another length is another model.
    fake.set(Mood::Well(40));
    let answer = kit.json("search_code", json!({ "query": "mix colors", "mode": "hybrid" }));
    assert!(
        string(&answer["note"]).contains("another length than before"),
        "{}",
        answer["note"]
    );
    assert_eq!(answer["results"][0]["path"], "web/color.ts");
    assert_eq!(index(&kit)["chunks"], 3);
    let answer = kit.json("search_code", json!({ "query": "mix colors ratio", "mode": "hybrid" }));
    assert_eq!(answer["coverage"]["engines"], json!(["text", "vectors"]));
    assert!(answer["note"].is_null(), "{answer}");

    let other = Fake::new(Mood::Well(40));
    let kit = kit.reopened_with(&other.flags());
    assert_eq!(index(&kit)["chunks"], 3);
    assert_eq!(other.n_asked(), 3);
    let kit = kit.reopened_with(&[]);
    index(&kit);
    assert_eq!(
        kit.json("find_similar", json!({ "code": MIXING }))["results"],
        built_in["results"]
    );
}

/// A server that does not do its part costs vectors, never an answer.
#[test]
fn a_server_that_fails() {
    let repo = Repo::new(REPO);
    for (mood, reason) in [
        (
            Mood::Status(401),
            "does not accept the key in the environment variable `PORTOLAN_MODEL_KEY`",
        ),
        (Mood::Status(404), "answers with status 404: not with Bearer ***"),
        (Mood::Status(302), "answers with status 302"),
        (Mood::Status(400), "answers with status 400"),
        (Mood::Status(500), "answers with status 500"),
        (Mood::Garbage, "something else than embeddings"),
        (Mood::TooFew, "2 embeddings for 3 texts"),
        (Mood::TwiceTheSame, "indexes are not those of the texts"),
        (Mood::Uneven, "different lengths"),
        (Mood::Infinite, "not finite"),
    ] {
        let told = format!("{mood:?}");
        let fake = Fake::new(mood);
        let kit = fake.kit(&repo.root());
        let vectors = index(&kit);
        assert_eq!(vectors["state"], "partial", "{told}");
        assert_eq!((&vectors["chunks"], &vectors["of"]), (&json!(0), &json!(3)), "{told}");
        assert!(string(&vectors["reason"]).contains(reason), "{told}: {vectors}");
        answers_by_words(&kit, reason, &told);
        let (health, message) = vector_health(&kit);
        assert_eq!(health, "degraded", "{told}");
        assert!(message.contains(reason), "{told}: {message}");
        assert!(kit.text("index_repository", json!({})).contains(reason), "{told}");

        // As soon as it works, so does everything.
        fake.set(Mood::Well(26));
        assert_eq!(index(&kit)["state"], "ready", "{told}");
        let answer = kit.json("search_code", json!({ "query": "mix colors", "mode": "hybrid" }));
        assert_eq!(answer["coverage"]["engines"], json!(["text", "vectors"]), "{told}");
    }
}

#[test]
fn a_server_that_takes_little_at_a_time() {
    let repo = Repo::new(REPO);
    let fake = Fake::new(Mood::Narrow);
    let kit = fake.kit(&repo.root());
    assert_eq!(index(&kit)["chunks"], 3);
}

/// A process that serves makes them beside its answers.
#[test]
fn vectors_follow_in_the_background() {
    let repo = Repo::new(REPO);
    for n in 0..100 {
        repo.write(
            &format!("many/file{n}.py"),
            format!("def number_{n}():\n    return {n}\n"),
        );
    }
    let fake = Fake::new(Mood::Well(26));
    let kit = Kit::watching(&repo.root()).reopened_with(&fake.flags());
    let answer = kit.json("search_code", json!({ "query": "mix colors ratio" }));
    assert_eq!(answer["results"][0]["path"], "web/color.ts");
    let deadline = Instant::now() + Duration::from_secs(30);
    while kit.json("index_status", json!({}))["vectors"]["state"] != "ready" {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(fake.n_asked(), 103);
}

#[test]
fn a_server_that_hangs() {
    let repo = Repo::new(REPO);
    let fake = Fake::new(Mood::Hanging);
    let kit = fake.kit(&repo.root());
    let started = Instant::now();
    let answer = kit.json(
        "search_code",
        json!({ "query": "mix colors ratio", "mode": "semantic" }),
    );
    assert_eq!(answer["results"][0]["path"], "web/color.ts");
    assert!(string(&answer["note"]).contains("0 of 3 chunks"), "{}", answer["note"]);
    let status = kit.text("index_status", json!({}));
    assert!(
        status.contains("vectors: 0 of 3 chunks; the others are being made"),
        "{status}"
    );

    let fake = Fake::new(Mood::Well(26));
    let kit = fake.kit(&repo.root());
    index(&kit);
    fake.set(Mood::Hanging);
    answers_by_words(&kit, "does not answer within 2 s", "hanging");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn a_server_that_goes_away() {
    let repo = Repo::new(REPO);
    let fake = Fake::new(Mood::Well(26));
    let kit = fake.kit(&repo.root());
    assert_eq!(index(&kit)["state"], "ready");
    let flags = fake.flags();
    drop(fake);
    let kit = kit.reopened_with(&flags);
    answers_by_words(&kit, "cannot be reached", "gone");
    let (health, message) = vector_health(&kit);
    assert_eq!(health, "degraded");
    assert!(message.contains("cannot be reached"), "{message}");
    // A place whose vector is there needs no server.
    repo.write("notes.txt", "mix colors ratio\n");
    assert_eq!(kit.paths_with("mix colors ratio"), ["notes.txt"]);
}

/// What was made before a failure is kept, searches use it and say how much it is, and the next run goes on.
#[test]
fn a_server_that_fails_midway() {
    let repo = Repo::new(REPO);
    for n in 0..600 {
        repo.write(
            &format!("many/file{n}.py"),
            format!("def number_{n}():\n    return {n}\n"),
        );
    }
    let fake = Fake::new(Mood::WellFor(300));
    let kit = fake.kit(&repo.root());
    let vectors = index(&kit);
    assert_eq!(
        (&vectors["state"], &vectors["chunks"], &vectors["of"]),
        (&json!("partial"), &json!(256), &json!(603))
    );
    assert!(string(&vectors["reason"]).contains("status 503"), "{vectors}");
    fake.set(Mood::Well(26));
    let kit = kit.reopened();
    for mode in ["semantic", "hybrid"] {
        let answer = kit.call("search_code", json!({ "query": "mix colors ratio", "mode": mode }));
        assert_eq!(answer.structured["results"][0]["path"], "web/color.ts", "{mode}");
        let coverage = &answer.structured["coverage"];
        assert_eq!(coverage["vectors"], json!({ "chunks": 256, "of": 603 }), "{mode}");
        let told = "vectors: 256 of 603 chunks; the others are not compared by meaning";
        assert!(answer.text.contains(told), "{}", answer.text);
    }
    assert!(
        kit.text("health_check", json!({}))
            .contains("vectors: 256 of 603 chunks; this process makes no more")
    );
    assert_eq!(index(&kit)["state"], "ready");
    let texts: Vec<String> = fake
        .asked
        .lock()
        .unwrap()
        .iter()
        .map(|(text, _)| text.clone())
        .collect();
    let times = |wanted: &str| texts.iter().filter(|text| text.contains(wanted)).count();
    assert_eq!(times("def number_0()"), 1, "what is there is not made again");
}

#[test]
fn the_key_is_told_to_nobody_else() {
    let repo = Repo::new(REPO);
    let fake = Fake::new(Mood::Well(26));
    let kit = fake.kit(&repo.root());
    index(&kit);
    fake.set(Mood::Status(422));
    let mut told = String::new();
    for (tool, arguments) in [
        ("get_config", json!({ "detailed": true })),
        ("get_server_info", json!({})),
        ("search_code", json!({ "query": "mix colors", "mode": "semantic" })),
        ("find_similar", json!({ "code": MIXING })),
        ("health_check", json!({})),
        ("index_status", json!({})),
        ("index_repository", json!({ "force": true })),
    ] {
        let outcome = kit.call(tool, arguments);
        told.push_str(&outcome.text);
        told.push_str(&outcome.structured.to_string());
    }
    assert!(told.contains("search.model_key_env: PORTOLAN_MODEL_KEY"), "{told}");
    assert!(told.contains("Bearer ***"), "{told}");
    assert!(!told.contains(KEY));
    let mut n_files = 0;
    let mut dirs = vec![kit.home().to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                dirs.push(path);
                continue;
            }
            n_files += 1;
            let bytes = fs::read(&path).unwrap();
            assert!(
                !bytes.windows(KEY.len()).any(|part| part == KEY.as_bytes()),
                "{}",
                path.display()
            );
        }
    }
    assert!(n_files > 3);
}

/// Whoever wrote a repository has no say in where its text is sent.
#[test]
fn a_repository_cannot_choose_a_server() {
    let repo = Repo::new(REPO);
    let fake = Fake::new(Mood::Well(26));
    repo.write(
        ".portolan.toml",
        format!("[search]\nmodel = \"{}\"\nmodel_name = \"letters\"\n", fake.url()),
    );
    let kit = Kit::new(&repo.root());
    assert_eq!(index(&kit)["state"], "ready");
    assert_eq!(fake.n_asked(), 0);
}

#[test]
fn addresses_that_are_none() {
    let repo = Repo::new(REPO);
    for (address, shown, reason) in [
        (
            "http://me:secret@localhost:1/v1",
            "http://localhost:1/v1",
            "a user or a query is not accepted",
        ),
        (
            "https://localhost/v1?key=secret",
            "https://localhost/v1",
            "a user or a query is not accepted",
        ),
        ("http://", "http://", "not the address of a server"),
    ] {
        let kit = Kit::with(&repo.root(), false, &[("search.model", address)]);
        let config = kit.text("get_config", json!({}));
        assert!(config.contains(&format!("search.model: {shown} ")), "{config}");
        let note = string(&kit.json("find_similar", json!({ "code": MIXING }))["note"]);
        assert!(note.contains(reason) && !note.contains("secret"), "{note}");
        assert_eq!(vector_health(&kit).0, "degraded");
    }
}
