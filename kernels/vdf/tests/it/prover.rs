//! Interrupted computations.

use crate::support::discriminant;
use karat_vdf::{Error, Form, Prover};

const ITERATIONS: u64 = 1000;

/// However the work is divided, the proof is the same.
#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn steps_and_threads_do_not_matter() {
    let discriminant = discriminant("steps", 256);
    let x = Form::generator(&discriminant);
    let expected = Prover::new(&x, ITERATIONS, &discriminant).prove(1).unwrap();
    for (step, threads) in [(1, 2), (7, 3), (333, 16), (u64::MAX, 0)] {
        let mut prover = Prover::new(&x, ITERATIONS, &discriminant);
        while prover.done() < ITERATIONS {
            let before = prover.done();
            prover.advance(step);
            assert_eq!(prover.done(), before + step.min(ITERATIONS - before));
        }
        assert_eq!(prover.prove(threads), Ok(expected));
    }
}

/// A log that ends anywhere is gone on from, and comes to the same proof.
#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn a_log_cut_anywhere_is_resumed() {
    let discriminant = discriminant("log", 128);
    let d = &discriminant;
    let x = Form::generator(d);
    let mut prover = Prover::new(&x, ITERATIONS, d);
    prover.advance(ITERATIONS);
    let mut log = prover.log_header();
    let header = log.len();
    log.extend(prover.log_checkpoints(0));
    let expected = prover.prove(1).unwrap();
    let mut before = 0;
    for length in 0..=log.len() {
        let resumed = Prover::resume(&x, ITERATIONS, d, &log[..length]);
        if length < header {
            assert_eq!(resumed.err(), Some(Error::LogHeader), "{length} bytes");
            continue;
        }
        let (mut resumed, end) = resumed.unwrap();
        assert!(end <= length && resumed.done() >= before, "{length} bytes");
        let new = resumed.done() > before || length == log.len() || length == header;
        before = resumed.done();
        if new {
            // What it adds makes the log whole again.
            let written = if end > header {
                resumed.checkpoints()
            } else {
                0
            };
            resumed.advance(ITERATIONS);
            let whole = [&log[..end], &resumed.log_checkpoints(written)].concat();
            assert_eq!(whole, log, "{length} bytes");
            assert_eq!(resumed.prove(1), Ok(expected));
        }
    }
    assert!(before > ITERATIONS / 2);
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn a_damaged_log_is_refused() {
    let discriminant = discriminant("damage", 64);
    let d = &discriminant;
    let x = Form::generator(d);
    let mut prover = Prover::new(&x, 300, d);
    prover.advance(100);
    let header = prover.log_header();
    let log = [&header[..], &prover.log_checkpoints(0)].concat();
    let resume = |log: &[u8]| Prover::resume(&x, 300, d, log).err();
    assert_eq!(resume(&log), None);
    let entry = (log.len() - header.len()) as u64 / prover.checkpoints();
    for bit in 0..8 * log.len() {
        let mut damaged = log.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let expected = match (bit / 8) as u64 {
            0..16 => Error::LogHeader,
            16..48 => Error::LogOfOther,
            place => Error::LogDamaged {
                checkpoint: (place - 48) / entry,
            },
        };
        assert_eq!(resume(&damaged), Some(expected), "bit {bit}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn the_log_of_something_else_is_refused() {
    let discriminant = discriminant("mine", 64);
    let x = Form::generator(&discriminant);
    let mut prover = Prover::new(&x, 300, &discriminant);
    prover.advance(100);
    let log = [prover.log_header(), prover.log_checkpoints(0)].concat();
    let other = crate::support::discriminant("other", 64);
    let of_other = Prover::resume(&Form::generator(&other), 300, &other, &log);
    assert_eq!(of_other.err(), Some(Error::LogOfOther));
    let longer = Prover::resume(&x, 301, &discriminant, &log);
    assert_eq!(longer.err(), Some(Error::LogOfOther));
    let square = karat_vdf::square_many(&x, 1, &discriminant);
    let from_square = Prover::resume(&square, 300, &discriminant, &log);
    assert_eq!(from_square.err(), Some(Error::LogOfOther));
}
