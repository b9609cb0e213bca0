//! Cubes of symbols against all that CPUs may have.

use super::*;
use crate::bits::not;

fn symbols() -> Symbols {
    Symbols::new(Facts::named("sse4.2").closed())
}

/// Symbols of AVX and AVX2, as the compiler's list has them.
fn vectors(symbols: &mut Symbols) -> (Bit, Bit) {
    let avx = symbols.usable(9, Facts::named("avx"));
    (avx, symbols.usable(10, Facts::named("avx2")))
}

fn number(bit: Bit) -> u32 {
    symbol_of(bit).expect("a symbol").0
}

#[test]
fn what_follows_from_what_is_there_is_there() {
    let mut symbols = symbols();
    let (avx, avx2) = vectors(&mut symbols);
    let all = Conditions::default();
    assert_eq!(all.truth(&symbols, number(avx)), None);
    let with = all.with(&symbols, avx2).expect("some CPUs have it");
    assert_eq!(with.truth(&symbols, number(avx2)), Some(true));
    assert_eq!(with.truth(&symbols, number(avx)), Some(true));
    assert!(with.with(&symbols, not(avx)).is_none());
    // The other way round nothing follows.
    let one = all.with(&symbols, avx).expect("some CPUs have it");
    assert_eq!(one.truth(&symbols, number(avx2)), None);
    // Who lacks the less lacks the more.
    let lacks = all.with(&symbols, not(avx)).expect("some CPUs lack it");
    assert_eq!(lacks.truth(&symbols, number(avx2)), Some(false));
    assert!(lacks.with(&symbols, avx2).is_none());
    let has = |all: &Conditions| all.cubes()[0].has();
    assert_eq!(has(&with) & Facts::named("avx"), Facts::named("avx"));
    assert_eq!(has(&lacks), Facts::NONE);
}

#[test]
fn what_the_baseline_has_is_no_symbol() {
    let mut symbols = symbols();
    // SSE4.1: bit 19 of `ecx` of leaf 1; AVX: bit 28.
    assert_eq!(symbols.cpuid(1, 0, Register::C, 19), crate::bits::ONE);
    let avx = symbols.cpuid(1, 0, Register::C, 28);
    assert!(symbol_of(avx).is_some());
    assert_eq!(symbols.cpuid(1, 0, Register::C, 28), avx);
    assert_ne!(symbols.cpuid(7, 0, Register::B, 5), avx);
}

#[test]
fn a_symbol_is_set_or_not() {
    let mut symbols = symbols();
    let free = symbols.free(1);
    let set = Conditions::default().with(&symbols, free).expect("either");
    assert_eq!(set.truth(&symbols, number(free)), Some(true));
    assert!(set.with(&symbols, not(free)).is_none());
    assert_eq!(set.with(&symbols, free), Some(set.clone()));
}

#[test]
fn either_of_two_is_as_before() {
    let mut symbols = symbols();
    let (avx, avx2) = vectors(&mut symbols);
    let free = symbols.free(1);
    let all = Conditions::default();
    let apart = |bit: Bit| {
        let set = all.with(&symbols, bit).expect("either");
        (set, all.with(&symbols, not(bit)).expect("either"))
    };
    for bit in [avx, avx2, free] {
        let (set, other) = apart(bit);
        assert_eq!(set.or(&other, &symbols), all);
        assert_eq!(other.or(&set, &symbols), all);
    }
    // Of two symbols one stays.
    let (set, other) = apart(free);
    let both = set.with(&symbols, avx).expect("some");
    let one = other.with(&symbols, avx).expect("some");
    let known = all.with(&symbols, avx).expect("some");
    assert_eq!(both.or(&one, &symbols), known);
    // What is within the other is the other.
    assert_eq!(known.or(&both, &symbols), known);
}

#[test]
fn ways_are_told_apart_by_what_only_one_has() {
    let mut symbols = symbols();
    let (avx, avx2) = vectors(&mut symbols);
    let all = Conditions::default();
    let with = all.with(&symbols, avx2).expect("some");
    let lacks = all.with(&symbols, not(avx)).expect("some");
    let bit = with.apart(&symbols, &lacks).expect("told apart");
    assert_eq!(with.with(&symbols, bit), Some(with.clone()));
    assert!(lacks.with(&symbols, bit).is_none());
    assert_eq!(with.apart(&symbols, &with), None);
    assert_eq!(with.apart(&symbols, &all), None);
}

/// Whether a CPU, given by its bits of the symbols there are, is one of these.
fn holds(conditions: &Conditions, cpu: u32) -> bool {
    let is_set = |bit: &Bit| {
        let (number, is_opposite) = symbol_of(*bit).expect("a symbol");
        (cpu >> number & 1 == 1) != is_opposite
    };
    let mut cubes = conditions.cubes().iter();
    cubes.any(|cube| cube.bits.iter().all(is_set))
}

#[test]
fn either_of_many_loses_no_cpu() {
    let mut symbols = symbols();
    for at in 0..10 {
        symbols.free(at);
    }
    let mut state = 7u32;
    let mut all: Option<Conditions> = None;
    let mut parts: Vec<Conditions> = Vec::new();
    let mut most = 0;
    for _ in 0..60 {
        let mut one = Conditions::default();
        for at in 0..10 {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12345);
            match state >> 16 & 3 {
                0 => one = one.with(&symbols, symbol(at, false)).expect("new"),
                1 => one = one.with(&symbols, symbol(at, true)).expect("new"),
                _ => {}
            }
        }
        all = Some(all.map_or(one.clone(), |all| all.or(&one, &symbols)));
        parts.push(one);
        let all = all.as_ref().expect("some");
        most = most.max(all.cubes().len());
        let is_exact = all.cubes().iter().all(|cube| cube.lost.is_none());
        for cpu in 0..1 << 10 {
            let is_one = parts.iter().any(|part| holds(part, cpu));
            assert!(holds(all, cpu) || !is_one, "{cpu:x} is lost");
            // More only where it is said that something was lost.
            assert!(!is_exact || holds(all, cpu) == is_one, "{cpu:x}");
        }
    }
    // The limit was come to.
    assert!(most > CUBES / 2 && most <= CUBES, "{most}");
    let all = all.expect("some");
    assert!(
        all.cubes()
            .iter()
            .any(|cube| cube.lost == Some(Kind::Opaque))
    );
}

#[test]
fn what_is_made_common_has_no_more_than_all() {
    let mut symbols = symbols();
    let (avx, avx2) = vectors(&mut symbols);
    let turns: Vec<u32> = (0..CUBES + 4).map(|_| symbols.turn(Kind::Input)).collect();
    let mut all: Option<Conditions> = None;
    for (at, turn) in turns.iter().enumerate() {
        let own = if at % 2 == 0 { avx } else { avx2 };
        let one = Conditions::default().with(&symbols, own).expect("some");
        let one = one.with(&symbols, symbol(*turn, false)).expect("some");
        all = Some(all.map_or(one.clone(), |all| all.or(&one, &symbols)));
    }
    let all = all.expect("some");
    for cube in all.cubes() {
        assert_eq!(cube.has() & Facts::named("avx"), Facts::named("avx"));
        // That turns decided is not forgotten.
        assert!(cube.turns(&symbols).any(|kind| kind <= Kind::Input));
    }
    assert_eq!(all.truth(&symbols, number(avx)), Some(true));
    assert_eq!(all.truth(&symbols, number(avx2)), None);
}

#[test]
fn only_a_variable_that_is_set_is_a_word_of_the_user() {
    let mut symbols = symbols();
    let one = symbols.variable(b"ONE".to_vec());
    assert_eq!(symbols.variable(b"ONE".to_vec()), one);
    assert_ne!(symbols.variable(b"OTHER".to_vec()), one);
    let turns = |bit: Bit| {
        let all = Conditions::default().with(&symbols, bit).expect("either");
        let turns: Vec<Kind> = all.cubes()[0].turns(&symbols).collect();
        turns
    };
    assert_eq!(turns(one), [Kind::Environment]);
    assert_eq!(turns(not(one)), []);
}
