//! Packages made in the test, and what is read of them.

mod formats;
mod limits;
mod make;
