//! Published digests, then digests of fixed inputs that must be equal in every build.

use std::fmt::Write;

use karat_hash::sha256;
use study_support::{Prng, check, hex};

use crate::algorithms::{ALGORITHMS, lattice, lattice_one_by_one};

/// Lengths after 0..=300: around blocks, chunks and pages, up to many of each.
const LONG: [usize; 10] = [
    511, 512, 1023, 1024, 1025, 4097, 8192, 65535, 65536, 100_003,
];
const INPUT_SEED: u64 = 0x7365_6c66_7465_7374;

/// Checks every hash; one line for each.
pub fn run() -> Result<String, String> {
    let inputs = inputs();
    let inputs: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
    let mut out = String::new();
    for algorithm in ALGORITHMS {
        let name = algorithm.name;
        check(name, &(algorithm.one)(b"abc"), algorithm.abc)?;
        let digests: Vec<[u8; 32]> = inputs.iter().map(|i| (algorithm.one)(i)).collect();
        // Groups of 1 to 70, so that all numbers of lanes and unequal lengths occur.
        let mut many = vec![[0; 32]; inputs.len()];
        let mut start = 0;
        for size in (1..=70).cycle() {
            let end = inputs.len().min(start + size);
            (algorithm.many)(&inputs[start..end], &mut many[start..end]);
            start = end;
            if start == inputs.len() {
                break;
            }
        }
        if digests != many {
            return Err(format!("{name}: many messages differ from one at a time"));
        }
        let digest = (algorithm.one)(digests.as_flattened());
        writeln!(out, "{name:8} {}", hex(&digest)).expect("a String takes everything");
    }
    let set = lattice(&inputs);
    if set != lattice_one_by_one(&inputs) {
        return Err("lthash: many elements differ from one at a time".into());
    }
    writeln!(out, "lthash   {}", hex(&sha256::hash(&set.to_bytes())))
        .expect("a String takes everything");
    Ok(out)
}

/// Which implementation each kernel has chosen: no flag may change that.
pub fn chosen() -> Result<String, String> {
    let mut out = String::new();
    for kernel in karat_hash::kernels() {
        let infos = (0..kernel.len()).map(|i| kernel.info(i));
        let name = infos.filter(|i| i.chosen).map(|i| i.name).next();
        let name = name.ok_or("a kernel has chosen nothing")?;
        writeln!(out, "{}={name}", kernel.name()).expect("a String takes everything");
    }
    Ok(out)
}

fn inputs() -> Vec<Vec<u8>> {
    let mut prng = Prng::new(INPUT_SEED);
    (0..=300)
        .chain(LONG)
        .map(|length| {
            let mut input = vec![0; length];
            prng.fill(&mut input);
            input
        })
        .collect()
}
