//! Whether this CPU's instruction cache can hold any two pages of code together.
//!
//!     cargo run --release -p karat-run --example code_frames
//!
//! A loop over two pages of code is run from many pairs of frames. Where a few pairs
//! are many times slower than all others, and stay so at any linear address, lines at
//! the same place of two pages drive each other out of the instruction cache. A hot
//! loop longer than a page then has a speed that the draw of its frames decides.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    x86::main()
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() {
    println!("SKIPPED: the loop is made of x86-64 instructions, for Linux");
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod x86 {
    use std::arch::x86_64::_rdtsc;
    use std::io;
    use std::ptr;

    const PAGE: usize = 4096;
    const LINE: usize = 64;
    /// Frames to draw pairs from.
    const FRAMES: usize = 20_000;
    /// A pair is slow when its loop takes this many times the median.
    const SLOW: u64 = 3;

    pub fn main() -> Result<(), Box<dyn std::error::Error>> {
        let _pinned = karat_host::pin::choose().map(karat_host::pin::Pinned::to);
        let mut memory = Memory::new(FRAMES)?;
        for page in 0..FRAMES {
            write_loop(memory.page(page), 0..PAGE / LINE, page > 0);
        }
        let times: Vec<u64> = (1..FRAMES)
            .map(|b| memory.time(memory.at(0), memory.at(b), 20))
            .collect();
        let usual = median(times.clone());
        println!("a pass through two pages of code: {usual} cycles of the time stamp counter");
        // Twice, since anything can disturb a single loop.
        let again = |b: &usize| memory.time(memory.at(0), memory.at(*b), 200);
        let slow: Vec<usize> = (1..FRAMES)
            .filter(|b| times[b - 1] > SLOW * usual && again(b) > SLOW * usual)
            .collect();
        let Some(&b) = slow.first() else {
            println!("none of {} pairs of frames is slow", FRAMES - 1);
            return Ok(());
        };
        let taken: Vec<u64> = slow.iter().map(again).collect();
        println!(
            "slow: {} of {} pairs of frames, one in {}; a pass through those: {} cycles",
            slow.len(),
            FRAMES - 1,
            (FRAMES - 1) / slow.len(),
            median(taken),
        );
        let (a_else, b_else) = (memory.elsewhere(0)?, memory.elsewhere(b)?);
        println!(
            "one such pair at other linear addresses: {} cycles",
            memory.time(a_else, b_else, 200)
        );
        let half = PAGE / LINE / 2;
        write_loop(memory.page(0), 0..half, false);
        write_loop(memory.page(b), 0..half, true);
        let same = memory.time(memory.at(0), memory.at(b), 200);
        write_loop(memory.page(b), half..2 * half, true);
        let other = memory.time(memory.at(0), memory.at(b) + half * LINE, 200);
        println!(
            "half of its lines: {same} cycles if both have the first half, {other} if one has the \
             first and one the second"
        );
        Ok(())
    }

    /// The upper median, which is a time that was taken.
    fn median(mut times: Vec<u64>) -> u64 {
        times.sort_unstable();
        times[times.len() / 2]
    }

    /// Writes instructions that do nothing into some lines of a page, and at their end
    /// a jump: to the address in r8, or at the last page back to that in r9 as often as
    /// edi says.
    fn write_loop(page: &mut [u8], lines: std::ops::Range<usize>, last: bool) {
        // nop dword [rax+rax+0] (Intel's manual, volume 2B, NOP: eight bytes).
        const NOP: [u8; 8] = [0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0];
        // jmp r8
        const ON: &[u8] = &[0x41, 0xff, 0xe0];
        // dec edi; jz to the ret; jmp r9; ret
        const BACK: &[u8] = &[0xff, 0xcf, 0x74, 0x03, 0x41, 0xff, 0xe1, 0xc3];
        let code = &mut page[lines.start * LINE..lines.end * LINE];
        let end = code.len() - NOP.len();
        for (i, byte) in code[..end].iter_mut().enumerate() {
            *byte = NOP[i % NOP.len()];
        }
        let jump = if last { BACK } else { ON };
        code[end..end + jump.len()].copy_from_slice(jump);
    }

    /// Pages of memory that can be mapped more than once, writable and executable.
    struct Memory {
        fd: i32,
        base: *mut u8,
    }

    impl Memory {
        fn new(pages: usize) -> io::Result<Self> {
            // SAFETY: the name ends in a zero byte.
            let fd = unsafe { libc::memfd_create(c"code".as_ptr(), 0) };
            // SAFETY: no memory is involved.
            if fd < 0 || unsafe { libc::ftruncate(fd, (pages * PAGE) as i64) } != 0 {
                return Err(io::Error::last_os_error());
            }
            let base = map(fd, pages, 0)?;
            Ok(Self { fd, base })
        }

        fn at(&self, page: usize) -> usize {
            self.base as usize + page * PAGE
        }

        fn page(&mut self, page: usize) -> &mut [u8] {
            // SAFETY: `new` has mapped FRAMES pages, and nothing else refers to them.
            unsafe { std::slice::from_raw_parts_mut(self.base.add(page * PAGE), PAGE) }
        }

        /// Another linear address of a page's frame.
        fn elsewhere(&self, page: usize) -> io::Result<usize> {
            Ok(map(self.fd, 1, page)? as usize)
        }

        /// Cycles for a pass through the code at `a` and `b`, the least of four times
        /// `passes`.
        fn time(&self, a: usize, b: usize, passes: u32) -> u64 {
            let once = || {
                // SAFETY: every x86-64 CPU has a time stamp counter.
                let start = unsafe { _rdtsc() };
                // SAFETY: `write_loop` wrote both pages: they use these registers and
                // flags only, and return.
                unsafe {
                    std::arch::asm!(
                        "call {a}", a = in(reg) a, in("r8") b, in("r9") a,
                        inout("edi") passes => _,
                    );
                }
                // SAFETY: as above.
                unsafe { _rdtsc() - start }
            };
            (0..4).map(|_| once()).min().unwrap_or(0) / u64::from(passes)
        }
    }

    /// Maps pages of a file, filled.
    fn map(fd: i32, pages: usize, first: usize) -> io::Result<*mut u8> {
        // SAFETY: a new mapping at an address that the kernel chooses.
        let at = unsafe {
            libc::mmap(
                ptr::null_mut(),
                pages * PAGE,
                libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC,
                libc::MAP_SHARED | libc::MAP_POPULATE,
                fd,
                (first * PAGE) as i64,
            )
        };
        if at == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(at.cast())
    }
}
