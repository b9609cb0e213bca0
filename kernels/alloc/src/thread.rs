//! Which heap a thread has, and what becomes of it when the thread ends.

use crate::heap::{self, Heap};
use crate::lock::Lock;
use crate::meta::Meta;
use crate::{arena, config, holding, sys, tls};
use core::ptr;
use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// How many idle heaps are asked for a slab before a fresh one is taken.
const ASKED: usize = 8;
/// So many heaps without a thread keep some free frames where others are given back.
const READY: usize = 4;

struct Heaps {
    started: bool,
    /// All heaps, linked by `next`.
    all: *const Heap,
    /// Those without a thread, linked by `next_idle`.
    idle: *const Heap,
}

// SAFETY: the pointers are used under the lock only.
unsafe impl Send for Heaps {}

static HEAPS: Lock<Heaps> = Lock::new(Heaps {
    started: false,
    all: ptr::null(),
    idle: ptr::null(),
});

/// Number of idle heaps, to be asked without the lock.
static IDLE: AtomicUsize = AtomicUsize::new(0);
/// The key whose destructor is called when a thread ends.
static KEY: AtomicU32 = AtomicU32::new(u32::MAX);

/// The heap of this thread. Nothing after the thread has ended, or without memory.
pub fn heap() -> Option<&'static Heap> {
    let heap = tls::heap();
    if heap == tls::ENDED {
        return None;
    }
    // SAFETY: heaps are never given back.
    unsafe { heap.as_ref() }.or_else(adopt)
}

/// Calls a function with this thread's heap, or, if the thread has ended, with one that
/// no other thread has meanwhile.
pub fn with_heap<T>(call: impl FnOnce(&Heap) -> Option<T>) -> Option<T> {
    if let Some(heap) = heap() {
        return call(heap);
    }
    let heap = take_idle_or_new()?;
    let result = call(heap);
    put_idle(heap);
    result
}

#[cold]
fn adopt() -> Option<&'static Heap> {
    let heap = take_idle_or_new()?;
    let front = if config::checked() || config::profiled() {
        &tls::EMPTY
    } else {
        &heap.front
    };
    // Before anything that may allocate itself.
    tls::set(front, heap);
    let key = KEY.load(Ordering::Relaxed);
    if key != u32::MAX {
        // SAFETY: the key is valid; without memory the destructor is not called, and the
        // heap is lost.
        unsafe { libc::pthread_setspecific(key, ptr::from_ref(heap).cast()) };
    }
    Some(heap)
}

/// Reads the environment and reserves the arena, once.
pub fn start() {
    let mut heaps = HEAPS.lock();
    if heaps.started {
        return;
    }
    heaps.started = true;
    config::read_environment();
    holding::choose(holding::pays());
    // Without an arena all objects have mappings of their own.
    arena::ensure();
    let mut key = 0;
    // SAFETY: the destructor is a function that stays.
    if unsafe { libc::pthread_key_create(&raw mut key, Some(end)) } == 0 {
        KEY.store(key, Ordering::Relaxed);
    }
}

fn take_idle_or_new() -> Option<&'static Heap> {
    start();
    let mut heaps = HEAPS.lock();
    // SAFETY: heaps are never given back.
    if let Some(heap) = unsafe { heaps.idle.as_ref() } {
        heaps.idle = heap.next_idle.get();
        IDLE.fetch_sub(1, Ordering::Relaxed);
        return Some(heap);
    }
    let memory = sys::map(heap::BYTES.next_multiple_of(sys::page()), true)?;
    // SAFETY: new zeroed memory, aligned to a page, and zeros are a valid heap.
    let heap = unsafe { &*memory.cast::<Heap>() };
    heap.start();
    heap.next.set(heaps.all);
    heaps.all = heap;
    Some(heap)
}

fn put_idle(heap: &Heap) {
    let mut heaps = HEAPS.lock();
    heap.next_idle.set(heaps.idle);
    heaps.idle = heap;
    IDLE.fetch_add(1, Ordering::Relaxed);
}

/// The destructor of the key. Other destructors may allocate and free afterwards.
extern "C" fn end(heap: *mut libc::c_void) {
    tls::set(&tls::EMPTY, tls::ENDED);
    // SAFETY: the key's value is the heap that the thread had.
    let heap = unsafe { &*heap.cast::<Heap>() };
    heap.empty(kept(heap));
    put_idle(heap);
}

/// Bytes of free frames that stay in the heap of a thread that ended. The next thread finds
/// them, but not in any number of heaps.
fn kept(heap: &Heap) -> usize {
    if config::decay() == 0 {
        usize::MAX
    } else if IDLE.load(Ordering::Relaxed) < READY {
        heap.reserve()
    } else {
        0
    }
}

/// A slab of a class from a heap whose thread ended. It is the caller's then.
pub fn steal(class: usize) -> Option<&'static Meta> {
    if IDLE.load(Ordering::Relaxed) == 0 {
        return None;
    }
    let heaps = HEAPS.lock();
    let mut heap = heaps.idle;
    for _ in 0..ASKED {
        // SAFETY: heaps are never given back, and idle ones are the lock's.
        let idle = unsafe { heap.as_ref() }?;
        if let Some(slab) = idle.part_with(class) {
            return Some(slab);
        }
        heap = idle.next_idle.get();
    }
    None
}

/// Empties this thread's heap and all idle ones.
pub fn empty_idle() {
    if let Some(heap) = heap() {
        heap.empty(0);
    }
    let heaps = HEAPS.lock();
    let mut heap = heaps.idle;
    // SAFETY: as above.
    while let Some(idle) = unsafe { heap.as_ref() } {
        idle.empty(0);
        heap = idle.next_idle.get();
    }
}

/// Calls a function with every heap; only their counters may be read.
pub fn each(mut call: impl FnMut(&Heap)) {
    let mut heap = HEAPS.lock().all;
    // SAFETY: heaps are never given back, and `next` does not change.
    while let Some(one) = unsafe { heap.as_ref() } {
        call(one);
        heap = one.next.get();
    }
}

/// For a fork.
pub fn acquire() {
    HEAPS.acquire();
}

/// For a fork.
pub fn release() {
    HEAPS.release();
}
