//! Tests of the allocator, in a program whose allocator it is.

mod edges;
mod forks;
mod loom;
mod profiles;
mod random;
mod refused;
mod support;

#[global_allocator]
static ALLOCATOR: karat_alloc::KaratAlloc = karat_alloc::KaratAlloc;
