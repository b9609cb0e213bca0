//! The tests that BLAKE2b and BLAKE2s share, as a macro over the two modules.

use crate::support::unhex;

/// One line of `vectors/blake2.txt`.
pub struct Known {
    pub keyed: bool,
    /// Length of the input; `None`: the SHA-256 over the digests of 0 to 255.
    pub length: Option<usize>,
    pub digest: Vec<u8>,
}

/// The known answers of one hash.
pub fn known(hash: &str) -> Vec<Known> {
    let text = include_str!("../vectors/blake2.txt");
    let all: Vec<Known> = text
        .lines()
        .filter_map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            (words[0] == hash).then(|| Known {
                keyed: words[1] == "keyed",
                length: words[2].parse().ok(),
                digest: unhex(words[3]),
            })
        })
        .collect();
    assert_eq!(all.len(), 42, "{hash}");
    all
}

/// 0, 1, 2, ...
pub fn counting(length: usize) -> Vec<u8> {
    (0..length).map(|i| i as u8).collect()
}

/// Compares a hash with its known answers.
pub fn check_known(hash: &str, digest: impl Fn(&[u8], bool) -> Vec<u8>) {
    use sha2::Digest;
    for line in known(hash) {
        let Some(length) = line.length else {
            let mut all = sha2::Sha256::new();
            for length in 0..256 {
                all.update(digest(&counting(length), line.keyed));
            }
            assert_eq!(all.finalize()[..], line.digest, "{hash}, all lengths");
            continue;
        };
        let got = digest(&counting(length), line.keyed);
        assert_eq!(got, line.digest, "{hash} of {length} bytes");
    }
}

/// The input of RFC 7693's self-test (appendix E): a Fibonacci generator.
pub fn fibonacci(length: usize, seed: u32) -> Vec<u8> {
    let (mut a, mut b) = (0xdead_4bad_u32.wrapping_mul(seed), 1_u32);
    (0..length)
        .map(|_| {
            let next = a.wrapping_add(b);
            (a, b) = (b, next);
            (next >> 24) as u8
        })
        .collect()
}

/// Tests of one algorithm. `module`: karat's. `peer`: blake2b_simd's or
/// blake2s_simd's hash function and module. `lengths` and `inputs`: those of
/// RFC 7693's self-test.
#[macro_export]
macro_rules! blake2_tests {
    (
        $name:literal, $parallel:literal, $module:ident, $longest:literal, $salt:literal,
        $peer:ident, $peer_hash:ident, $peer_parallel:ident,
        self_test: [$($length:literal),*], $inputs:expr, $result:literal
    ) => {
        use $crate::blake2::{check_known, counting, fibonacci};
        use $crate::support::{Rng, each_implementation, unhex};
        use karat_hash::$module::{self, Hasher, Params};

        const BLOCK: usize = 2 * $longest;
        /// The interpreter takes a second where the CPU takes a microsecond.
        const SMALL: bool = cfg!(miri);

        fn plain(input: &[u8]) -> [u8; $longest] {
            $module::hash(input)
        }

        fn oracle(input: &[u8]) -> [u8; $longest] {
            *$peer::$peer_hash(input).as_array()
        }

        /// Lengths around every block's edge, and some more.
        fn lengths(rng: &mut Rng) -> Vec<usize> {
            let mut all = vec![0, 1];
            for blocks in 1..if SMALL { 2 } else { 9 } {
                all.extend([blocks * BLOCK - 1, blocks * BLOCK, blocks * BLOCK + 1]);
            }
            all.extend((0..if SMALL { 1 } else { 40 }).map(|_| rng.below(if SMALL { 3 } else { 20 } * BLOCK)));
            all
        }

        #[test]
        fn one_message_in_every_implementation() {
            each_implementation($name, |_| {
                if !SMALL {
                    check_known($name, |input, keyed| {
                        let key = counting(if keyed { $longest } else { 0 });
                        Params::<$longest>::new().key(&key).hash(input).to_vec()
                    });
                    self_test();
                }
                let mut rng = Rng(1);
                for length in lengths(&mut rng) {
                    let start = rng.below(64);
                    let bytes = rng.bytes(start + length);
                    let input = &bytes[start..];
                    assert_eq!(plain(input), oracle(input), "{length} bytes");
                    in_pieces(&mut rng, input);
                    with_parameters(&mut rng, input);
                }
                every_length(&mut rng);
                #[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
                between_fences(&mut rng);
            });
        }

        /// All short messages, at any address; all lengths of digests, between bytes
        /// that stay as they are.
        fn every_length(rng: &mut Rng) {
            for length in (0..=300).step_by(if SMALL { 43 } else { 1 }) {
                let start = rng.below(64);
                let bytes = rng.bytes(start + length);
                assert_eq!(plain(&bytes[start..]), oracle(&bytes[start..]), "{length} bytes");
            }
            for length in (1..=$longest).step_by(if SMALL { 9 } else { 1 }) {
                let message_length = rng.below(2 * BLOCK);
                let message = rng.bytes(message_length);
                let mut room = [0xa5; $longest + 20];
                let start = 1 + rng.below(16);
                let end = start + length;
                $module::hash_into(&message, &mut room[start..end]);
                let expected = $peer::Params::new().hash_length(length).hash(&message);
                assert_eq!(room[start..end], *expected.as_bytes(), "{length} bytes");
                assert!(room[..start].iter().chain(&room[end..]).all(|b| *b == 0xa5));
            }
        }

        /// No byte before or after the message is read, nor one round the digest
        /// written.
        #[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
        fn between_fences(rng: &mut Rng) {
            use $crate::fenced::Fenced;
            let (mut fenced, mut place) = (Fenced::new(), Fenced::new());
            for length in 0..=300 {
                let message = rng.bytes(length);
                let expected = oracle(&message);
                for at_end in [false, true] {
                    let input = if at_end { fenced.last(length) } else { fenced.first(length) };
                    input.copy_from_slice(&message);
                    assert_eq!(plain(input), expected, "{length} bytes");
                }
            }
            for length in 1..=$longest {
                let expected = $peer::Params::new().hash_length(length).hash(b"karat");
                for at_end in [false, true] {
                    let digest = if at_end { place.last(length) } else { place.first(length) };
                    $module::hash_into(b"karat", digest);
                    assert_eq!(*digest, *expected.as_bytes(), "{length} bytes");
                }
            }
        }

        /// RFC 7693, appendix E: the hash of many hashes, plain and keyed.
        fn self_test() {
            let mut all = Hasher::<32>::new();
            $({
                for length in $inputs {
                    let input = fibonacci(length, length as u32);
                    all.update(&$module::hash::<$length>(&input));
                    let key = fibonacci($length, $length);
                    all.update(&Params::<$length>::new().key(&key).hash(&input));
                }
            })*
            assert_eq!(all.finalize()[..], unhex($result));
        }

        fn in_pieces(rng: &mut Rng, input: &[u8]) {
            let mut hasher = Hasher::<$longest>::new();
            let mut rest = input;
            while !rest.is_empty() {
                let most = [3, BLOCK + 1, 5 * BLOCK][rng.below(3)];
                let (piece, more) = rest.split_at(rest.len().min(rng.below(most + 1)));
                hasher.update(piece);
                rest = more;
            }
            assert_eq!(hasher.finalize(), oracle(input));
            assert_eq!(hasher.finalize(), oracle(input), "finalize changes nothing");
            assert_eq!(hasher.count(), input.len() as u128);
            let mut copy = hasher.clone();
            copy.reset();
            assert_eq!(copy.finalize(), oracle(&[]));
        }

        /// All parameters at once, against the peer.
        fn with_parameters(rng: &mut Rng, input: &[u8]) {
            let key_length = rng.below($longest + 1);
            let key = rng.bytes(key_length);
            let salt_length = rng.below($salt + 1);
            let salt = rng.bytes(salt_length);
            let personal_length = rng.below($salt + 1);
            let personal = rng.bytes(personal_length);
            let (fanout, depth) = (rng.next() as u8, rng.next() as u8 | 1);
            let leaf = rng.next() as u32;
            let offset = rng.next() >> 16;
            let (node_depth, inner) = (rng.next() as u8, rng.below($longest + 1));
            let last = rng.below(2) == 1;
            let params = Params::<20>::new()
                .key(&key)
                .salt(&salt)
                .personal(&personal)
                .fanout(fanout)
                .max_depth(depth)
                .max_leaf_length(leaf)
                .node_offset(offset)
                .node_depth(node_depth)
                .inner_hash_length(inner)
                .last_node(last);
            let mut peer = $peer::Params::new();
            peer.hash_length(20)
                .key(&key)
                .salt(&salt)
                .personal(&personal)
                .fanout(fanout)
                .max_depth(depth)
                .max_leaf_length(leaf)
                .node_offset(offset)
                .node_depth(node_depth)
                .inner_hash_length(inner)
                .last_node(last);
            let expected = peer.hash(input);
            assert_eq!(params.hash(input)[..], *expected.as_bytes());
            assert_eq!(params.to_hasher().update(input).finalize()[..], *expected.as_bytes());
            let mut out = [[0; 20]; 5];
            params.hash_many(&[input, &[], input, input, &input[..input.len() / 2]], &mut out);
            for i in [0, 2, 3] {
                assert_eq!(out[i][..], *expected.as_bytes());
            }
            assert_eq!(out[1][..], *peer.hash(&[]).as_bytes());
            assert_eq!(out[4][..], *peer.hash(&input[..input.len() / 2]).as_bytes());
        }

        fn check_many(messages: &[Vec<u8>]) {
            let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
            let mut out = vec![[0; $longest]; messages.len()];
            $module::hash_many(&slices, &mut out);
            for (message, digest) in slices.iter().zip(&out) {
                assert_eq!(*digest, oracle(message), "{} bytes", message.len());
            }
        }

        #[test]
        fn many_messages_in_every_implementation() {
            each_implementation(concat!($name, "-many"), |_| {
                let mut rng = Rng(3);
                let counts: Vec<usize> = if SMALL {
                    vec![0, 1, 7]
                } else {
                    (0..20).chain([31, 32, 33, 47, 64, 69, 1023, 1025, 2100]).collect()
                };
                for count in counts {
                    // Equal lengths, nearly equal ones, and any.
                    let length = rng.below(3 * BLOCK);
                    check_many(&vec![rng.bytes(length); count]);
                    let most = if SMALL { BLOCK } else { [4, BLOCK, 4 * BLOCK, 40 * BLOCK][rng.below(4)] };
                    let mixed: Vec<Vec<u8>> = (0..count)
                        .map(|_| {
                            let length = rng.below(most + 1);
                            rng.bytes(length)
                        })
                        .collect();
                    check_many(&mixed);
                    if count > 20 && !SMALL {
                        // One that is much longer, and every edge.
                        let mut edges: Vec<Vec<u8>> = (0..count)
                            .map(|i| vec![i as u8; (i * BLOCK / 2).saturating_sub(i % 3) % (9 * BLOCK)])
                            .collect();
                        edges[count / 2] = rng.bytes(300 * BLOCK);
                        check_many(&edges);
                    }
                }
                in_step::<1>(&mut rng);
                in_step::<20>(&mut rng);
                in_step::<32>(&mut rng);
                in_step::<$longest>(&mut rng);
                parallel(&mut rng);
            });
        }

        /// Messages of one length, whole groups of lanes and not, under a key and
        /// as the last node; digests of every size end where they should.
        fn in_step<const N: usize>(rng: &mut Rng) {
            let counts: &[usize] = if SMALL { &[3] } else { &[8, 9, 16, 17, 24, 32, 40, 48, 64, 80] };
            for &count in counts {
                for length in [0, 1, BLOCK / 2, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK - 5] {
                    let messages: Vec<Vec<u8>> = (0..count).map(|_| rng.bytes(length)).collect();
                    let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
                    let key_length = [0, 9][rng.below(2)];
                    let key = rng.bytes(key_length);
                    let last = rng.below(2) == 1;
                    let params = Params::<N>::new().key(&key).last_node(last);
                    let mut peer = $peer::Params::new();
                    peer.hash_length(N).key(&key).last_node(last);
                    let mut out = vec![[0xa5; N]; count + 1];
                    params.hash_many(&slices, &mut out[..count]);
                    for (message, digest) in slices.iter().zip(&out) {
                        let expected = peer.hash(message);
                        assert_eq!(digest[..], *expected.as_bytes(), "{count} of {length} bytes");
                    }
                    assert_eq!(out[count], [0xa5; N]);
                }
            }
        }

        fn parallel(rng: &mut Rng) {
            use karat_hash::$module::parallel;
            if !SMALL {
                check_known($parallel, |input, keyed| {
                    let mut hasher = if keyed {
                        parallel::Hasher::<$longest>::new_keyed(&counting($longest))
                    } else {
                        parallel::Hasher::new()
                    };
                    hasher.update(input).finalize().to_vec()
                });
            }
            let stripe = 8 * $longest * if $longest == 64 { 1 } else { 2 };
            for i in 0..if SMALL { 1 } else { 60 } {
                let length = match i % 3 {
                    0 => rng.below(6 * stripe),
                    1 => (i / 3) * stripe / 4 + rng.below(3),
                    _ => rng.below(40 * stripe),
                };
                let input = rng.bytes(length);
                let mut hasher = parallel::Hasher::<$longest>::new();
                let mut rest = &input[..];
                while !rest.is_empty() {
                    let most = [7, BLOCK, stripe + 1, 9 * stripe][rng.below(4)];
                    let (piece, more) = rest.split_at(rest.len().min(rng.below(most + 1)));
                    hasher.update(piece);
                    rest = more;
                }
                let expected = $peer::$peer_parallel::$peer_parallel(&input);
                assert_eq!(hasher.finalize()[..], *expected.as_bytes(), "{length} bytes");
                hasher.reset();
                assert_eq!(hasher.update(&input).finalize()[..], *expected.as_bytes());
                let short = $peer::$peer_parallel::Params::new()
                    .hash_length(17)
                    .key(&input[..length.min(5)])
                    .hash(&input);
                let mut keyed = match &input[..length.min(5)] {
                    [] => parallel::Hasher::<17>::new(),
                    key => parallel::Hasher::<17>::new_keyed(key),
                };
                assert_eq!(keyed.update(&input).finalize()[..], *short.as_bytes());
            }
        }

        #[test]
        fn lengths_known_at_run_time() {
            for length in 1..=$longest {
                let mut out = vec![0; length];
                $module::hash_into(b"karat", &mut out);
                let expected = $peer::Params::new().hash_length(length).hash(b"karat");
                assert_eq!(out, expected.as_bytes());
            }
        }

        #[test]
        fn readers_and_writers() {
            let input = Rng(4).bytes(if SMALL { 100 } else { 200_000 });
            let mut hasher = Hasher::<$longest>::new();
            hasher.update_reader(&input[..]).unwrap();
            assert_eq!(hasher.finalize(), oracle(&input));
            let mut hasher = Hasher::<$longest>::new();
            std::io::copy(&mut &input[..], &mut hasher).unwrap();
            assert_eq!(hasher.finalize(), oracle(&input));
            let mut hasher = $module::parallel::Hasher::<$longest>::new();
            hasher.update_reader(&input[..]).unwrap();
            assert_eq!(hasher.finalize(), $module::parallel::hash(&input));
        }

        #[cfg(feature = "digest")]
        #[test]
        fn traits_of_rust_crypto() {
            use digest::Digest;
            let input = Rng(5).bytes(3 * BLOCK);
            assert_eq!(<Hasher<$longest> as Digest>::digest(&input)[..], oracle(&input));
            let mut parallel = <$module::parallel::Hasher<$longest> as Digest>::new();
            Digest::update(&mut parallel, &input);
            let expected = $module::parallel::hash::<$longest>(&input);
            assert_eq!(Digest::finalize_reset(&mut parallel)[..], expected);
            assert_eq!(parallel.finalize(), $module::parallel::hash(&[]));
        }

        #[test]
        fn debug_shows_no_key() {
            let params = Params::<32>::new().key(&[0xab; 32]);
            let text = format!("{params:?} {:?}", params.to_hasher());
            assert!(!text.contains("171") && text.contains("key_length: 32"), "{text}");
        }

        #[test]
        #[should_panic(expected = "3 messages but room for 2 digests")]
        fn too_few_places_for_digests() {
            $module::hash_many::<32>(&[b"a", b"b", b"c"], &mut [[0; 32]; 2]);
        }

        #[test]
        #[should_panic(expected = "hash the key first")]
        fn too_long_a_key() {
            let _ = Params::<32>::new().key(&[0; $longest + 1]);
        }

        #[test]
        #[should_panic(expected = "room for a digest of 0 bytes")]
        fn no_place_for_a_digest() {
            $module::hash_into(b"", &mut []);
        }
    };
}
