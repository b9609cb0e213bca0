//! The table of implementations over lanes: the kernel `blake3`.

use super::block::blockwise;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use super::body::XofJob;
use super::body::{Body, Lanes};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use super::constants::BLOCK_LEN;
use super::portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use super::x86;
use crate::choices::CHOICES;
use karat_cpu::{Implementation, IsaSet, Kernel};

/// Hashes chunks, parents and messages in lanes, and makes extended output.
pub(crate) static KERNEL: Kernel<Body> = Kernel::measured("blake3", CHOICES, TABLE);

/// What an implementation's groups left of extended output: blocks behind the first `made`
/// ones, one by one.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
fn behind(job: &XofJob, made: usize, out: &mut [[u8; BLOCK_LEN]]) {
    if made < out.len() {
        let counter = job.counter.wrapping_add(made as u64);
        blockwise(&XofJob { counter, ..*job }, &mut out[made..]);
    }
}

/// Extended output by groups: see [`super::body::Xof`].
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
macro_rules! xof {
    ($($groups:tt)*) => {
        // SAFETY: the caller's CPU has the ISAs of the implementation.
        |job, out| behind(job, unsafe { x86::$($groups)*(job, out) }, out)
    };
}

static TABLE: &[Implementation<Body>] = &[
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "avx512",
        IsaSet::of(&["avx512f", "avx512bw", "avx512vl"]),
        Body(Lanes {
            advance: x86::avx512::advance::<false>,
            each: Some(x86::avx512_blocks::blocks::<false>),
            pad: Some(x86::avx512_pad::pad),
            xof: xof!(avx512_xof::xof),
            few: None,
            width: 16,
        }),
        "two groups of 16 lanes interleaved; a single group transposes the next block meanwhile",
    ),
    // After avx512: `x86/avx512_duet.rs` says why a gain is expected on Zen 5 only.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "avx512-duet",
        IsaSet::of(&["avx512f", "avx512bw", "avx512vl"]),
        Body(Lanes {
            advance: x86::avx512::advance::<true>,
            each: Some(x86::avx512_blocks::blocks::<false>),
            pad: Some(x86::avx512_pad::pad),
            xof: xof!(avx512_xof::xof),
            few: None,
            width: 16,
        }),
        "as avx512; up to nine lanes in vectors and in general registers at once",
    ),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "avx512-single",
        IsaSet::of(&["avx512f", "avx512bw", "avx512vl"]),
        Body(Lanes {
            advance: x86::avx512_single::advance,
            each: Some(x86::avx512_blocks::blocks::<true>),
            pad: Some(x86::avx512_pad::pad),
            xof: xof!(avx512_xof_single::xof),
            few: Some(&x86::avx512_tree::FEW),
            width: 16,
        }),
        "16 lanes, one group after the other; trees stay in lanes; few inputs in rows",
    ),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "avx512vl",
        IsaSet::of(&["avx512f", "avx512bw", "avx512vl"]),
        Body(Lanes {
            advance: x86::avx512vl::advance,
            each: Some(x86::avx512_blocks::blocks::<true>),
            pad: Some(x86::avx512_pad::pad),
            xof: xof!(avx512vl_xof::xof),
            few: Some(&x86::avx512vl_tree::FEW),
            width: 16,
        }),
        "8 lanes of 256 bits, rotations in one step; up to four inputs in rows",
    ),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "avx2",
        IsaSet::of(&["avx2"]),
        Body(Lanes {
            advance: x86::narrow::avx2,
            each: Some(x86::narrow::blocks),
            pad: None,
            xof: xof!(narrow::xof_avx2),
            few: Some(&x86::narrow::FEW),
            width: 8,
        }),
        "8 lanes, of extended output too; up to four inputs in rows",
    ),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "sse4.1",
        IsaSet::of(&["ssse3", "sse4.1"]),
        Body(Lanes {
            advance: x86::narrow::sse41,
            each: None,
            pad: None,
            xof: xof!(narrow::xof_sse41),
            few: None,
            width: 4,
        }),
        "4 lanes, of extended output too",
    ),
    #[cfg(all(target_arch = "aarch64", target_endian = "little", not(miri)))]
    Implementation::new(
        "neon",
        IsaSet::of(&["neon"]),
        Body(Lanes {
            advance: super::neon::advance,
            each: None,
            pad: None,
            xof: blockwise,
            few: None,
            width: 4,
        }),
        "4 lanes",
    ),
    Implementation::new(
        "portable",
        IsaSet::EMPTY,
        Body(Lanes {
            advance: portable::advance,
            each: None,
            pad: None,
            xof: blockwise,
            few: None,
            width: 1,
        }),
        "plain Rust, lane after lane",
    ),
];
