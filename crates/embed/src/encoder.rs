//! A text's vector: the sum of its words' rows.

use crate::Vector;
use crate::kernel::add_rows;
use crate::model::{Model, Side};
use crate::words::words;

/// Makes vectors, one after the other, in buffers of its own.
pub struct Encoder<'m> {
    model: &'m Model,
    buffers: Buffers,
}

/// What an encoder writes into. The next one of the model takes it over: it is large, and knows the words of late.
#[derive(Default)]
pub(crate) struct Buffers {
    /// The different tokens of the text, in the order of their first use.
    tokens: Vec<Token>,
    /// For each token of the model, one more than its place in `tokens`, or zero.
    places: Vec<u32>,
    terms: Vec<(u32, f32)>,
    sum: Vec<f32>,
    word: String,
    recent: Recent,
}

struct Token {
    id: u32,
    count: u32,
    in_head: bool,
}

impl<'m> Encoder<'m> {
    pub(crate) fn new(model: &'m Model) -> Encoder<'m> {
        let buffers = model.spare().take().unwrap_or_else(|| Buffers {
            tokens: Vec::new(),
            places: vec![0; model.n_tokens()],
            terms: Vec::new(),
            sum: vec![0.0; model.dim()],
            word: String::new(),
            recent: Recent(vec![Seen::default(); RECENT]),
        });
        Encoder { model, buffers }
    }

    pub fn query(&mut self, text: &str) -> Vector {
        Vector::from_floats(self.query_sum(text))
    }

    /// The vector of code. Its head, the names and signatures that it defines, counts more and is given apart, and again
    /// in the body if it stands there.
    pub fn code(&mut self, head: &str, body: &str) -> Vector {
        Vector::from_floats(self.code_sum(head, body))
    }

    /// The vector of a question before it is normalised.
    pub fn query_sum(&mut self, text: &str) -> &[f32] {
        self.count(text, false);
        self.sum(Side::Query)
    }

    /// The vector of code before it is normalised.
    pub fn code_sum(&mut self, head: &str, body: &str) -> &[f32] {
        self.count(head, true);
        self.count(body, false);
        self.sum(Side::Code)
    }

    /// The same, where the tokens of a text are known.
    pub fn code_of(&mut self, head: &str, body: impl Iterator<Item = u32>) -> Vector {
        self.count(head, true);
        let Buffers { tokens, places, .. } = &mut self.buffers;
        body.for_each(|token| count_token(tokens, places, token, false));
        Vector::from_floats(self.sum(Side::Code))
    }

    /// The tokens of a text, in order.
    pub fn tokens(&mut self, text: &str) -> Vec<u32> {
        let mut tokens = Vec::new();
        let model = self.model;
        words(model.beginning(text), &mut self.buffers.word, |word| {
            model.tokens_of_word(word, |id| tokens.push(id))
        });
        tokens
    }

    fn count(&mut self, text: &str, in_head: bool) {
        let model = self.model;
        let Buffers {
            tokens,
            places,
            word,
            recent,
            ..
        } = &mut self.buffers;
        words(model.beginning(text), word, |word| {
            recent.tokens_of_word(model, word, |token| count_token(tokens, places, token, in_head));
        });
    }

    fn sum(&mut self, side: Side) -> &[f32] {
        let Buffers {
            tokens,
            places,
            terms,
            sum,
            ..
        } = &mut self.buffers;
        terms.clear();
        for Token { id, count, in_head } in tokens.drain(..) {
            places[id as usize] = 0;
            let boost = if in_head { 1.0 + self.model.boost() } else { 1.0 };
            terms.push((id, self.model.weight(side, id) * (1.0 + (count as f32).ln()) * boost));
        }
        sum.fill(0.0);
        add_rows(sum, self.model.rows(), terms);
        sum
    }
}

fn count_token(tokens: &mut Vec<Token>, places: &mut [u32], id: u32, in_head: bool) {
    let place = &mut places[id as usize];
    if *place == 0 {
        tokens.push(Token { id, count: 0, in_head });
        *place = tokens.len() as u32;
    }
    tokens[*place as usize - 1].count += 1;
}

impl Drop for Encoder<'_> {
    fn drop(&mut self) {
        // Something is left in them if a text was not finished.
        if self.buffers.tokens.is_empty() {
            *self.model.spare() = Some(std::mem::take(&mut self.buffers));
        }
    }
}

/// Words whose tokens are remembered: code says the same few again and again, and the model's own table, being large, is
/// slow to ask.
const RECENT: usize = 1 << 12;

/// What was found for words that were seen lately, each in the one place that its letters tell.
#[derive(Default)]
struct Recent(Vec<Seen>);

#[derive(Clone, Copy, Default)]
struct Seen {
    /// Filled up with zeros.
    word: [u8; 16],
    /// No more than that many.
    n_tokens: u8,
    tokens: [u32; 4],
}

impl Recent {
    fn tokens_of_word(&mut self, model: &Model, word: &str, mut found: impl FnMut(u32)) {
        let mut key = [0; 16];
        let Some(start) = key.get_mut(..word.len()) else {
            return model.tokens_of_word(word, found);
        };
        start.copy_from_slice(word.as_bytes());
        let hash = u128::from_le_bytes(key).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        let seen = &mut self.0[(hash >> (u128::BITS - RECENT.ilog2())) as usize];
        if seen.word != key {
            let (mut n, mut tokens) = (0, [0; 4]);
            model.tokens_of_word(word, |token| {
                if let Some(place) = tokens.get_mut(n) {
                    *place = token;
                }
                n += 1;
            });
            if n > tokens.len() {
                return model.tokens_of_word(word, found);
            }
            *seen = Seen {
                word: key,
                n_tokens: n as u8,
                tokens,
            };
        }
        seen.tokens[..usize::from(seen.n_tokens)]
            .iter()
            .copied()
            .for_each(&mut found);
    }
}
