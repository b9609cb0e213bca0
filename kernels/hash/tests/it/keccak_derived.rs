//! Functions that are made of Keccak: official vectors, other crates as oracles, pieces.
//! The tests of Keccak call these, for every implementation of their kernels.

use crate::support::{Rng, few, unhex};
use karat_hash::keccak::{
    CShake, KangarooTwelve, Kmac, OutputReader, TurboShake, kt128, kt256, turboshake128,
    turboshake256,
};

/// The output of a peer with RustCrypto's traits. They have the names of karat's methods, so
/// they are in scope here only.
fn output_of<P>(mut peer: P, message: &[u8], out: &mut [u8])
where
    P: digest::ExtendableOutput + digest::Update,
{
    use digest::XofReader as _;
    peer.update(message);
    peer.finalize_xof().read(out);
}

/// The bytes of a field: empty, a pattern (RFC 9861, section 5) or hexadecimal.
fn bytes(field: &str) -> Vec<u8> {
    match field.strip_prefix("ptn:") {
        Some(length) => (0..length.parse().unwrap())
            .map(|i: u32| (i % 251) as u8)
            .collect(),
        None => unhex(field.trim_matches('-')),
    }
}

/// The vectors of the functions whose names begin so.
fn vectors(prefix: &str) -> impl Iterator<Item = Vec<&'static str>> {
    include_str!("../vectors/keccak-derived.txt")
        .lines()
        .map(|line| line.split(' ').collect::<Vec<_>>())
        .filter(move |fields| fields[0].starts_with(prefix))
        .filter(|fields| !cfg!(miri) || bytes(fields[1]).len() < 300)
}

/// The end of `length` bytes of output, as long as the expected one.
fn assert_ends<const RATE: usize>(
    mut output: OutputReader<RATE>,
    length: usize,
    expected: &str,
    line: &[&str],
) {
    let expected = unhex(expected);
    let mut out = vec![0; expected.len()];
    output.set_position((length - expected.len()) as u64);
    output.fill(&mut out);
    assert_eq!(out, expected, "{line:?}");
}

fn turboshake<const RATE: usize>(domain: u8, message: &[u8]) -> OutputReader<RATE> {
    macro_rules! with {
        ($($domain:literal)*) => {
            match domain {
                $($domain => TurboShake::<RATE, $domain>::new().update(message).finalize_xof(),)*
                other => panic!("no vector has the domain {other}"),
            }
        };
    }
    with!(0x01 0x06 0x07 0x0b 0x1f 0x30 0x7f)
}

/// Whether megabytes take a while: Rust without optimisation.
fn slow(name: &str) -> bool {
    cfg!(debug_assertions) && (name == "portable" || !cfg!(target_arch = "x86_64"))
}

/// cSHAKE, KMAC and TurboSHAKE: what goes through the kernel for one message.
pub fn of_one(name: &str) {
    let mut count = 0;
    for line in vectors("cshake") {
        let [message, function, custom] = [1, 2, 3].map(|i| bytes(line[i]));
        let length = line[4].len() / 2;
        macro_rules! check {
            ($rate:literal) => {{
                let mut hasher = CShake::<$rate>::with_name(&function, &custom);
                let output = hasher.update(&message).finalize_xof();
                assert_ends(output, length, line[4], &line);
            }};
        }
        if line[0] == "cshake128" {
            check!(168)
        } else {
            check!(136)
        }
        count += 1;
    }
    for line in vectors("kmac") {
        let [key, message, custom] = [1, 2, 3].map(|i| bytes(line[i]));
        macro_rules! check {
            ($rate:literal, $length:literal) => {{
                let mut hasher = Kmac::<$rate>::new(&key, &custom);
                hasher.update(&message);
                if line[0].ends_with("xof") {
                    assert_ends(hasher.finalize_xof(), $length, line[4], &line);
                } else {
                    let mut mac: [u8; $length] = unhex(line[4]).try_into().unwrap();
                    assert_eq!(hasher.finalize(), mac, "{name}, {line:?}");
                    assert!(hasher.verify(&mac));
                    mac[7] ^= 0x10;
                    assert!(!hasher.verify(&mac));
                    assert!(!hasher.verify::<4>(mac.first_chunk().unwrap()));
                }
            }};
        }
        if line[0].contains("128") {
            check!(168, 32)
        } else {
            check!(136, 64)
        }
        count += 1;
    }
    for line in vectors("turboshake") {
        let (message, length) = (bytes(line[1]), line[3].parse().unwrap());
        if message.len() > 2_000_000 && slow(name) {
            continue;
        }
        let domain = u8::from_str_radix(line[2], 16).unwrap();
        if line[0] == "turboshake128" {
            assert_ends(turboshake::<168>(domain, &message), length, line[4], &line);
        } else {
            assert_ends(turboshake::<136>(domain, &message), length, line[4], &line);
        }
        count += 1;
    }
    assert!(count > 45 || cfg!(miri), "{count}");
    oracles();
}

/// KMAC's input to cSHAKE (NIST SP 800-185, section 4.3), for a MAC of `bits` bits.
fn kmac_input(rate: usize, key: &[u8], message: &[u8], bits: u16) -> Vec<u8> {
    let mut all = vec![1, rate as u8];
    let key_bits = 8 * key.len() as u16;
    match key_bits.to_be_bytes() {
        [0, low] => all.extend([1, low]),
        [high, low] => all.extend([2, high, low]),
    }
    all.extend(key);
    all.resize(all.len().next_multiple_of(rate), 0);
    all.extend(message);
    match bits.to_be_bytes() {
        [0, low] => all.extend([low, 1]),
        [high, low] => all.extend([high, low, 2]),
    }
    all
}

/// The crates cshake and turboshake on random inputs, in pieces.
fn oracles() {
    let mut rng = Rng(11);
    for _ in 0..few(150, 3) {
        // Also keys and customisations that end with their block.
        let ends = |rng: &mut Rng| [rng.below(300), 163, 164, 131, 132, 155, 157, 123, 125];
        let lengths = [
            ends(&mut rng)[rng.below(9)],
            ends(&mut rng)[rng.below(9)],
            1 + rng.below(600),
        ];
        let [key, custom, message] = lengths.map(|length| rng.bytes(length));
        let at = rng.below(message.len());
        let mut expected = [0; 400];
        macro_rules! check {
            ($rate:literal, $cshake:ident, $turbo:ident, $turboshake:ident) => {
                let peer = ::cshake::$cshake::new_with_function_name(b"name", &custom);
                output_of(peer, &message, &mut expected);
                let mut hasher = CShake::<$rate>::with_name(b"name", &custom);
                hasher
                    .update(b"no")
                    .reset()
                    .update(&message[..at])
                    .update(&message[at..]);
                assert_eq!(hasher.finalize::<400>(), expected);

                let kmac = || ::cshake::$cshake::new_with_function_name(b"KMAC", &custom);
                let mut mac = [0; 40];
                output_of(kmac(), &kmac_input($rate, &key, &message, 320), &mut mac);
                output_of(kmac(), &kmac_input($rate, &key, &message, 0), &mut expected);
                let mut hasher = Kmac::<$rate>::new(&key, &custom);
                hasher
                    .update(b"no")
                    .reset()
                    .update(&message[..at])
                    .update(&message[at..]);
                assert_eq!(hasher.finalize::<40>(), mac);
                let mut out = [0; 400];
                hasher.finalize_xof().fill(&mut out);
                assert_eq!(out, expected);

                let peer = ::turboshake::$turbo::default();
                output_of(peer, &message, &mut expected);
                let mut hasher = $turboshake::Hasher::new();
                hasher.update(&message[..at]).update(&message[at..]);
                assert_eq!(hasher.finalize::<400>(), expected);
                assert_eq!($turboshake::hash::<400>(&message), expected);
            };
        }
        check!(168, CShake128, TurboShake128, turboshake128);
        check!(136, CShake256, TurboShake256, turboshake256);
    }
}

/// KangarooTwelve, whose leaves go through the kernel for many messages, and TurboSHAKE of
/// many messages.
pub fn of_many(name: &str) {
    let mut count = 0;
    for line in vectors("kt") {
        let [message, custom] = [1, 2].map(|i| bytes(line[i]));
        let length = line[3].parse().unwrap();
        if message.len() > 2_000_000 && slow(name) {
            continue;
        }
        macro_rules! check {
            ($module:ident) => {{
                let mut hasher = $module::Hasher::new();
                let output = hasher.update(&message).finalize_xof(&custom);
                assert_ends(output, length, line[4], &line);
            }};
        }
        if line[0] == "kt128" {
            check!(kt128)
        } else {
            check!(kt256)
        }
        count += 1;
    }
    assert!(count > 30 || cfg!(miri), "{name}, {count}");
    let mut rng = Rng(12);
    for round in 0..few(40, 0) {
        // Round the edges of chunks, and anything.
        let length = match round % 4 {
            0 => rng.below(20_000),
            1 => rng.below(300_000),
            _ => (1 + rng.below(20)) * 8192 + rng.below(5) - 2,
        };
        let (message, custom) = (rng.bytes(length), [1, 2, 3]);
        macro_rules! check {
            ($module:ident, $peer:ident, $rate:literal) => {
                let mut expected = [0; 100];
                output_of(k12::$peer::new_customized(&custom), &message, &mut expected);
                let mut out = expected;
                let mut hasher = $module::Hasher::new();
                hasher.update(&message).finalize_xof(&custom).fill(&mut out);
                assert_eq!(out, expected, "{name}, {length}");
                let expected = hasher.finalize::<32>();
                assert_eq!(in_pieces::<$rate>(&message, &mut rng), expected);
            };
        }
        check!(kt128, CustomRefKt128, 168);
        check!(kt256, CustomRefKt256, 136);
    }
    for count in [0, 1, 2, 3, 4, 7, 8, 9, 20].into_iter().take(few(9, 3)) {
        let data = rng.bytes(3000);
        for equal in [false, true] {
            let messages: Vec<&[u8]> = (0..count)
                .map(|i| &data[i * 3..][..if equal { 700 } else { rng.below(900) }])
                .collect();
            let (mut a, mut b) = (vec![[0; 32]; count], vec![[0; 64]; count]);
            turboshake128::hash_many(&messages, &mut a);
            turboshake256::hash_many(&messages, &mut b);
            for (i, message) in messages.iter().enumerate() {
                assert_eq!(a[i], turboshake128::hash(message), "{name}, {i} of {count}");
                assert_eq!(b[i], turboshake256::hash(message), "{name}, {i} of {count}");
            }
        }
    }
}

fn in_pieces<const RATE: usize>(message: &[u8], rng: &mut Rng) -> [u8; 32] {
    let (mut hasher, mut rest) = (KangarooTwelve::<RATE>::new(), message);
    while !rest.is_empty() {
        let most = [100, 8192, 40_000][rng.below(3)];
        let (now, later) = rest.split_at(rest.len().min(1 + rng.below(most)));
        hasher.update(now);
        rest = later;
    }
    hasher.finalize()
}

#[test]
fn nothing_secret_is_shown() {
    let shown = [
        format!("{:?}", CShake::<168>::new(b"secret")),
        format!("{:?}", Kmac::<136>::new(b"secret", b"")),
        format!("{:?}", kt128::Hasher::new()),
        format!("{:?}", turboshake256::Hasher::new()),
    ];
    assert_eq!(
        shown,
        [
            "keccak::CShake { rate: 168, .. }",
            "keccak::Kmac { rate: 136, .. }",
            "keccak::KangarooTwelve { rate: 168, .. }",
            "keccak::TurboShake { rate: 136, .. }",
        ]
    );
}
