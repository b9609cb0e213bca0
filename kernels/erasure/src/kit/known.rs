//! Known answers.

use crate::Code;

/// Parity of 5 data shards of 64 bytes, 3 shards end to end, in hexadecimal. Data shard i is
/// splitmix64's output from seed i. A, B and C are from klauspost/reedsolomon 1.14.2 (MIT); D
/// was computed by ISA-L's definition (`gf_gen_cauchy1_matrix`) in a program of its own.
pub(super) static PARITY: &[(Code, &str)] = &[
    (
        Code::A,
        "17b63daeff9952316ebd0e105a49a9c6ccf73edc523b1003cc9f6ca4853fec39f2e6e70071936563759692c0bc40d167\
         1b4218f6b70e91c8e99aa79f56124176f96b8530be37e4807c26b728a2d32c9bda16a44470c926c64c1072837f5f65bc\
         97348f42fe4593a106273cbc40393feace8c1d47eba56efc43c3c7bcf5c4befa691f0249dce9bc267a156bc7c366ec65\
         76fbf46031401ee45200af044f5372a041bb19943dfadbb54c09699deb8a3871f147dceb92d73f88247fd48ac133cbe0",
    ),
    (
        Code::B,
        "ab71563e7f1c6ef9615864726f0c6992d1e1bf76606959b0dbd9a1fb1c5cb036b62fecd7c658c9866a24f3a64c8d720a\
         fa815df1d547d449c302da0c1a6f4234f4fd4dc31a6a0349aaa71c518d9a2405a1b753089c2869e7706f41ebed2bc5cf\
         0896b2d1cd7276684315a74ca8cb6be07a20889ecf55121bab5622c4239769a1f2359b3301f696540090ce9c15a66b7b\
         a1b47536056ea088b07d1862675f1b3a6dc191b4fbcd895b0d622d794ea67a5e0dffe4025f439a8d347d6acca680c2fd",
    ),
    (
        Code::C,
        "a7cbfb76101e97086594bb2e1aeef3116536ac6de1ffcf5c6e3ea29e0b7662b0d0d55d2151df822042f1ada5adc05327\
         804fa8d29b6b1ca70afe499dc76243c17b6b8d07dfb88c7d54d7af59fec62a06da3504f5d2f921e69077dfcfb43cf6be\
         0c1a186065e533d71b86d86347ba789c1bd942dfb3009eb547ad8c7a8fcf1b4d504031c1aa008a771cdfbecc4a72b1b5\
         83e55728016f0dea583fc0fe90b13cb5ffb24cd71b7dda8b83657e69d5af1bdb3c5f209b4799d2bbd4fb9367e4226268",
    ),
    (
        Code::D,
        "c13404c5f901a876f8b1d4624b5b32116bd30593dd56b7a3310a406fc844226d4adf984d0909225317f85b4b2f7dd338\
         d5ff2a707df7139f7a1803cae918e9b4e2593e7c7a792f8caad3bed1625411e86f6467b06be62f1e2dbea3cef4c844cd\
         1d2f5d992df105efce4271b289dcfb951b99fbd18bcae241e53913aa8493efaf36b795c8b1ee8d13623ef3efcd562270\
         dfb62f7989682b80045ba719b8f7b0f18c3c7ef86c847ecadabf157e5dc69d2646be10a664eaa9c57548c7cb6eae32df",
    ),
];
