//! A small model, and the simplest way to do with it what the crate does.

use embed::Model;

pub const DIM: usize = 64;

/// A model file with that vocabulary, and numbers that look like any.
pub fn bytes(vocabulary: &[&str]) -> Vec<u8> {
    let n_rows = vocabulary.len();
    let header = format!(
        r#"{{"name":"tiny","dim":{DIM},"vocabulary":{n_rows},"bigrams":0,"boost":0.75,"max_bytes":200,"seed":1}}"#
    );
    let words: String = vocabulary.iter().flat_map(|word| [word, "\n"]).collect();
    let mut bytes = b"PTLNEMB1".to_vec();
    for text in [header, words] {
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.bytes());
    }
    for side in 0..2 {
        bytes.extend((0..n_rows).flat_map(|row| weight(row, side).to_le_bytes()));
    }
    bytes.extend((0..n_rows).flat_map(|row| (0..DIM).map(move |i| value(row, i) as u8)));
    bytes
}

pub fn model(vocabulary: &[&str]) -> Model {
    Model::parse(bytes(vocabulary)).expect("the model can be read")
}

pub fn weight(row: usize, side: usize) -> f32 {
    0.01 + ((row * 7 + side * 3) % 11) as f32 * 0.003
}

pub fn value(row: usize, i: usize) -> i8 {
    noise((row * DIM + i) as u64) as i8
}

/// A number that has little to do with the one before.
pub fn noise(n: u64) -> u64 {
    (n + 1)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .rotate_left(29)
        .wrapping_mul(0xBF58_476D_1CE4_E5B9)
        >> 20
}
