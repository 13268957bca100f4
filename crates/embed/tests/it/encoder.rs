//! Texts to tokens to vectors.

use std::collections::BTreeMap;

use embed::Vector;
use proptest::prelude::*;

use crate::tiny;

const VOCABULARY: &[&str] = &[
    "get",
    "http",
    "server",
    "id",
    "x",
    "utf",
    "8",
    "2026",
    "straße",
    "größe",
    "数据库",
    "naïve",
    "##ing",
    "##in",
    "##pars",
    "##er",
    "##ré",
    "##table",
    "##tab",
    "i̇",
    "σ",
];

/// The tokens of a text, as they are written in the vocabulary.
#[track_caller]
fn check(text: &str, expected: &str) {
    let tokens = tiny::model(VOCABULARY).encoder().tokens(text);
    let tokens: Vec<&str> = tokens.iter().map(|token| VOCABULARY[*token as usize]).collect();
    assert_eq!(tokens.join(" "), expected, "{text:?}");
}

#[test]
fn names_are_split_at_their_humps() {
    check("getHTTPServer", "get http server");
    check("HTTP_SERVER.get_id(X)", "http server get id x");
    check("GetID", "get id");
    check("getX", "get x");
    check("XGet", "x get");
    check("", "");
    check("_-=+ ()", "");
}

#[test]
fn numbers_are_words_of_their_own() {
    check("utf8", "utf 8");
    check("8utf", "8 utf");
    check("v2026-12026", "2026");
}

#[test]
fn letters_are_those_of_all_languages() {
    check("GRÖẞE Größe straßeGröße", "größe größe straße größe");
    check("数据库 get数据库", "数据库");
    check("Naïve", "naïve");
    check("İ", "i̇");
    check("ΣΣ Σ", "σ");
}

#[test]
fn unknown_words_come_in_pieces() {
    check("parsing", "##pars ##ing");
    check("parser", "##pars ##er");
    check("qinq", "##in");
    check("tables", "##table");
    check("tabx", "##tab");
    check("éréré", "##ré ##ré");
    check("zzz z", "");
}

#[test]
fn what_is_too_long_is_left_out() {
    let word = "in".repeat(32);
    check(&word, &["##in"; 32].join(" "));
    check(&format!("{word}i"), "");
    check(&format!("{}get", " ".repeat(197)), "get");
    // The text ends within the last letter, which is then not there at all.
    check(&format!("{}größe", " ".repeat(197)), "");
    check(&format!("{}get", " ".repeat(198)), "");
}

#[test]
fn words_of_the_head_count_more() {
    let model = tiny::model(VOCABULARY);
    let (plain, head) = (model.code("", "get server"), model.code("get", "server"));
    let get = model.code("", "get");
    assert!(get.cosine(&head) > get.cosine(&plain));
    assert_ne!(model.query("get server"), plain, "questions have weights of their own");
}

#[test]
fn an_unknown_text_is_like_nothing() {
    let model = tiny::model(VOCABULARY);
    let nothing = model.query("zzz");
    assert!(nothing.is_zero());
    assert_eq!(nothing.cosine(&model.query("get")), 0.0);
}

#[test]
fn floats_become_directions() {
    assert_eq!(Vector::from_floats(&[0.5, -1.0, 0.0]).values(), [64, -127, 0]);
    assert_eq!(Vector::from_floats(&[0.0; 3]).values(), [0; 3]);
    assert!((Vector::from_floats(&[3.0, 4.0]).cosine(&Vector::from_floats(&[30.0, 40.0])) - 1.0).abs() < 1e-6);
}

/// The vector of a text by its definition.
fn naive_sum(head: &[u32], body: &[u32], side: usize) -> Vec<f64> {
    let mut counts: BTreeMap<u32, f64> = BTreeMap::new();
    for token in head.iter().chain(body) {
        *counts.entry(*token).or_default() += 1.0;
    }
    let mut sum = vec![0.0; tiny::DIM];
    for (token, count) in counts {
        let boost = if head.contains(&token) { 1.75 } else { 1.0 };
        for (i, sum) in sum.iter_mut().enumerate() {
            let row = f64::from(tiny::value(token as usize, i)) * f64::from(tiny::weight(token as usize, side));
            *sum += row * (1.0 + count.ln()) * boost;
        }
    }
    sum
}

proptest! {
    #[test]
    fn vectors_are_what_their_definition_says(head in "([gG]et|HTTP|[sS]erver|Id|X|8| |_){0,9}", body in "(?s)((get|Server|parsing|utf8| |_)|.){0,30}") {
        let model = tiny::model(VOCABULARY);
        let mut encoder = model.encoder();
        let (head_tokens, body_tokens) = (encoder.tokens(&head), encoder.tokens(&body));
        let close = |sum: &[f32], expected: Vec<f64>| sum.iter().zip(expected).all(|(a, b)| (f64::from(*a) - b).abs() < 1e-3);
        prop_assert!(close(encoder.code_sum(&head, &body), naive_sum(&head_tokens, &body_tokens, 1)));
        prop_assert!(close(encoder.query_sum(&body), naive_sum(&[], &body_tokens, 0)));
        prop_assert_eq!(encoder.code(&head, &body), model.code(&head, &body), "nothing is left of the text before");
        let mut known = Vec::new();
        model.each_token(&body, &mut String::new(), |token| known.push(token));
        prop_assert_eq!(encoder.code_of(&head, known.into_iter()), encoder.code(&head, &body));
    }

    #[test]
    fn ascii_words_are_those_of_the_training_code(text in "[a-cA-C0-2_ ]{0,40}") {
        // Every letter is a piece by itself only in pairs, so the tokens tell where words were cut.
        let pairs: Vec<String> = "abc".chars().flat_map(|a| "abc".chars().map(move |b| format!("##{a}{b}"))).collect();
        let mut vocabulary: Vec<&str> = pairs.iter().map(String::as_str).collect();
        let single = ["a", "b", "c", "0", "1", "2"];
        vocabulary.extend(single);
        let tokens = tiny::model(&vocabulary).encoder().tokens(&text);
        let tokens: Vec<&str> = tokens.iter().map(|token| vocabulary[*token as usize]).collect();
        let expected: Vec<String> = naive_words(&text)
            .into_iter()
            .flat_map(|word| match word.len() {
                1 => vec![word],
                _ if word.as_bytes()[0].is_ascii_digit() => vec![],
                len => (0..len / 2).map(|i| format!("##{}", &word[2 * i..2 * i + 2])).collect(),
            })
            .collect();
        prop_assert_eq!(tokens, expected);
    }
}

/// `[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+`, each the longest that there is, in lower case.
fn naive_words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let run = |text: &str, is: fn(&u8) -> bool| text.bytes().take_while(is).count();
        let upper = run(rest, u8::is_ascii_uppercase);
        let lower = run(&rest[upper..], u8::is_ascii_lowercase);
        let digits = run(rest, u8::is_ascii_digit);
        let len = match (upper, lower) {
            (0 | 1, 1..) => upper + lower,
            (2.., 1..) => upper - 1,
            (1.., 0) => upper,
            _ => digits,
        };
        if len > 0 {
            found.push(rest[..len].to_lowercase());
        }
        rest = &rest[len.max(1)..];
    }
    found
}
