//! Models in files, as they are asked.

#[cfg(feature = "onnx")]
mod onnx;
