//! Known answers of BLAKE2, BLAKE3 and LtHash.

use super::answer::Known;
use super::answer::Message::{Counting, Text};

/// From the BLAKE2 team's blake2-kat.json (github.com/BLAKE2/BLAKE2, CC0).
pub(in crate::kit) static BLAKE2B: &[Known] = &[
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
pub(in crate::kit) static BLAKE2S: &[Known] = &[
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
pub(in crate::kit) static BLAKE2BP: &[Known] = &[
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
pub(in crate::kit) static BLAKE2SP: &[Known] = &[
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
pub(in crate::kit) static BLAKE3: &[Known] = &[
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
pub(in crate::kit) static BLAKE3_SHORT: &[Known] = &[
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
pub(in crate::kit) static BLAKE3_KEYED: &[Known] = &[
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

/// BLAKE3 hashes of the 2048 bytes that Firedancer's test_lthash.c gives for these
/// messages (github.com/firedancer-io/firedancer, commit 178b48fe, Apache-2.0).
pub(in crate::kit) static LTHASH: &[Known] = &[
    Known(
        Text("hello"),
        "4f9c1ab89ccd5ed0b6eb21936f99e598cf854b6db6c6773d0b51294618576455",
    ),
    Known(
        Text("world!"),
        "ab35b90ab3313097572b8d0d2b987901900778bc73f8d6dce5d2af86d7e712f5",
    ),
];
