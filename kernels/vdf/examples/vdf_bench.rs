//! Squarings or discriminants by the second, in the form of chiavdf's `vdf_bench`:
//!
//! `vdf_bench {square|chains|discr|provers|verify} N [THREADS]`
//!
//! `square` squares the generator of chiavdf's own discriminant N times and prints the
//! form, to be compared with that of chiavdf. `chains` squares 24 forms at once, N times
//! each. `discr` makes N discriminants of 1024 bits.
//! `provers` makes 8 proofs of N squarings each, one after the other and side by side.
//! `verify` verifies N proofs of one discriminant, one by one, side by side and as a batch.
//! Each of several threads does as much, and speeds are those of all together.

use karat_vdf::{
    Chain, Claim, Discriminant, Form, Prover, advance_all, square_all, square_many, verify,
    verify_batch, verify_each,
};
use std::process::ExitCode;
use std::time::Instant;

/// The discriminant of `src/vdf_bench.cpp` in chiavdf.
const DISCRIMINANT: &str = "-0x\
c8fd905ec4869c162aa4fde5f2630fd51a44784a380aaff309d9df647b2060fc\
5e63b9bceb19113e8f3f2291397239ed415c9cd4e5e600e574204eec5a39884c\
fc9fe40f1f6c68b533b5c5721512c8924cb8792668a2e5eab823c27c5dc8509b\
37455a314514fa25a82584bc764500518cf9e43931151c41d824a2ba1f3e0897";

/// Forms that are squared at once.
const CHAINS: usize = 24;

/// Proofs that are made at once.
const PROVERS: usize = 8;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, otherwise| match arguments.get(at) {
        Some(text) => text.parse().ok().filter(|n| *n > 0),
        None => otherwise,
    };
    let (Some(count), Some(threads)) = (number(1, None), number(2, Some(1))) else {
        return usage();
    };
    match arguments[0].as_str() {
        "square" => square(count, threads),
        "chains" => chains(count, threads),
        "discr" => discriminants(count, threads),
        "provers" => provers(count, threads),
        "verify" => verifications(count, threads),
        _ => return usage(),
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("Usage: vdf_bench {{square|chains|discr|provers|verify}} N [THREADS]");
    ExitCode::from(2)
}

/// Runs the same on some threads, and gives the result of one and the milliseconds.
fn timed<T: Send>(threads: u64, work: impl Fn() -> T + Sync) -> (T, u64) {
    let begin = Instant::now();
    let result = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(&work)).collect();
        let result = work();
        for other in others {
            drop(other.join());
        }
        result
    });
    (result, (begin.elapsed().as_millis() as u64).max(1))
}

fn square(count: u64, threads: u64) {
    let Ok(discriminant) = Discriminant::from_hex(DISCRIMINANT) else {
        unreachable!("the constant is a discriminant");
    };
    let x = Form::generator(&discriminant);
    let (y, ms) = timed(threads, || square_many(&x, count, &discriminant));
    let speed = 10 * threads * count / ms;
    println!("Time: {ms} ms; speed: {}.{}K ips", speed / 10, speed % 10);
    println!("a = {:#x}\nb = {:#x}\nc = {:#x}", y.a(), y.b(), y.c());
}

fn chains(count: u64, threads: u64) {
    let Ok(discriminant) = Discriminant::from_hex(DISCRIMINANT) else {
        unreachable!("the constant is a discriminant");
    };
    let mut chain = Chain {
        form: Form::generator(&discriminant),
        discriminant: &discriminant,
    };
    // Forms are short at the beginning.
    let begin = [(); CHAINS].map(|()| {
        chain.form = square_many(&chain.form, 30, &discriminant);
        chain
    });
    let (end, ms) = timed(threads, || {
        let mut chains = begin;
        square_all(&mut chains, count);
        chains
    });
    let speed = 10 * threads * count * CHAINS as u64 / ms;
    println!("Time: {ms} ms; speed: {}.{}K ips", speed / 10, speed % 10);
    println!("a of the last: {:#x}", end[CHAINS - 1].form.a());
}

fn discriminants(count: u64, threads: u64) {
    let work = || {
        let mut seed: Vec<u8> = (0..32).collect();
        for i in 0..count as usize {
            seed[i % 32] = seed[i % 32].wrapping_add(1);
            drop(std::hint::black_box(Discriminant::from_seed(&seed, 1024)));
        }
    };
    let ((), ms) = timed(threads, work);
    let speed = 10 * ms / (threads * count);
    println!(
        "Time: {ms} ms; speed: {}.{} ms/discr",
        speed / 10,
        speed % 10
    );
}

fn provers(count: u64, threads: u64) {
    let Ok(discriminant) = Discriminant::from_hex(DISCRIMINANT) else {
        unreachable!("the constant is a discriminant");
    };
    let mut x = Form::generator(&discriminant);
    let begin = [(); PROVERS].map(|()| {
        x = square_many(&x, 30, &discriminant);
        Prover::new(&x, count, &discriminant)
    });
    let proofs = |provers: &mut [Prover]| -> Vec<_> {
        let each = provers.iter_mut().map(|prover| prover.prove(1).ok());
        each.collect()
    };
    let (alone, singly) = timed(threads, || proofs(&mut begin.clone()));
    let (all, beside) = timed(threads, || {
        let mut provers = begin.clone();
        advance_all(&mut provers, count);
        proofs(&mut provers)
    });
    println!("the same proofs: {}", alone == all);
    println!("one by one: {singly} ms\nside by side: {beside} ms");
}

fn verifications(count: u64, threads: u64) {
    let Ok(discriminant) = Discriminant::from_hex(DISCRIMINANT) else {
        unreachable!("the constant is a discriminant");
    };
    // Computations begin at different forms, and are as short as a proof is worth.
    const ITERATIONS: u64 = 1000;
    let mut x = Form::generator(&discriminant);
    let mut proofs = Vec::new();
    for _ in 0..count {
        x = square_many(&x, 30, &discriminant);
        let proof = Prover::new(&x, ITERATIONS, &discriminant).prove(1);
        proofs.extend(proof.map(|proof| (x, proof)));
    }
    let claims = proofs.iter().map(|(x, proof)| Claim {
        x,
        proof,
        iterations: ITERATIONS,
    });
    let claims: Vec<Claim<'_>> = claims.collect();
    let (single, singly) = timed(threads, || {
        let each = |c: &Claim<'_>| verify(c.x, c.proof, c.iterations, &discriminant).is_ok();
        claims.iter().filter(|c| each(c)).count()
    });
    let (whole, at_once) = timed(threads, || verify_batch(&claims, &discriminant).is_ok());
    println!("{single} of {count} proofs hold, as a batch: {whole}");
    let pairs: Vec<_> = claims.iter().map(|c| (*c, &discriminant)).collect();
    let (each, beside) = timed(threads, || verify_each(&pairs));
    let held = each.iter().filter(|result| result.is_ok()).count();
    println!("{held} hold side by side");
    for (how, ms) in [
        ("one by one", singly),
        ("side by side", beside),
        ("as a batch", at_once),
    ] {
        let speed = 100 * ms / (threads * count);
        println!(
            "{how}: {ms} ms; {}.{:02} ms/proof",
            speed / 100,
            speed % 100
        );
    }
}
