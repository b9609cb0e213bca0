//! Where in the sources addresses of a binary are, as findings say it.

use karat_binary::debug::places::lines;
use karat_binary::read::image::Image;
use karat_model::finding::Location;
use std::collections::HashMap;

/// The source lines of `addresses`, for those that have one.
#[must_use]
pub fn locations(image: &Image<'_>, addresses: &[u64]) -> HashMap<u64, Location> {
    let lines = lines(image, addresses).into_iter();
    lines
        .map(|(address, place)| {
            let location = Location {
                file: place.file,
                line: place.line,
                column: None,
                address: Some(address),
            };
            (address, location)
        })
        .collect()
}
