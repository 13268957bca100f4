//! Memory for trees that are built, read once and gone.
//!
//! A tree is many small pieces. Asking for each and giving each back takes more than a quarter of the time of parsing,
//! so what the parser (`parse.c`) asks for comes from blocks that belong to the thread, and all of it is given up at once
//! when the region ends: trees of a region are never dropped.

#![allow(unsafe_code)]

use std::{
    alloc::{Layout, alloc, dealloc, handle_alloc_error},
    cell::{Cell, UnsafeCell},
    ffi::c_void,
    marker::PhantomData,
    ptr::{self, NonNull},
};

/// What C promises of every piece of memory.
const ALIGN: usize = 16;
/// Before each piece stands its class.
const HEADER: usize = size_of::<usize>();
/// Pieces up to this have a class for every `ALIGN` bytes, larger ones for every power of two.
const SMALL: usize = 1 << 10;
const SMALL_CLASSES: usize = SMALL / ALIGN;
const CLASSES: usize = SMALL_CLASSES + 1 + usize::BITS as usize;

const BLOCK: usize = 1 << 20;
/// What a thread keeps for the next file: most trees fit.
const KEPT: usize = 4 << 20;

thread_local! {
    static BLOCKS: UnsafeCell<Blocks> = const { UnsafeCell::new(Blocks::new()) };
    static IS_OPEN: Cell<bool> = const { Cell::new(false) };
}

/// While it lives, what was taken in it does. It belongs to its thread, which has no other at the same time.
pub(crate) struct Region(PhantomData<*const ()>);

impl Region {
    /// # Panics
    /// If this thread has a region already: the end of either would free the trees of both.
    pub fn new() -> Region {
        assert!(!IS_OPEN.replace(true), "a thread has one region at a time");
        Region(PhantomData)
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        in_region(Blocks::clear);
        IS_OPEN.set(false);
    }
}

/// What is used of a block lies between `at`, one header before an aligned place, and `end`.
struct Blocks {
    all: Vec<(NonNull<u8>, Layout)>,
    /// How many of them are in use; the last of these is being filled.
    used: usize,
    at: *mut u8,
    end: *mut u8,
    /// Pieces that were given back, by class; each holds the next.
    free: [*mut u8; CLASSES],
}

impl Blocks {
    const fn new() -> Blocks {
        Blocks {
            all: Vec::new(),
            used: 0,
            at: ptr::null_mut(),
            end: ptr::null_mut(),
            free: [ptr::null_mut(); CLASSES],
        }
    }

    fn take(&mut self, size: usize) -> *mut u8 {
        let class = class_of(size);
        let freed = self.free[class];
        if !freed.is_null() {
            // SAFETY: a piece that was given back holds the next one of its class.
            self.free[class] = unsafe { freed.cast::<*mut u8>().read() };
            return freed;
        }
        let whole = whole_of(class);
        if self.end.addr() - self.at.addr() < whole {
            self.next_block(whole);
        }
        // SAFETY: the piece and its header are inside of the block, and nobody else was given them.
        unsafe {
            let header = self.at;
            self.at = header.add(whole);
            header.cast::<usize>().write(class);
            header.add(HEADER)
        }
    }

    /// # Safety
    /// `piece` was taken here and is not used any more.
    unsafe fn give(&mut self, piece: *mut u8) {
        // SAFETY: every piece has its class before it, and room for an address.
        unsafe {
            let class = piece.sub(HEADER).cast::<usize>().read();
            piece.cast::<*mut u8>().write(self.free[class]);
            self.free[class] = piece;
        }
    }

    /// # Safety
    /// `piece` was taken here, and only what this returns is used afterwards.
    unsafe fn resize(&mut self, piece: *mut u8, size: usize) -> *mut u8 {
        // SAFETY: every piece has its class before it; the new one is larger and does not overlap it.
        unsafe {
            let room = whole_of(piece.sub(HEADER).cast::<usize>().read()) - HEADER;
            if size <= room {
                return piece;
            }
            let larger = self.take(size);
            ptr::copy_nonoverlapping(piece, larger, room);
            self.give(piece);
            larger
        }
    }

    #[cold]
    fn next_block(&mut self, whole: usize) {
        let wanted = whole.checked_add(ALIGN).expect("less than all memory");
        while self
            .all
            .get(self.used)
            .is_some_and(|(_, layout)| layout.size() < wanted)
        {
            self.used += 1;
        }
        if self.used == self.all.len() {
            let layout = Layout::from_size_align(wanted.max(BLOCK), ALIGN).expect("less than all memory");
            // SAFETY: its size is not zero.
            let block = NonNull::new(unsafe { alloc(layout) }).unwrap_or_else(|| handle_alloc_error(layout));
            self.all.push((block, layout));
        }
        let (block, layout) = self.all[self.used];
        self.used += 1;
        // SAFETY: both are inside of the block or at its end.
        unsafe {
            self.at = block.as_ptr().add(ALIGN - HEADER);
            self.end = block.as_ptr().add(layout.size());
        }
    }

    /// Gives everything up, and what is beyond `KEPT` back.
    fn clear(&mut self) {
        let mut kept = 0;
        self.all.retain(|(block, layout)| {
            let fits = kept + layout.size() <= KEPT;
            if fits {
                kept += layout.size();
            } else {
                // SAFETY: it was allocated with this layout.
                unsafe { dealloc(block.as_ptr(), *layout) };
            }
            fits
        });
        let all = std::mem::take(&mut self.all);
        std::mem::forget(std::mem::replace(self, Blocks { all, ..Blocks::new() }));
    }
}

impl Drop for Blocks {
    fn drop(&mut self) {
        for (block, layout) in &self.all {
            // SAFETY: it was allocated with this layout, and the thread that used it ends.
            unsafe { dealloc(block.as_ptr(), *layout) };
        }
    }
}

/// # Panics
/// If no memory is so large.
fn class_of(size: usize) -> usize {
    if size <= SMALL - HEADER {
        (size + HEADER).div_ceil(ALIGN)
    } else {
        let whole = size.checked_add(HEADER).and_then(usize::checked_next_power_of_two);
        SMALL_CLASSES + whole.expect("less than all memory").ilog2() as usize
    }
}

/// The size of an array.
///
/// # Panics
/// If no memory is so large.
fn size_of_all(count: usize, size: usize) -> usize {
    count.checked_mul(size).expect("less than all memory")
}

/// The size of a class's pieces with their header.
fn whole_of(class: usize) -> usize {
    if class <= SMALL_CLASSES {
        class * ALIGN
    } else {
        1 << (class - SMALL_CLASSES)
    }
}

/// What `work` is given is the only reference there is, since nothing that works with it asks for another.
fn in_region<T>(work: impl FnOnce(&mut Blocks) -> T) -> T {
    // SAFETY: see above.
    BLOCKS.with(|blocks| work(unsafe { &mut *blocks.get() }))
}

#[unsafe(no_mangle)]
extern "C" fn portolan_take(size: usize) -> *mut c_void {
    in_region(|blocks| blocks.take(size)).cast()
}

#[unsafe(no_mangle)]
extern "C" fn portolan_take_zeros(count: usize, size: usize) -> *mut c_void {
    let size = size_of_all(count, size);
    let piece = in_region(|blocks| blocks.take(size));
    // SAFETY: what was taken has room for that.
    unsafe { piece.write_bytes(0, size) };
    piece.cast()
}

/// # Safety
/// `piece` is null, or was taken here, and only what this returns is used afterwards.
#[unsafe(no_mangle)]
unsafe extern "C" fn portolan_resize(piece: *mut c_void, size: usize) -> *mut c_void {
    if piece.is_null() {
        return portolan_take(size);
    }
    // SAFETY: as this function's.
    in_region(|blocks| unsafe { blocks.resize(piece.cast(), size) }).cast()
}

/// # Safety
/// `piece` is null, or was taken here and is not used any more.
#[unsafe(no_mangle)]
unsafe extern "C" fn portolan_give(piece: *mut c_void) {
    if !piece.is_null() {
        // SAFETY: as this function's.
        in_region(|blocks| unsafe { blocks.give(piece.cast()) });
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::c_void;

    use super::{
        ALIGN, BLOCK, KEPT, Region, class_of, in_region, portolan_give, portolan_resize, portolan_take,
        portolan_take_zeros, size_of_all,
    };

    /// A second one would free the tree of the first.
    #[test]
    fn a_thread_has_one_region_at_a_time() {
        let first = Region::new();
        let piece = portolan_take(64).cast::<u8>();
        unsafe { piece.write_bytes(7, 64) };
        assert!(std::panic::catch_unwind(|| drop(Region::new())).is_err());
        // Another thread has its own.
        std::thread::spawn(|| drop(Region::new())).join().unwrap();
        let other = portolan_take(64).cast::<u8>();
        unsafe { other.write_bytes(9, 64) };
        assert!((0..64).all(|at| unsafe { *piece.add(at) } == 7), "it was freed");
        drop(first);
        drop(Region::new());
    }

    /// C gets no piece that is smaller than it asked for. In C the panic ends the process, as it does where tree-sitter gets no
    /// memory.
    #[test]
    fn sizes_beyond_all_memory_are_refused() {
        assert_eq!(size_of_all(3, 16), 48);
        for (count, size) in [
            (usize::MAX, 2),
            (2, usize::MAX),
            (1 << (usize::BITS / 2), 1 << (usize::BITS / 2)),
        ] {
            assert!(
                std::panic::catch_unwind(|| size_of_all(count, size)).is_err(),
                "{count} * {size}"
            );
        }
        for size in [usize::MAX, usize::MAX - 7, usize::MAX / 2 + 2] {
            assert!(std::panic::catch_unwind(|| class_of(size)).is_err(), "{size}");
        }
    }

    /// What a parser does, in no order at all: every piece keeps what was written to it until it is given back, and no
    /// two share a byte.
    #[test]
    fn pieces_keep_to_themselves() {
        let mut state = 7u64;
        let mut random = move |below: u64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        let size_of = |kind: u64, size: u64| match kind {
            0 => 1 + size % 2000,
            1 => 1 + size % 40,
            2 => 1 + size % 20_000,
            _ => 16 * (1 + size % 70),
        } as usize;
        for round in 0..4 {
            let region = Region::new();
            // Larger than a block.
            let large = portolan_take(3 * BLOCK).cast::<u8>();
            unsafe { large.write_bytes(9, 3 * BLOCK) };
            let mut live: Vec<(*mut u8, usize, u8)> = vec![(large, 64, 9)];
            for step in 0..1000u64 {
                let mark = (step % 251) as u8;
                let size = size_of(random(4), random(1 << 20));
                let at = random(live.len().max(1) as u64) as usize;
                match random(5) {
                    0 | 1 => {
                        let piece = portolan_take(size).cast::<u8>();
                        unsafe { piece.write_bytes(mark, size) };
                        live.push((piece, size, mark));
                    }
                    2 => {
                        let piece = portolan_take_zeros(1, size).cast::<u8>();
                        assert!((0..size).all(|at| unsafe { *piece.add(at) } == 0));
                        unsafe { piece.write_bytes(mark, size) };
                        live.push((piece, size, mark));
                    }
                    3 if !live.is_empty() => {
                        let (piece, old, was) = live[at];
                        let piece = unsafe { portolan_resize(piece.cast::<c_void>(), size) }.cast::<u8>();
                        assert!((0..old.min(size)).all(|at| unsafe { *piece.add(at) } == was));
                        unsafe { piece.write_bytes(mark, size) };
                        live[at] = (piece, size, mark);
                    }
                    _ if !live.is_empty() => {
                        let (piece, size, was) = live.swap_remove(at);
                        assert!((0..size).all(|at| unsafe { *piece.add(at) } == was));
                        unsafe { portolan_give(piece.cast()) };
                    }
                    _ => {}
                }
            }
            for (piece, size, mark) in live {
                assert_eq!(piece.addr() % ALIGN, 0);
                assert!((0..size).all(|at| unsafe { *piece.add(at) } == mark), "round {round}");
            }
            drop(region);
        }
        let kept = in_region(|blocks| blocks.all.iter().map(|(_, layout)| layout.size()).sum::<usize>());
        assert!(0 < kept && kept <= KEPT, "{kept}");
    }
}
