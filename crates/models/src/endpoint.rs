//! A server that answers `POST /v1/embeddings` as OpenAI's does.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use embed::Vector;
use serde::{Deserialize, Serialize};
use ureq::Agent;

use crate::{Access, Embedder, Failure, MAX_TEXT_BYTES, QUERY_TIMEOUT, beginning, shown_address};

/// Texts in one request, and requests at one time.
const BATCH: usize = 64;
const PARALLEL: usize = 4;
/// How long one request for many texts may take.
const BATCH_TIMEOUT: Duration = Duration::from_secs(60);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// What a server that is overloaded or does not answer is given until the next attempt.
const PAUSES: [Duration; 3] = [
    Duration::from_millis(250),
    Duration::from_millis(500),
    Duration::from_secs(1),
];
/// The longest that a server can ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// A server that has just failed to answer a question is not asked the next one: each would wait as long.
const REST: Duration = Duration::from_secs(5);
/// A text that is refused is cut in half, but not below this.
const LEAST_TEXT: usize = 256;
/// No answer to a batch is longer, and no vector has more components.
const MAX_ANSWER: u64 = 64 << 20;
const MAX_DIM: usize = 16_384;
/// What is told of a server's own words.
const MAX_REASON: usize = 200;
const TICK: Duration = Duration::from_millis(20);

pub(crate) struct Endpoint {
    agent: Agent,
    url: String,
    access: Access,
    id: String,
    /// When a question last failed, and why.
    failed: Mutex<Option<(Instant, String)>>,
    /// The last question: its next page asks the same.
    last: Mutex<Option<(String, Vector)>>,
}

#[derive(Serialize)]
struct Request<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    input: &'a [&'a str],
}

#[derive(Deserialize)]
struct Response {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: Option<usize>,
    embedding: Vec<f32>,
}

/// Why an attempt failed.
enum Refusal {
    /// Another attempt may do better, perhaps after the pause that the server asks for.
    Now(String, Option<Duration>),
    /// These texts, or so many of them, are not accepted.
    Input(String),
    Ever(String),
}

impl Refusal {
    fn reason(self) -> String {
        match self {
            Refusal::Now(reason, _) | Refusal::Input(reason) | Refusal::Ever(reason) => reason,
        }
    }
}

impl Endpoint {
    pub fn new(address: &str, access: Access) -> Result<Endpoint, Failure> {
        let because = |reason: &str| Failure::Because(reason.to_owned());
        if shown_address(address) != address {
            return Err(because(
                "cannot be used: an address with a user or a query is not accepted, as it would be shown; a key is read from the environment",
            ));
        }
        let host = address.split("://").nth(1).unwrap_or_default();
        if host.is_empty() || host.starts_with('/') || address.contains(char::is_whitespace) {
            return Err(because("cannot be used: it is not the address of a server"));
        }
        let base = address.trim_end_matches('/');
        let url = match base.ends_with("/embeddings") {
            true => base.to_owned(),
            false => format!("{base}/embeddings"),
        };
        // Of a server in the same house a proxy knows nothing.
        let proxy = if url.starts_with("https://") {
            ureq::Proxy::try_from_env()
        } else {
            None
        };
        let agent = Agent::config_builder()
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .http_status_as_error(false)
            // The key is for this server only.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(proxy)
            .build()
            .new_agent();
        let name = access.name.as_deref().unwrap_or("the model");
        let id = format!("{name} at {url}");
        Ok(Endpoint {
            agent,
            url,
            access,
            id,
            failed: Mutex::new(None),
            last: Mutex::new(None),
        })
    }

    /// One request: a vector for each text.
    fn ask(&self, texts: &[&str], timeout: Duration) -> Result<Vec<Vector>, Refusal> {
        let body = Request {
            model: self.access.name.as_deref(),
            input: texts,
        };
        let mut request = self.agent.post(&self.url);
        if let Some(key) = &self.access.key {
            request = request.header("Authorization", format!("Bearer {}", key.0));
        }
        let request = request.config().timeout_global(Some(timeout)).build();
        let mut response = request
            .send_json(body)
            .map_err(|error| self.unreachable(&error, timeout))?;
        let status = response.status().as_u16();
        let pause = response
            .headers()
            .get("retry-after")
            .and_then(|seconds| seconds.to_str().ok()?.trim().parse().ok())
            .map(Duration::from_secs);
        let body = response.body_mut().with_config().limit(MAX_ANSWER).read_to_vec();
        let body = body.map_err(|error| self.unreachable(&error, timeout))?;
        if status == 200 {
            return vectors(&body, texts.len()).map_err(|reason| Refusal::Ever(format!("answers with {reason}")));
        }
        let said = self.words_of(&body);
        Err(match status {
            401 | 403 => Refusal::Ever(self.refused_key(status)),
            429 | 500.. => Refusal::Now(format!("answers with status {status}{said}"), pause),
            400 | 413 | 422 => Refusal::Input(format!("answers with status {status}{said}")),
            _ => Refusal::Ever(format!("answers with status {status}{said}")),
        })
    }

    /// The server's words are not told: some repeat the key.
    fn refused_key(&self, status: u16) -> String {
        let from = &self.access.key_from;
        match self.access.key {
            Some(_) => format!("does not accept the key in the environment variable `{from}` (status {status})"),
            None => format!("wants a key (status {status}); put it into the environment variable `{from}`"),
        }
    }

    fn unreachable(&self, error: &ureq::Error, timeout: Duration) -> Refusal {
        match error {
            ureq::Error::Timeout(_) => Refusal::Now(format!("does not answer within {} s", timeout.as_secs()), None),
            ureq::Error::BodyExceedsLimit(_) => Refusal::Ever("answers with more than 64 MB".to_owned()),
            error => Refusal::Now(format!("cannot be reached: {}", self.plain(&error.to_string())), None),
        }
    }

    /// What the server says is wrong, as OpenAI and others put it.
    fn words_of(&self, body: &[u8]) -> String {
        let json: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
        let message = ["/error/message", "/error", "/message", "/detail"]
            .iter()
            .find_map(|place| json.pointer(place)?.as_str());
        message.map_or_else(String::new, |message| format!(": {}", self.plain(message)))
    }

    /// One short line without the key.
    fn plain(&self, text: &str) -> String {
        let key = self.access.key.as_ref().filter(|key| !key.0.is_empty());
        let text = key.map_or_else(|| text.to_owned(), |key| text.replace(&key.0, "***"));
        let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
        beginning(&words.join(" "), MAX_REASON).to_owned()
    }

    /// As [`Endpoint::ask`], as often as it makes sense.
    fn insist(&self, texts: &[&str], stop: &AtomicBool) -> Result<Vec<Vector>, Failure> {
        let mut pauses = PAUSES.iter();
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(Failure::Stopped);
            }
            match (self.ask(texts, BATCH_TIMEOUT), texts) {
                (Ok(vectors), _) => return Ok(vectors),
                (Err(Refusal::Now(reason, asked)), _) => match pauses.next() {
                    Some(pause) => rest(asked.unwrap_or(*pause).min(LONGEST_PAUSE), stop)?,
                    None => return Err(Failure::Because(reason)),
                },
                (Err(Refusal::Input(_)), [text]) if text.len() > LEAST_TEXT => {
                    return self.insist(&[beginning(text, text.len() / 2)], stop);
                }
                (Err(Refusal::Input(_)), [_, _, ..]) => {
                    let (some, others) = texts.split_at(texts.len() / 2);
                    let mut vectors = self.insist(some, stop)?;
                    vectors.extend(self.insist(others, stop)?);
                    return same_length(vectors);
                }
                (Err(refusal), _) => return Err(Failure::Because(refusal.reason())),
            }
        }
    }
}

impl Embedder for Endpoint {
    fn id(&self) -> &str {
        &self.id
    }

    fn code(&self, texts: &[String], stop: &AtomicBool) -> Result<Vec<Vector>, Failure> {
        // Some servers refuse a text of nothing.
        let cut = |text: &String| match text.trim() {
            "" => ".".to_owned(),
            _ => beginning(text, MAX_TEXT_BYTES).to_owned(),
        };
        let texts: Vec<String> = texts.iter().map(cut).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let batches: Vec<&[&str]> = texts.chunks(BATCH).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for batches in batches.chunks(PARALLEL) {
            let answers: Vec<_> = std::thread::scope(|scope| {
                let asked = batches.iter().map(|batch| scope.spawn(|| self.insist(batch, stop)));
                let asked: Vec<_> = asked.collect();
                asked.into_iter().map(|asked| asked.join()).collect()
            });
            for answer in answers {
                let crashed = |_| Failure::Because("cannot be asked".to_owned());
                vectors.extend(answer.map_err(crashed)??);
            }
        }
        same_length(vectors)
    }

    fn query(&self, text: &str) -> Result<Vector, Failure> {
        let text = beginning(text, MAX_TEXT_BYTES);
        let known = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, vector)) = known.filter(|(known, _)| known == text) {
            return Ok(vector);
        }
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, reason)) = failed.filter(|(at, _)| at.elapsed() < REST) {
            return Err(Failure::Because(reason));
        }
        let answer = self.ask(&[text], QUERY_TIMEOUT).map_err(Refusal::reason);
        let failure = answer.as_ref().err().map(|reason| (Instant::now(), reason.clone()));
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = failure;
        let vector = answer.map_err(Failure::Because)?.remove(0);
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some((text.to_owned(), vector.clone()));
        Ok(vector)
    }
}

/// Waits, unless told to stop.
fn rest(pause: Duration, stop: &AtomicBool) -> Result<(), Failure> {
    let until = Instant::now() + pause;
    while Instant::now() < until {
        if stop.load(Ordering::Relaxed) {
            return Err(Failure::Stopped);
        }
        std::thread::sleep(TICK);
    }
    Ok(())
}

/// The vectors of an answer in the order of the texts, if it is one; else what it is.
fn vectors(body: &[u8], count: usize) -> Result<Vec<Vector>, String> {
    let Ok(Response { data }) = serde_json::from_slice(body) else {
        return Err("something else than embeddings".to_owned());
    };
    if data.len() != count {
        return Err(format!("{} embeddings for {count} texts", data.len()));
    }
    let mut vectors: Vec<Option<Vector>> = vec![None; count];
    for (n, item) in data.into_iter().enumerate() {
        let place = vectors.get_mut(item.index.unwrap_or(n)).filter(|place| place.is_none());
        let place = place.ok_or("embeddings whose indexes are not those of the texts")?;
        if item.embedding.is_empty() || item.embedding.len() > MAX_DIM {
            return Err(format!("an embedding of {} components", item.embedding.len()));
        }
        if item.embedding.iter().any(|x| !x.is_finite()) {
            return Err("numbers that are not finite".to_owned());
        }
        *place = Some(Vector::from_floats(&item.embedding));
    }
    let vectors = vectors.into_iter().flatten().collect();
    same_length(vectors).map_err(|_| "embeddings of different lengths".to_owned())
}

fn same_length(vectors: Vec<Vector>) -> Result<Vec<Vector>, Failure> {
    let mut lengths = vectors.iter().map(|vector| vector.values().len());
    let first = lengths.next();
    if lengths.any(|length| Some(length) != first) {
        return Err(Failure::Because(
            "answers with embeddings of different lengths".to_owned(),
        ));
    }
    Ok(vectors)
}
