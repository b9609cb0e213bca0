//! SHA-256 and SHA-224 against NIST's vectors and the crate `sha2`.

use crate::support::{Rng, each_implementation, few, unhex};
use karat_hash::sha256::{self, pad, padded_len, sha224};

fn expected(message: &[u8]) -> [u8; 32] {
    <sha2::Sha256 as sha2::Digest>::digest(message).into()
}

fn expected224(message: &[u8]) -> [u8; 28] {
    <sha2::Sha224 as sha2::Digest>::digest(message).into()
}

/// The lines of a section of the vectors, in two words.
fn section(name: &str) -> impl Iterator<Item = (&'static str, Vec<u8>)> {
    const TEXT: &str = include_str!("../vectors/sha256.txt");
    let text = TEXT.split_once(&format!("[{name}]\n")).unwrap().1;
    let text = text.split_once("\n[").map_or(text, |(section, _)| section);
    text.lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(first, second)| (first, unhex(second)))
}

fn messages(name: &str) -> Vec<(Vec<u8>, Vec<u8>)> {
    let all: Vec<_> = section(name)
        .map(|(message, digest)| (unhex(message.trim_matches('-')), digest))
        .collect();
    assert_eq!(all.len(), 72);
    all.into_iter().take(few(usize::MAX, 8)).collect()
}

fn nist_messages() {
    let messages256 = messages("SHA-256");
    for (message, digest) in &messages256 {
        assert_eq!(sha256::hash(message)[..], digest[..]);
    }
    let slices: Vec<&[u8]> = messages256.iter().map(|(m, _)| &m[..]).collect();
    let mut out = vec![[0; 32]; slices.len()];
    sha256::hash_many(&slices, &mut out);
    for (out, (_, digest)) in out.iter().zip(&messages256) {
        assert_eq!(out[..], digest[..]);
    }

    let messages224 = messages("SHA-224");
    for (message, digest) in &messages224 {
        assert_eq!(sha224::hash(message)[..], digest[..]);
    }
    let slices: Vec<&[u8]> = messages224.iter().map(|(m, _)| &m[..]).collect();
    let mut out = vec![[0; 28]; slices.len()];
    sha224::hash_many(&slices, &mut out);
    for (out, (_, digest)) in out.iter().zip(&messages224) {
        assert_eq!(out[..], digest[..]);
    }
}

/// SHAVS, section 6.4: every digest is of the three before it, and 1,000 of them
/// make a checkpoint, which is the seed of the next.
fn nist_chain<const N: usize>(hash: impl Fn(&[u8]) -> [u8; N], name: &str, most: usize) {
    let mut lines = section(name);
    let mut seed: [u8; N] = lines.next().unwrap().1.try_into().unwrap();
    let mut checkpoint = 0;
    for (number, digest) in lines {
        let number: usize = number.parse().unwrap();
        if number > most {
            break;
        }
        while checkpoint <= number {
            let mut last = [seed; 3];
            for _ in 0..1000 {
                last = [last[1], last[2], hash(last.as_flattened())];
            }
            seed = last[2];
            checkpoint += 1;
        }
        assert_eq!(seed[..], digest[..]);
    }
    assert_eq!(checkpoint, most + 1);
}

fn lengths_and_places() {
    let mut rng = Rng(1);
    let data = rng.bytes(few(5000, 400));
    // Round every edge of a block, from every place in memory.
    for length in (0..=300).step_by(few(1, 37)) {
        let at = rng.below(64);
        let message = &data[at..at + length];
        assert_eq!(sha256::hash(message), expected(message), "{length} bytes");
        assert_eq!(
            sha224::hash(message),
            expected224(message),
            "{length} bytes"
        );
    }
    for _ in 0..few(200, 5) {
        let length = rng.below(data.len());
        let at = rng.below(data.len() - length);
        let message = &data[at..at + length];
        assert_eq!(sha256::hash(message), expected(message), "{length} bytes");
    }
}

/// No byte before or behind the message is read.
#[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
fn fences() {
    let (mut rng, mut fenced) = (Rng(6), crate::fenced::Fenced::new());
    for length in 0..=300 {
        for place in [crate::fenced::Fenced::first, crate::fenced::Fenced::last] {
            let message = place(&mut fenced, length);
            message.copy_from_slice(&rng.bytes(length));
            assert_eq!(sha256::hash(message), expected(message), "{length} bytes");
            assert_eq!(
                sha224::hash(message),
                expected224(message),
                "{length} bytes"
            );
        }
    }
}

fn pieces() {
    let mut rng = Rng(2);
    for _ in 0..few(300, 5) {
        let data = rng.bytes(few(1000, 300));
        let mut hasher = sha256::Hasher::new();
        let mut hasher224 = sha224::Hasher::new();
        let mut at = 0;
        while at < data.len() {
            let most = [10, 200][rng.below(2)];
            let piece = rng.below(most) + 1;
            let piece = &data[at..data.len().min(at + piece)];
            hasher.update(piece).update(&[]);
            hasher224.update(piece);
            at += piece.len();
            if rng.below(4) == 0 {
                // Finalizing takes nothing away, and copies go on on their own.
                assert_eq!(hasher.clone().finalize(), expected(&data[..at]));
            }
        }
        assert_eq!(hasher.finalize(), expected(&data));
        assert_eq!(hasher224.finalize(), expected224(&data));
        hasher.reset().update(b"abc");
        assert_eq!(hasher.finalize(), expected(b"abc"));
    }
}

/// Every implementation of the kernel for one message.
#[test]
fn one_message() {
    each_implementation("sha256", |_| {
        nist_messages();
        if !cfg!(miri) {
            nist_chain(sha256::hash, "SHA-256 chain", 1);
            nist_chain(sha224::hash, "SHA-224 chain", 1);
        }
        lengths_and_places();
        #[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
        fences();
        pieces();
    });
}

/// The whole chain, with whatever implementation there is.
#[test]
#[cfg_attr(miri, ignore = "200,000 hashes")]
fn nist_chains() {
    nist_chain(sha256::hash, "SHA-256 chain", 99);
    nist_chain(sha224::hash, "SHA-224 chain", 99);
}

fn check_many(messages: &[&[u8]]) {
    let mut out = vec![[0xaa; 32]; messages.len()];
    sha256::hash_many(messages, &mut out);
    for (i, (message, digest)) in messages.iter().zip(&out).enumerate() {
        let all = messages.len();
        assert_eq!(
            *digest,
            expected(message),
            "message {i} of {all}, {} bytes",
            message.len()
        );
    }
    let mut out = vec![[0xaa; 28]; messages.len()];
    sha224::hash_many(messages, &mut out);
    for (message, digest) in messages.iter().zip(&out) {
        assert_eq!(*digest, expected224(message));
    }
}

/// The same messages, of one length, each in a room of its own with its padding.
fn check_padded(messages: &[&[u8]], length: usize) {
    let mut room = vec![0xaa; messages.len() * padded_len(length)];
    for (slot, message) in room.chunks_exact_mut(padded_len(length)).zip(messages) {
        slot[..length].copy_from_slice(message);
        pad(slot, length);
    }
    let mut out = vec![[0xaa; 32]; messages.len()];
    sha256::hash_many_padded(&room, &mut out);
    for (message, digest) in messages.iter().zip(&out) {
        assert_eq!(*digest, expected(message), "padded, {length} bytes");
    }
    // Whatever is read next, fewer slices than messages or none.
    for count in [0, messages.len() / 2, messages.len()] {
        let ahead: Vec<&[u8]> = messages.iter().rev().take(count).copied().collect();
        let mut again = vec![[0xaa; 32]; messages.len()];
        sha256::hash_many_padded_ahead(&room, &mut again, &ahead);
        assert_eq!(again, out, "{count} ahead of {}", messages.len());
    }
}

/// No byte before or behind messages is read, at every length round the edges of two blocks.
#[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
fn fences_of_many() {
    let (mut rng, mut fenced) = (Rng(7), crate::fenced::Fenced::new());
    for length in 0..=130 {
        for place in [crate::fenced::Fenced::first, crate::fenced::Fenced::last] {
            let bytes = place(&mut fenced, length + 15);
            bytes.copy_from_slice(&rng.bytes(length + 15));
            // The first message begins at the one fence, the last one ends at the other.
            let messages: Vec<&[u8]> = (0..16).map(|i| &bytes[i..][..length]).collect();
            check_many(&messages);
        }
    }
}

/// Every implementation of the kernel for many messages.
#[test]
fn many_messages() {
    let mut rng = Rng(3);
    let data = rng.bytes(few(20_000, 1000));
    each_implementation("sha256-many", |_| {
        nist_messages();
        // Equal lengths: every number of lanes, every shape of padding.
        for count in 0..few(75, 3) {
            for length in [0, 1, 31, 32, 55, 56, 63, 64, 65, 119, 120, 128, 200] {
                let messages: Vec<&[u8]> =
                    (0..count).map(|i| &data[i * 201 + 7..][..length]).collect();
                check_many(&messages);
                check_padded(&messages, length);
            }
        }
        // Far more than lanes, and more than one call's worth of nodes.
        for count in few(250, 4)..few(330, 5) {
            let messages: Vec<&[u8]> = (0..count).map(|i| &data[i * 31..][..64]).collect();
            check_many(&messages);
        }
        // Mixed lengths, some of them empty, one far longer than the others.
        for count in 0..few(100, 4) {
            let mut messages: Vec<&[u8]> = (0..count)
                .map(|_| {
                    let most = [1, 64, 130, few(1000, 150)][rng.below(4)];
                    let length = rng.below(most + 1);
                    &data[rng.below(data.len() - length)..][..length]
                })
                .collect();
            check_many(&messages);
            if count > 0 {
                messages[rng.below(count)] = &data[..few(9000, 100)];
                check_many(&messages);
            }
        }
        crate::prefix::sha256();
        #[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
        fences_of_many();
    });
}

#[test]
#[should_panic(expected = "100 bytes are not 1 messages of whole blocks")]
fn padded_messages_are_whole_blocks() {
    sha256::hash_many_padded(&[0; 100], &mut [[0; 32]]);
}

#[test]
#[should_panic(expected = "2 messages but room for 3 digests")]
fn room_must_fit() {
    sha256::hash_many(&[b"a", b"b"], &mut [[0; 32]; 3]);
}

#[test]
fn readers_and_writers() {
    use std::io::Write as _;
    let data = Rng(4).bytes(few(200_000, 500));
    let mut hasher = sha256::Hasher::new();
    hasher.update_reader(&data[..]).unwrap();
    assert_eq!(hasher.finalize(), expected(&data));
    hasher.reset();
    hasher.write_all(&data).unwrap();
    hasher.flush().unwrap();
    assert_eq!(hasher.finalize(), expected(&data));
}

#[test]
fn debug_shows_no_content() {
    let mut hasher = sha256::Hasher::new();
    hasher.update(b"secret");
    assert_eq!(format!("{hasher:?}"), "Hasher { bytes: 6, .. }");
}

#[cfg(feature = "digest")]
#[test]
fn traits_of_rust_crypto() {
    fn with<D: digest::Digest + digest::FixedOutputReset>(data: &[u8]) -> Vec<u8> {
        let mut hasher = D::new();
        digest::Digest::update(&mut hasher, b"forgotten");
        digest::Digest::reset(&mut hasher);
        digest::Digest::update(&mut hasher, data);
        let first = hasher.finalize_reset();
        digest::Digest::update(&mut hasher, data);
        assert_eq!(first, hasher.finalize());
        first.to_vec()
    }
    let data = Rng(5).bytes(100);
    assert_eq!(with::<sha256::Hasher>(&data), expected(&data));
    assert_eq!(with::<sha224::Hasher>(&data), expected224(&data));
}
