//! The four states, in Rust at all levels of debug information and in C.

use crate::build::{DEBUG_LEVELS, KERNEL, cc, facts, only, rust, rust_file, try_cc, two_crates};
use karat_model::audit::SurvivalState;

#[test]
fn present_inlined_changed_gone() {
    let baseline = facts(&rust(&[]), &[KERNEL], None);
    let present = only(&baseline);
    assert_eq!(present.state, SurvivalState::Present);
    assert_eq!(present.similarity, None);
    assert!(present.census.ymm > 20, "{:?}", present.census);
    assert_eq!(
        present.mix.values().sum::<u64>(),
        present.census.instructions
    );
    assert!(present.inlined_into.is_empty());

    let v3 = facts(
        &rust(&["-Ctarget-cpu=x86-64-v3"]),
        &[KERNEL],
        Some(&baseline),
    );
    let inlined = only(&v3);
    assert_eq!(inlined.state, SurvivalState::Inlined, "{inlined:?}");
    assert_eq!(inlined.inlined_into[0].function, "kernels::main");
    assert!(inlined.census.ymm > 20, "{:?}", inlined.census);
    assert_eq!(inlined.caveat, None);

    let kept = rust(&["-Ctarget-cpu=x86-64-v3", "--cfg", "keep"]);
    let kept = facts(&kept, &[KERNEL], Some(&baseline));
    assert_eq!(
        only(&kept).state,
        SurvivalState::Present,
        "{:?}",
        only(&kept)
    );
    assert!(only(&kept).similarity > Some(0.9));

    // AVX-512VL rotates in one instruction: same symbol, other code.
    let v4 = rust(&["-Ctarget-cpu=x86-64-v4", "--cfg", "keep"]);
    let v4 = facts(&v4, &[KERNEL], Some(&baseline));
    assert_eq!(only(&v4).state, SurvivalState::Changed, "{:?}", only(&v4));
    assert!(only(&v4).mix.contains_key("vprolq"));

    let gone = facts(&rust(&["--cfg", "gone"]), &[KERNEL], Some(&baseline));
    assert_eq!(only(&gone).state, SurvivalState::Gone);
    assert_eq!(only(&gone).similarity, None);
    assert_eq!(only(&gone).caveat, None);
}

#[test]
fn without_debug_information_gone_carries_a_caveat() {
    let stripped = rust(&["-Ctarget-cpu=x86-64-v3", "-Cstrip=symbols"]);
    let audit = facts(&stripped, &[KERNEL], None);
    assert!(!audit.has_line_tables);
    assert_eq!(only(&audit).state, SurvivalState::Gone);
    let caveat = only(&audit).caveat.as_deref().unwrap_or("");
    assert!(caveat.contains("inlining cannot be excluded"), "{caveat}");
}

#[test]
fn debug_information_of_std_alone_is_not_enough() {
    let bare = rust(&["-Ctarget-cpu=x86-64-v3", "-Cdebuginfo=0"]);
    let audit = facts(&bare, &[KERNEL], None);
    assert_eq!(only(&audit).state, SurvivalState::Gone);
    let caveat = only(&audit).caveat.as_deref().unwrap_or("");
    assert!(caveat.contains("of the crate kernels"), "{caveat}");
}

#[test]
fn all_levels_of_debug_information_give_the_same_answer() {
    let of = |level| {
        let program = rust(&["-Ctarget-cpu=x86-64-v3", level]);
        let mut audit = facts(&program, &[KERNEL], None);
        assert_eq!(only(&audit).state, SurvivalState::Inlined, "{level}");
        audit.survival.remove(0)
    };
    let all = DEBUG_LEVELS.map(of);
    assert!(all[0].census.ymm > 20);
    assert_eq!(all[0], all[1]);
    assert_eq!(all[1], all[2]);
}

/// Functions of `namesakes.rs` and a mnemonic that only each of them has.
const NAMESAKES: [(&str, &str); 6] = [
    ("namesakes::even::step", "rol"),
    ("namesakes::odd::step", "bswap"),
    ("<namesakes::Left as namesakes::Turn>::turn", "ror"),
    ("<namesakes::Right as Turn>::turn", "imul"),
    ("<namesakes::Right<u32> as Turn>::turn", "imul"),
    ("namesakes::Right<T>::lower", "bswap"),
];

#[test]
fn linkage_names_tell_namesakes_in_one_file_apart() {
    for mangling in [&[][..], &["-Csymbol-mangling-version=v0"]] {
        for level in &DEBUG_LEVELS[1..] {
            let program = rust_file("namesakes.rs", &[&[*level], mangling].concat());
            for (path, own) in NAMESAKES {
                let audit = facts(&program, &[path], None);
                let found = only(&audit);
                assert_eq!(found.state, SurvivalState::Inlined, "{path} {level}");
                assert_eq!(found.caveat, None);
                for other in NAMESAKES.map(|(_, mnemonic)| mnemonic) {
                    let has = found.mix.contains_key(other);
                    assert_eq!(has, other == own, "{path} {level}: {:?}", found.mix);
                }
            }
            // All three instances of the generic function that calls two of them.
            let audit = facts(&program, &["namesakes::both"], None);
            let mix = &only(&audit).mix;
            assert_eq!(
                (mix.get("ror"), mix.get("imul")),
                (Some(&1), Some(&2)),
                "{mix:?}"
            );
            let missing = facts(&program, &["namesakes::step"], None);
            assert_eq!(only(&missing).state, SurvivalState::Gone);
        }
    }
}

#[test]
fn short_names_take_namesakes_in_one_file_together() {
    let program = rust_file("namesakes.rs", &[DEBUG_LEVELS[0]]);
    for path in ["namesakes::even::step", "namesakes::odd::step"] {
        let audit = facts(&program, &[path], None);
        let mix = &only(&audit).mix;
        assert!(
            mix.contains_key("rol") && mix.contains_key("bswap"),
            "{mix:?}"
        );
    }
}

#[test]
fn compressed_debug_information_is_read() {
    let flags = ["-O2", "-g1", "-DINLINE", "-fno-ipa-icf"];
    let plain = facts(&cc("copies.c", &flags), &["fold"], None);
    let zlib = "-Wl,--compress-debug-sections=zlib";
    let mut program = cc("copies.c", &[&flags[..], &[zlib]].concat());
    let compressed = facts(&program, &["fold"], None);
    assert_eq!(only(&plain).state, SurvivalState::Inlined);
    assert_eq!(plain.survival, compressed.survival);
    assert_eq!(plain.crates, compressed.crates);

    // By zstd; then with a compression that there is none of.
    let zstd = "-Wl,--compress-debug-sections=zstd";
    match try_cc("copies.c", &[&flags[..], &[zstd]].concat()) {
        Some(program) => {
            let zstd = facts(&program, &["fold"], None);
            assert_eq!(
                (&plain.survival, &plain.crates),
                (&zstd.survival, &zstd.crates)
            );
        }
        None => println!("SKIPPED: cc or ld does not know {zstd}"),
    }
    let (start, size) = debug_info(&program.bytes);
    assert_eq!(program.bytes[start..start + 4], [1, 0, 0, 0]); // ELFCOMPRESS_ZLIB
    program.bytes[start] = 3;
    let options = karat_audit::Options::default();
    let error = karat_audit::audit(&program.bytes, &options).unwrap_err();
    assert!(error.to_string().contains("compression"), "{error}");

    // Damage is found and named: in the claimed size, and in the data.
    program.bytes[start] = 1;
    for at in [start + 8, start + size - 5] {
        let mut bytes = program.bytes.clone();
        bytes[at] ^= 0x55;
        let error = karat_audit::audit(&bytes, &options).unwrap_err();
        assert!(error.to_string().contains("section .debug_info"), "{error}");
    }
}

/// Where `.debug_info` is in a file.
fn debug_info(bytes: &[u8]) -> (usize, usize) {
    use object::{Object, ObjectSection};
    let file = object::File::parse(bytes).expect("an ELF file");
    let section = file.section_by_name(".debug_info").expect("DWARF");
    let (start, size) = section.file_range().expect("bytes in the file");
    (start as usize, size as usize)
}

/// Under fat LTO an inlined body and its name are in different units.
#[test]
fn code_is_followed_across_crates() {
    let kernel = "helper::avx2::mix_words";
    for level in DEBUG_LEVELS {
        let baseline = facts(&two_crates(&[level]), &[kernel], None);
        assert_eq!(only(&baseline).state, SurvivalState::Present);
        let v3 = two_crates(&["-Ctarget-cpu=x86-64-v3", level]);
        let inlined = facts(&v3, &[kernel], Some(&baseline));
        let found = only(&inlined);
        assert_eq!(found.state, SurvivalState::Inlined, "{found:?}");
        assert_eq!(found.caveat, None);
        assert!(found.census.ymm >= 36, "{found:?}");
        for other in ["helper::sse2::mix_words", "caller::avx2::mix_words"] {
            let audit = facts(&v3, &[other], None);
            assert_eq!(only(&audit).state, SurvivalState::Gone, "{other}");
        }
    }
}

#[test]
fn paths_with_traits_and_wildcards() {
    let program = rust(&[]);
    for (path, state) in [
        (
            "<kernels::Scalar<u64> as kernels::Mix>::mix",
            SurvivalState::Present,
        ),
        ("<kernels::Scalar as Mix>::mix", SurvivalState::Present),
        ("kernels::avx2::*", SurvivalState::Present),
        ("avx2::mix_rows", SurvivalState::Gone),
        ("kernels::mix_rows", SurvivalState::Gone),
        ("kernels::avx512::*", SurvivalState::Gone),
    ] {
        let audit = facts(&program, &[path], None);
        assert_eq!(only(&audit).state, state, "{path}");
    }
}

#[test]
fn c_copies_are_found_in_both_callers_and_count_as_the_same_code() {
    for dwarf in ["-gdwarf-5", "-gdwarf-4"] {
        let flags = ["-O2", "-fno-ipa-icf", "-g1", dwarf];
        let own = facts(&cc("copies.c", &flags), &["fold"], None);
        assert_eq!(only(&own).state, SurvivalState::Present);
        let inlined = cc("copies.c", &[&flags[..], &["-DINLINE"]].concat());
        let inlined = facts(&inlined, &["fold"], Some(&own));
        let fold = only(&inlined);
        assert_eq!(fold.state, SurvivalState::Inlined, "{fold:?}");
        let mut hosts: Vec<_> = fold.inlined_into.iter().map(|h| &h.function[..]).collect();
        hosts.sort_unstable();
        assert_eq!(hosts, ["first", "second"]);
        assert!(fold.similarity > Some(0.6), "{fold:?}");
    }
}
