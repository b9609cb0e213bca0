//! The sum of 4096 bytes, by three kernels in one process:
//! `cargo run --release -p karat-bench --example bench_sum [-- --json]`.

use karat_bench::Bench;

const BYTES: usize = 4096;

/// What a plain loop becomes is the compiler's choice.
fn portable(bytes: &[u8]) -> u64 {
    bytes.iter().map(|b| u64::from(*b)).sum()
}

/// Eight bytes at a time: the even ones and the odd ones as four sums of 16 bits each, which
/// hold 128 additions of two bytes.
fn words(bytes: &[u8]) -> u64 {
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    let (chunks, rest) = bytes.as_chunks::<8>();
    let mut total = portable(rest);
    for group in chunks.chunks(128) {
        let mut sums = 0;
        for chunk in group {
            let word = u64::from_le_bytes(*chunk);
            sums += (word & EVEN) + (word >> 8 & EVEN);
        }
        total += (0..4).map(|i| sums >> (16 * i) & 0xffff).sum::<u64>();
    }
    total
}

/// 32 bytes at a time: VPSADBW against zero sums groups of eight.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(bytes: &[u8]) -> u64 {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi64, _mm256_extract_epi64, _mm256_loadu_si256, _mm256_sad_epu8,
        _mm256_setzero_si256,
    };
    let zero = _mm256_setzero_si256();
    let mut sums = [zero; 4];
    let (blocks, rest) = bytes.as_chunks::<128>();
    for block in blocks {
        for (sum, part) in sums.iter_mut().zip(block.as_chunks::<32>().0) {
            // SAFETY: `part` is 32 bytes; the load needs no alignment.
            let part = unsafe { _mm256_loadu_si256(part.as_ptr().cast::<__m256i>()) };
            *sum = _mm256_add_epi64(*sum, _mm256_sad_epu8(part, zero));
        }
    }
    let [a, b, c, d] = sums;
    let sum = _mm256_add_epi64(_mm256_add_epi64(a, b), _mm256_add_epi64(c, d));
    let lanes = [
        _mm256_extract_epi64::<0>(sum),
        _mm256_extract_epi64::<1>(sum),
        _mm256_extract_epi64::<2>(sum),
        _mm256_extract_epi64::<3>(sum),
    ];
    lanes.iter().map(|l| *l as u64).sum::<u64>() + portable(rest)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut bench = Bench::new("sum of 4096 bytes")
        .bytes(BYTES as u64)
        .margin(0.01)
        .arm("portable", |input: &Vec<u8>| portable(input))
        .arm("words", |input: &Vec<u8>| words(input));
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: this CPU has AVX2.
        bench = bench.arm("avx2", |input: &Vec<u8>| unsafe { avx2(input) });
    }
    let report = bench.run(|rng| {
        let input: Vec<u8> = (0..BYTES).map(|_| rng.next_u64() as u8).collect();
        // Not timed, so the place to check that kernels agree.
        assert_eq!(portable(&input), words(&input));
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: this CPU has AVX2.
            assert_eq!(portable(&input), unsafe { avx2(&input) });
        }
        input
    })?;
    if std::env::args().any(|a| a == "--json") {
        println!("{}", report.to_json()?);
    } else {
        print!("{report}");
    }
    Ok(())
}
