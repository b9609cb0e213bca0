//! What the program asks of the C library.

use super::Machine;
use anyhow::{Result, bail};
use iced_x86::Register;

impl Machine<'_> {
    /// Does what the imported function does, with arguments in registers.
    pub(super) fn import(&mut self, name: &str) -> Result<()> {
        let [a, b, c] = [Register::RDI, Register::RSI, Register::RDX].map(|r| self.register(r));
        let result = match name {
            "memcpy" | "memmove" => {
                let bytes = self.memory.bytes(b, c);
                self.memory.write(a, &bytes);
                a
            }
            "memset" => {
                self.memory.write(a, &vec![b as u8; c as usize]);
                a
            }
            "memcmp" | "bcmp" => {
                let order = self.memory.bytes(a, c).cmp(&self.memory.bytes(b, c));
                order as i64 as u64
            }
            "strlen" => (0..)
                .find(|n| self.memory.number(a + n, 1) == 0)
                .unwrap_or(0),
            "malloc" => self.allocate(a),
            "calloc" => self.allocate(a * b),
            "aligned_alloc" | "memalign" => self.allocate(b),
            "posix_memalign" => {
                let place = self.allocate(c);
                self.memory.put(a, 8, place);
                0
            }
            "realloc" => {
                let place = self.allocate(b);
                let bytes = self.memory.bytes(a, b);
                self.memory.write(place, &bytes);
                place
            }
            // What it says before it gives up.
            "write" => {
                eprint!("{}", String::from_utf8_lossy(&self.memory.bytes(b, c)));
                c
            }
            "abort" | "_Unwind_RaiseException" => bail!("the program gave up"),
            // No variable is set, and all else succeeds.
            _ => 0,
        };
        self.set_register(Register::RAX, result);
        Ok(())
    }

    /// Memory that nobody has: it is zero. It is never given back.
    fn allocate(&mut self, size: u64) -> u64 {
        let place = self.heap;
        self.heap += size.next_multiple_of(4096) + 4096 + 64;
        self.heap = self.heap.next_multiple_of(64);
        place
    }
}
