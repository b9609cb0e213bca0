//! What a breakpoint is on each machine. All are here on every machine, so that all are
//! tested.

/// The breakpoint instruction of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Its bytes.
    pub trap: &'static [u8],
    /// How far behind its address the program counter stands when it has trapped.
    pub behind: u64,
}

/// `int3`. Source: Intel 64 and IA-32 Architectures Software Developer's Manual,
/// volume 3, "Breakpoint Exception (#BP)": the saved pointer is that of the next
/// instruction.
pub const X86_64: Machine = Machine {
    trap: &[0xcc],
    behind: 1,
};

/// `brk #0`. Source: Arm Architecture Reference Manual (DDI 0487), "BRK": the preferred
/// return address is that of the instruction itself.
pub const AARCH64: Machine = Machine {
    trap: &[0x00, 0x00, 0x20, 0xd4],
    behind: 0,
};

/// The machine that karat runs on.
#[cfg(target_arch = "x86_64")]
pub(crate) const HERE: Machine = X86_64;
/// The machine that karat runs on.
#[cfg(target_arch = "aarch64")]
pub(crate) const HERE: Machine = AARCH64;

impl Machine {
    /// Where the breakpoint is that has just trapped.
    #[must_use]
    pub fn site_of(&self, program_counter: u64) -> u64 {
        program_counter.wrapping_sub(self.behind)
    }

    /// Plants a breakpoint at `at` in `code`. Returns what was there, or none where it
    /// does not fit or a breakpoint is there already.
    pub fn plant(&self, code: &mut [u8], at: usize) -> Option<[u8; 4]> {
        let place = code.get_mut(at..)?.get_mut(..self.trap.len())?;
        if place == self.trap {
            return None;
        }
        let mut original = [0; 4];
        original[..place.len()].copy_from_slice(place);
        place.copy_from_slice(self.trap);
        Some(original)
    }

    /// Puts back what was at `at`, unless something else than the breakpoint is there
    /// now. Tells whether it did.
    pub fn restore(&self, code: &mut [u8], at: usize, original: [u8; 4]) -> bool {
        let place = code
            .get_mut(at..)
            .and_then(|c| c.get_mut(..self.trap.len()));
        match place {
            Some(place) if place == self.trap => {
                place.copy_from_slice(&original[..self.trap.len()]);
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AARCH64, X86_64};

    #[test]
    fn int3_takes_one_byte_and_stands_before_the_counter() {
        let mut code = [0x55, 0x48, 0x89, 0xe5];
        let original = X86_64.plant(&mut code, 1).expect("it fits");
        assert_eq!(code, [0x55, 0xcc, 0x89, 0xe5]);
        assert_eq!(X86_64.site_of(0x1002), 0x1001);
        assert!(X86_64.restore(&mut code, 1, original));
        assert_eq!(code, [0x55, 0x48, 0x89, 0xe5]);
    }

    #[test]
    fn brk_takes_a_word_and_stands_at_the_counter() {
        // stp x29, x30, [sp, #-16]!; ret
        let before = [0xfd, 0x7b, 0xbf, 0xa9, 0xc0, 0x03, 0x5f, 0xd6];
        let mut code = before;
        let original = AARCH64.plant(&mut code, 4).expect("it fits");
        assert_eq!(
            u32::from_le_bytes([code[4], code[5], code[6], code[7]]),
            0xd420_0000
        );
        assert_eq!(AARCH64.site_of(0x1004), 0x1004);
        assert!(AARCH64.restore(&mut code, 4, original));
        assert_eq!(code, before);
    }

    #[test]
    fn what_the_program_wrote_since_stays() {
        let mut code = [0x55, 0x90];
        let original = X86_64.plant(&mut code, 0).expect("it fits");
        code[0] = 0xc3;
        assert!(!X86_64.restore(&mut code, 0, original));
        assert_eq!(code, [0xc3, 0x90]);
    }

    #[test]
    fn breakpoints_of_the_program_and_ends_of_files_are_left_alone() {
        assert_eq!(X86_64.plant(&mut [0xcc], 0), None);
        assert_eq!(X86_64.plant(&mut [0x90], 1), None);
        assert_eq!(AARCH64.plant(&mut [0; 6], 4), None);
        assert_eq!(X86_64.plant(&mut [0x90], usize::MAX), None);
    }
}
