//! What the emulated CPU says that it has.

use super::Machine;
use iced_x86::Register;

/// ISAs that some designs lack, with their register and bit in CPUID's leaf 7 (Intel's
/// manual, volume 2A, CPUID). All designs here have those of x86-64-v3.
const OPTIONAL: [(&str, usize, u32); 16] = [
    ("adx", 1, 19),
    ("avx512f", 1, 16),
    ("avx512dq", 1, 17),
    ("avx512ifma", 1, 21),
    ("avx512cd", 1, 28),
    ("sha", 1, 29),
    ("avx512bw", 1, 30),
    ("avx512vl", 1, 31),
    ("avx512vbmi", 2, 1),
    ("avx512vbmi2", 2, 6),
    ("gfni", 2, 8),
    ("vaes", 2, 9),
    ("vpclmulqdq", 2, 10),
    ("avx512vnni", 2, 11),
    ("avx512bitalg", 2, 12),
    ("avx512vpopcntdq", 2, 14),
];

/// What CPUID says of the ISAs of a CPU.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Features {
    /// EAX to EDX of leaf 7.
    leaf7: [u32; 4],
}

impl Features {
    /// Those of a CPU that has these ISAs, by the names that rustc gives them.
    pub fn of(isas: &[String]) -> Self {
        // EAX is the highest subleaf. EDX has nothing that a kernel asks for.
        let mut leaf7 = [0, u32::MAX, u32::MAX, 0];
        for (name, register, bit) in OPTIONAL {
            if !isas.iter().any(|isa| isa == name) {
                leaf7[register] &= !(1 << bit);
            }
        }
        Self { leaf7 }
    }

    /// The registers that the operating system saves: up to zmm, or up to ymm.
    pub(super) const fn xcr0(&self) -> u64 {
        if self.leaf7[1] >> 16 & 1 == 1 {
            0xe7
        } else {
            0x7
        }
    }
}

impl Machine<'_> {
    pub(super) fn cpuid(&mut self) {
        let words = match self.register(Register::EAX) {
            // A vendor that nobody knows.
            0 => [7, 0x6172_616b, 0x2e61_636d, 0x2e2e_2e74],
            // No hypervisor (bit 31 of ECX), and all else.
            1 => [0, 0, 0x7fff_ffff, u32::MAX],
            7 if self.register(Register::ECX) == 0 => self.features.leaf7,
            0x8000_0000 => [0x8000_0001, 0, 0, 0],
            0x8000_0001 => [0, 0, u32::MAX, u32::MAX],
            _ => [0; 4],
        };
        let registers = [Register::EAX, Register::EBX, Register::ECX, Register::EDX];
        for (register, word) in registers.into_iter().zip(words) {
            self.set_register(register, word.into());
        }
    }
}
