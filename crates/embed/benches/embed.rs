//! `cargo bench -p embed [-- DIR]`: how quickly the built-in model makes vectors of a directory's files (by default those
//! of the dependencies), how quickly the nearest are found, and how many of them a quick look misses. One core.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::{Path, PathBuf};
use std::time::Instant;

use embed::{Hit, Model, Segment, SegmentInfo, Vector};

const K: usize = 100;
const CHUNK: usize = 1_000;
const MOST: usize = 1_000_000;
const QUESTIONS: usize = 200;

fn main() {
    let dir = std::env::args_os()
        .skip(1)
        .map(PathBuf::from)
        .find(|path| path.is_dir());
    let dir = dir
        .or_else(|| Some(std::env::home_dir()?.join(".cargo/registry/src")))
        .expect("a directory");
    let (model, ms) = timed(Model::built_in);
    println!("{}, {} dimensions, read in {ms:.1} ms", model.id(), model.dim());

    let mut files = Vec::new();
    list(&dir, &mut files);
    // In an order that mixes them, and is always the same.
    files.sort_by_key(|path| {
        (
            BuildHasherDefault::<DefaultHasher>::default().hash_one(path),
            path.clone(),
        )
    });
    let mut encoder = model.encoder();
    let (mut vectors, mut questions, mut bytes, mut seconds) = (Vec::new(), Vec::new(), 0, 0.0);
    for text in files.iter().filter_map(|path| std::fs::read_to_string(path).ok()) {
        let start = Instant::now();
        for chunk in cut(&text) {
            vectors.push(encoder.code(chunk.lines().next().unwrap_or_default(), chunk));
            bytes += chunk.len();
        }
        seconds += start.elapsed().as_secs_f64();
        let docs = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("/// "))
            .filter(|line| line.len() > 40);
        questions.extend(docs.take(1).map(|line| encoder.query(line)));
        if vectors.len() >= MOST {
            break;
        }
    }
    questions.truncate(QUESTIONS);
    assert!(!questions.is_empty(), "{} has no code with comments", dir.display());
    println!(
        "encode: {} chunks of {} bytes, {:.0} chunks/s, {:.0} MB/s",
        vectors.len(),
        bytes / vectors.len(),
        vectors.len() as f64 / seconds,
        bytes as f64 / 1e6 / seconds
    );

    for n in [20_000, 70_000, 100_000, 450_000, MOST] {
        // Where there are not as many texts, those of two put together are new ones.
        let rows = (0..n).map(|row| match vectors.get(row) {
            Some(vector) => vector.clone(),
            None => mixed(&vectors[row % vectors.len()], &vectors[row * 7_919 % vectors.len()]),
        });
        let mut bytes = Vec::new();
        let info = SegmentInfo {
            dim: model.dim(),
            generation: 1,
            model: model.id(),
        };
        Segment::write(&mut bytes, info, (0..).zip(rows)).expect("memory can be written to");
        let segment = Segment::open(bytes).expect("a whole file");
        let (hits, quick): (Vec<_>, Vec<_>) = questions
            .iter()
            .map(|question| timed(|| segment.scan(question, K, |_| true)))
            .unzip();
        let (all, in_full): (Vec<_>, Vec<_>) = questions
            .iter()
            .map(|question| timed(|| segment.scan_in_full(question, K, |_| true)))
            .unzip();
        // What is as good as the last one is as good an answer.
        let recall_of = |(hits, all): (&Vec<Hit>, &Vec<Hit>)| {
            let least = all.last().map_or(0.0, |hit| hit.score);
            hits.iter().filter(|hit| hit.score >= least).count() as f64 / all.len() as f64
        };
        let mut found: Vec<f64> = hits.iter().zip(&all).map(recall_of).collect();
        let recall = found.iter().sum::<f64>() / found.len() as f64;
        found.sort_by(f64::total_cmp);
        println!(
            "scan {n:>9}: {}, in full {}; recall@{K} {recall:.4}, worst question {:.2}",
            spread(quick),
            spread(in_full),
            found[0]
        );
    }
}

fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = run();
    (result, start.elapsed().as_secs_f64() * 1e3)
}

/// The quickest and the median.
fn spread(mut times: Vec<f64>) -> String {
    times.sort_by(f64::total_cmp);
    format!("{:5.2} .. {:5.2} ms", times[0], times[times.len() / 2])
}

fn list(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            list(&path, files);
        } else if entry.metadata().is_ok_and(|data| data.len() < 300_000) {
            files.push(path);
        }
    }
}

/// Whole lines, about a kilobyte of them.
fn cut(text: &str) -> Vec<&str> {
    let (mut chunks, mut start, mut end) = (Vec::new(), 0, 0);
    for line in text.split_inclusive('\n') {
        end += line.len();
        if end - start >= CHUNK || end == text.len() {
            chunks.push(&text[start..end]);
            start = end;
        }
    }
    chunks
}

fn mixed(a: &Vector, b: &Vector) -> Vector {
    let sums = a
        .values()
        .iter()
        .zip(b.values())
        .map(|(a, b)| f32::from(*a) + f32::from(*b));
    Vector::from_floats(&sums.collect::<Vec<_>>())
}
