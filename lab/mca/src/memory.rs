//! Memory of the emulated machine: any address can be read, and is zero until written.

use std::collections::HashMap;

const PAGE: u64 = 4096;

/// Pages by their number.
#[derive(Clone, Default)]
pub struct Memory {
    pages: HashMap<u64, Box<[u8; PAGE as usize]>>,
}

impl Memory {
    /// The bytes from `address` on.
    pub fn read(&self, address: u64, out: &mut [u8]) {
        for (i, byte) in out.iter_mut().enumerate() {
            let at = address.wrapping_add(i as u64);
            let page = self.pages.get(&(at / PAGE));
            *byte = page.map_or(0, |page| page[(at % PAGE) as usize]);
        }
    }

    /// Writes bytes from `address` on.
    pub fn write(&mut self, address: u64, bytes: &[u8]) {
        for (i, byte) in bytes.iter().enumerate() {
            let at = address.wrapping_add(i as u64);
            let page = self.pages.entry(at / PAGE);
            page.or_insert_with(|| Box::new([0; PAGE as usize]))[(at % PAGE) as usize] = *byte;
        }
    }

    /// A little-endian number of `size` bytes, at most 8.
    pub fn number(&self, address: u64, size: usize) -> u64 {
        let mut bytes = [0; 8];
        self.read(address, &mut bytes[..size]);
        u64::from_le_bytes(bytes)
    }

    /// Writes the lower `size` bytes of `value`, at most 8.
    pub fn put(&mut self, address: u64, size: usize, value: u64) {
        self.write(address, &value.to_le_bytes()[..size]);
    }

    /// Bytes `from..from + len`.
    pub fn bytes(&self, from: u64, len: u64) -> Vec<u8> {
        let mut bytes = vec![0; len as usize];
        self.read(from, &mut bytes);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;

    #[test]
    fn what_was_written_is_read_across_pages() {
        let mut memory = Memory::default();
        memory.put(4092, 8, 0x0102_0304_0506_0708);
        assert_eq!(memory.number(4092, 8), 0x0102_0304_0506_0708);
        assert_eq!(memory.number(4096, 4), 0x0102_0304);
        assert_eq!(memory.number(1 << 40, 8), 0);
    }
}
