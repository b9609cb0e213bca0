//! BLAKE2s and BLAKE2sp.

crate::blake2_tests!(
    "blake2s", "blake2sp", blake2s, 32, 8, blake2s_simd, blake2s, blake2sp,
    self_test: [16, 20, 28, 32], [0, 3, 64, 65, 255, 1024],
    "6a411f08ce25adcdfb02aba641451cec53c598b24f4fc787fbdc88797f4c1dfe"
);
