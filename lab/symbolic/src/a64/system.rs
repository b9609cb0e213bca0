//! System registers, and calls of Linux.

use super::field;
use crate::bits::{Kind, Word};
use crate::instructions::flags::Flags;
use crate::machine::{Machine, Stop};
use crate::state::State;
use karat_flow::a64::features::Told;

/// Numbers of system calls of AArch64 (`asm-generic/unistd.h`), and of x86-64 for the same.
const CALLS: [(u64, u64); 27] = [
    // write, fstat, newfstatat, mmap, mprotect, munmap
    (64, 1),
    (80, 5),
    (79, 262),
    (222, 9),
    (226, 10),
    (215, 11),
    // rt_sigaction, rt_sigprocmask, sched_yield, madvise, nanosleep
    (134, 13),
    (135, 14),
    (124, 24),
    (233, 28),
    (101, 35),
    // futex, set_robust_list, prlimit64, rseq, sigaltstack
    (98, 202),
    (99, 273),
    (261, 302),
    (293, 334),
    (132, 131),
    // getpid, gettid, set_tid_address, brk, ioctl
    (172, 39),
    (178, 186),
    (96, 218),
    (214, 12),
    (29, 16),
    // clock_gettime, getrandom, exit, exit_group, openat, ppoll
    (113, 228),
    (278, 318),
    (93, 60),
    (94, 231),
    (56, 257),
    (73, 7),
];
/// Where the number of a call is.
pub(crate) const NUMBER: usize = 8;

/// The number of a system call as x86-64 has it, if it is one of those known.
pub(crate) fn call(number: u64) -> Option<u64> {
    let mut all = CALLS.iter();
    all.find(|(known, _)| *known == number).map(|(_, to)| *to)
}

impl Machine<'_> {
    /// `svc`: a call of the system.
    pub(super) fn arm_call_of_system(
        &mut self,
        state: &mut State,
        next: u64,
    ) -> Result<bool, Stop> {
        let is_wait = self.is_wait(state);
        self.system_call(state)?;
        if is_wait {
            self.pauses(state, next)?;
        }
        state.at = next;
        Ok(false)
    }

    /// What is read of or written to a system register; others of this group do nothing.
    pub(super) fn system_register(&mut self, state: &mut State, word: u32) -> Result<bool, Stop> {
        let rt = field(word, 0, 5);
        match word & 0xfff0_0000 {
            // MRS
            0xd530_0000 => {
                let value = match field(word, 5, 15) {
                    // TPIDR_EL0
                    0x5e82 => Word::Known(self.thread),
                    // DCZID_EL0: there is no DC ZVA.
                    0x5807 => Word::Known(1 << 4),
                    // CTR_EL0
                    0x5801 => Word::Known(0x8444_c004),
                    // FPCR, FPSR
                    0x5a20 | 0x5a21 => Word::ZERO,
                    // MIDR_EL1
                    0x4000 => {
                        self.found.asked(state.at);
                        self.midr()
                    }
                    // ID_AA64ISAR0_EL1, ISAR1, PFR0, ZFR0
                    0x4030 => self.told(state.at, Told::Isar0),
                    0x4031 => self.told(state.at, Told::Isar1),
                    0x4020 => self.told(state.at, Told::Pfr0),
                    0x4024 => self.told(state.at, Told::Zfr0),
                    // Of what else the CPU is nothing is followed.
                    0x4001..=0x403f => Word::unknown(8, Kind::Model),
                    _ => Word::unknown(8, Kind::Opaque),
                };
                self.set_x(state, rt, value);
            }
            0xd510_0000 => match field(word, 5, 15) {
                0x5e82 => state.is_unsure = true,
                0x5a10 => state.flags = Flags::unknown(Kind::Opaque),
                _ => {}
            },
            // `cfinv` and its like change flags.
            0xd500_0000 if word & 0xffff_f01f == 0xd500_401f => {
                state.flags = Flags::unknown(Kind::Opaque);
            }
            // DC ZVA, which no program executes that was told that there is none.
            0xd500_0000 if word & 0xffff_ffe0 == 0xd50b_7420 => state.is_unsure = true,
            _ => {}
        }
        Ok(true)
    }
}
