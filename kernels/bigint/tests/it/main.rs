//! All operations beside num-bigint, on random numbers and on edges.

mod arithmetic;
mod bytes;
mod division;
mod gcd;
mod montgomery;
mod powers;
mod support;
