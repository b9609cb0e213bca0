//! Any bytes are a package that is read within its limits, or refused; nothing panics,
//! hangs or eats memory. The first byte says whether archives inside are opened.
#![no_main]

use karat_package::{Limits, Member, read, safe_path};
use libfuzzer_sys::fuzz_target;
use std::io;

fuzz_target!(|bytes: &[u8]| {
    let Some((nested, package)) = bytes.split_first() else {
        return;
    };
    let limits = Limits {
        bytes: 1 << 20,
        members: 1000,
        depth: 4,
        nested: 1 << 18,
    };
    // Either answer will do; it must be one.
    let _ = read(
        "p.tar.gz",
        package,
        nested % 2 == 0,
        limits,
        &mut |member| {
            if let Member::File { name, contents, .. } = member {
                if let Some(path) = safe_path(name) {
                    assert!(path.is_relative() && !path.starts_with(".."));
                }
                io::copy(contents, &mut io::sink())?;
            }
            Ok(())
        },
    );
});
