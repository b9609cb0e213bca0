//! Codes, and the words of the last failure.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a call came out; 0 is well.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum karat_status {
    /// Done.
    KARAT_OK = 0,
    /// A pointer is null that must not be.
    KARAT_NULL = 1,
    /// An argument is not allowed: a name, a length, an option.
    KARAT_ARGUMENT = 2,
    /// A proof or a form is no such thing, or does not show what it should.
    KARAT_NOT_VERIFIED = 3,
    /// A bug in karat, or `KARAT_FORCE` or `KARAT_TUNED` asks for what this CPU does not have.
    /// Nothing is known of what the call has done.
    KARAT_INTERNAL = 4,
}

pub use karat_status::*;

/// Why a call fails.
pub(crate) struct Failure(karat_status, String);

pub(crate) fn argument(error: impl ToString) -> Failure {
    Failure(KARAT_ARGUMENT, error.to_string())
}

pub(crate) fn not_verified(error: impl ToString) -> Failure {
    Failure(KARAT_NOT_VERIFIED, error.to_string())
}

pub(crate) fn null(what: &str) -> Failure {
    Failure(KARAT_NULL, format!("{what} is null"))
}

thread_local! {
    static MESSAGE: RefCell<CString> = RefCell::default();
}

/// Does what a function of the header does; keeps the words if it fails.
pub(crate) fn guard(work: impl FnOnce() -> Result<(), Failure>) -> karat_status {
    let done = catch_unwind(AssertUnwindSafe(work));
    let done = done.unwrap_or_else(|panic| Err(Failure(KARAT_INTERNAL, of_panic(&*panic))));
    match done {
        Ok(()) => KARAT_OK,
        Err(Failure(status, words)) => {
            let words = CString::new(words.replace('\0', "?")).unwrap_or_default();
            // A thread that is ending may have no place for words any more.
            let _ = MESSAGE.try_with(|message| *message.borrow_mut() = words);
            status
        }
    }
}

/// A panic has words of its own. Those about the environment are no bug: its user reads them.
fn of_panic(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    match text.or_else(|| panic.downcast_ref::<&str>().copied()) {
        Some(words) if words.starts_with("KARAT_FORCE or KARAT_TUNED: ") => words.to_owned(),
        Some(words) => format!("a bug in karat; please report it: {words}"),
        None => "a bug in karat; please report it".to_owned(),
    }
}

/// Why the last call of this thread that failed did so, in words. Valid until the thread's
/// next failure.
#[unsafe(no_mangle)]
pub extern "C" fn karat_message() -> *const c_char {
    let words = MESSAGE.try_with(|message| message.borrow().as_ptr());
    words.unwrap_or(c"the thread ends".as_ptr())
}

/// karat's version.
#[unsafe(no_mangle)]
pub extern "C" fn karat_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}
