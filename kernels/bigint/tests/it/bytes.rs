//! Bytes and limbs.

use crate::support::{N, ROUNDS, Random, U, big};
use karat_bigint::TooLarge;

#[test]
fn bytes_agree_with_num_bigint_and_come_back() {
    let mut random = Random(4);
    for _ in 0..ROUNDS {
        let a = random.number(32);
        let mut out = vec![0xaa; a.bits().div_ceil(8) + random.below(9)];
        a.to_be_bytes(&mut out).unwrap();
        assert_eq!(num_bigint::BigUint::from_bytes_be(&out), big(&a));
        assert_eq!(U::from_be_bytes(&out), Ok(a));
        a.to_le_bytes(&mut out).unwrap();
        assert_eq!(num_bigint::BigUint::from_bytes_le(&out), big(&a));
        assert_eq!(U::from_le_bytes(&out), Ok(a));
        assert_eq!(U::from_limbs(a.limbs()), Ok(a));
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut bytes = vec![0; 8 * N + 3];
    assert_eq!(U::from_be_bytes(&bytes), Ok(U::ZERO));
    bytes[2] = 1;
    assert_eq!(U::from_be_bytes(&bytes), Err(TooLarge));
    let mut limbs = vec![0; N + 1];
    assert_eq!(U::from_limbs(&limbs), Ok(U::ZERO));
    limbs[N] = 1;
    assert_eq!(U::from_limbs(&limbs), Err(TooLarge));
    assert_eq!(U::from_u64(256).to_be_bytes(&mut [0]), Err(TooLarge));
    assert_eq!(U::from_u64(255).to_be_bytes(&mut [0]), Ok(()));
    assert_eq!(U::ZERO.to_le_bytes(&mut []), Ok(()));
}
