//! What can be compared of two signatures by their text alone.

/// A function's signature without its types.
#[derive(Debug, PartialEq, Eq)]
pub struct SignatureShape {
    /// How the function is called on a value, if it is: `&mut self`.
    pub receiver: Option<String>,
    /// Parameters beside the receiver.
    pub n_parameters: usize,
    /// Not known of a function that is awaited.
    pub returns_value: Option<bool>,
}

impl SignatureShape {
    /// Whether a function of this shape can implement one of the other.
    pub fn fits(&self, implemented: &SignatureShape) -> bool {
        let returns = self.returns_value.zip(implemented.returns_value);
        self.receiver == implemented.receiver
            && self.n_parameters == implemented.n_parameters
            && returns.is_none_or(|(one, other)| one == other)
    }
}
