//! karat-alloc under the names of C and C++: `LD_PRELOAD=libkarat_alloc.so PROGRAM`.
//!
//! The names are mangled as the Itanium C++ ABI says; [`cxx`] lists them.

mod c;
mod cxx;
