//! A vector as it is stored: its direction, a byte a component.

use crate::kernel::Signs;

/// The average size of a component where there are only sizes from 0 to 3: of those tried, it lost the least.
const LEVEL: f32 = 1.25;

/// Only the direction is kept: components are scaled so that the largest is 127. A text of which the model knows
/// nothing has a vector of zeros, which is like nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector(Box<[i8]>);

impl Vector {
    pub fn from_floats(floats: &[f32]) -> Vector {
        let largest = floats.iter().fold(0.0, |max: f32, x| max.max(x.abs()));
        let scale = if largest > 0.0 { 127.0 / largest } else { 0.0 };
        // A conversion that cannot be, of infinity and the like, gives a zero.
        Vector(floats.iter().map(|x| (x * scale).round() as i8).collect())
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Vector {
        Vector(bytes.iter().map(|byte| *byte as i8).collect())
    }

    /// A vector whose values were written down.
    pub fn from_values(values: &[i8]) -> Vector {
        Vector(values.into())
    }

    pub fn values(&self) -> &[i8] {
        &self.0
    }

    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|x| *x == 0)
    }

    /// How alike two vectors are, from -1 to 1.
    pub fn cosine(&self, other: &Vector) -> f32 {
        let product: i32 = self
            .0
            .iter()
            .zip(&other.0)
            .map(|(a, b)| i32::from(*a) * i32::from(*b))
            .sum();
        product as f32 * self.inverse_norm() * other.inverse_norm()
    }

    /// One through the length, or zero.
    pub(crate) fn inverse_norm(&self) -> f32 {
        let square: i32 = self.0.iter().map(|x| i32::from(*x).pow(2)).sum();
        if square == 0 { 0.0 } else { 1.0 / (square as f32).sqrt() }
    }

    /// The signs, and sizes such that the average is `LEVEL`.
    pub(crate) fn signs(&self) -> impl Iterator<Item = Signs> {
        let sum: u32 = self.0.iter().map(|x| u32::from(x.unsigned_abs())).sum();
        let level = LEVEL * self.0.len() as f32 / sum.max(1) as f32;
        self.0.chunks(64).map(move |part| {
            let mut signs = Signs {
                above: 0,
                ones: 0,
                twos: 0,
            };
            for (i, x) in part.iter().enumerate() {
                let size = (f32::from(x.unsigned_abs()) * level).round().min(3.0) as u64;
                signs.above |= u64::from(*x > 0) << i;
                signs.ones |= (size & 1) << i;
                signs.twos |= (size >> 1) << i;
            }
            signs
        })
    }
}
