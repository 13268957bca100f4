//! A sorted list whose changed copies share what did not change.

use std::{cmp::Ordering, sync::Arc};

use rustc_hash::FxHashSet;

/// Entries in a leaf that was just made. One that grows beyond twice as many is split.
const LEAF: usize = 128;

pub(crate) trait Keyed: Clone {
    type Key: Ord + ?Sized;

    fn key(&self) -> &Self::Key;
}

/// Entries in the order of their keys, each key once, in leaves that copies share: a copy with changes costs the leaves that
/// change, and a pointer for each of the others.
#[derive(Debug)]
pub(crate) struct SortedLeaves<T> {
    /// None of them is empty.
    leaves: Vec<Arc<Vec<T>>>,
    len: usize,
}

impl<T> Default for SortedLeaves<T> {
    fn default() -> SortedLeaves<T> {
        SortedLeaves {
            leaves: Vec::new(),
            len: 0,
        }
    }
}

/// What becomes of an entry.
#[derive(Debug, Clone)]
pub(crate) enum Change<T> {
    Remove(T),
    /// In the place of one with the same key, if there is one.
    Put(T),
}

impl<T: Keyed> Change<T> {
    fn entry(&self) -> &T {
        match self {
            Change::Remove(entry) | Change::Put(entry) => entry,
        }
    }
}

impl<T: Keyed> SortedLeaves<T> {
    pub fn new(mut entries: Vec<T>) -> SortedLeaves<T> {
        entries.sort_unstable_by(|a, b| a.key().cmp(b.key()));
        let mut new = SortedLeaves::default();
        new.push(entries);
        new
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.leaves.iter().flat_map(|leaf| leaf.iter())
    }

    pub fn get(&self, key: &T::Key) -> Option<&T> {
        let behind = self.leaves.partition_point(|leaf| leaf[0].key() <= key);
        let leaf = &self.leaves[behind.checked_sub(1)?];
        let at = leaf.binary_search_by(|entry| entry.key().cmp(key)).ok()?;
        Some(&leaf[at])
    }

    /// The first entry whose key is this one or behind it.
    pub fn first_from(&self, key: &T::Key) -> Option<&T> {
        let behind = self.leaves.partition_point(|leaf| leaf[0].key() <= key);
        let leaf = &self.leaves[behind.saturating_sub(1)..];
        let first = leaf.first()?;
        let at = first.partition_point(|entry| entry.key() < key);
        first.get(at).or_else(|| leaf.get(1)?.first())
    }

    /// A copy with changes. Of several changes of one key the last counts.
    pub fn with(&self, mut changes: Vec<Change<T>>) -> SortedLeaves<T> {
        changes.sort_by(|a, b| a.entry().key().cmp(b.entry().key()));
        let mut changes = changes.as_slice();
        let mut copy = SortedLeaves {
            leaves: Vec::with_capacity(self.leaves.len() + 1),
            len: 0,
        };
        for (at, leaf) in self.leaves.iter().enumerate() {
            let here = match self.leaves.get(at + 1) {
                Some(next) => changes.partition_point(|change| change.entry().key() < next[0].key()),
                None => changes.len(),
            };
            let (inside, behind) = changes.split_at(here);
            changes = behind;
            if inside.is_empty() {
                copy.len += leaf.len();
                copy.leaves.push(leaf.clone());
            } else {
                copy.push(changed(leaf, inside));
            }
        }
        // There was no leaf at all.
        copy.push(changed(&[], changes));
        copy
    }

    /// The entries of leaves that another list does not share: all that the other does not have, and their neighbours.
    pub fn unshared<'t>(&'t self, other: &SortedLeaves<T>) -> impl Iterator<Item = &'t T> {
        let shared: FxHashSet<*const Vec<T>> = other.leaves.iter().map(Arc::as_ptr).collect();
        let unshared = self
            .leaves
            .iter()
            .filter(move |leaf| !shared.contains(&Arc::as_ptr(leaf)));
        unshared.flat_map(|leaf| leaf.iter())
    }

    /// Adds entries behind all others.
    fn push(&mut self, entries: Vec<T>) {
        self.len += entries.len();
        let size = if entries.len() <= 2 * LEAF { 2 * LEAF } else { LEAF };
        let mut entries = entries.into_iter();
        while entries.len() > 0 {
            self.leaves.push(Arc::new(entries.by_ref().take(size).collect()));
        }
    }
}

/// The entries of a leaf after changes. Both are in the order of their keys.
fn changed<T: Keyed>(leaf: &[T], changes: &[Change<T>]) -> Vec<T> {
    let mut entries = Vec::with_capacity(leaf.len() + changes.len());
    let mut old = leaf.iter().peekable();
    for (at, change) in changes.iter().enumerate() {
        let key = change.entry().key();
        while let Some(before) = old.next_if(|old| old.key() < key) {
            entries.push(before.clone());
        }
        old.next_if(|old| old.key().cmp(key) == Ordering::Equal);
        let is_last = changes.get(at + 1).is_none_or(|next| next.entry().key() != key);
        if let Change::Put(entry) = change
            && is_last
        {
            entries.push(entry.clone());
        }
    }
    entries.extend(old.cloned());
    entries
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    impl Keyed for (u16, u8) {
        type Key = u16;

        fn key(&self) -> &u16 {
            &self.0
        }
    }

    proptest! {
        /// Whatever is put and removed, in whatever batches: the list holds what a map would hold, and an earlier copy
        /// what it held.
        #[test]
        fn holds_what_a_map_would_hold(
            first in prop::collection::btree_map(0u16..2000, any::<u8>(), 0..800),
            batches in prop::collection::vec(prop::collection::vec((0u16..2000, prop::option::of(any::<u8>())), 0..300), 0..6),
        ) {
            let mut list = SortedLeaves::new(first.clone().into_iter().collect());
            let mut map: BTreeMap<u16, u8> = first;
            for batch in batches {
                let (before, old) = (map.clone(), list);
                let changes = batch.iter().map(|(key, value)| match value {
                    Some(value) => Change::Put((*key, *value)),
                    None => Change::Remove((*key, 0)),
                });
                list = old.with(changes.collect());
                for (key, value) in batch {
                    match value {
                        Some(value) => map.insert(key, value),
                        None => map.remove(&key),
                    };
                }
                prop_assert!(list.iter().copied().eq(map.clone()));
                prop_assert!(old.iter().copied().eq(before.clone()));
                prop_assert_eq!(list.len(), map.len());
                prop_assert!((0..2000).all(|key| list.get(&key).map(|entry| entry.1) == map.get(&key).copied()));
                let from = |key: u16| map.range(key..).next().map(|(key, value)| (*key, *value));
                prop_assert!((0..2000).all(|key| list.first_from(&key).copied() == from(key)));
                let unshared: Vec<(u16, u8)> = list.unshared(&old).copied().collect();
                let is_known = |(key, value): (&u16, &u8)| before.get(key) == Some(value);
                let is_seen = |(key, value): (&u16, &u8)| unshared.contains(&(*key, *value));
                prop_assert!(map.iter().all(|entry| is_known(entry) || is_seen(entry)));
            }
        }
    }

    #[test]
    fn a_copy_shares_what_did_not_change() {
        let list = SortedLeaves::new((0..60_000).map(|key| (key, 0)).collect());
        let copy = list.with(vec![Change::Put((5, 1)), Change::Remove((40_000, 0))]);
        assert!(
            copy.unshared(&list).count() <= 4 * LEAF,
            "{}",
            copy.unshared(&list).count()
        );
    }
}
