//! Published test vectors, each with its source.

/// A message and the expected digest in hexadecimal.
pub type Vector = (&'static [u8], &'static str);
/// A length and the expected digest of a counting message of that length.
pub type Row = (usize, &'static str);

/// BLAKE2b-512 of "abc": RFC 7693, appendix A.
pub const BLAKE2B_ABC: &str = "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923";
/// BLAKE2s-256 of "abc": RFC 7693, appendix B.
pub const BLAKE2S_ABC: &str = "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982";
/// The hash over 48 BLAKE2b hashes, keyed and not, of four digest lengths: RFC 7693, appendix E.
pub const BLAKE2B_GRAND: &str = "c23a7800d98123bd10f506c61e29da5603d763b8bbad2e737f5e765a7bccd475";
/// The same for BLAKE2s: RFC 7693, appendix E.
pub const BLAKE2S_GRAND: &str = "6a411f08ce25adcdfb02aba641451cec53c598b24f4fc787fbdc88797f4c1dfe";

/// BLAKE2b-512 without a key, of the bytes 0, 1, 2, ...: rows of `testvectors/blake2-kat.json` in the
/// BLAKE2 team's repository (github.com/BLAKE2/BLAKE2).
pub const BLAKE2B_KAT: [Row; 7] = [
    (
        0,
        "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce",
    ),
    (
        1,
        "2fa3f686df876995167e7c2e5d74c4c7b6e48f8068fe0e44208344d480f7904c36963e44115fe3eb2a3ac8694c28bcb4f5a0f3276f2e79487d8219057a506e4b",
    ),
    (
        64,
        "2fc6e69fa26a89a5ed269092cb9b2a449a4409a7a44011eecad13d7c4b0456602d402fa5844f1a7a758136ce3d5d8d0e8b86921ffff4f692dd95bdc8e5ff0052",
    ),
    (
        65,
        "fcbe8be7dcb49a32dbdf239459e26308b84dff1ea480df8d104eeff34b46fae98627b450c2267d48c0946a697c5b59531452ac0484f1c84e3a33d0c339bb2e28",
    ),
    (
        128,
        "2319e3789c47e2daa5fe807f61bec2a1a6537fa03f19ff32e87eecbfd64b7e0e8ccff439ac333b040f19b0c4ddd11a61e24ac1fe0f10a039806c5dcc0da3d115",
    ),
    (
        129,
        "f59711d44a031d5f97a9413c065d1e614c417ede998590325f49bad2fd444d3e4418be19aec4e11449ac1a57207898bc57d76a1bcf3566292c20c683a5c4648f",
    ),
    (
        255,
        "5b21c5fd8868367612474fa2e70e9cfa2201ffeee8fafab5797ad58fefa17c9b5b107da4a3db6320baaf2c8617d5a51df914ae88da3867c2d41f0cc14fa67928",
    ),
];

/// BLAKE2s-256 without a key, same file.
pub const BLAKE2S_KAT: [Row; 7] = [
    (
        0,
        "69217a3079908094e11121d042354a7c1f55b6482ca1a51e1b250dfd1ed0eef9",
    ),
    (
        1,
        "e34d74dbaf4ff4c6abd871cc220451d2ea2648846c7757fbaac82fe51ad64bea",
    ),
    (
        64,
        "56f34e8b96557e90c1f24b52d0c89d51086acf1b00f634cf1dde9233b8eaaa3e",
    ),
    (
        65,
        "1b53ee94aaf34e4b159d48de352c7f0661d0a40edff95a0b1639b4090e974472",
    ),
    (
        128,
        "1fa877de67259d19863a2a34bcc6962a2b25fcbf5cbecd7ede8f1fa36688a796",
    ),
    (
        129,
        "5bd169e67c82c2c2e98ef7008bdf261f2ddf30b1c00f9e7f275bb3e8a28dc9a2",
    ),
    (
        255,
        "f03f5789d3336b80d002d59fdf918bdb775b00956ed5528e86aa994acb38fe2d",
    ),
];

/// BLAKE3 of the bytes 0, 1, ..., 250, 0, 1, ...: `test_vectors/test_vectors.json` in the BLAKE3
/// team's repository (github.com/BLAKE3-team/BLAKE3), first 32 bytes of `hash`.
pub const BLAKE3: [Row; 8] = [
    (
        0,
        "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
    ),
    (
        1,
        "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213",
    ),
    (
        1023,
        "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11",
    ),
    (
        1024,
        "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7",
    ),
    (
        1025,
        "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444",
    ),
    (
        8193,
        "bab6c09cb8ce8cf459261398d2e7aef35700bf488116ceb94a36d0f5f1b7bc3b",
    ),
    (
        31744,
        "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47",
    ),
    (
        102_400,
        "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085",
    ),
];

/// SHA-256: the two messages of the FIPS 180-2 appendix B examples (the FIPS 180-4 example values
/// of NIST's cryptographic toolkit) and the empty message of NIST's CAVP short messages.
pub const SHA256: [Vector; 3] = [
    (
        b"abc",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    ),
    (
        b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ),
    (
        b"",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    ),
];

/// Keccak-256 (the padding before FIPS 202): the empty message and the byte 0x80 are Ethereum's
/// empty code hash and empty trie root (go-ethereum `core/types/hashes.go`), "abc" is in
/// go-ethereum's `crypto/crypto_test.go`, the bytes 1 to 5 in tiny-keccak's `tests/keccak.rs`.
pub const KECCAK256: [Vector; 4] = [
    (
        b"",
        "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
    ),
    (
        b"\x80",
        "56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
    ),
    (
        b"abc",
        "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
    ),
    (
        b"\x01\x02\x03\x04\x05",
        "7d87c5ea75f7378bb701e404c50639161af3eff66293e9f375b5f17eb50476f4",
    ),
];

/// sr25519 signatures in the context "substrate" as (message, public key, signature): the first from
/// `packages/wasm-crypto/src/rs/sr25519.rs` of github.com/polkadot-js/wasm, the second from
/// `sign_test.go` of github.com/ChainSafe/go-schnorrkel, which took it from Warchant/sr25519-crust.
pub const SR25519: [(&[u8], &str, &str); 2] = [
    (
        b"I hereby verify that I control 5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY",
        "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d",
        "1037eb7e51613d0dcf5930ae518819c87d655056605764840d9280984e1b7063c4566b55bf292fcab07b369d01095879b50517beca4d26e6a65866e25fec0d83",
    ),
    (
        b"this is a message",
        "46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a",
        "4e172314444b8f820bb54c22e95076f220ed25373e5c178234aa6c211d29271244b947e3ff3418ff6b45fd1df1140c8cbff69fc58ee6dc96df70936a2bb74b82",
    ),
];

/// An sr25519 seed and its public key, same file of polkadot-js/wasm.
pub const SR25519_SEED: (&str, &str) = (
    "fac7959dbfe72f052e5a0c3c8d6530f202b02fd8f9f5ca3580ec8deb7797479e",
    "46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a",
);
