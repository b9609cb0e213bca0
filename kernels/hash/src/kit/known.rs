//! Known answers in compact form.

use alloc::vec::Vec;

/// A message in a short form.
pub(super) enum Message {
    /// These characters.
    Text(&'static str),
    /// The bytes 0, 1, 2, ... with a length and a period.
    Counting(usize, usize),
    /// One byte, repeated.
    Repeated(u8, usize),
    /// Bytes in hexadecimal.
    Hex(&'static str),
}

/// A message and its digest in hexadecimal.
pub(super) struct Known(pub(super) Message, pub(super) &'static str);

impl Known {
    pub(super) fn message(&self) -> Vec<u8> {
        match &self.0 {
            Message::Text(text) => text.as_bytes().to_vec(),
            Message::Counting(length, period) => (0..*length).map(|i| (i % period) as u8).collect(),
            Message::Repeated(byte, length) => alloc::vec![*byte; *length],
            Message::Hex(hex) => unhex(hex),
        }
    }

    pub(super) fn digest(&self) -> Vec<u8> {
        unhex(self.1)
    }
}

fn unhex(hex: &str) -> Vec<u8> {
    let digit = |c: u8| (c as char).to_digit(16).unwrap_or(0) as u8;
    let (pairs, _) = hex.as_bytes().as_chunks::<2>();
    pairs
        .iter()
        .map(|[a, b]| digit(*a) << 4 | digit(*b))
        .collect()
}

use Message::{Counting, Hex, Repeated, Text};

/// From the BLAKE2 team's blake2-kat.json (github.com/BLAKE2/BLAKE2, CC0).
pub(super) static BLAKE2B: &[Known] = &[
    Known(
        Counting(0, 256),
        "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce",
    ),
    Known(
        Counting(1, 256),
        "2fa3f686df876995167e7c2e5d74c4c7b6e48f8068fe0e44208344d480f7904c36963e44115fe3eb2a3ac8694c28bcb4f5a0f3276f2e79487d8219057a506e4b",
    ),
    Known(
        Counting(64, 256),
        "2fc6e69fa26a89a5ed269092cb9b2a449a4409a7a44011eecad13d7c4b0456602d402fa5844f1a7a758136ce3d5d8d0e8b86921ffff4f692dd95bdc8e5ff0052",
    ),
    Known(
        Counting(65, 256),
        "fcbe8be7dcb49a32dbdf239459e26308b84dff1ea480df8d104eeff34b46fae98627b450c2267d48c0946a697c5b59531452ac0484f1c84e3a33d0c339bb2e28",
    ),
    Known(
        Counting(128, 256),
        "2319e3789c47e2daa5fe807f61bec2a1a6537fa03f19ff32e87eecbfd64b7e0e8ccff439ac333b040f19b0c4ddd11a61e24ac1fe0f10a039806c5dcc0da3d115",
    ),
    Known(
        Counting(129, 256),
        "f59711d44a031d5f97a9413c065d1e614c417ede998590325f49bad2fd444d3e4418be19aec4e11449ac1a57207898bc57d76a1bcf3566292c20c683a5c4648f",
    ),
    Known(
        Counting(255, 256),
        "5b21c5fd8868367612474fa2e70e9cfa2201ffeee8fafab5797ad58fefa17c9b5b107da4a3db6320baaf2c8617d5a51df914ae88da3867c2d41f0cc14fa67928",
    ),
];

/// From the BLAKE2 team's blake2-kat.json (github.com/BLAKE2/BLAKE2, CC0).
pub(super) static BLAKE2S: &[Known] = &[
    Known(
        Counting(0, 256),
        "69217a3079908094e11121d042354a7c1f55b6482ca1a51e1b250dfd1ed0eef9",
    ),
    Known(
        Counting(1, 256),
        "e34d74dbaf4ff4c6abd871cc220451d2ea2648846c7757fbaac82fe51ad64bea",
    ),
    Known(
        Counting(64, 256),
        "56f34e8b96557e90c1f24b52d0c89d51086acf1b00f634cf1dde9233b8eaaa3e",
    ),
    Known(
        Counting(65, 256),
        "1b53ee94aaf34e4b159d48de352c7f0661d0a40edff95a0b1639b4090e974472",
    ),
    Known(
        Counting(128, 256),
        "1fa877de67259d19863a2a34bcc6962a2b25fcbf5cbecd7ede8f1fa36688a796",
    ),
    Known(
        Counting(129, 256),
        "5bd169e67c82c2c2e98ef7008bdf261f2ddf30b1c00f9e7f275bb3e8a28dc9a2",
    ),
    Known(
        Counting(255, 256),
        "f03f5789d3336b80d002d59fdf918bdb775b00956ed5528e86aa994acb38fe2d",
    ),
];

/// From the same file as [`BLAKE2B`].
pub(super) static BLAKE2BP: &[Known] = &[
    Known(
        Counting(0, 256),
        "b5ef811a8038f70b628fa8b294daae7492b1ebe343a80eaabbf1f6ae664dd67b9d90b0120791eab81dc96985f28849f6a305186a85501b405114bfa678df9380",
    ),
    Known(
        Counting(1, 256),
        "a139280e72757b723e6473d5be59f36e9d50fc5cd7d4585cbc09804895a36c521242fb2789f85cb9e35491f31d4a6952f9d8e097aef94fa1ca0b12525721f03d",
    ),
    Known(
        Counting(64, 256),
        "6b9d86f15c090a00fc3d907f906c5eb79265e58b88eb64294b4cc4e2b89b1a7c5ee3127ed21b456862de6b2abda59eaacf2dcbe922ca755e40735be81d9c88a5",
    ),
    Known(
        Counting(128, 256),
        "05ad0f271faf7e361320518452813ff9fb9976ac378050b6eefb05f7867b577b8f14475794cff61b2bc062d346a7c65c6e0067c60a374af7940f10aa449d5fb9",
    ),
    Known(
        Counting(129, 256),
        "b545880294afa153f8b9f49c73d952b5d1228f1a1ab5ebcb05ff79e560c030f7500fe256a40b6a0e6cb3d42acd4b98595c5b51eaec5ad69cd40f1fc16d2d5f50",
    ),
    Known(
        Counting(255, 256),
        "3f35c45d24fcfb4acca651076c08000e279ebbff37a1333ce19fd577202dbd24b58c514e36dd9ba64af4d78eea4e2dd13bc18d798887dd971376bcae0087e17e",
    ),
];

/// From the same file as [`BLAKE2B`].
pub(super) static BLAKE2SP: &[Known] = &[
    Known(
        Counting(0, 256),
        "dd0e891776933f43c7d032b08a917e25741f8aa9a12c12e1cac8801500f2ca4f",
    ),
    Known(
        Counting(1, 256),
        "a6b9eecc25227ad788c99d3f236debc8da408849e9a5178978727a81457f7239",
    ),
    Known(
        Counting(64, 256),
        "52603b6cbfad4966cb044cb267568385cf35f21e6c45cf30aed19832cb51e9f5",
    ),
    Known(
        Counting(128, 256),
        "05cf3a90049116dc60efc31536aaa3d167762994892876dcb7ef3fbecd7449c0",
    ),
    Known(
        Counting(129, 256),
        "ccd61c926cc1e5e9128c021c0c6e92aefc4ffbde394dd6f3b7d87a8ced896014",
    ),
    Known(
        Counting(255, 256),
        "25059f10605e67adfe681350666e15ae976a5a571c13cf5bc8053f430e120a52",
    ),
];

/// From the BLAKE3 team's test_vectors.json (github.com/BLAKE3-team/BLAKE3, CC0): 131
/// bytes of output each.
pub(super) static BLAKE3: &[Known] = &[
    Known(
        Counting(0, 251),
        "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262e00f03e7b69af26b7faaf09fcd333050338ddfe085b8cc869ca98b206c08243a26f5487789e8f660afe6c99ef9e0c52b92e7393024a80459cf91f476f9ffdbda7001c22e159b402631f277ca96f2defdf1078282314e763699a31c5363165421cce14d",
    ),
    Known(
        Counting(1, 251),
        "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213c3a6cb8bf623e20cdb535f8d1a5ffb86342d9c0b64aca3bce1d31f60adfa137b358ad4d79f97b47c3d5e79f179df87a3b9776ef8325f8329886ba42f07fb138bb502f4081cbcec3195c5871e6c23e2cc97d3c69a613eba131e5f1351f3f1da786545e5",
    ),
    Known(
        Counting(64, 251),
        "4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98fc9cc56cb831ffe33ea8e7e1d1df09b26efd2767670066aa82d023b1dfe8ab1b2b7fbb5b97592d46ffe3e05a6a9b592e2949c74160e4674301bc3f97e04903f8c6cf95b863174c33228924cdef7ae47559b10b294acd660666c4538833582b43f82d74",
    ),
    Known(
        Counting(65, 251),
        "de1e5fa0be70df6d2be8fffd0e99ceaa8eb6e8c93a63f2d8d1c30ecb6b263dee0e16e0a4749d6811dd1d6d1265c29729b1b75a9ac346cf93f0e1d7296dfcfd4313b3a227faaaaf7757cc95b4e87a49be3b8a270a12020233509b1c3632b3485eef309d0abc4a4a696c9decc6e90454b53b000f456a3f10079072baaf7a981653221f2c",
    ),
    Known(
        Counting(1024, 251),
        "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af71cf8107265ecdaf8505b95d8fcec83a98a6a96ea5109d2c179c47a387ffbb404756f6eeae7883b446b70ebb144527c2075ab8ab204c0086bb22b7c93d465efc57f8d917f0b385c6df265e77003b85102967486ed57db5c5ca170ba441427ed9afa684e",
    ),
    Known(
        Counting(1025, 251),
        "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444f4c4a22b4b399155358a994e52bf255de60035742ec71bd08ac275a1b51cc6bfe332b0ef84b409108cda080e6269ed4b3e2c3f7d722aa4cdc98d16deb554e5627be8f955c98e1d5f9565a9194cad0c4285f93700062d9595adb992ae68ff12800ab67a",
    ),
    Known(
        Counting(8193, 251),
        "bab6c09cb8ce8cf459261398d2e7aef35700bf488116ceb94a36d0f5f1b7bc3bb2282aa69be089359ea1154b9a9286c4a56af4de975a9aa4a5c497654914d279bea60bb6d2cf7225a2fa0ff5ef56bbe4b149f3ed15860f78b4e2ad04e158e375c1e0c0b551cd7dfc82f1b155c11b6b3ed51ec9edb30d133653bb5709d1dbd55f4e1ff6",
    ),
    Known(
        Counting(31744, 251),
        "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47860cc51f2b0c28a7b77304bd55fe73af663c02d3f52ea053ba43431ca5bab7bfea2f5e9d7121770d88f70ae9649ea713087d1914f7f312147e247f87eb2d4ffef0ac978bf7b6579d57d533355aa20b8b77b13fd09748728a5cc327a8ec470f4013226f",
    ),
    Known(
        Counting(102400, 251),
        "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085e01c59dab908c04c3342b816941a26d69c2605ebee5ec5291cc55e15b76146e6745f0601156c3596cb75065a9c57f35585a52e1ac70f69131c23d611ce11ee4ab1ec2c009012d236648e77be9295dd0426f29b764d65de58eb7d01dd42248204f45f8e",
    ),
];

/// From the same file as [`BLAKE3`]: the first 32 bytes.
pub(super) static BLAKE3_SHORT: &[Known] = &[
    Known(
        Counting(0, 251),
        "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
    ),
    Known(
        Counting(1, 251),
        "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213",
    ),
    Known(
        Counting(64, 251),
        "4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98",
    ),
    Known(
        Counting(65, 251),
        "de1e5fa0be70df6d2be8fffd0e99ceaa8eb6e8c93a63f2d8d1c30ecb6b263dee",
    ),
    Known(
        Counting(1024, 251),
        "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7",
    ),
    Known(
        Counting(1025, 251),
        "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444",
    ),
    Known(
        Counting(8193, 251),
        "bab6c09cb8ce8cf459261398d2e7aef35700bf488116ceb94a36d0f5f1b7bc3b",
    ),
    Known(
        Counting(31744, 251),
        "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47",
    ),
    Known(
        Counting(102400, 251),
        "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085",
    ),
];

/// The same messages as [`BLAKE3_SHORT`], with the key of that file.
pub(super) static BLAKE3_KEYED: &[Known] = &[
    Known(
        Counting(0, 251),
        "92b2b75604ed3c761f9d6f62392c8a9227ad0ea3f09573e783f1498a4ed60d26",
    ),
    Known(
        Counting(1, 251),
        "6d7878dfff2f485635d39013278ae14f1454b8c0a3a2d34bc1ab38228a80c95b",
    ),
    Known(
        Counting(1024, 251),
        "75c46f6f3d9eb4f55ecaaee480db732e6c2105546f1e675003687c31719c7ba4",
    ),
    Known(
        Counting(1025, 251),
        "357dc55de0c7e382c900fd6e320acc04146be01db6a8ce7210b7189bd664ea69",
    ),
    Known(
        Counting(102400, 251),
        "1c35d1a5811083fd7119f5d5d1ba027b4d01c0c6c49fb6ff2cf75393ea5db4a7",
    ),
];

/// NIST's examples for FIPS 180-4 (csrc.nist.gov, public domain).
pub(super) static SHA256: &[Known] = &[
    Known(
        Text(""),
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    ),
    Known(
        Text("abc"),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    ),
    Known(
        Text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ),
    Known(
        Text(
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        ),
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
    ),
    Known(
        Repeated(b'a', 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
    ),
];

/// NIST's examples for FIPS 180-4 (csrc.nist.gov, public domain).
pub(super) static SHA224: &[Known] = &[
    Known(
        Text(""),
        "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f",
    ),
    Known(
        Text("abc"),
        "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
    ),
    Known(
        Text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
        "75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525",
    ),
    Known(
        Text(
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        ),
        "c97ca9a559850ce97a04a96def6d99a9e0e0e2ab14e6b8df265fc0b3",
    ),
    Known(
        Repeated(b'a', 1_000_000),
        "20794655980c91d8bbb4c1ea97618a4bf03f42581948b2ee4ee7ad67",
    ),
];

/// NIST's examples for FIPS 180-4 (csrc.nist.gov, public domain).
pub(super) static SHA512: &[Known] = &[
    Known(
        Text(""),
        "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
    ),
    Known(
        Text("abc"),
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    ),
    Known(
        Text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
        "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c33596fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445",
    ),
    Known(
        Text(
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        ),
        "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909",
    ),
    Known(
        Repeated(b'a', 1_000_000),
        "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973ebde0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b",
    ),
];

/// NIST's examples for FIPS 180-4 (csrc.nist.gov, public domain).
pub(super) static SHA384: &[Known] = &[
    Known(
        Text(""),
        "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b",
    ),
    Known(
        Text("abc"),
        "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
    ),
    Known(
        Text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
        "3391fdddfc8dc7393707a65b1b4709397cf8b1d162af05abfe8f450de5f36bc6b0455a8520bc4e6f5fe95b1fe3c8452b",
    ),
    Known(
        Text(
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        ),
        "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039",
    ),
    Known(
        Repeated(b'a', 1_000_000),
        "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b07b8b3dc38ecc4ebae97ddd87f3d8985",
    ),
];

/// NIST's examples for FIPS 180-4 (csrc.nist.gov, public domain).
pub(super) static SHA512_256: &[Known] = &[
    Known(
        Text(""),
        "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a",
    ),
    Known(
        Text("abc"),
        "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23",
    ),
    Known(
        Text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
        "bde8e1f9f19bb9fd3406c90ec6bc47bd36d8ada9f11880dbc8a22a7078b6a461",
    ),
    Known(
        Text(
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        ),
        "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a",
    ),
    Known(
        Repeated(b'a', 1_000_000),
        "9a59a052930187a97038cae692f30708aa6491923ef5194394dc68d56c74fb21",
    ),
];

/// RFC 9861, section 5.
pub(super) static TURBOSHAKE256: &[Known] = &[
    Known(
        Counting(0, 251),
        "367a329dafea871c7802ec67f905ae13c57695dc2c6663c61035f59a18f8e7db11edc0e12e91ea60eb6b32df06dd7f002fbafabb6e13ec1cc20d995547600db0",
    ),
    Known(
        Counting(1, 251),
        "3e1712f928f8eaf1054632b2aa0a246ed8b0c378728f60bc970410155c28820e90cc90d8a3006aa2372c5c5ea176b0682bf22bae7467ac94f74d43d39b0482e2",
    ),
    Known(
        Counting(17, 251),
        "b3bab0300e6a191fbe6137939835923578794ea54843f5011090fa2f3780a9e5cb22c59d78b40a0fbff9e672c0fbe0970bd2c845091c6044d687054da5d8e9c7",
    ),
    Known(
        Counting(289, 251),
        "66b810db8e90780424c0847372fdc95710882fde31c6df75beb9d4cd9305cfcae35e7b83e8b7e6eb4b78605880116316fe2c078a09b94ad7b8213c0a738b65c0",
    ),
    Known(
        Counting(4913, 251),
        "c74ebc919a5b3b0dd1228185ba02d29ef442d69d3d4276a93efe0bf9a16a7dc0cd4eabadab8cd7a5edd96695f5d360abe09e2c6511a3ec397da3b76b9e1674fb",
    ),
    Known(
        Counting(83521, 251),
        "02cc3a8897e6f4f6ccb6fd46631b1f5207b66c6de9c7b55b2d1a23134a170afdac234eaba9a77cff88c1f020b73724618c5687b362c430b248cd38647f848a1d",
    ),
];

/// RFC 9861, section 5.
pub(super) static KT128: &[Known] = &[
    Known(
        Counting(0, 251),
        "1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e5",
    ),
    Known(
        Counting(1, 251),
        "2bda92450e8b147f8a7cb629e784a058efca7cf7d8218e02d345dfaa65244a1f",
    ),
    Known(
        Counting(17, 251),
        "6bf75fa2239198db4772e36478f8e19b0f371205f6a9a93a273f51df37122888",
    ),
    Known(
        Counting(289, 251),
        "0c315ebcdedbf61426de7dcf8fb725d1e74675d7f5327a5067f367b108ecb67c",
    ),
    Known(
        Counting(4913, 251),
        "cb552e2ec77d9910701d578b457ddf772c12e322e4ee7fe417f92c758f0d59d0",
    ),
    Known(
        Counting(83521, 251),
        "8701045e22205345ff4dda05555cbb5c3af1a771c2b89baef37db43d9998b9fe",
    ),
    Known(
        Counting(8191, 251),
        "1b577636f723643e990cc7d6a659837436fd6a103626600eb8301cd1dbe553d6",
    ),
    Known(
        Counting(8192, 251),
        "48f256f6772f9edfb6a8b661ec92dc93b95ebd05a08a17b39ae3490870c926c3",
    ),
];

/// RFC 9861, section 5.
pub(super) static TURBOSHAKE128: &[Known] = &[Known(
    Counting(0, 251),
    "1e415f1c5983aff2169217277d17bb538cd945a397ddec541f1ce41af2c1b74c3e8ccae2a4dae56c84a04c2385c03c15e8193bdf58737363321691c05462c8df",
)];

/// NIST's examples for FIPS 202 (csrc.nist.gov, public domain): 0 and 1600 bits.
pub(super) static SHA3_224: &[Known] = &[
    Known(
        Text(""),
        "6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7",
    ),
    Known(
        Repeated(0xa3, 200),
        "9376816aba503f72f96ce7eb65ac095deee3be4bf9bbc2a1cb7e11e0",
    ),
];

/// NIST's examples for FIPS 202 (csrc.nist.gov, public domain): 0 and 1600 bits.
pub(super) static SHA3_256: &[Known] = &[
    Known(
        Text(""),
        "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a",
    ),
    Known(
        Repeated(0xa3, 200),
        "79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787",
    ),
];

/// NIST's examples for FIPS 202 (csrc.nist.gov, public domain): 0 and 1600 bits.
pub(super) static SHA3_384: &[Known] = &[
    Known(
        Text(""),
        "0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2ac3713831264adb47fb6bd1e058d5f004",
    ),
    Known(
        Repeated(0xa3, 200),
        "1881de2ca7e41ef95dc4732b8f5f002b189cc1e42b74168ed1732649ce1dbcdd76197a31fd55ee989f2d7050dd473e8f",
    ),
];

/// NIST's examples for FIPS 202 (csrc.nist.gov, public domain): 0 and 1600 bits.
pub(super) static SHA3_512: &[Known] = &[
    Known(
        Text(""),
        "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a615b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26",
    ),
    Known(
        Repeated(0xa3, 200),
        "e76dfad22084a8b1467fcf2ffa58361bec7628edf5f3fdc0e4805dc48caeeca81b7c13c30adf52a3659584739a2df46be589c51ca1a4a8416df6545a1ce8ba00",
    ),
];

/// From the same source as [`SHA3_256`]: the first 64 bytes of output.
pub(super) static SHAKE128: &[Known] = &[
    Known(
        Text(""),
        "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef263cb1eea988004b93103cfb0aeefd2a686e01fa4a58e8a3639ca8a1e3f9ae57e2",
    ),
    Known(
        Repeated(0xa3, 200),
        "131ab8d2b594946b9c81333f9bb6e0ce75c3b93104fa3469d3917457385da037cf232ef7164a6d1eb448c8908186ad852d3f85a5cf28da1ab6fe343817197846",
    ),
];

/// From the same source as [`SHA3_256`]: the first 64 bytes of output.
pub(super) static SHAKE256: &[Known] = &[
    Known(
        Text(""),
        "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762fd75dc4ddd8c0f200cb05019d67b592f6fc821c49479ab48640292eacb3b7c4be",
    ),
    Known(
        Repeated(0xa3, 200),
        "cd8a920ed141aa0407a22d59288652e9d9f1a7ee0c1e7c1ca699424da84a904d2d700caae7396ece96604440577da4f3aa22aeb8857f961c4cd8e06f0ae6610b",
    ),
];

/// From the Keccak team's KeccakKAT-3 (CC0), ShortMsgKAT.
pub(super) static KECCAK256: &[Known] = &[
    Known(
        Text(""),
        "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
    ),
    Known(
        Hex("c6f50bb74e29"),
        "923062c4e6f057597220d182dbb10e81cd25f60b54005b2a75dd33d6dac518d0",
    ),
    Known(
        Hex(
            "b771d5cef5d1a41a93d15643d7181d2a2ef0a8e84d91812f20ed21f147bef732bf3a60ef4067c3734b85bc8cd471780f10dc9e8291b58339a677b960218f71e793f2797aea349406512829065d37bb55ea796fa4f56fd8896b49b2cd19b43215ad967c712b24e5032d065232e02c127409d2ed4146b9d75d763d52db98d949d3b0fed6a8052fbb",
        ),
        "bd6f5492582a7c1b116304de28314df9fffe95b0da11af52fe9440a717a34859",
    ),
    Known(
        Hex(
            "b32d95b0b9aad2a8816de6d06d1f86008505bd8c14124f6e9a163b5a2ade55f835d0ec3880ef50700d3b25e42cc0af050ccd1be5e555b23087e04d7bf9813622780c7313a1954f8740b6ee2d3f71f768dd417f520482bd3a08d4f222b4ee9dbd015447b33507dd50f3ab4247c5de9a8abd62a8decea01e3b87c8b927f5b08beb37674c6f8e380c04",
        ),
        "e717a7769448abbe5fef8187954a88ac56ded1d22e63940ab80d029585a21921",
    ),
    Known(
        Hex(
            "04410e31082a47584b406f051398a6abe74e4da59bb6f85e6b49e8a1f7f2ca00dfba5462c2cd2bfde8b64fb21d70c083f11318b56a52d03b81cac5eec29eb31bd0078b6156786da3d6d8c33098c5c47bb67ac64db14165af65b44544d806dde5f487d5373c7f9792c299e9686b7e5821e7c8e2458315b996b5677d926dac57b3f22da873c601016a0d",
        ),
        "a95d50b50b4545f0947441df74a1e9d74622eb3baa49c1bbfc3a0cce6619c1aa",
    ),
];

/// From the Keccak team's KeccakKAT-3 (CC0), ShortMsgKAT.
pub(super) static KECCAK512: &[Known] = &[
    Known(
        Text(""),
        "0eab42de4c3ceb9235fc91acffe746b29c29a8c366b7c60e4e67c466f36a4304c00fa9caf9d87976ba469bcbe06713b435f091ef2769fb160cdab33d3670680e",
    ),
    Known(
        Hex("c6f50bb74e29"),
        "40fa8074e1e509b206448fbe757d9494b9b51e8d6e674a67f53c11ef92e96c3ea08b95ebd4172b020010cd6cf29539a34d6bfa002a2042787aa8d879a0f5b54c",
    ),
    Known(
        Hex(
            "13bd2811f6ed2b6f04ff3895aceed7bef8dcd45eb121791bc194a0f806206bffc3b9281c2b308b1a729ce008119dd3066e9378acdcc50a98a82e20738800b6cddbe5fe9694ad6d",
        ),
        "48fc282f37a3e1fb5df4d2da1f7197ec899ae573ca08df550e61ee847eeb1d24c074ff46bcaee224ec7d8cea4256154f0c4d434e682834f6d827bfbdf75112f5",
    ),
    Known(
        Hex(
            "1eed9cba179a009ec2ec5508773dd305477ca117e6d569e66b5f64c6bc64801ce25a8424ce4a26d575b8a6fb10ead3fd1992edddeec2ebe7150dc98f63adc3237ef57b91397aa8a7",
        ),
        "6b4b0f126863552a6f40f45e295dc79b9ba2a88ea7c3b2f607ac1a8431a97844c2a7b664443fb23c05739df5494fe9824db80b7f3e67872142f17e2c5544e1ef",
    ),
    Known(
        Hex(
            "ba5b67b5ec3a3ffae2c19dd8176a2ef75c0cd903725d45c9cb7009a900c0b0ca7a2967a95ae68269a6dbf8466c7b6844a1d608ac661f7eff00538e323db5f2c644b78b2d48de1a08aa",
        ),
        "7eec7b730056b1bd4f6ffc186fb45591e50cd93cf6e4fc958889f82d3f32c5c74d03a4bcf7d2754298f134698af4559b0e29baaa365cc00db0d51d407179c56d",
    ),
];

/// BLAKE3 hashes of the 2048 bytes that Firedancer's test_lthash.c gives for these
/// messages (github.com/firedancer-io/firedancer, commit 178b48fe, Apache-2.0).
pub(super) static LTHASH: &[Known] = &[
    Known(
        Text("hello"),
        "4f9c1ab89ccd5ed0b6eb21936f99e598cf854b6db6c6773d0b51294618576455",
    ),
    Known(
        Text("world!"),
        "ab35b90ab3313097572b8d0d2b987901900778bc73f8d6dce5d2af86d7e712f5",
    ),
];
