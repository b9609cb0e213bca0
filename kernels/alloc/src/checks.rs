//! What can be checked when speed does not matter: `KARAT_ALLOC_HARDENED=1` and the levels
//! of `KARAT_ALLOC_DEBUG`.
//!
//! With any of them no object waits in a magazine, so a slab's bits say exactly which
//! objects are allocated, and a wrong `free` is found at once. From level 1 on, a block
//! ends with a *seal* of 8 bytes: how many bytes were asked for. What lies between those
//! and the seal is filled, so that a write beyond the end is seen at the latest when the
//! block is freed.

use crate::classes::{self, INSIDE, NONE, SMALL_MAX, SPAN};
use crate::fail::{self, fail};
use crate::front::Object;
use crate::heap::{Heap, give_back};
use crate::lock::Lock;
use crate::{arena, config, large, memory};

const SEAL: usize = size_of::<u64>();
/// Mixed into seals, with the address: a seal that was copied or overrun is no seal.
const KEY: u64 = 0x5ea1_ed0b_10c4_a11c;
/// What stands in the seal of a block in quarantine, for the bytes.
const FREED: u64 = u64::MAX;
/// Between the bytes and the seal.
const BEHIND: u8 = 0xb3;
/// So many of them are looked at, where a block is much larger than what was asked for.
const BEHIND_MOST: usize = 256;
/// New memory, from level 2 on, and freed memory.
const NEW: u8 = 0xa5;
const DEAD: u8 = 0xde;

/// Blocks that were freed and are not used again yet.
pub struct Quarantine {
    blocks: [usize; 1024],
    next: usize,
}

pub static QUARANTINE: Lock<Quarantine> = Lock::new(Quarantine {
    blocks: [0; 1024],
    next: 0,
});

/// Memory, and whether it holds zeros only.
pub fn allocate(bytes: usize, align: usize) -> Option<(*mut u8, bool)> {
    let level = config::debug();
    if level == 0 {
        return take(bytes, align);
    }
    // Guards need room for the seal too: it is the last that fits before the page.
    let block = bytes.checked_add(SEAL)?;
    let guarded = match level {
        3 => large::allocate_guarded(block, align).map(|object| (object, true)),
        _ => None,
    };
    let (object, zeroed) = guarded.or_else(|| take(block, align))?;
    if level >= 2 {
        // SAFETY: the block is new and has that many bytes.
        unsafe { object.write_bytes(NEW, bytes) };
    }
    // SAFETY: as above.
    unsafe { seal(object, bytes) };
    Some((object, zeroed && level < 2))
}

fn take(bytes: usize, align: usize) -> Option<(*mut u8, bool)> {
    memory::take(bytes, align, Heap::allocate_directly)
}

unsafe fn seal(object: *mut u8, bytes: usize) {
    let end = memory::block(object.addr()) - SEAL;
    let fill = (end - bytes).min(BEHIND_MOST);
    // SAFETY: the block has `SEAL` bytes behind `end`; both may be unaligned.
    unsafe {
        object.add(bytes).write_bytes(BEHIND, fill);
        write_seal(object, end, bytes as u64);
    }
}

unsafe fn write_seal(object: *mut u8, end: usize, what: u64) {
    let value = what ^ KEY ^ object.addr() as u64;
    // SAFETY: the caller's block has room there.
    unsafe { object.add(end).cast::<u64>().write_unaligned(value) };
}

unsafe fn read_seal(object: *mut u8, end: usize) -> u64 {
    // SAFETY: the caller's block has a seal there.
    let value = unsafe { object.add(end).cast::<u64>().read_unaligned() };
    value ^ KEY ^ object.addr() as u64
}

/// Bytes that were asked for.
///
/// # Safety
/// The block is allocated and has that many bytes.
pub unsafe fn usable(object: *mut u8, block: usize) -> usize {
    if config::debug() == 0 {
        return block;
    }
    check_object(object);
    // SAFETY: from level 1 on, all blocks are sealed.
    unsafe { check_seal(object, block) }
}

/// Bytes that were asked for, if nothing was written behind them.
unsafe fn check_seal(object: *mut u8, block: usize) -> usize {
    let end = block - SEAL;
    // SAFETY: the caller's block is sealed.
    let bytes = unsafe { read_seal(object, end) };
    if bytes == FREED {
        fail(format_args!("{object:p} was freed twice"));
    }
    let intact = bytes <= end as u64 && {
        let bytes = bytes as usize;
        // SAFETY: these are bytes of the block.
        let behind = unsafe { bytes_of(object, bytes, (end - bytes).min(BEHIND_MOST)) };
        behind.iter().all(|&byte| byte == BEHIND)
    };
    if !intact {
        fail(format_args!(
            "something was written beyond the end of {object:p}, a block of {block} bytes"
        ));
    }
    bytes as usize
}

unsafe fn bytes_of<'a>(object: *mut u8, from: usize, count: usize) -> &'a [u8] {
    // SAFETY: the caller's block has them, and they were written.
    unsafe { core::slice::from_raw_parts(object.add(from), count) }
}

/// Aborts unless a small object begins there that is allocated.
fn check_object(object: *mut u8) {
    let address = object.addr();
    let class = arena::class(address);
    if matches!(class, NONE | SPAN | INSIDE) {
        return; // Those are always looked up.
    }
    let index = arena::index(address);
    match classes::number(class, address - arena::address(index)) {
        None => fail::inside(address),
        Some(number) if arena::meta(index).free.is_free(number) => fail::not_allocated(address),
        Some(_) => {}
    }
}

/// # Safety
/// As `calls::free`; what of it can be checked is.
pub unsafe fn free(object: *mut u8) {
    check_object(object);
    if config::debug() == 0 {
        return put_back(object);
    }
    let block = memory::block(object.addr());
    // SAFETY: the block is sealed.
    let bytes = unsafe { check_seal(object, block) };
    if config::debug() == 1 || block > SMALL_MAX {
        return put_back(object);
    }
    // SAFETY: nobody uses the block now.
    unsafe {
        object.write_bytes(DEAD, bytes);
        write_seal(object, block - SEAL, FREED);
    }
    let mut quarantine = QUARANTINE.lock();
    let next = quarantine.next;
    let oldest = core::mem::replace(&mut quarantine.blocks[next], object.addr());
    quarantine.next = (next + 1) % quarantine.blocks.len();
    drop(quarantine);
    if oldest != 0 {
        // SAFETY: blocks in quarantine are still taken.
        unsafe { leave_quarantine(oldest as *mut u8) };
    }
}

unsafe fn leave_quarantine(object: *mut u8) {
    let block = memory::block(object.addr());
    // SAFETY: the block is taken, and was filled up to what lies behind its bytes.
    let all = unsafe { bytes_of(object, 0, block - SEAL) };
    let dead = all.iter().take_while(|&&byte| byte == DEAD).count();
    let behind = all[dead..].iter().take(BEHIND_MOST);
    // SAFETY: the seal was written when the block was freed.
    let sealed = unsafe { read_seal(object, block - SEAL) } == FREED;
    if !sealed || !behind.clone().all(|&byte| byte == BEHIND) {
        fail(format_args!(
            "{object:p}, a block of {block} bytes, was written to after it was freed"
        ));
    }
    put_back(object);
}

fn put_back(object: Object) {
    memory::put_back(object, |heap, _, object| {
        give_back(Some(heap), &mut [object]);
    });
}
