//! Texts that nest deeper than anyone writes. rust-analyzer follows code by recursion, and who runs out of stack takes the whole
//! process along: such a file is not shown to it.

/// Brackets within brackets.
const MAX_BRACKETS: usize = 250;

/// Signs, and bytes, without anything that ends an expression.
const MAX_SIGNS: usize = 2_000;
const MAX_BYTES: usize = 200_000;

/// Conditions, each in the other branch of the one before.
const MAX_BRANCHES: usize = 1_000;

/// Whether a text may be too deep. Strings and comments count as code does: a file that is left out for them is no loss that
/// anyone would notice.
pub(crate) fn is_deep(text: &str) -> bool {
    let (mut brackets, mut signs, mut bytes) = (0usize, 0, 0);
    for byte in text.bytes() {
        bytes += 1;
        match byte {
            b'(' | b'[' | b'{' => brackets += 1,
            b')' | b']' | b'}' => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        match byte {
            b';' | b',' | b'{' | b'}' => (signs, bytes) = (0, 0),
            byte if byte.is_ascii_punctuation() && !matches!(byte, b'_' | b'"' | b'\'') => signs += 1,
            _ => {}
        }
        if brackets > MAX_BRACKETS || signs > MAX_SIGNS || bytes > MAX_BYTES {
            return true;
        }
    }
    text.matches("else").nth(MAX_BRANCHES).is_some()
}
