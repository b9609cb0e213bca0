//! Time that the hypervisor took, from /proc/stat.

use std::fs::File;
use std::io::{self, Read};

/// Seconds of a tick in /proc/stat: USER_HZ is 100 on every architecture that
/// karat runs on, whatever the kernel's own rate (proc_stat(5)).
pub(super) const TICK: f64 = 0.01;

/// Ticks that the hypervisor took from a processor since the start of the
/// system, or from all of them.
///
/// # Errors
/// When /proc/stat cannot be read or has no such processor.
pub fn stolen_ticks(processor: Option<u32>) -> io::Result<u64> {
    stolen_in(&mut File::open("/proc/stat")?, processor)
}

/// Reads no further than the line that is asked for: the line of the interrupts
/// behind the processors' has thousands of numbers on large machines.
fn stolen_in(stat: &mut impl Read, processor: Option<u32>) -> io::Result<u64> {
    let name = match processor {
        Some(number) => format!("cpu{number}"),
        None => "cpu".to_owned(),
    };
    let mut text = Vec::new();
    let mut begin = 0;
    loop {
        let mut buffer = [0; 4096];
        let got = match stat.read(&mut buffer) {
            Ok(got) => got,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        text.extend_from_slice(&buffer[..got]);
        while let Some(length) = text[begin..].iter().position(|b| *b == b'\n') {
            let line = String::from_utf8_lossy(&text[begin..begin + length]);
            begin += length + 1;
            let mut words = line.split_whitespace();
            let first = words.next().unwrap_or_default();
            if first == name {
                // user nice system idle iowait irq softirq steal
                let steal = words.nth(7).and_then(|w| w.parse().ok());
                return steal.ok_or_else(|| missing(&name));
            }
            if !first.starts_with("cpu") {
                return Err(missing(&name));
            }
        }
        if got == 0 {
            return Err(missing(&name));
        }
    }
}

fn missing(name: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("/proc/stat has no steal time for `{name}`"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time, and fails behind the processors.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Err(io::Error::other("read too far"));
            }
            let n = self.1.min(self.0.len());
            let (now, later) = self.0.split_at(n);
            buffer[..n].copy_from_slice(now);
            self.0 = later;
            Ok(n)
        }
    }

    const STAT: &[u8] = b"cpu  9 9 9 9 9 9 9 30 0 0\ncpu0 1 1 1 1 1 1 1 10 0 0\n\
        cpu1 1 1 1 1 1 1 1 20 0 0\ncpu10 1 1 1 1 1 1 1 7 0 0\nintr 5\n";

    #[test]
    fn the_line_of_the_processor_is_found_in_pieces_of_any_size() {
        for size in [1, 7, 64, 4096] {
            let read = |processor| stolen_in(&mut Slow(STAT, size), processor);
            assert_eq!(read(None).unwrap(), 30);
            assert_eq!(read(Some(0)).unwrap(), 10);
            assert_eq!(read(Some(1)).unwrap(), 20);
            assert_eq!(read(Some(10)).unwrap(), 7);
            let error = read(Some(2)).unwrap_err().to_string();
            assert!(error.contains("`cpu2`"), "{error}");
        }
        assert!(stolen_in(&mut &b"cpu 1 2 3 4\n"[..], None).is_err());
        assert!(stolen_in(&mut &b""[..], None).is_err());
    }
}
