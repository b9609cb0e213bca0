//! What is chosen on CPUs that are not this one.

use karat_cpu::{AnyKernel, Identity, IsaSet};

fn cpu(vendor: &[u8; 12], family: u32, model: u32) -> Identity {
    Identity {
        vendor: *vendor,
        family,
        model,
        ..Identity::UNKNOWN
    }
}

/// Known and unknown CPUs.
fn cpus() -> Vec<Identity> {
    vec![
        cpu(b"AuthenticAMD", 0x17, 0x31),
        cpu(b"AuthenticAMD", 0x19, 0x01),
        cpu(b"AuthenticAMD", 0x19, 0x11),
        cpu(b"AuthenticAMD", 0x1a, 0x02),
        cpu(b"AuthenticAMD", 0x1c, 0x00),
        cpu(b"GenuineIntel", 6, 0x55),
        cpu(b"GenuineIntel", 6, 0x8f),
        cpu(b"GenuineIntel", 6, 0xa7),
        cpu(b"GenuineIntel", 6, 0xad),
        cpu(b"HygonGenuine", 0x18, 0x00),
        Identity::UNKNOWN,
    ]
}

/// What CPUs have, and what hypervisors and operating systems leave of it.
fn sets() -> Vec<IsaSet> {
    let sets: &[&[&str]] = if cfg!(target_arch = "x86_64") {
        &[
            &[],
            &["sse3", "ssse3", "sse4.1"],
            &["ssse3", "sse4.1", "bmi1", "bmi2", "avx", "avx2"],
            &["ssse3", "sse4.1", "bmi1", "bmi2", "avx2", "sha"],
            // Knights Landing: no VL, no BW.
            &["ssse3", "sse4.1", "bmi1", "bmi2", "avx2", "avx512f"],
            &[
                "ssse3", "sse4.1", "bmi1", "bmi2", "avx2", "avx512f", "avx512bw", "avx512vl",
            ],
            &[
                "ssse3", "sse4.1", "bmi1", "bmi2", "avx2", "sha", "avx512f", "avx512bw", "avx512vl",
            ],
            // Golden Cove and later.
            &[
                "ssse3",
                "sse4.1",
                "bmi1",
                "bmi2",
                "avx",
                "avx2",
                "sha",
                "avx512f",
                "avx512bw",
                "avx512vl",
                "avx512fp16",
            ],
        ]
    } else {
        &[&[], &["neon"], &["neon", "sha2"], &["neon", "sha2", "sha3"]]
    };
    sets.iter()
        .map(|names| {
            let isas = names.iter().filter_map(|n| karat_cpu::Isa::named(n));
            isas.fold(IsaSet::EMPTY, IsaSet::with)
        })
        .collect()
}

fn needs(kernel: &dyn AnyKernel, name: &str) -> IsaSet {
    let infos = (0..kernel.len()).map(|i| kernel.info(i));
    infos
        .filter(|i| i.name == name)
        .map(|i| i.isa)
        .next()
        .expect(name)
}

#[test]
fn what_is_chosen_can_always_run() {
    for kernel in karat_hash::kernels() {
        for cpu in cpus() {
            for isas in sets() {
                for bytes in [0, 64, 65, 1 << 20] {
                    let chosen = kernel.would_choose(isas, &cpu, bytes);
                    let needs = needs(*kernel, chosen);
                    let name = kernel.name();
                    assert!(
                        isas.contains_all(needs),
                        "{name} {chosen} on {cpu:?} with {isas}"
                    );
                }
            }
        }
    }
}

/// The figures are in the records; `cargo xtask choices` makes the choice of them.
#[test]
#[cfg(target_arch = "x86_64")]
#[cfg_attr(miri, ignore = "has no implementations but the portable ones")]
fn designs_with_records_have_their_own_choices() {
    let all = *sets().last().unwrap();
    let (zen4, zen5) = (
        cpu(b"AuthenticAMD", 0x19, 0x11),
        cpu(b"AuthenticAMD", 0x1a, 0x02),
    );
    assert_eq!(
        karat_cpu::Microarchitecture::of(&zen4, all),
        Some(karat_cpu::Microarchitecture::Zen4)
    );
    for (name, bytes, on4, on5) in [
        ("blake2b", 1000, "avx512-shifts", "x86-64"),
        ("blake2s", 1000, "avx512-shifts", "x86-64"),
        ("blake2s-many", 1024, "avx512vl", "avx512"),
        ("blake3", 4096, "avx512vl", "avx512-duet"),
        ("blake3-block", 1024, "avx512vl-shifts", "x86-64"),
        ("sha256-many", 1024, "sha-ni-avx512", "avx512-sha-ni"),
        ("sha256-many", 64, "sha-ni-avx512", "avx512-sha-ni"),
        ("keccak-many", 64, "avx512-three", "avx512"),
    ] {
        let kernel = karat_hash::kernels()
            .iter()
            .find(|k| k.name() == name)
            .unwrap();
        assert_eq!(kernel.would_choose(all, &zen4, bytes), on4, "{name}");
        assert_eq!(kernel.would_choose(all, &zen5, bytes), on5, "{name}");
    }
}

/// A hypervisor shows Rocket Lake's model: with AVX512-FP16 that is another design.
#[test]
#[cfg(target_arch = "x86_64")]
#[cfg_attr(miri, ignore = "has no implementations but the portable ones")]
fn a_masked_model_gets_the_choices_of_its_design() {
    let golden_cove = *sets().last().unwrap();
    let rocket_lake = golden_cove.without(IsaSet::of(&["avx512fp16"]));
    let masked = cpu(b"GenuineIntel", 6, 0xa7);
    for (name, bytes, on_golden_cove, on_rocket_lake) in [
        ("blake2b", 64, "avx2", "avx2"),
        ("blake2b", 1000, "avx512vl", "avx512vl"),
        ("blake3", 4096, "avx512-single", "avx512-single"),
        ("keccak", 64, "bmi2", "bmi2"),
        ("keccak-many", 64, "avx512-three", "avx512-three"),
        ("sha256-many", 64, "avx512-single", "sha-ni"),
        // What one CPU's rotations gain needs a record of the other, see BY_RECORD in
        // `cargo xtask choices`.
        ("blake2s", 64, "avx512vl", "avx512vl"),
        ("blake2s", 1000, "avx512vl", "avx512vl"),
        ("blake2s-many", 1024, "avx512", "avx512"),
        ("sha512", 1000, "avx512vl", "avx512vl"),
    ] {
        let kernels = karat_hash::kernels().iter();
        let kernel = kernels.copied().find(|k| k.name() == name).unwrap();
        let chosen = |isas, cpu| kernel.would_choose(isas, &cpu, bytes);
        assert_eq!(chosen(golden_cove, masked), on_golden_cove, "{name}");
        assert_eq!(chosen(rocket_lake, masked), on_rocket_lake, "{name}");
        for model in [0x8f, 0xad, 0xff] {
            let other = cpu(b"GenuineIntel", 6, model);
            assert_eq!(chosen(golden_cove, other), on_golden_cove, "{name}");
        }
    }
}
