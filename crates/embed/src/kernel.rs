//! The loops that everything waits for. The compiler makes vector code of them, for the processor that any binary must
//! expect and again for AVX2, where it helps for AVX-512; which one runs is decided at run time. Kernels written by hand (`simsimd`) are no faster:
//! memory is the limit.

use multiversion::multiversion;

/// Adds rows of a table, each times a factor.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt"))]
pub(crate) fn add_rows(sum: &mut [f32], table: &[u8], terms: &[(u32, f32)]) {
    let dim = sum.len();
    for (row, factor) in terms {
        let row = &table[*row as usize * dim..][..dim];
        for (sum, value) in sum.iter_mut().zip(row) {
            *sum += f32::from(*value as i8) * factor;
        }
    }
}

/// The product of a vector with each of the rows that lie one after the other.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt"))]
pub(crate) fn products(query: &[i16], rows: &[u8], products: &mut [i32]) {
    for (row, product) in rows.chunks_exact(query.len()).zip(products) {
        *product = row
            .iter()
            .zip(query)
            .map(|(a, b)| i32::from(*a as i8) * i32::from(*b))
            .sum();
    }
}

/// The product of a vector with some rows of a table.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+bmi1+bmi2+popcnt", "x86_64+avx2+bmi1+bmi2+popcnt"))]
pub(crate) fn products_at(query: &[i16], table: &[u8], rows: &[u32], products: &mut [i32]) {
    for (row, product) in rows.iter().zip(products) {
        let row = &table[*row as usize * query.len()..][..query.len()];
        *product = row
            .iter()
            .zip(query)
            .map(|(a, b)| i32::from(*a as i8) * i32::from(*b))
            .sum();
    }
}

/// Sixty-four components of a vector: which are above zero, and how large they are, from 0 to 3, a bit in each.
#[derive(Clone, Copy)]
pub(crate) struct Signs {
    pub(crate) above: u64,
    pub(crate) ones: u64,
    pub(crate) twos: u64,
}

/// How much of a vector stands against the signs of each of the rows that lie one after the other.
pub(crate) fn distances(query: &[Signs], rows: &[u8], distances: &mut [u16]) {
    // The built-in model's length is known to the compiler, which then needs no loop within a row.
    match <&[Signs; 4]>::try_from(query) {
        Ok(query) => distances_of_four(query, rows, distances),
        Err(_) => distances_of_any(query, rows, distances),
    }
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vpopcntdq+bmi1+bmi2+popcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt"
))]
fn distances_of_four(query: &[Signs; 4], rows: &[u8], distances: &mut [u16]) {
    for (row, distance) in rows.as_chunks::<32>().0.iter().zip(distances) {
        *distance = against(query, row);
    }
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vpopcntdq+bmi1+bmi2+popcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt"
))]
fn distances_of_any(query: &[Signs], rows: &[u8], distances: &mut [u16]) {
    for (row, distance) in rows.chunks_exact(query.len() * 8).zip(distances) {
        *distance = against(query, row);
    }
}

#[inline(always)]
fn against(query: &[Signs], row: &[u8]) -> u16 {
    let words = row.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
    let against = words.zip(query).map(|(word, query)| {
        let differ = word ^ query.above;
        (differ & query.ones).count_ones() + 2 * (differ & query.twos).count_ones()
    });
    // A vector that is long enough for more would be compared by others that are as far.
    against.sum::<u32>().try_into().unwrap_or(u16::MAX)
}
