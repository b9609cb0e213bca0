//! Addresses that code puts into registers, as far as one pass over it in order tells: by `adr`,
//! by `adrp` and what is added to it, by moves.

use super::decode::{Control, control, near, page};

/// Registers that a call may change: x0 to x18.
const CHANGED: usize = 19;

/// What an instruction does with addresses that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It goes, or may go, elsewhere.
    Leads(Control),
    /// It puts an address into a register. What `adrp` puts there is none: of a page alone
    /// nothing is there, mostly.
    Named(u64),
    /// A load or a store at a place that is known.
    Moved(Moved),
    /// A load of what lies at a distance from the instruction.
    Literal(u64),
    /// It asks an ID register.
    Asks,
    /// Nothing of these.
    Nothing,
}

/// A load or a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// What the register for the address holds.
    pub base: u64,
    /// Where; with an index or an offset that is no number the same.
    pub place: u64,
    /// What is loaded or stored, if it is one register of integers.
    pub register: Option<usize>,
    /// Bytes, where that is exactly the place; 0 otherwise.
    pub bytes: u8,
    /// It loads.
    pub loads: bool,
    /// It stores.
    pub stores: bool,
}

/// The addresses that registers hold.
#[derive(Default)]
pub struct Addresses {
    known: [Option<u64>; 32],
}

impl Addresses {
    /// Nothing is known any more.
    pub fn forget(&mut self) {
        self.known.fill(None);
    }

    /// A register holds an address.
    pub fn put(&mut self, register: usize, address: u64) {
        self.known[register & 31] = Some(address);
    }

    /// What a register holds.
    #[must_use]
    pub fn of(&self, register: usize) -> Option<u64> {
        self.known[register & 31]
    }

    /// The next instruction.
    ///
    /// Source: Arm Architecture Reference Manual (DDI 0487), C4.1.
    pub fn step(&mut self, word: u32, at: u64) -> Seen {
        let leads = control(word, at);
        match leads {
            Control::Next => {}
            Control::Call(_) | Control::CallRegister(_) => {
                self.known[..CHANGED].fill(None);
                return Seen::Leads(leads);
            }
            Control::Branch(..) => return Seen::Leads(leads),
            Control::Jump(_) | Control::Return | Control::JumpRegister(_) | Control::Stop => {
                self.forget();
                return Seen::Leads(leads);
            }
        }
        let (rd, rn) = ((word & 31) as usize, (word >> 5 & 31) as usize);
        let mut seen = Seen::Nothing;
        let put = match word {
            _ if word & 0x9f00_0000 == 0x1000_0000 => Some(near(word, at)),
            _ if word & 0x9f00_0000 == 0x9000_0000 => {
                self.known[rd] = Some(page(word, at));
                return Seen::Nothing;
            }
            _ if word & 0xff80_0000 == 0x9100_0000 => {
                let shift = if word >> 22 & 1 == 1 { 12 } else { 0 };
                let by = u64::from(word >> 10 & 0xfff) << shift;
                self.known[rn].map(|base| base.wrapping_add(by))
            }
            // A move.
            _ if word & 0xffe0_ffe0 == 0xaa00_03e0 => self.known[(word >> 16 & 31) as usize],
            // A load of a literal.
            _ if word & 0x3b00_0000 == 0x1800_0000 => {
                if word >> 26 & 1 == 0 {
                    self.known[rd] = None;
                }
                return Seen::Literal(near(word & !(3 << 29), at));
            }
            _ if is_move(word) => return self.moves(word, rn),
            // An ID register.
            _ if word & 0xfff8_f000 == 0xd538_0000 => {
                seen = Seen::Asks;
                None
            }
            // Vectors, and what sets no register.
            _ if word >> 25 & 7 == 7 || word >> 25 & 0xe == 0b1010 => return Seen::Nothing,
            _ => None,
        };
        self.known[rd] = put;
        put.map_or(seen, Seen::Named)
    }

    fn moves(&mut self, word: u32, rn: usize) -> Seen {
        let (is_vector, opc) = (word >> 26 & 1 == 1, word >> 22 & 3);
        let is_load = word >> 22 & 1 == 1;
        let (mut offset, mut bytes) = (0, 0);
        let (loads, stores) = match word {
            // With an offset that is a number.
            _ if word & 0x3b00_0000 == 0x3900_0000 => {
                let size = match (is_vector, opc, word >> 30) {
                    (true, 2 | 3, 0) => 4,
                    (.., size) => size,
                };
                offset = u64::from(word >> 10 & 0xfff) << size;
                bytes = 1 << size;
                let stores = opc == 0 || is_vector && opc == 2;
                (!stores, stores)
            }
            // Atomic ones do both.
            _ if word & 0x3b20_0c00 == 0x3820_0000 => (true, true),
            // With other offsets.
            _ if word & 0x3b00_0000 == 0x3800_0000 => {
                let stores = opc == 0 || is_vector && opc == 2;
                (!stores, stores)
            }
            // Comparisons that store do both (CAS, CASP).
            _ if word & 0x3fa0_7c00 == 0x08a0_7c00 || word & 0xbfa0_7c00 == 0x0820_7c00 => {
                (true, true)
            }
            // Pairs, exclusive ones, elements of vectors.
            _ => (is_load, !is_load),
        };
        let base = self.known[rn];
        if loads && !is_vector {
            self.known[(word & 31) as usize] = None;
        }
        base.map_or(Seen::Nothing, |base| {
            Seen::Moved(Moved {
                base,
                place: base.wrapping_add(offset),
                register: (!is_vector).then_some((word & 31) as usize),
                bytes,
                loads,
                stores,
            })
        })
    }
}

/// A load or a store whose address is in a register.
fn is_move(word: u32) -> bool {
    // One register; pairs; exclusives, atomics and comparisons that store; elements of vectors.
    word & 0x3a00_0000 == 0x3800_0000
        || word & 0x3a00_0000 == 0x2800_0000
        || word & 0x3f00_0000 == 0x0800_0000
        || word & 0xbe00_0000 == 0x0c00_0000
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words as GNU as 2.40 encodes them.
    #[test]
    fn addresses_in_registers() {
        let moved = |place: u64, register, bytes, loads, stores| {
            Seen::Moved(Moved {
                base: place & !0xf,
                place,
                register,
                bytes,
                loads,
                stores,
            })
        };
        let mut addresses = Addresses::default();
        for (word, seen) in [
            (0x1000_0083_u32, Seen::Named(0x1010)), // adr x3, .+16
            (0x4c40_7070, moved(0x1010, None, 0, true, false)), // ld1 {v16.16b}, [x3]
            (0xf840_8464, moved(0x1010, Some(4), 0, true, false)), // ldr x4, [x3], #8
            (0xaa03_03e5, Seen::Named(0x1010)),     // mov x5, x3
            (0x9000_0001, Seen::Nothing),           // adrp x1, .
            (0x9100_8021, Seen::Named(0x1020)),     // add x1, x1, #32
            (0xf940_0420, moved(0x1028, Some(0), 8, true, false)), // ldr x0, [x1, #8]
            (0xb900_0420, moved(0x1024, Some(0), 4, false, true)), // str w0, [x1, #4]
            (0xf820_0022, moved(0x1020, Some(2), 0, true, true)), // ldadd x0, x2, [x1]
            (0xa940_0c22, moved(0x1020, Some(2), 0, true, false)), // ldp x2, x3, [x1]
            (0x9c00_0040, Seen::Literal(0x1008)),   // ldr q0, .+8
            (0xd538_0600, Seen::Asks),              // mrs x0, id_aa64isar0_el1
            (0xd503_201f, Seen::Nothing),           // nop
        ] {
            assert_eq!(addresses.step(word, 0x1000), seen, "{word:#x}");
        }
        assert_eq!(addresses.of(1), Some(0x1020));
        // bl .
        let call = addresses.step(0x9400_0000, 0x1000);
        assert_eq!(call, Seen::Leads(Control::Call(0x1000)));
        assert_eq!(addresses.of(1), None);
    }
}
