//! Intel's ISA-L in place of this crate's kernels, where the system has it.
//!
//! It is opened when it is asked for, not when the program is built or starts: one program
//! runs on machines with and without it.
//!
//! Its codes are matrices over the field of codes A and D. This crate gives the matrix, so
//! that shards are those of [`Codec`]'s own functions, whatever the shape, and every
//! matrix is MDS (that of ISA-L's `gf_gen_rs_matrix` is not).

use crate::codec::{Plan, check};
use crate::{Code, Codec, Error, Shards};
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::ffi::{c_int, c_uchar};
use core::fmt;
use libloading::Library;
use std::sync::OnceLock;

/// The file that ISA-L 2.x installs.
const FILE: &str = "libisal.so.2";

/// Bytes of its table for one constant (`erasure_code.h`).
const TABLE: usize = 32;

/// Bytes of shards in one of its calls. Lengths are of type `int` there.
const MOST: usize = 1 << 30;

type InitTables = unsafe extern "C" fn(c_int, c_int, *mut c_uchar, *mut c_uchar);
type EncodeData =
    unsafe extern "C" fn(c_int, c_int, c_int, *mut c_uchar, *mut *mut c_uchar, *mut *mut c_uchar);

/// Why there is no ISA-L.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoIsal {
    /// The system does not have the library, or cannot open it, with its reason.
    Missing {
        /// What the system says.
        reason: String,
    },
    /// It has no such code.
    Code {
        /// The code that was asked for.
        code: Code,
    },
}

impl fmt::Display for NoIsal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { reason } => write!(
                f,
                "this system's ISA-L cannot be used ({reason}): install it (Debian: libisal2), or call the codec's own functions, which need no library"
            ),
            Self::Code { code } => write!(
                f,
                "ISA-L does not have code {code}: it has A and D; call the codec's own functions"
            ),
        }
    }
}

impl core::error::Error for NoIsal {}

/// Its functions.
#[derive(Clone, Copy, Debug)]
struct Functions {
    init_tables: InitTables,
    encode_data: EncodeData,
}

/// Opens it once; it stays open.
fn functions() -> Result<Functions, NoIsal> {
    static FOUND: OnceLock<Result<Functions, NoIsal>> = OnceLock::new();
    FOUND.get_or_init(|| open(FILE)).clone()
}

fn open(file: &str) -> Result<Functions, NoIsal> {
    let missing = |error: libloading::Error| NoIsal::Missing {
        reason: error.to_string(),
    };
    // SAFETY: what the library does when it is loaded is to look at CPUID. Its functions
    // have these types in all its versions (`erasure_code.h`), and are used as long as the
    // program runs, because the library is never closed.
    unsafe {
        let library = Library::new(file).map_err(missing)?;
        let functions = Functions {
            init_tables: *library.get(b"ec_init_tables\0").map_err(missing)?,
            encode_data: *library.get(b"ec_encode_data\0").map_err(missing)?,
        };
        core::mem::forget(library);
        Ok(functions)
    }
}

/// A [`Codec`] whose products are ISA-L's.
#[derive(Clone, Debug)]
pub struct Isal<'a> {
    codec: &'a Codec,
    functions: Functions,
    parity: Vec<u8>,
}

impl Codec {
    /// The same code by the system's ISA-L.
    ///
    /// # Errors
    /// [`NoIsal`], when the system does not have it, or when it does not have this code.
    pub fn isal(&self) -> Result<Isal<'_>, NoIsal> {
        let code = self.code();
        if matches!(code, Code::B | Code::C) {
            return Err(NoIsal::Code { code });
        }
        let functions = functions()?;
        let columns: Vec<u32> = (0..self.data()).flat_map(|d| self.column(d)).collect();
        Ok(Isal {
            codec: self,
            functions,
            parity: functions.tables(&columns, self.data(), self.parity()),
        })
    }
}

impl Isal<'_> {
    /// [`Codec::encode`].
    ///
    /// # Errors
    /// As there.
    pub fn encode<D: AsRef<[u8]>, P: AsMut<[u8]>>(
        &self,
        data: &[D],
        parity: &mut [P],
    ) -> Result<(), Error> {
        check::count(Shards::Data, self.codec.data(), data.len())?;
        check::count(Shards::Parity, self.codec.parity(), parity.len())?;
        let given = data.iter().map(|d| d.as_ref().len());
        let wanted = parity.iter_mut().map(|p| p.as_mut().len());
        let length = check::length(self.codec.code(), given.chain(wanted).enumerate())?;
        let inputs = data.iter().map(|d| d.as_ref().as_ptr().cast_mut());
        let outputs = parity.iter_mut().map(|p| p.as_mut().as_mut_ptr());
        let lists = [inputs.collect(), outputs.collect()];
        self.functions.run(&self.parity, lists, length);
        Ok(())
    }

    /// [`Codec::reconstruct`]: each shard that is lost as a sum of as many present ones as
    /// there are data shards.
    ///
    /// # Errors
    /// As there.
    pub fn reconstruct<S: AsMut<[u8]>>(
        &self,
        shards: &mut [S],
        present: &[bool],
    ) -> Result<(), Error> {
        check::count(Shards::All, self.codec.total(), shards.len())?;
        let lengths = shards.iter_mut().map(|s| s.as_mut().len()).enumerate();
        let length = check::length(self.codec.code(), lengths)?;
        let (plan, constants) = Plan::of_matrix(self.codec, present)?;
        if plan.outputs.is_empty() {
            return Ok(());
        }
        let all: Vec<*mut u8> = shards.iter_mut().map(|s| s.as_mut().as_mut_ptr()).collect();
        let inputs: Vec<*mut u8> = plan.inputs.iter().flatten().map(|i| all[*i]).collect();
        let outputs: Vec<*mut u8> = plan.outputs.iter().map(|i| all[*i]).collect();
        let tables = (self.functions).tables(&constants, inputs.len(), outputs.len());
        self.functions.run(&tables, [inputs, outputs], length);
        Ok(())
    }
}

impl Functions {
    /// Its tables for constants, of which there are `outputs` for each input.
    fn tables(&self, constants: &[u32], inputs: usize, outputs: usize) -> Vec<u8> {
        let by_output = (0..outputs).flat_map(|o| (0..inputs).map(move |i| i * outputs + o));
        let mut matrix: Vec<u8> = by_output.map(|at| constants[at] as u8).collect();
        let mut tables = vec![0; TABLE * inputs * outputs];
        // SAFETY: the matrix has a row of `inputs` bytes for each output, and there is room
        // for a table for each. Codes A and D have at most 256 shards.
        unsafe {
            (self.init_tables)(
                inputs as c_int,
                outputs as c_int,
                matrix.as_mut_ptr(),
                tables.as_mut_ptr(),
            );
        }
        tables
    }

    /// Writes the outputs. All shards have `length` bytes.
    fn run(&self, tables: &[u8], [mut inputs, mut outputs]: [Vec<*mut u8>; 2], length: usize) {
        // It only reads the tables, but does not say so.
        let tables = tables.as_ptr().cast_mut();
        for start in (0..length).step_by(MOST) {
            let bytes = MOST.min(length - start);
            // SAFETY: the tables were made for so many inputs and outputs. All are shards of
            // `length` bytes that the caller has lent, outputs for writing; inputs are only
            // read.
            unsafe {
                (self.encode_data)(
                    bytes as c_int,
                    inputs.len() as c_int,
                    outputs.len() as c_int,
                    tables,
                    inputs.as_mut_ptr(),
                    outputs.as_mut_ptr(),
                );
                for shard in inputs.iter_mut().chain(&mut outputs) {
                    *shard = shard.add(bytes);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "opens a file")]
    fn a_library_that_is_missing_is_told() {
        let Err(error) = open("libisal-that-nobody-has.so") else {
            panic!("there is no such library");
        };
        let told = error.to_string();
        assert!(told.contains("libisal-that-nobody-has.so"), "{told}");
        assert!(told.contains("libisal2"), "{told}");
    }
}
