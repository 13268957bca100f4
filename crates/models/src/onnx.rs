//! A transformer in an ONNX file, with the `tokenizer.json` that it was trained with.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use embed::Vector;
use tokenizers::{Tokenizer, TruncationParams};
use tract_onnx::prelude::*;

use crate::{Embedder, Failure, MAX_TEXT_BYTES, beginning};

/// Tokens of a text that are read, unless the tokenizer says fewer.
const MAX_TOKENS: usize = 512;
/// Of the file and of its tokenizer. Nothing that runs here is larger.
const MAX_BYTES: u64 = 2 << 30;
/// What the output is called: the vector of the whole text, or else a vector a token.
const OUTPUTS: &[&str] = &["sentence_embedding", "last_hidden_state", "token_embeddings"];

pub(crate) struct Onnx {
    tokenizer: Tokenizer,
    model: Arc<TypedRunnableModel>,
    inputs: Vec<Input>,
    output: usize,
    id: String,
}

#[derive(Clone, Copy)]
enum Input {
    Ids,
    Mask,
    Types,
}

impl Onnx {
    pub fn open(path: &Path, tokenizer: Option<&Path>) -> Result<Onnx, Failure> {
        let beside = path.with_file_name("tokenizer.json");
        let tokenizer_path = tokenizer.unwrap_or(&beside);
        let bytes = read(path, "it")?;
        let tokenizer_bytes = read(tokenizer_path, "its tokenizer")?;
        let mut tokenizer = Tokenizer::from_bytes(&tokenizer_bytes)
            .map_err(|error| unusable(format!("its tokenizer {}: {error}", tokenizer_path.display())))?;
        let told = tokenizer.get_truncation().map_or(MAX_TOKENS, |told| told.max_length);
        let truncation = TruncationParams {
            max_length: told.clamp(8, MAX_TOKENS),
            ..TruncationParams::default()
        };
        tokenizer
            .with_truncation(Some(truncation))
            .map_err(|error| unusable(error.to_string()))?;
        tokenizer.with_padding(None);

        let model = tract_onnx::onnx()
            .model_for_read(&mut &bytes[..])
            .map_err(|error| unusable(format!("{error:#}")))?;
        let mut inputs = Vec::new();
        for outlet in model.input_outlets().map_err(|error| unusable(format!("{error:#}")))? {
            inputs.push(match model.node(outlet.node).name.as_str() {
                "input_ids" => Input::Ids,
                "attention_mask" => Input::Mask,
                "token_type_ids" => Input::Types,
                other => return Err(unusable(format!("it has an input `{other}`, which is not known"))),
            });
        }
        let outlets = model.output_outlets().map_err(|error| unusable(format!("{error:#}")))?;
        let named = |name: &&str| {
            let label = |outlet: &OutletId| model.outlet_label(*outlet).unwrap_or(&model.node(outlet.node).name);
            outlets.iter().position(|outlet| label(outlet) == *name)
        };
        let output = OUTPUTS.iter().find_map(named).unwrap_or(0);
        let model = model
            .into_optimized()
            .and_then(TypedModel::into_runnable)
            .map_err(|error| unusable(format!("{error:#}")))?;
        let mut hash = blake3::Hasher::new();
        hash.update(&bytes).update(&tokenizer_bytes);
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let onnx = Onnx {
            tokenizer,
            model,
            inputs,
            output,
            id: format!("{name}-{}", &hash.finalize().to_hex()[..12]),
        };
        // What cannot be run is better known now than after a while of indexing.
        onnx.vector("a text").map(|_| onnx)
    }

    fn vector(&self, text: &str) -> Result<Vector, Failure> {
        let failed = |error: String| Failure::Because(format!("cannot be run: {error}"));
        let text = beginning(text, MAX_TEXT_BYTES);
        let encoding = self
            .tokenizer
            .encode(text, true)
            .map_err(|error| failed(error.to_string()))?;
        let mask = encoding.get_attention_mask();
        if mask.is_empty() {
            return Err(Failure::Because(
                "cannot be run: its tokenizer finds no tokens".to_owned(),
            ));
        }
        self.run(&encoding, mask).map_err(|error| failed(format!("{error:#}")))
    }

    fn run(&self, encoding: &tokenizers::Encoding, mask: &[u32]) -> TractResult<Vector> {
        let mut inputs = TVec::new();
        for input in &self.inputs {
            let values = match input {
                Input::Ids => encoding.get_ids(),
                Input::Mask => mask,
                Input::Types => encoding.get_type_ids(),
            };
            let values: Vec<i64> = values.iter().map(|value| i64::from(*value)).collect();
            inputs.push(Tensor::from_shape(&[1, values.len()], &values)?.into_tvalue());
        }
        let outputs = self.model.run(inputs)?;
        let output = outputs[self.output].cast_to::<f32>()?;
        let output = output.to_plain_array_view::<f32>()?;
        let floats = match output.shape() {
            [1, _] => output.iter().copied().collect(),
            [1, tokens, dim] if *tokens == mask.len() => mean(output.iter().copied(), *dim, mask),
            other => return Err(TractError::msg(format!("its output has the shape {other:?}"))),
        };
        if floats.is_empty() || floats.iter().any(|x: &f32| !x.is_finite()) {
            return Err(TractError::msg("its output is not a vector of numbers"));
        }
        Ok(Vector::from_floats(&floats))
    }
}

/// The mean of the vectors of tokens that count.
fn mean(values: impl Iterator<Item = f32>, dim: usize, mask: &[u32]) -> Vec<f32> {
    let mut sum = vec![0.0; dim];
    for (n, value) in values.enumerate() {
        if mask[n / dim] != 0 {
            sum[n % dim] += value;
        }
    }
    let count = mask.iter().filter(|counts| **counts != 0).count().max(1) as f32;
    sum.iter().map(|x| x / count).collect()
}

impl Embedder for Onnx {
    fn id(&self) -> &str {
        &self.id
    }

    fn code(&self, texts: &[String], stop: &AtomicBool) -> Result<Vec<Vector>, Failure> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let share = texts.len().div_ceil(threads).max(1);
        let vector = |text: &String| match stop.load(Ordering::Relaxed) {
            true => Err(Failure::Stopped),
            false => self.vector(text),
        };
        let shares: Vec<_> = std::thread::scope(|scope| {
            let begun = texts
                .chunks(share)
                .map(|texts| scope.spawn(move || texts.iter().map(vector).collect::<Result<Vec<Vector>, Failure>>()));
            let begun: Vec<_> = begun.collect();
            begun.into_iter().map(|share| share.join()).collect()
        });
        let mut vectors = Vec::with_capacity(texts.len());
        for share in shares {
            let crashed = |_| Failure::Because("cannot be run: its runtime failed unexpectedly".to_owned());
            vectors.extend(share.map_err(crashed)??);
        }
        Ok(vectors)
    }

    fn query(&self, text: &str) -> Result<Vector, Failure> {
        self.vector(text)
    }
}

fn unusable(reason: String) -> Failure {
    Failure::Because(format!("cannot be used: {reason}"))
}

fn read(path: &Path, what: &str) -> Result<Vec<u8>, Failure> {
    let read = || {
        if std::fs::metadata(path)?.len() > MAX_BYTES {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        std::fs::read(path)
    };
    read().map_err(|error: std::io::Error| {
        Failure::Because(format!(
            "cannot be used: {what} cannot be read: {}: {error}",
            path.display()
        ))
    })
}
