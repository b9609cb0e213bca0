//! Deliberate misuse: what is refused, and in which words.
//!
//! The report's nine warnings are about null and misaligned memory. Neither can be written here:
//! references are never null, and any alignment is taken (the self-test hashes from odd
//! addresses). What is left to misuse is the lengths.

use std::fmt::Write;
use std::panic::{UnwindSafe, catch_unwind, set_hook};

use karat_hash::blake3::{hash_many, raw};

use crate::form::{WHOLE, general};

/// Runs each misuse; one line with its refusal.
pub fn run() -> Result<String, String> {
    let mut out = String::new();
    each(|what, words| {
        writeln!(out, "refused: {what}: {words}").expect("a String takes everything");
    })?;
    Ok(out)
}

/// Runs each misuse; what it was, and the words of its refusal.
pub fn each(mut told: impl FnMut(&str, &str)) -> Result<(), String> {
    // The refusals are told, once.
    set_hook(Box::new(|_| {}));
    let mut refused = |what: &str, misuse: Box<dyn Fn() + UnwindSafe>| {
        let Err(refusal) = catch_unwind(misuse) else {
            return Err(format!("{what}: was not refused"));
        };
        let words = match refusal.downcast_ref::<String>() {
            Some(words) => words,
            None => *refusal
                .downcast_ref::<&str>()
                .ok_or("a refusal without words")?,
        };
        told(what, words);
        Ok(())
    };
    let fast = |inputs: &[&[u8]]| {
        let mut out = vec![[0; 32]; inputs.len()];
        raw::compress_many_fast(&raw::IV, inputs, 0, false, WHOLE, &mut out);
    };
    refused(
        "general, no room for one of two",
        Box::new(|| general_into(1)),
    )?;
    refused(
        "general, room for one too many",
        Box::new(|| general_into(3)),
    )?;
    refused(
        "general, more than a chunk",
        Box::new(|| general(&[&[0; 1025]], &mut [[0; 32]])),
    )?;
    refused(
        "fast, no room",
        Box::new(|| {
            raw::compress_many_fast(&raw::IV, &[&[0; 64]], 0, false, WHOLE, &mut []);
        }),
    )?;
    refused("fast, an empty input", Box::new(move || fast(&[&[]])))?;
    refused("fast, part of a block", Box::new(move || fast(&[&[0; 63]])))?;
    refused(
        "fast, two lengths",
        Box::new(move || fast(&[&[0; 64], &[0; 128]])),
    )?;
    refused(
        "hash_many, no room",
        Box::new(|| hash_many(&[b"abc"], &mut [])),
    )?;
    Ok(())
}

/// Two inputs, and room for `room` results.
fn general_into(room: usize) {
    let input = raw::Input {
        bytes: b"abc",
        counter: 0,
        flags: WHOLE,
    };
    raw::compress_many(&raw::IV, &[input; 2], &mut vec![[0; 32]; room]);
}
