//! What is found once is remembered, circles or not.
//!
//! Names lead to types, types to names, and now and then back to where they began: whoever comes to a question that is
//! being answered gets nothing, and answers from what else there is. That answer is good for as long as the question
//! is open; kept any longer, it would make answers depend on what was asked before.

use std::{
    cell::{Cell, RefCell},
    hash::Hash,
};

use rustc_hash::FxHashMap;

/// Longer ways from name to name are nobody's code.
const MAX_DEPTH: usize = 48;

/// Questions for the sake of one, after which answers are kept whatever they lean on: types that are made of each other
/// in every way would be gone through in every order.
const PATIENCE: u64 = 10_000;

/// Questions for the sake of one, after which no more are asked. Types that are given to themselves over and over are
/// longer than any code; one use in real code takes at most some thousand.
const EFFORT: u64 = 2 * PATIENCE;

/// Types that are read for the sake of one question. Aliases that name each other twice would be gone through as often as
/// two to the power of how many there are.
const MAX_READ: u32 = 20_000;

/// Types that are being read at a time, each for the sake of the one before.
const MAX_READING: u32 = 256;

/// The questions that are being answered, each for the sake of the one before.
#[derive(Default)]
pub(crate) struct Trail {
    /// What makes each of them different from any other that was at its place.
    open: RefCell<Vec<u64>>,
    asked: Cell<u64>,
    /// How many had been asked before the outermost that is open.
    before: Cell<u64>,
    /// The outermost open question that the answers since then build on without its answer.
    leans_on: Cell<Option<usize>>,
    /// How many types have been read for the outermost that is open, and how many are being read.
    read: Cell<u32>,
    reading: Cell<u32>,
    /// Types with conditions that are being worked out, each with its place among the questions.
    conditions: RefCell<Vec<(u64, usize)>>,
}

impl Trail {
    pub fn deeper<T>(&self, otherwise: T, work: impl FnOnce() -> T) -> T {
        if self.open.borrow().is_empty() {
            self.before.set(self.asked.get());
        }
        if self.open.borrow().len() >= MAX_DEPTH || self.asked.get() - self.before.get() >= EFFORT {
            // How deep it is, and how much was asked before, depends on who asked first.
            self.lean_on(0);
            return otherwise;
        }
        self.begin();
        self.asked.set(self.asked.get() + 1);
        self.open.borrow_mut().push(self.asked.get());
        let result = work();
        self.open.borrow_mut().pop();
        result
    }

    /// The same for a type that is read from a text.
    pub fn reading<T>(&self, otherwise: T, work: impl FnOnce() -> T) -> T {
        self.begin();
        if self.read.get() >= MAX_READ || self.reading.get() >= MAX_READING {
            // How many were read, and for how many others, depends on what was known before.
            self.lean_on(0);
            return otherwise;
        }
        self.read.set(self.read.get() + 1);
        self.reading.set(self.reading.get() + 1);
        let result = work();
        self.reading.set(self.reading.get() - 1);
        result
    }

    fn begin(&self) {
        if self.open.borrow().is_empty() && self.reading.get() == 0 {
            self.read.set(0);
        }
    }

    /// What follows from a condition; nothing where it comes back to itself, or is inside of so many others.
    pub fn in_condition<T>(&self, condition: u64, limit: usize, work: impl FnOnce() -> T) -> Option<T> {
        let blocked = {
            let open = self.conditions.borrow();
            let again = open.iter().find(|(other, _)| *other == condition);
            // How many are open depends on where the first of them was met.
            let outermost = open.first().filter(|_| open.len() >= limit);
            again.or(outermost).map(|(_, place)| *place)
        };
        if let Some(place) = blocked {
            self.lean_on(place);
            return None;
        }
        self.conditions.borrow_mut().push((condition, self.depth()));
        let result = work();
        self.conditions.borrow_mut().pop();
        Some(result)
    }

    fn lean_on(&self, place: usize) {
        let known = self.leans_on.get();
        self.leans_on.set(Some(known.map_or(place, |known| known.min(place))));
    }

    fn depth(&self) -> usize {
        self.open.borrow().len()
    }

    fn is_open(&self, place: usize, asked: u64) -> bool {
        self.open.borrow().get(place) == Some(&asked)
    }
}

struct Slot<V> {
    value: V,
    /// The open question without whose answer this was answered: its place and what it was.
    leans_on: Option<(usize, u64)>,
}

/// Answers to one kind of question.
pub(crate) struct Remembered<K, V>(RefCell<FxHashMap<K, Slot<V>>>);

impl<K, V> Default for Remembered<K, V> {
    fn default() -> Self {
        Remembered(RefCell::default())
    }
}

impl<K: Hash + Eq + Clone, V: Clone> Remembered<K, V> {
    pub fn get(&self, trail: &Trail, key: K, otherwise: V, work: impl FnOnce() -> V) -> V {
        if let Some(slot) = self.0.borrow().get(&key) {
            match slot.leans_on {
                None => return slot.value.clone(),
                Some((place, asked)) if trail.is_open(place, asked) => {
                    trail.lean_on(place);
                    return slot.value.clone();
                }
                Some(_) => {}
            }
        }
        let place = trail.depth();
        let outer = trail.leans_on.take();
        let value = trail.deeper(otherwise.clone(), || {
            let slot = Slot {
                value: otherwise,
                leans_on: Some((place, trail.asked.get())),
            };
            self.0.borrow_mut().insert(key.clone(), slot);
            work()
        });
        let is_patient = trail.asked.get() - trail.before.get() < PATIENCE;
        let leans_on = trail.leans_on.get().filter(|on| *on < place && is_patient);
        let slot = Slot {
            value: value.clone(),
            leans_on: leans_on.map(|on| (on, trail.open.borrow()[on])),
        };
        self.0.borrow_mut().insert(key, slot);
        trail.leans_on.set(outer);
        if let Some(on) = leans_on {
            trail.lean_on(on);
        }
        value
    }
}
