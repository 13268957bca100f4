//! An ONNX file is run as onnxruntime runs it: the numbers come from `fixtures/make.py`.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use embed::Vector;
use models::Failure;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

#[test]
fn vectors_are_those_of_another_runtime() {
    let model = models::onnx(&fixture("tiny.onnx"), None).unwrap();
    let long = "mix ".repeat(40);
    let cases: [(&str, [i8; 8]); 4] = [
        ("read the config file", [14, -19, 85, -80, -21, -43, 127, -45]),
        ("mix two colors", [67, 13, 127, -64, -73, -93, 122, -81]),
        ("fn retry(call) { wait call }", [39, -18, 70, -85, -10, -45, 127, -59]),
        // The tokenizer says that 16 tokens are read.
        (&long, [30, 52, 95, -55, -127, -52, 124, -53]),
    ];
    for (text, expected) in &cases {
        let vector = model.query(text).unwrap();
        // Sums in another order may be rounded to the next number.
        let is_near = |(a, b): (&i8, &i8)| a.abs_diff(*b) <= 1;
        assert!(vector.values().iter().zip(expected).all(is_near), "{text}: {vector:?}");
    }
    let texts: Vec<String> = cases.iter().map(|(text, _)| (*text).to_owned()).collect();
    let vectors = model.code(&texts, &AtomicBool::new(false)).unwrap();
    let one_by_one: Vec<Vector> = texts.iter().map(|text| model.query(text).unwrap()).collect();
    assert_eq!(vectors, one_by_one);
    assert_eq!(model.code(&texts, &AtomicBool::new(true)), Err(Failure::Stopped));
}

#[test]
fn the_id_follows_from_the_content() {
    let dir = tempfile::tempdir().unwrap();
    let moved = dir.path().join("tiny.onnx");
    fs::copy(fixture("tiny.onnx"), &moved).unwrap();
    let tokenizer = fixture("tokenizer.json");
    let id = |path: &Path| models::onnx(path, Some(&tokenizer)).unwrap().id().to_owned();
    assert_eq!(id(&moved), id(&fixture("tiny.onnx")));
    assert!(id(&moved).starts_with("tiny-"), "{}", id(&moved));
}

#[test]
fn what_cannot_be_used() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("garbage.onnx"), "garbage").unwrap();
    fs::write(at("garbage.json"), "{}").unwrap();
    fs::copy(fixture("tiny.onnx"), at("tiny.onnx")).unwrap();
    let (tiny, tokenizer) = (fixture("tiny.onnx"), fixture("tokenizer.json"));
    for (model, tokenizer, reason) in [
        (at("none.onnx"), Some(&tokenizer), "it cannot be read"),
        (at("tiny.onnx"), None, "its tokenizer cannot be read"),
        (tiny, Some(&at("garbage.json")), "its tokenizer"),
        (at("garbage.onnx"), Some(&tokenizer), "cannot be used"),
    ] {
        let failure = models::onnx(&model, tokenizer.map(PathBuf::as_path)).err();
        let Some(Failure::Because(told)) = failure else {
            panic!("{} is usable", model.display());
        };
        assert!(told.contains(reason), "{told}");
    }
}
