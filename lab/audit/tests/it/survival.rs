//! The four states, in Rust with short names and in C with DWARF 5.

use crate::build::{KERNEL, cc, facts, only, rust, two_crates};
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
fn full_debug_information_gives_the_same_answer() {
    // The later -C wins; linkage names instead of short ones.
    let full = rust(&["-Ctarget-cpu=x86-64-v3", "-Cdebuginfo=2"]);
    let lines = rust(&["-Ctarget-cpu=x86-64-v3"]);
    let (full, lines) = (
        facts(&full, &[KERNEL], None),
        facts(&lines, &[KERNEL], None),
    );
    assert_eq!(only(&full).state, SurvivalState::Inlined);
    assert_eq!(only(&full).mix, only(&lines).mix);
}

/// Under fat LTO an inlined body and its name are in different units.
#[test]
fn code_is_followed_across_crates() {
    let kernel = "helper::avx2::mix_words";
    let baseline = facts(&two_crates(&[]), &[kernel], None);
    assert_eq!(only(&baseline).state, SurvivalState::Present);
    let v3 = two_crates(&["-Ctarget-cpu=x86-64-v3"]);
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
