//! Memory over a program: these tests' own file.

use super::*;
use crate::bits::symbol;

/// Runs with what the file has, and an address of its data that holds a word.
fn with(one: impl Fn(&Image<'_>)) {
    let path = std::env::current_exe().expect("a name");
    let bytes = std::fs::read(path).expect("the file");
    let file = karat_binary::read::image::Image::parse_linked_x86(&bytes, "the test");
    let file = file.expect("a linked program");
    let program = Program::read(&file).expect("a sound program");
    one(&Image::new(&program));
}

const AT: u64 = STACK - 0x1000;

#[test]
fn what_is_stored_is_read_wherever_it_lies() {
    with(|image| {
        for offset in 0..40 {
            let mut memory = Memory::default();
            let (at, value) = (AT + offset, 0x1122_3344_5566_7788);
            assert_eq!(memory.read(image, at, 8), Word::unknown(8, Kind::Opaque));
            memory.write(at, &Word::Known(value), 8);
            assert_eq!(memory.read(image, at, 8), Word::Known(value));
            assert_eq!(memory.read(image, at + 1, 4), Word::Known(0x4455_6677));
            assert_eq!(memory.read(image, at + 7, 1), Word::Known(0x11));
            memory.write(at + 3, &Word::Known(0xabcd), 2);
            assert_eq!(
                memory.read(image, at, 8),
                Word::Known(0x1122_33ab_cd66_7788)
            );
            // A part that nobody stored is not known, the rest is.
            let part = memory.read(image, at + 4, 8);
            assert_eq!(part.low(4), Word::Known(0x1122_33ab));
            assert_eq!(part.bit(32), Kind::Opaque.bit());
            memory.forget(at + 2, 1, Kind::Input);
            assert_eq!(memory.read(image, at + 2, 1), Word::unknown(1, Kind::Input));
            assert_eq!(memory.read(image, at, 2), Word::Known(0x7788));
        }
    });
}

#[test]
fn symbols_are_stored_and_copied() {
    with(|image| {
        let bits = std::array::from_fn(|at| symbol(at as u32 % 5, at % 2 == 0));
        let word = Word::from_bits(bits);
        for offset in [0, 1, 27, 31] {
            let mut memory = Memory::default();
            memory.write(AT + offset, &word, 8);
            memory.write(AT + offset + 8, &Word::Known(7), 8);
            memory.copy(image, AT + 300, AT + offset, 16);
            assert_eq!(memory.read(image, AT + 300, 8), word);
            assert_eq!(memory.read(image, AT + 308, 8), Word::Known(7));
            assert_eq!(memory.read(image, AT + 301, 7), word.right(8));
            // One that lies over itself.
            memory.copy(image, AT + 304, AT + 300, 12);
            assert_eq!(memory.read(image, AT + 304, 8), word);
            assert_eq!(memory.read(image, AT + 300, 4), word.low(4));
        }
    });
}

#[test]
fn what_a_routine_left_is_not_read_again() {
    with(|image| {
        for top in [AT, AT + 8, AT + 24, AT + 32] {
            let mut memory = Memory::default();
            for at in (AT - 128..AT + 128).step_by(8) {
                memory.write(at, &Word::Known(at), 8);
            }
            memory.write(HEAP, &Word::Known(1), 8);
            memory.leave(top);
            for at in (AT - 128..AT + 128).step_by(8) {
                let expected = match at < top {
                    true => Word::unknown(8, Kind::Opaque),
                    false => Word::Known(at),
                };
                assert_eq!(memory.read(image, at, 8), expected, "{at:x} {top:x}");
            }
            assert_eq!(memory.read(image, HEAP, 8), Word::Known(1));
        }
    });
}

#[test]
fn objects_lie_apart() {
    let mut memory = Memory::default();
    let sizes = [0, 1, 64, 65, 5000];
    let all: Vec<(u64, u64)> = sizes.map(|size| (memory.allocate(size), size)).into();
    for (at, size) in all {
        assert_eq!(memory.object(at), Some((at, size)));
        assert_eq!(memory.object(at + size.max(1) - 1), Some((at, size)));
        assert_eq!(memory.object(at + size.max(1)), None);
    }
    assert_eq!(memory.object(HEAP - 1), None);
    // What a program asks for may be any number.
    let most = memory.allocate(u64::MAX);
    assert_eq!(memory.object(most), Some((most, LARGEST)));
    assert!(memory.allocate(8) >= most + LARGEST);
}

#[test]
fn two_ways_are_one_where_they_agree() {
    with(|image| {
        let mut one = Memory::default();
        one.write(AT, &Word::Known(1), 8);
        one.write(AT + 8, &Word::Known(2), 8);
        let mut other = one.clone();
        other.write(AT + 8, &Word::Known(3), 8);
        other.write(AT + 500, &Word::Known(4), 8);
        let object = other.allocate(100);
        let joined = |a: &Word, b: &Word| Some(a.joined(b));
        for (a, b) in [(&one, &other), (&other, &one)] {
            let both = a.merged(b, image, &joined).expect("joined");
            assert_eq!(both.read(image, AT, 8), Word::Known(1));
            assert_eq!(
                both.read(image, AT + 8, 8),
                Word::Known(2).joined(&Word::Known(3))
            );
            assert_eq!(both.read(image, AT + 500, 8).number(), Ok(None));
            assert_eq!(both.object(object), Some((object, 100)));
            assert!(a.merged(b, image, &|_, _| None).is_none());
        }
        let same = one.merged(&one.clone(), image, &|_, _| None);
        assert!(same.is_some());
    });
}

#[test]
fn what_is_given_is_of_its_kind() {
    with(|image| {
        let memory = Memory::default();
        for (at, kind) in [
            (GIVEN, Kind::Input),
            (ENVIRONMENT + 8, Kind::Environment),
            (HEAP, Kind::Opaque),
        ] {
            assert_eq!(memory.read(image, at, 8), Word::unknown(8, kind));
        }
    });
}

/// What was never stored on one way is as the other has it, but where the file has something.
#[test]
fn what_one_way_never_stored_is_the_others() {
    with(|image| {
        let (mut one, other) = (Memory::default(), Memory::default());
        let places = [AT - 64, HEAP + 128];
        for at in places {
            one.write(at + 2, &Word::Known(0x55), 1);
        }
        one.write(GIVEN + 8, &Word::Known(0x55), 1);
        let none = |_: &Word, _: &Word| Some(Word::Known(0));
        for both in [
            one.merged(&other, image, &none),
            other.merged(&one, image, &none),
        ] {
            let both = both.expect("all is known");
            for at in places {
                assert_eq!(both.read(image, at + 2, 1), Word::Known(0x55));
                assert_eq!(both.read(image, at + 3, 1), Word::unknown(1, Kind::Opaque));
            }
            assert_eq!(both.read(image, GIVEN + 8, 1), Word::Known(0));
        }
    });
}
