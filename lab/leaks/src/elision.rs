//! glibc's elision of locks, told by its shape, since most libraries and programs with glibc
//! in them have no symbols for it.
//!
//! `elision_init` (glibc's `sysdeps/unix/sysv/linux/x86/elision-conf.c`) sets a number to zero
//! where the CPU has no RTM, and the file has another number in that place. So what the file
//! holds says too little: that `elision_init` runs first would have to be known.

use iced_x86::Code;
use karat_flow::facts::Facts;
use karat_flow::program::Program;

/// What glibc gives up a transaction with: the lock is busy, it is locked, and a lock is only
/// tried in a transaction (`_ABORT_LOCK_BUSY` and so on in `hle.h`).
const REASONS: [u8; 3] = [0xff, 0xfe, 0xfd];

/// Where a routine that needs RTM and nothing else gives up a transaction in glibc's way, or
/// ends one that it did not begin: that faults on every CPU unless one was begun before.
pub(super) fn elision(program: &Program<'_>, routine: u32, need: Facts) -> Option<u64> {
    if need.is_none() || !need.without(Facts::named("rtm")).is_none() {
        return None;
    }
    let (mut gives_up, mut ends, mut begins) = (None, None, false);
    for instruction in program.instructions(routine) {
        match instruction.code() {
            Code::Xabort_imm8 if REASONS.contains(&instruction.immediate8()) => {
                gives_up.get_or_insert(instruction.ip());
            }
            Code::Xend => {
                ends.get_or_insert(instruction.ip());
            }
            Code::Xbegin_rel16 | Code::Xbegin_rel32 | Code::Xtest => begins = true,
            _ => {}
        }
    }
    gives_up.or(ends.filter(|_| !begins))
}
