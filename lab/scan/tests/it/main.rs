//! The scanner from outside: fixtures for every class and filter, hostile sources, and the
//! real sources of this repository's dependencies.

mod classes;
mod filters;
mod hostile;
mod real;
mod tree;
