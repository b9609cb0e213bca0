//! Reports of evidence that is made up but realistic.

mod audit;
mod compare;
mod edges;
mod html;
mod large;
mod layout;
mod markup;
mod sample;
mod sample_audit;
mod text;
