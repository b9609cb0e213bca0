//! Known answers of Keccak and what is made of it.

use super::answer::Known;
use super::answer::Message::{Counting, Hex, Repeated, Text};

/// RFC 9861, section 5.
pub(in crate::kit) static TURBOSHAKE256: &[Known] = &[
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
pub(in crate::kit) static KT128: &[Known] = &[
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
pub(in crate::kit) static TURBOSHAKE128: &[Known] = &[Known(
    Counting(0, 251),
    "1e415f1c5983aff2169217277d17bb538cd945a397ddec541f1ce41af2c1b74c3e8ccae2a4dae56c84a04c2385c03c15e8193bdf58737363321691c05462c8df",
)];

/// NIST's examples for FIPS 202 (csrc.nist.gov, public domain): 0 and 1600 bits.
pub(in crate::kit) static SHA3_224: &[Known] = &[
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
pub(in crate::kit) static SHA3_256: &[Known] = &[
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
pub(in crate::kit) static SHA3_384: &[Known] = &[
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
pub(in crate::kit) static SHA3_512: &[Known] = &[
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
pub(in crate::kit) static SHAKE128: &[Known] = &[
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
pub(in crate::kit) static SHAKE256: &[Known] = &[
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
pub(in crate::kit) static KECCAK256: &[Known] = &[
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
pub(in crate::kit) static KECCAK512: &[Known] = &[
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
