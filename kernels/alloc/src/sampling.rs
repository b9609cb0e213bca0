//! Which objects the heap profile knows: a sample, chosen by bytes, with the call stacks that
//! asked for them.
//!
//! Every byte that a thread asks for begins a sample with the same small chance, whatever
//! was before (a Poisson process): between two samples lie bytes drawn from the exponential
//! distribution. An object of `b` bytes is then sampled with the probability
//! `1 - exp(-b / mean)`, and who reads the profile divides by it.

use crate::config;
use crate::lock::Lock;
use crate::stack::{self, DEPTH, Frames};
use crate::table::Table;
use crate::{sys, thread};
use core::sync::atomic::{AtomicU32, Ordering};

/// What was sampled of one call stack: objects and their bytes, those that are still
/// allocated and all.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    pub live: u64,
    pub live_bytes: u64,
    pub all: u64,
    pub all_bytes: u64,
}

pub struct Site {
    pub frames: [usize; DEPTH],
    pub depth: usize,
    pub counts: Counts,
}

#[derive(Clone, Copy)]
struct Sample {
    site: *mut Site,
    bytes: usize,
}

pub struct Samples {
    live: Table<Sample>,
    /// By a hash of their frames.
    sites: Table<*mut Site>,
    /// Room for sites that are to come.
    room: *mut Site,
    left: usize,
    /// Samples for which there was no memory.
    lost: u64,
}

// SAFETY: sites are reached under the lock only.
unsafe impl Send for Samples {}

pub static SAMPLES: Lock<Samples> = Lock::new(Samples {
    live: Table::new(),
    sites: Table::new(),
    room: core::ptr::null_mut(),
    left: 0,
    lost: 0,
});

/// How many live samples have addresses with that hash: nearly all that is freed was not
/// sampled, and this says so without the lock.
static HASHED: [AtomicU32; 1 << 14] = [const { AtomicU32::new(0) }; 1 << 14];

fn hashed(address: usize) -> &'static AtomicU32 {
    // Fibonacci hashing, as in the table.
    let hash = (address as u64 >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    &HASHED[(hash >> 50) as usize]
}

/// After so many bytes comes the next sample: drawn from the exponential distribution.
pub fn draw(random: u64, mean: usize) -> usize {
    let bytes = minus_ln(random) * mean as f64;
    // A float beyond the range becomes the largest number.
    (bytes as usize).max(1)
}

/// The negative natural logarithm of `(random + 1) / 2^64`. There is no `ln` without the
/// standard library; the binary digits of a logarithm come by squaring.
fn minus_ln(random: u64) -> f64 {
    let number = random.max(1);
    let zeros = number.leading_zeros();
    // From 1 to 2, with 63 binary places.
    let mut mantissa = number << zeros;
    let (mut fraction, mut weight) = (0.0, 0.5);
    for _ in 0..24 {
        let square = (u128::from(mantissa) * u128::from(mantissa)) >> 63;
        if square >> 64 != 0 {
            fraction += weight;
            mantissa = (square >> 1) as u64;
        } else {
            mantissa = square as u64;
        }
        weight /= 2.0;
    }
    (f64::from(zeros + 1) - fraction) * core::f64::consts::LN_2
}

/// After an object was given out.
pub fn allocated(object: *mut u8, bytes: usize) {
    let Some(heap) = thread::heap() else {
        return; // After the thread's end.
    };
    let until = &heap.until_sample;
    if until.get() == 0 {
        until.set(draw(heap.random(), config::sample_bytes()));
    }
    let bytes = bytes.max(1);
    if bytes < until.get() {
        until.set(until.get() - bytes);
        return;
    }
    // Who walks the stack may allocate.
    if heap.sampling.replace(true) {
        return;
    }
    until.set(draw(heap.random(), config::sample_bytes()));
    let errno = sys::errno();
    let frames = stack::callers();
    sys::set_errno(errno);
    let mut samples = SAMPLES.lock();
    if samples.enter(object.addr(), bytes, &frames).is_some() {
        hashed(object.addr()).fetch_add(1, Ordering::Relaxed);
    } else {
        samples.lost += 1;
    }
    drop(samples);
    heap.sampling.set(false);
}

/// Before an object is taken back: afterwards another may be at its address.
pub fn freed(object: *mut u8) {
    let address = object.addr();
    let hashed = hashed(address);
    if hashed.load(Ordering::Relaxed) == 0 {
        return;
    }
    let mut samples = SAMPLES.lock();
    if let Some(sample) = samples.live.remove(address) {
        hashed.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: sites stay, and the lock is held.
        let counts = unsafe { &mut (*sample.site).counts };
        counts.live -= 1;
        counts.live_bytes -= sample.bytes as u64;
    }
}

impl Samples {
    pub fn lost(&self) -> u64 {
        self.lost
    }

    pub fn each_site(&self, mut call: impl FnMut(&Site)) {
        // SAFETY: sites stay, and the lock is held.
        self.sites.each(|site| call(unsafe { &*site }));
    }

    fn enter(&mut self, address: usize, bytes: usize, frames: &Frames) -> Option<()> {
        let site = self.site(frames)?;
        if !self.live.insert(address, Sample { site, bytes }) {
            return None;
        }
        // SAFETY: sites stay, and the lock is held.
        let counts = unsafe { &mut (*site).counts };
        counts.live += 1;
        counts.live_bytes += bytes as u64;
        counts.all += 1;
        counts.all_bytes += bytes as u64;
        Some(())
    }

    fn site(&mut self, frames: &Frames) -> Option<*mut Site> {
        let mut key = frames.hash();
        while let Some(site) = self.sites.get(key) {
            // SAFETY: sites stay, and the lock is held.
            let known = unsafe { &*site };
            if known.frames[..known.depth] == *frames.all() {
                return Some(site);
            }
            // Another stack with the same hash.
            key = key.wrapping_add(16).max(16);
        }
        if self.left == 0 {
            const BYTES: usize = 64 * 1024;
            self.room = sys::map(BYTES, true)?.cast();
            self.left = BYTES / size_of::<Site>();
        }
        if !self.sites.insert(key, self.room) {
            return None;
        }
        let site = self.room;
        // SAFETY: there is room for one more; the memory is zeroed, which is a valid site.
        unsafe {
            (&mut (*site).frames)[..frames.all().len()].copy_from_slice(frames.all());
            (*site).depth = frames.all().len();
            self.room = site.add(1);
        }
        self.left -= 1;
        Some(site)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against `math.log` of Python 3.11.
    #[test]
    fn logarithms_are_right() {
        for (random, right) in [
            (u64::MAX, 0.0),
            (1 << 63, core::f64::consts::LN_2),
            (0x1234_5678_9abc_def0, 2.643_511_679_964_639),
            (1, 44.361_419_555_836_5),
        ] {
            let found = minus_ln(random);
            assert!(
                (found - right).abs() < 1e-6,
                "{random:#x}: {found}, {right}"
            );
        }
    }

    /// The mean of many draws, and how many are below some sizes, within five standard
    /// deviations.
    #[test]
    fn draws_are_exponential() {
        const DRAWS: usize = if cfg!(miri) { 2000 } else { 200_000 };
        let mut random = 88_172_645_463_325_252_u64;
        let (mut sum, mut below) = (0.0, [0_usize; 3]);
        let sizes = [100, 1000, 4000];
        for _ in 0..DRAWS {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let bytes = draw(random, 1000);
            sum += bytes as f64;
            for (count, size) in below.iter_mut().zip(sizes) {
                *count += usize::from(bytes <= size);
            }
        }
        let mean = sum / DRAWS as f64;
        let deviation = 1000.0 * 1000.0 / DRAWS as f64;
        assert!(
            (mean - 1000.0) * (mean - 1000.0) < 25.0 * deviation,
            "{mean}"
        );
        // 1 - exp(-size / 1000).
        let expected = [0.095_162_6, 0.632_120_6, 0.981_684_4];
        for (count, share) in below.into_iter().zip(expected) {
            let found = count as f64 / DRAWS as f64;
            let deviation = (share * (1.0 - share)) / DRAWS as f64;
            // Whole bytes are rounded down, which moves a share by less than 0.001.
            let off = (found - share).abs() - 0.001;
            assert!(
                off < 0.0 || off * off < 25.0 * deviation,
                "{found}, {share}"
            );
        }
    }
}
