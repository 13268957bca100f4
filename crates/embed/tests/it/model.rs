//! Reading the model file.

use std::path::Path;

use embed::{Model, ModelError};
use serde_json::Value;

use crate::tiny;

#[test]
fn the_built_in_model_is_there() {
    let model = Model::built_in();
    assert!(!model.query("read a file").is_zero());
    assert_eq!(model.query("read a file").values().len(), model.dim());
}

#[test]
fn the_built_in_model_is_called_by_what_is_in_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("model.bin");
    let read = Model::parse(std::fs::read(path).expect("a file")).expect("a model");
    assert_eq!(Model::built_in().id(), read.id());
}

/// The training code wrote down what it makes of some texts.
#[test]
fn the_built_in_model_agrees_with_the_code_that_trained_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../model/agreement.json");
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path).expect("a file")).expect("a list");
    assert!(cases.len() >= 40);
    let mut encoder = Model::built_in().encoder();
    for case in cases {
        let [query, head, body] = ["query", "head", "body"].map(|name| case[name].as_str().unwrap_or_default());
        let tokens = [query, head, body].map(|text| encoder.tokens(text)).concat();
        assert_eq!(Value::from(tokens), case["tokens"], "{case}");
        let sum = if case["query"].is_string() {
            encoder.query_sum(query)
        } else {
            encoder.code_sum(head, body)
        };
        let close = |is: f64, should: &Value| (is - should.as_f64().expect("a number")).abs() < 1e-4;
        let norm = sum.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        assert!(close(norm, &case["norm"]), "{norm}, {case}");
        let first = case["first"].as_array().expect("numbers");
        assert!(
            first.iter().zip(sum).all(|(should, is)| close(f64::from(*is), should)),
            "{sum:?}, {case}"
        );
    }
}

#[test]
fn an_id_tells_models_apart() {
    let (a, b) = (tiny::model(&["get", "put"]), tiny::model(&["get", "set"]));
    assert!(a.id().starts_with("tiny-"));
    assert_ne!(a.id(), b.id());
    assert_eq!(a.id(), tiny::model(&["get", "put"]).id());
}

#[test]
fn a_file_that_is_no_model_is_refused() {
    let whole = tiny::bytes(&["get", "put"]);
    for len in 0..whole.len() {
        assert!(
            Model::parse(whole[..len].to_vec()).is_err(),
            "{len} bytes are not enough"
        );
    }
    let longer = [&whole[..], b"x"].concat();
    assert!(matches!(Model::parse(longer), Err(ModelError::Length)));
    let foreign = [b"x", &whole[1..]].concat();
    assert!(matches!(Model::parse(foreign), Err(ModelError::Foreign)));
    let text = String::from_utf8_lossy(&whole);
    let (header, words) = (text.find("name").expect("a header"), text.find("get\n").expect("words"));
    let mut bytes = whole.clone();
    bytes[header] = b'N';
    assert!(matches!(Model::parse(bytes), Err(ModelError::Header(_))));
    let mut bytes = whole.clone();
    bytes[words] = b'\n';
    assert!(matches!(Model::parse(bytes), Err(ModelError::Vocabulary)));
}
