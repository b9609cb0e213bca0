//! What of karat-bigint makes sense beside Python's own integers.

use crate::errors;
use karat_bigint::{Montgomery, Uint};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

fn bits(number: &Bound<'_, PyInt>) -> PyResult<usize> {
    number.call_method0("bit_length")?.extract()
}

/// Powers in integers of `N` limbs.
fn with<const N: usize>(numbers: [&[u8]; 3]) -> Option<Vec<u8>> {
    let [base, exponent, modulus] = numbers.map(|bytes| Uint::<N>::from_le_bytes(bytes).ok());
    let (base, exponent, modulus) = (base?, exponent?, modulus?);
    let power = Montgomery::new(&modulus)?.pow(&base.rem(&modulus), &exponent);
    let mut out = vec![0; 8 * N];
    power.to_le_bytes(&mut out).ok()?;
    Some(out)
}

/// `pow(base, exponent, modulus)` for numbers that are not negative, an odd modulus, and
/// at most 4096 bits: much faster than Python's own. It does not take constant time: keep
/// secrets away from it.
///
/// >>> from karat import bigint
/// >>> bigint.powmod(3, 1000, 10**9 + 7) == pow(3, 1000, 10**9 + 7)
/// True
#[pyfunction]
#[pyo3(signature = (base, exponent, modulus, /))]
fn powmod<'py>(
    py: Python<'py>,
    base: &Bound<'py, PyInt>,
    exponent: &Bound<'py, PyInt>,
    modulus: &Bound<'py, PyInt>,
) -> PyResult<Bound<'py, PyAny>> {
    let numbers = [base, exponent, modulus];
    let mut most = 0;
    for (number, name) in numbers.into_iter().zip(["base", "exponent", "modulus"]) {
        if number.lt(0)? {
            return Err(errors::value(format!("{name} is negative: give 0 or more")));
        }
        most = most.max(bits(number)?);
    }
    if most > 4096 {
        return Err(errors::value(format!(
            "a number of {most} bits: at most 4096, pow takes more"
        )));
    }
    if modulus.lt(2)? || !modulus.bitand(1)?.is_truthy()? {
        return Err(errors::value(
            "modulus must be odd and above 1; pow takes all",
        ));
    }
    let length = most.div_ceil(8).max(1);
    let bytes = numbers.map(|number| number.call_method1("to_bytes", (length, "little")));
    let [base, exponent, modulus] = bytes;
    let bytes = [base?, exponent?, modulus?];
    let mut slices = [&[][..]; 3];
    for (slice, bytes) in slices.iter_mut().zip(&bytes) {
        *slice = bytes.cast::<PyBytes>()?.as_bytes();
    }
    let power = py.detach(|| match most {
        0..=256 => with::<4>(slices),
        257..=512 => with::<8>(slices),
        513..=1024 => with::<16>(slices),
        1025..=2048 => with::<32>(slices),
        _ => with::<64>(slices),
    });
    let power = power.ok_or_else(|| errors::value("modulus must be odd and above 1"))?;
    let power = PyBytes::new(py, &power);
    py.get_type::<PyInt>()
        .call_method1("from_bytes", (power, "little"))
}

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(powmod, module)?)
}
