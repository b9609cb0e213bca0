//! What a package may not do.

use crate::make::{BINARY, bzip2, gzip, rpm, tar, zip, zstd};
use karat_package::{Limits, PackageError, read};
use std::io;

const SMALL: Limits = Limits {
    bytes: 100_000,
    members: 10,
    depth: 3,
    nested: 50_000,
};

fn refused(bytes: &[u8]) -> String {
    let result = read("m", bytes, true, SMALL, &mut |member| {
        if let karat_package::Member::File { contents, .. } = member {
            io::copy(contents, &mut io::sink())?;
        }
        Ok(())
    });
    match result {
        Err(error @ PackageError::Limit { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_unpacks_to_too_much_is_refused_with_the_limit() {
    let zeros = vec![0; 200_000];
    for packed in [
        zip(&[("a", &zeros)]),
        gzip(&zeros),
        bzip2(&zeros),
        zstd(&zeros),
    ] {
        assert!(packed.len() < 1000);
        let why = refused(&packed);
        assert!(why.contains("100000") && why.contains("unpacks"), "{why}");
    }
    // Also in many small parts.
    let part = vec![0; 20_000];
    let names: Vec<String> = (0..8).map(|n| n.to_string()).collect();
    let parts: Vec<(&str, &[u8])> = names.iter().map(|n| (n.as_str(), &part[..])).collect();
    assert!(refused(&zip(&parts)).contains("unpacks"));
}

#[test]
fn too_many_members_and_too_deep_ones_are_refused() {
    let names: Vec<String> = (0..11).map(|n| n.to_string()).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|n| (n.as_str(), &b""[..])).collect();
    assert!(refused(&tar(&many)).contains("limit of 10"));
    let deep = (0..4).fold(BINARY.to_vec(), |inner, _| gzip(&inner));
    assert!(refused(&deep).contains("limit of 3"));
    let large = zip(&[("inner.zip", &zip(&[("a", &noise(60_000))]))]);
    assert!(refused(&large).contains("limit of 50000"));
}

/// What does not compress.
fn noise(bytes: usize) -> Vec<u8> {
    let mut state = 1u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as u8
    };
    (0..bytes).map(|_| next()).collect()
}

#[test]
fn every_cut_and_every_changed_byte_is_an_answer() {
    let whole = tar(&[("a.so", BINARY), ("b.zip", &zip(&[("c", BINARY)]))]);
    for package in [
        zip(&[("a", BINARY)]),
        gzip(&whole),
        zstd(&whole),
        rpm(&gzip(&whole)),
    ] {
        let take = |bytes: &[u8]| {
            let _ = read("m", bytes, true, SMALL, &mut |_| Ok(()));
        };
        for cut in 0..package.len() {
            take(&package[..cut]);
        }
        for at in 0..package.len() {
            let mut changed = package.clone();
            changed[at] ^= 0xff;
            take(&changed);
        }
    }
}

#[test]
fn an_error_of_the_taker_is_told_from_damage() {
    let package = zip(&[("a", BINARY)]);
    let full = |_: karat_package::Member<'_>| Err(io::Error::other("disk full"));
    let result = read("m", &package, true, SMALL, &mut { full });
    assert!(matches!(result, Err(PackageError::Taker(_))), "{result:?}");
    let mut damaged = package;
    damaged[31] ^= 0xff;
    let mut read_it = |member: karat_package::Member<'_>| {
        if let karat_package::Member::File { contents, .. } = member {
            io::copy(contents, &mut io::sink())?;
        }
        Ok(())
    };
    let result = read("m", &damaged, true, SMALL, &mut read_it);
    assert!(
        matches!(result, Err(PackageError::Damaged { .. })),
        "{result:?}"
    );
}
