//! One function a hash, and `new`, which takes its name.

use crate::buffer::Data;
use crate::errors;
use crate::hash::Hash;
use crate::number::{Largest, Number};
use karat_dyn::{Algorithm, Error, Hasher, Length, Options, Tree};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::fmt::Display;
use std::ops::RangeBounds;

fn make<'py>(
    py: Python<'py>,
    algorithm: Algorithm,
    options: &Options<'_>,
    data: Option<Data<'py>>,
) -> PyResult<Bound<'py, Hash>> {
    let needs_key = matches!(algorithm, Algorithm::Kmac128 | Algorithm::Kmac256);
    if options.are_default() && !needs_key {
        return Hash::plain(py, algorithm, data);
    }
    let hasher = Hasher::new(algorithm, options).map_err(errors::hash)?;
    Hash::new(py, hasher, data)
}

/// The bytes of an option that was given.
pub fn bytes<'a>(option: &'a Option<Data<'_>>) -> &'a [u8] {
    option.as_ref().map_or(&[], Data::as_slice)
}

/// The option `digest_size`, of an algorithm that says later whether it takes this one.
pub fn digest_size(
    algorithm: Algorithm,
    asked: Option<Number<'_, '_, usize>>,
) -> PyResult<Option<usize>> {
    let size = match (asked, algorithm.length()) {
        (None, _) => return Ok(None),
        (Some(Number::Fits(size)), _) => Ok(size),
        (Some(other), Length::UpTo(most)) => other.within("digest_size", 1..=most),
        (Some(other), Length::Any(_)) => other.within("digest_size", 1..),
        (Some(_), Length::Fixed(_) | Length::Extendable(_)) => Err(errors::hash(Error::NotTaken {
            algorithm: algorithm.name(),
            option: "digest_size",
        })),
    };
    size.map(Some)
}

/// Functions without options. `usedforsecurity` is `hashlib`'s, and changes nothing.
macro_rules! plain {
    ($($name:ident $algorithm:ident $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            #[pyo3(signature = (data=None, /, *, usedforsecurity=true))]
            fn $name<'py>(
                py: Python<'py>,
                data: Option<Data<'py>>,
                usedforsecurity: bool,
            ) -> PyResult<Bound<'py, Hash>> {
                let _ = usedforsecurity;
                Hash::plain(py, Algorithm::$algorithm, data)
            }
        )*

        fn add_plain(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)*
            Ok(())
        }
    };
}

plain! {
    sha224 Sha224 "SHA-224 (FIPS 180-4).";
    sha256 Sha256 "SHA-256 (FIPS 180-4).\n\n>>> import karat\n>>> karat.sha256(b'abc').hexdigest()[:8]\n'ba7816bf'";
    sha384 Sha384 "SHA-384 (FIPS 180-4).";
    sha512 Sha512 "SHA-512 (FIPS 180-4).";
    sha512_256 Sha512_256 "SHA-512/256 (FIPS 180-4).";
    sha3_224 Sha3_224 "SHA3-224 (FIPS 202).";
    sha3_256 Sha3_256 "SHA3-256 (FIPS 202).";
    sha3_384 Sha3_384 "SHA3-384 (FIPS 202).";
    sha3_512 Sha3_512 "SHA3-512 (FIPS 202).";
    keccak_256 Keccak256 "Keccak-256 with the original padding, as Ethereum uses it.\n\n>>> import karat\n>>> karat.keccak_256(b'abc').hexdigest()[:8]\n'4e03657a'";
    keccak_512 Keccak512 "Keccak-512 with the original padding.";
    shake_128 Shake128 "SHAKE128 (FIPS 202); `digest` takes a length.";
    shake_256 Shake256 "SHAKE256 (FIPS 202); `digest` takes a length.";
    turboshake_128 TurboShake128 "TurboSHAKE128 (RFC 9861) with the byte 0x1f; `digest` takes a length.";
    turboshake_256 TurboShake256 "TurboSHAKE256 (RFC 9861) with the byte 0x1f; `digest` takes a length.";
}

/// An argument, read as what it should be.
fn read<'a, 'py, T>(name: &str, argument: Option<&'a Bound<'py, PyAny>>) -> PyResult<Option<T>>
where
    T: FromPyObject<'a, 'py>,
{
    let Some(argument) = argument else {
        return Ok(None);
    };
    argument.extract().map(Some).map_err(|error: T::Error| {
        let (error, py): (PyErr, _) = (error.into(), argument.py());
        match error.get_type(py).is(py.get_type::<PyTypeError>()) {
            true => PyTypeError::new_err(format!("argument '{name}': {}", error.value(py))),
            false => error,
        }
    })
}

/// An argument that is a number of this range.
fn number<'py, T>(
    name: &str,
    argument: Option<&Bound<'py, PyAny>>,
    allowed: impl RangeBounds<T>,
) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr> + PartialOrd + Display + Largest,
{
    let given: Option<Number<'_, '_, T>> = read(name, argument)?;
    given.map(|number| number.within(name, allowed)).transpose()
}

/// BLAKE2 with all of its parameters, named as in `hashlib`. They are read only where one is
/// given, and elsewhere: a short message takes no longer to hash than they to be moved.
macro_rules! blake2 {
    ($name:ident $algorithm:ident $most:literal $signature:literal $doc:literal) => {
        #[doc = $doc]
        #[pyfunction]
        #[pyo3(signature = (
            data=None, /, *, digest_size=None, key=None, salt=None, person=None, fanout=None,
            depth=None, leaf_size=None, node_offset=None, node_depth=None, inner_size=None,
            last_node=None, usedforsecurity=None
        ), text_signature = $signature)]
        #[expect(clippy::too_many_arguments, reason = "hashlib's signature")]
        fn $name<'py>(
            py: Python<'py>,
            data: Option<Data<'py>>,
            digest_size: Option<&Bound<'py, PyAny>>,
            key: Option<&Bound<'py, PyAny>>,
            salt: Option<&Bound<'py, PyAny>>,
            person: Option<&Bound<'py, PyAny>>,
            fanout: Option<&Bound<'py, PyAny>>,
            depth: Option<&Bound<'py, PyAny>>,
            leaf_size: Option<&Bound<'py, PyAny>>,
            node_offset: Option<&Bound<'py, PyAny>>,
            node_depth: Option<&Bound<'py, PyAny>>,
            inner_size: Option<&Bound<'py, PyAny>>,
            last_node: Option<&Bound<'py, PyAny>>,
            usedforsecurity: Option<&Bound<'py, PyAny>>,
        ) -> PyResult<Bound<'py, Hash>> {
            let given = [
                digest_size, key, salt, person, fanout, depth, leaf_size, node_offset, node_depth,
                inner_size, last_node, usedforsecurity,
            ];
            match given.iter().all(Option::is_none) {
                true => Hash::plain(py, Algorithm::$algorithm, data),
                false => blake2(py, Algorithm::$algorithm, $most, data, given),
            }
        }
    };
}

/// BLAKE2 with the options that were given, in the order of the functions' signature.
#[cold]
fn blake2<'py>(
    py: Python<'py>,
    algorithm: Algorithm,
    most: usize,
    data: Option<Data<'py>>,
    given: [Option<&Bound<'py, PyAny>>; 12],
) -> PyResult<Bound<'py, Hash>> {
    let [
        digest_size,
        key,
        salt,
        person,
        fanout,
        depth,
        leaf_size,
        node_offset,
        node_depth,
        inner_size,
        last_node,
        usedforsecurity,
    ] = given;
    read::<bool>("usedforsecurity", usedforsecurity)?;
    let (key, salt) = (read("key", key)?, read("salt", salt)?);
    let person = read("person", person)?;
    let usual = Tree::default();
    let tree = Tree {
        fanout: number("fanout", fanout, 0..=255)?.unwrap_or(usual.fanout),
        depth: number("depth", depth, 1..=255)?.unwrap_or(usual.depth),
        leaf_size: number("leaf_size", leaf_size, 0..)?.unwrap_or(usual.leaf_size),
        node_offset: number("node_offset", node_offset, 0..)?.unwrap_or(usual.node_offset),
        node_depth: number("node_depth", node_depth, 0..=255)?.unwrap_or(usual.node_depth),
        inner_size: number("inner_size", inner_size, 0..=most)?.unwrap_or(usual.inner_size),
        last_node: read("last_node", last_node)?.unwrap_or(usual.last_node),
    };
    let options = Options {
        // The usual ones are none.
        digest_size: number("digest_size", digest_size, 1..=most)?.filter(|size| *size != most),
        key: bytes(&key),
        salt: bytes(&salt),
        personal: bytes(&person),
        tree: Some(tree).filter(|tree| *tree != usual),
        ..Options::default()
    };
    make(py, algorithm, &options, data)
}

blake2!(
    blake2b Blake2b 64
    "(data=None, /, *, digest_size=64, key=None, salt=None, person=None, fanout=1, depth=1, leaf_size=0, node_offset=0, node_depth=0, inner_size=0, last_node=False, usedforsecurity=True)"
    "BLAKE2b (RFC 7693), with the parameters of `hashlib.blake2b`.\n\n>>> import karat\n>>> karat.blake2b(b'abc', digest_size=4, key=b'secret').hexdigest()\n'eb81e5ee'"
);
blake2!(
    blake2s Blake2s 32
    "(data=None, /, *, digest_size=32, key=None, salt=None, person=None, fanout=1, depth=1, leaf_size=0, node_offset=0, node_depth=0, inner_size=0, last_node=False, usedforsecurity=True)"
    "BLAKE2s (RFC 7693), with the parameters of `hashlib.blake2s`."
);

/// The parallel forms of BLAKE2 take a key only.
macro_rules! parallel {
    ($name:ident $algorithm:ident $doc:literal) => {
        #[doc = $doc]
        #[pyfunction]
        #[pyo3(signature = (data=None, /, *, key=None))]
        fn $name<'py>(
            py: Python<'py>,
            data: Option<Data<'py>>,
            key: Option<Data<'py>>,
        ) -> PyResult<Bound<'py, Hash>> {
            let options = Options {
                key: bytes(&key),
                ..Options::default()
            };
            make(py, Algorithm::$algorithm, &options, data)
        }
    };
}

parallel!(blake2bp Blake2bp "BLAKE2bp: BLAKE2b on four leaves, with a key of up to 64 bytes.");
parallel!(blake2sp Blake2sp "BLAKE2sp: BLAKE2s on eight leaves, with a key of up to 32 bytes.");

/// BLAKE3. `key` has 32 bytes; `derive_key_context` derives a key from the message.
///
/// `digest(length, seek=place)` gives any part of the output.
///
/// >>> import karat
/// >>> karat.blake3(b"abc").hexdigest(4)
/// '6437b3ac'
#[pyfunction]
#[pyo3(signature = (data=None, /, *, key=None, derive_key_context=None))]
fn blake3<'py>(
    py: Python<'py>,
    data: Option<Data<'py>>,
    key: Option<Data<'py>>,
    derive_key_context: Option<&str>,
) -> PyResult<Bound<'py, Hash>> {
    if let Some(key) = &key {
        // An empty key would be none.
        if key.as_slice().len() != 32 {
            let length = key.as_slice().len();
            return Err(errors::value(format!(
                "a key of BLAKE3 has 32 bytes, not {length}"
            )));
        }
    }
    let options = Options {
        key: bytes(&key),
        context: derive_key_context,
        ..Options::default()
    };
    make(py, Algorithm::Blake3, &options, data)
}

/// Functions with a customisation.
macro_rules! custom {
    ($name:ident $algorithm:ident $doc:literal) => {
        #[doc = $doc]
        #[pyfunction]
        #[pyo3(signature = (data=None, /, *, customization=None))]
        fn $name<'py>(
            py: Python<'py>,
            data: Option<Data<'py>>,
            customization: Option<Data<'py>>,
        ) -> PyResult<Bound<'py, Hash>> {
            let options = Options {
                customization: bytes(&customization),
                ..Options::default()
            };
            make(py, Algorithm::$algorithm, &options, data)
        }
    };
}

custom!(cshake_128 CShake128 "cSHAKE128 (NIST SP 800-185); `digest` takes a length.");
custom!(cshake_256 CShake256 "cSHAKE256 (NIST SP 800-185); `digest` takes a length.");
custom!(kt_128 Kt128 "KT128, KangarooTwelve (RFC 9861); `digest` may take a length.");
custom!(kt_256 Kt256 "KT256 (RFC 9861); `digest` may take a length.");

/// KMAC: the key comes first.
macro_rules! kmac {
    ($name:ident $algorithm:ident $size:literal $signature:literal $doc:literal) => {
        #[doc = $doc]
        #[pyfunction]
        #[pyo3(
                    signature = (
                        key, data=None, /, *, digest_size=Number::Fits($size), customization=None
                    ),
                    text_signature = $signature
                )]
        fn $name<'py>(
            py: Python<'py>,
            key: Data<'py>,
            data: Option<Data<'py>>,
            digest_size: Number<'_, '_, usize>,
            customization: Option<Data<'py>>,
        ) -> PyResult<Bound<'py, Hash>> {
            let options = Options {
                digest_size: self::digest_size(Algorithm::$algorithm, Some(digest_size))?,
                key: key.as_slice(),
                customization: bytes(&customization),
                ..Options::default()
            };
            make(py, Algorithm::$algorithm, &options, data)
        }
    };
}

kmac!(
    kmac_128 Kmac128 32
    "(key, data=None, /, *, digest_size=32, customization=None)"
    "KMAC128 (NIST SP 800-185), a MAC; the key comes first."
);
kmac!(
    kmac_256 Kmac256 64
    "(key, data=None, /, *, digest_size=64, customization=None)"
    "KMAC256 (NIST SP 800-185), a MAC; the key comes first."
);

/// The hash of that name; `karat.algorithms` has all names. What a hash has no use for,
/// such as a key of SHA-256, is a TypeError.
///
/// >>> import karat
/// >>> karat.new("SHA3-256", b"abc").hexdigest()[:8]
/// '3a985da7'
#[pyfunction]
#[pyo3(signature = (
    name, data=None, /, *, digest_size=None, key=None, salt=None, person=None,
    customization=None, derive_key_context=None, usedforsecurity=true
))]
#[expect(clippy::too_many_arguments, reason = "every option of every hash")]
fn new<'py>(
    py: Python<'py>,
    name: &str,
    data: Option<Data<'py>>,
    digest_size: Option<Number<'_, '_, usize>>,
    key: Option<Data<'py>>,
    salt: Option<Data<'py>>,
    person: Option<Data<'py>>,
    customization: Option<Data<'py>>,
    derive_key_context: Option<&str>,
    usedforsecurity: bool,
) -> PyResult<Bound<'py, Hash>> {
    let _ = usedforsecurity;
    let algorithm = name.parse().map_err(errors::hash)?;
    let options = Options {
        digest_size: self::digest_size(algorithm, digest_size)?,
        key: bytes(&key),
        salt: bytes(&salt),
        personal: bytes(&person),
        customization: bytes(&customization),
        context: derive_key_context,
        tree: None,
    };
    make(py, algorithm, &options, data)
}

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let names: Vec<_> = Algorithm::ALL.iter().map(|a| a.name()).collect();
    module.add("algorithms", names)?;
    module.add_class::<Hash>()?;
    add_plain(module)?;
    macro_rules! functions {
        ($($name:ident)*) => {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)*
        };
    }
    functions!(
        new blake2b blake2s blake2bp blake2sp blake3 cshake_128 cshake_256 kt_128 kt_256
        kmac_128 kmac_256
    );
    Ok(())
}
