//! Messages in groups, on the stack, because the crate needs no allocator.

/// Messages that go to the lanes at once: as many as any implementation has lanes.
pub(crate) const GROUP: usize = 32;

/// As many elements as a group has, the last ones repeated where there are fewer. The
/// caller takes the first ones only.
///
/// # Panics
/// When there is none.
pub(crate) fn filled<T: Copy>(elements: impl IntoIterator<Item = T>) -> [T; GROUP] {
    let mut elements = elements.into_iter();
    let mut last = elements.next().expect("a group is not empty");
    core::array::from_fn(|i| {
        if i > 0 {
            last = elements.next().unwrap_or(last);
        }
        last
    })
}
