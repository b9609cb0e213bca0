//! Checks that there is room for all digests.

/// Panics unless there are as many places as messages.
#[inline(always)]
#[track_caller]
pub fn check(messages: usize, places: usize) {
    if messages != places {
        fail(messages, places);
    }
}

#[cold]
#[track_caller]
fn fail(messages: usize, places: usize) -> ! {
    let ending = |count| if count == 1 { "" } else { "s" };
    panic!(
        "{messages} message{} but room for {places} digest{}: give as many places as messages",
        ending(messages),
        ending(places)
    );
}

#[cfg(test)]
mod tests {
    #[test]
    #[should_panic(expected = "1 message but room for 0 digests: give as many places as messages")]
    fn the_message_counts() {
        super::check(1, 0);
    }
}
