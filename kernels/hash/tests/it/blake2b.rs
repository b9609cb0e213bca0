//! BLAKE2b and BLAKE2bp.

crate::blake2_tests!(
    "blake2b", "blake2bp", blake2b, 64, 16, blake2b_simd, blake2b, blake2bp,
    self_test: [20, 32, 48, 64], [0, 3, 128, 129, 255, 1024],
    "c23a7800d98123bd10f506c61e29da5603d763b8bbad2e737f5e765a7bccd475"
);
