//! Verifiable delay functions, byte for byte chiavdf's.

use crate::buffer::Data;
use crate::errors;
use crate::number::Number;
use karat_vdf::{Discriminant, Form, MAX_BITS, MIN_BITS, Proof, Prover};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

/// Squarings between two looks for signals: some milliseconds.
const STRIDE: u64 = 4096;

/// A discriminant is a negative int in Python.
fn read(number: &Bound<'_, PyInt>) -> PyResult<Discriminant> {
    let text = number
        .py()
        .import("builtins")?
        .call_method1("hex", (number,))?;
    Discriminant::from_hex(text.extract()?).map_err(errors::value)
}

fn form(bytes: &Data<'_>, discriminant: &Discriminant) -> PyResult<Form> {
    Form::from_bytes(bytes.as_slice(), discriminant).map_err(errors::value)
}

/// The discriminant of a seed: the negative of a prime of so many bits.
///
/// >>> from karat import vdf
/// >>> d = vdf.create_discriminant(b"seed", 256)
/// >>> d < 0, d.bit_length(), -d % 8
/// (True, 256, 7)
#[pyfunction]
#[pyo3(signature = (seed, bits, /))]
fn create_discriminant<'py>(
    py: Python<'py>,
    seed: Data<'py>,
    bits: Number<'_, '_, usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let bits = bits.within("bits", MIN_BITS..=MAX_BITS)?;
    let seed = seed.as_slice();
    let made = py.detach(|| Discriminant::from_seed(seed, bits));
    let text = made.map_err(errors::value)?.to_string();
    py.get_type::<PyInt>().call1((text, 16))
}

/// The generator of the class group: what squaring usually begins with.
#[pyfunction]
#[pyo3(signature = (discriminant, /))]
fn generator<'py>(
    py: Python<'py>,
    discriminant: &Bound<'py, PyInt>,
) -> PyResult<Bound<'py, PyBytes>> {
    let discriminant = read(discriminant)?;
    let form = Form::generator(&discriminant);
    Ok(PyBytes::new(py, &form.to_bytes(&discriminant)))
}

/// `x` squared `iterations` times, and a proof of it: the result's bytes, then the proof's.
/// Ctrl-C ends it. Other threads of Python run meanwhile.
///
/// >>> from karat import vdf
/// >>> d = vdf.create_discriminant(b"seed", 256)
/// >>> x = vdf.generator(d)
/// >>> vdf.verify(d, x, vdf.prove(d, x, 1000), 1000)
#[pyfunction]
#[pyo3(
    signature = (discriminant, x, iterations, /, *, threads=Number::Fits(1)),
    text_signature = "(discriminant, x, iterations, /, *, threads=1)"
)]
fn prove<'py>(
    py: Python<'py>,
    discriminant: &Bound<'py, PyInt>,
    x: Data<'py>,
    iterations: Number<'_, '_, u64>,
    threads: Number<'_, '_, usize>,
) -> PyResult<Bound<'py, PyBytes>> {
    let discriminant = read(discriminant)?;
    let x = form(&x, &discriminant)?;
    let iterations = iterations.within("iterations", 0..)?;
    let threads = threads.within("threads", 1..)?;
    let mut prover = Prover::new(&x, iterations, &discriminant);
    while prover.done() < iterations {
        let left = iterations - prover.done();
        py.detach(|| prover.advance(left.min(STRIDE)));
        py.check_signals()?;
    }
    let proof = py.detach(|| prover.prove(threads)).map_err(errors::value)?;
    Ok(PyBytes::new(py, &proof.to_bytes(&discriminant)))
}

/// Raises VerifyError unless the proof shows what `x` is after so many squarings.
#[pyfunction]
#[pyo3(signature = (discriminant, x, proof, iterations, /))]
fn verify(
    py: Python<'_>,
    discriminant: &Bound<'_, PyInt>,
    x: Data<'_>,
    proof: Data<'_>,
    iterations: Number<'_, '_, u64>,
) -> PyResult<()> {
    let iterations = iterations.within("iterations", 0..)?;
    let discriminant = read(discriminant)?;
    let x = form(&x, &discriminant)?;
    let proof = Proof::from_bytes(proof.as_slice(), &discriminant).map_err(errors::verify)?;
    py.detach(|| karat_vdf::verify(&x, &proof, iterations, &discriminant))
        .map_err(errors::verify)
}

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(create_discriminant, module)?)?;
    module.add_function(wrap_pyfunction!(generator, module)?)?;
    module.add("vdf_prove", wrap_pyfunction!(prove, module)?)?;
    module.add("vdf_verify", wrap_pyfunction!(verify, module)?)
}
