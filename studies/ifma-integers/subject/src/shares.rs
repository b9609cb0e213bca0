//! What a squaring in a class group is made of, by the time of its parts alone.

use std::hint::black_box;
use std::time::Instant;

use karat_bigint::{Int, Uint, gcd};
use karat_vdf::{Chain, Discriminant, Form, square_all, square_many};
use study_support::Prng;

type Number = Uint<40>;

/// Inputs of each part; more than a predictor learns.
const COUNT: usize = 2048;
/// Each part is timed so often, and the fastest counts.
const TIMES: usize = 7;

fn number(prng: &mut Prng, bits: usize) -> Number {
    let mut bytes = vec![0; bits / 8];
    prng.fill(&mut bytes);
    bytes[0] |= 0x80;
    Number::from_be_bytes(&bytes).expect("it fits")
}

/// Nanoseconds for one of `COUNT` inputs.
fn time<T>(prng: &mut Prng, make: impl Fn(&mut Prng) -> T, mut work: impl FnMut(&T)) -> f64 {
    let once = |prng: &mut Prng, work: &mut dyn FnMut(&T)| {
        let inputs: Vec<T> = (0..COUNT).map(|_| make(prng)).collect();
        let start = Instant::now();
        inputs.iter().for_each(&mut *work);
        start.elapsed().as_nanos() as f64 / COUNT as f64
    };
    let times = (0..TIMES).map(|_| once(prng, &mut work));
    times.fold(f64::INFINITY, f64::min)
}

/// Two numbers, the smaller one second.
fn pair(prng: &mut Prng) -> (Number, Number) {
    let (a, b) = (number(prng, 512), number(prng, 512));
    if a < b { (b, a) } else { (a, b) }
}

/// Lines of parts: their time, and their share of a whole squaring.
pub fn run() -> Result<String, String> {
    let prng = &mut Prng::new(11);
    let discriminant = Discriminant::from_seed(b"shares", 1024).map_err(|e| e.to_string())?;
    let mut form = square_many(&Form::generator(&discriminant), 100, &discriminant);
    let whole = {
        let mut times = Vec::new();
        for _ in 0..TIMES {
            let start = Instant::now();
            form = square_many(&form, COUNT as u64, &discriminant);
            times.push(start.elapsed().as_nanos() as f64 / COUNT as f64);
        }
        times.into_iter().fold(f64::INFINITY, f64::min)
    };
    let mut euclid = gcd::Euclid::new();
    let full = time(prng, pair, |(a, b)| {
        euclid.start(a, b);
        euclid.reduce(&Number::ZERO);
        black_box(&euclid);
    });
    let limit = &Number::ONE << 256;
    let partial = time(prng, pair, |(a, b)| {
        euclid.start(a, b);
        euclid.reduce(&limit);
        black_box(&euclid);
    });
    // As many products, and of the lengths, as a squaring has: c k; b r and c y twice; l y
    // four times and r r three times.
    let factors = |prng: &mut Prng| {
        let long = [number(prng, 512), number(prng, 512)];
        (long, [number(prng, 256), number(prng, 256)])
    };
    let mut out = Number::ZERO;
    let products = time(prng, factors, |([a, b], [r, s])| {
        out.assign_product(a, b);
        black_box(&out);
        for _ in 0..2 {
            for (x, y) in [(a, r), (b, s)] {
                out.assign_product(x, y);
                black_box(&out);
            }
            for (x, y) in [(r, s), (s, r), (r, s)] {
                out.assign_product(x, y);
                black_box(&out);
            }
            out.assign_square(r);
            black_box(&out);
        }
    });
    let dividend = |prng: &mut Prng| (number(prng, 1024), number(prng, 512));
    let division = time(prng, dividend, |(a, d)| {
        black_box(a.rem(d));
    });
    let exact = time(
        prng,
        |prng| {
            let (d, q) = (number(prng, 512), number(prng, 256));
            (Int::from(&d * &q), Int::from(d))
        },
        |(product, d)| {
            black_box(product.div_exact(d));
        },
    );
    let mut lines = format!("one squaring, 1024 bits: {whole:.0} ns\n");
    let mut rest = whole;
    for (name, ns) in [
        ("Euclid's algorithm, 512 bits to the end", full),
        ("Euclid's algorithm, 512 to 256 bits", partial),
        ("13 products", products),
        ("a division of 1024 by 512 bits", division),
        ("two exact divisions of 768 by 512 bits", 2.0 * exact),
    ] {
        rest -= ns;
        lines += &format!("{name}: {ns:.0} ns, {:.0} %\n", 100.0 * ns / whole);
    }
    lines += &format!(
        "the rest (sums, reduction, copies; parts alone are not parts of a whole): {rest:.0} ns, \
         {:.0} %\n",
        100.0 * rest / whole
    );
    let mut chain = Chain {
        form,
        discriminant: &discriminant,
    };
    let mut chains = [(); 8].map(|()| {
        chain.form = square_many(&chain.form, 30, &discriminant);
        chain
    });
    let times = (0..TIMES).map(|_| {
        let start = Instant::now();
        square_all(&mut chains, COUNT as u64);
        start.elapsed().as_nanos() as f64 / (chains.len() * COUNT) as f64
    });
    let at_once = times.fold(f64::INFINITY, f64::min);
    lines += &format!("one of eight squarings at once: {at_once:.0} ns\n");
    Ok(lines)
}
