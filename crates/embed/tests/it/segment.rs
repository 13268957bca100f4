//! Files of vectors and the search in them.

use embed::{Hit, Segment, SegmentError, SegmentInfo, Vector};
use proptest::prelude::*;

use crate::tiny::noise;

const DIM: usize = 96;

fn vector(seed: u64) -> Vector {
    // Some have a direction in common, as texts have that speak of the same thing.
    let topic = seed % 7;
    let value = |seed: u64, i: usize| (noise(seed * 1_000 + i as u64) % 2_001) as f32 - 1_000.0;
    Vector::from_floats(
        &(0..DIM)
            .map(|i| value(topic, i) + value(seed + 100, i))
            .collect::<Vec<_>>(),
    )
}

fn bytes(vectors: &[Vector]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let info = SegmentInfo {
        dim: DIM,
        generation: 3,
        model: "tiny-1",
    };
    Segment::write(&mut bytes, info, (100..).zip(vectors)).expect("memory can be written to");
    bytes
}

/// All rows that pass, the best first.
fn naive(vectors: &[Vector], query: &Vector, k: usize, filter: impl Fn(u32) -> bool) -> Vec<Hit> {
    let rows = (0..).zip(vectors).filter(|(row, _)| filter(*row));
    let mut hits: Vec<Hit> = rows
        .map(|(row, vector)| Hit {
            row,
            score: query.cosine(vector),
        })
        .collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.row.cmp(&b.row)));
    hits.truncate(k);
    hits
}

#[test]
fn what_was_written_is_read() {
    let vectors: Vec<Vector> = (0..10).map(vector).collect();
    let segment = Segment::open(bytes(&vectors)).expect("a whole file");
    assert_eq!((segment.n_rows(), segment.dim(), segment.generation()), (10, DIM, 3));
    assert!(segment.is_of("tiny-1") && !segment.is_of("tiny-2"));
    assert_eq!((segment.key(0), segment.key(9)), (100, 109));
    assert!((0..10).all(|row| segment.vector(row) == vectors[row as usize]));
    assert_eq!(segment.verify(), Ok(()));
}

#[test]
fn no_rows_are_a_segment_too() {
    let segment = Segment::open(bytes(&[])).expect("a whole file");
    assert_eq!(segment.verify(), Ok(()));
    assert_eq!(segment.scan(&vector(1), 5, |_| true), []);
}

#[test]
fn a_damaged_file_is_noticed() {
    let whole = bytes(&(0..5).map(vector).collect::<Vec<_>>());
    for len in 0..whole.len() {
        assert!(Segment::open(&whole[..len]).is_err(), "{len} bytes are not enough");
    }
    assert_eq!(
        Segment::open([&[0], &whole[..]].concat()).err(),
        Some(SegmentError::Damaged)
    );
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        let read = Segment::open(bytes).and_then(|segment| segment.verify());
        assert!(read.is_err(), "byte {at} was changed");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn a_scan_finds_the_best_of_those_that_pass(
        seeds in prop::collection::vec(0u64..60, 0..1_500), query in 0u64..60, k in 0usize..700, every in 1u32..4,
    ) {
        // Many rows are equal: of those the first ones are found.
        let vectors: Vec<Vector> = seeds.into_iter().map(vector).collect();
        let segment = Segment::open(bytes(&vectors)).expect("a whole file");
        let filter = |row: u32| row.is_multiple_of(every);
        prop_assert_eq!(segment.scan(&vector(query), k, filter), naive(&vectors, &vector(query), k, filter));
    }
}

#[test]
fn of_many_rows_nearly_all_of_the_best_are_found() {
    let vectors: Vec<Vector> = (0..25_000).map(vector).collect();
    let segment = Segment::open(bytes(&vectors)).expect("a whole file");
    let filter = |row: u32| !row.is_multiple_of(3);
    let (mut found, mut wanted) = (0, 0);
    for query in (0..5).map(|seed| vector(seed + 1_000_000)) {
        let all = segment.scan_in_full(&query, 50, filter);
        assert_eq!(all, naive(&vectors, &query, 50, filter));
        let quick = segment.scan(&query, 50, filter);
        assert_eq!(quick, segment.scan(&query, 50, filter));
        assert_eq!(quick.len(), 50);
        assert!(
            quick
                .iter()
                .all(|hit| filter(hit.row) && hit.score == query.cosine(&vectors[hit.row as usize]))
        );
        found += quick.iter().filter(|hit| all.contains(hit)).count();
        wanted += all.len();
    }
    assert!(found * 100 >= wanted * 90, "{found} of {wanted}");
    // What only a few rows pass is looked at in full.
    let few = |row: u32| row % 500 == 7;
    assert_eq!(
        segment.scan(&vector(5), 100, few),
        naive(&vectors, &vector(5), 100, few)
    );
}
