//! Reading the model file.

use embed::{Model, ModelError};

use crate::tiny;

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
