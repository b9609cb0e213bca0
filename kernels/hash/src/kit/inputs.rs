//! Messages as inputs of a check. Lengths are around multiples of blocks and lanes.

use super::known::Known;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use karat_kit::{Answer, Input, Random};

/// The kind of messages on which a hash is checked.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Lengths at which something changes: blocks, chunks.
    edges: &'static [usize],
    /// Length of the longest message.
    max_len: usize,
    /// Whether the function takes many messages at once.
    many: bool,
}

/// One message at a time.
pub(super) const fn one(edges: &'static [usize], max_len: usize) -> Shape {
    Shape {
        edges,
        max_len,
        many: false,
    }
}

/// Many messages at once.
pub(super) const fn many(edges: &'static [usize], max_len: usize) -> Shape {
    Shape {
        edges,
        max_len,
        many: true,
    }
}

/// Multiples of each edge that are tried: powers of two and their successors, up to
/// twice the widest lanes.
const MULTIPLES: [usize; 12] = [1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 64];

/// Numbers of messages that are tried: fewer than lanes, as many, and more.
const COUNTS: [usize; 17] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 65];

/// Number of random lengths, besides those around edges.
const RANDOM: usize = 40;

/// Random inputs of a shape.
pub(super) fn inputs(random: &mut Random, shape: Shape) -> Vec<Input> {
    let mut lengths = alloc::vec![0, 1];
    for edge in shape.edges {
        for near in MULTIPLES
            .iter()
            .flat_map(|m| [m * edge - 1, m * edge, m * edge + 1])
        {
            if near <= shape.max_len {
                lengths.push(near);
            }
        }
    }
    for _ in 0..RANDOM {
        lengths.push(random.below(shape.max_len + 1));
    }
    if !shape.many {
        return lengths.iter().map(|l| input(random, &[*l])).collect();
    }
    let mut all = Vec::new();
    for count in COUNTS {
        let same = lengths[random.below(lengths.len())];
        all.push(input(random, &alloc::vec![same; count]));
        let mixed: Vec<usize> = (0..count)
            .map(|_| lengths[random.below(lengths.len())])
            .collect();
        all.push(input(random, &mixed));
    }
    all
}

/// Known answers as the function takes them: message by message, or all at once.
pub(super) fn answers(known: &[Known], shape: Shape) -> Vec<Answer> {
    let answer = |some: &[Known]| Answer {
        input: together(&some.iter().map(Known::message).collect::<Vec<_>>()),
        results: some.iter().map(Known::digest).collect(),
    };
    let at_once = if shape.many { known.len().max(1) } else { 1 };
    known.chunks(at_once).map(answer).collect()
}

/// Random messages of these lengths in one buffer. Gaps between them let them begin at
/// any address.
fn input(random: &mut Random, lengths: &[usize]) -> Input {
    let mut numbers = Vec::new();
    let mut end = 0;
    for length in lengths {
        end += random.below(64);
        numbers.extend([end as u64, *length as u64]);
        end += length;
    }
    Input {
        bytes: random.bytes(end),
        items: lengths.len(),
        numbers,
    }
}

fn together(messages: &[Vec<u8>]) -> Input {
    let mut numbers = Vec::new();
    let mut bytes = Vec::new();
    for message in messages {
        numbers.extend([bytes.len() as u64, message.len() as u64]);
        bytes.extend(message);
    }
    Input {
        bytes,
        items: messages.len(),
        numbers,
    }
}

/// The messages of an input that a check made. Its numbers are begin and length of each.
pub(super) fn messages(input: &Input) -> Vec<&[u8]> {
    let (pairs, _) = input.numbers.as_chunks::<2>();
    let message = |[start, length]: &[u64; 2]| &input.bytes[*start as usize..][..*length as usize];
    pairs.iter().map(message).collect()
}

/// The message of a result, in words.
pub(super) fn describe(input: &Input, result: usize) -> String {
    let messages = messages(input);
    match (messages.get(result), messages.len()) {
        (Some(message), 1) => format!("{} bytes", message.len()),
        (Some(message), count) => {
            format!("message {} of {count}, {} bytes", result + 1, message.len())
        }
        (None, count) => format!("no message {} of {count}", result + 1),
    }
}

/// All messages in words, for a result that is made of all.
pub(super) fn describe_all(input: &Input, _: usize) -> String {
    let messages = messages(input);
    let bytes: usize = messages.iter().map(|m| m.len()).sum();
    format!("{} messages, {bytes} bytes together", messages.len())
}

#[cfg(test)]
mod tests {
    use super::super::known::BLAKE2B;
    use super::*;

    #[test]
    fn inputs_are_around_every_edge_and_say_which_message_they_hold() {
        let inputs_of = |shape| inputs(&mut Random::new(1), shape);
        let single = inputs_of(one(&[64], 200));
        let lengths: Vec<usize> = single.iter().map(|i| messages(i)[0].len()).collect();
        for length in [0, 1, 63, 64, 65, 127, 128, 129, 191, 192, 193] {
            assert!(lengths.contains(&length), "{length}");
        }
        assert!(lengths.iter().all(|l| *l <= 200) && lengths.len() > 40);
        let counts: Vec<usize> = inputs_of(many(&[64], 200))
            .iter()
            .map(|i| i.items)
            .collect();
        assert!(COUNTS.iter().all(|c| counts.contains(c)));
        let three = input(&mut Random::new(1), &[5, 0, 7]);
        assert_eq!(describe(&three, 2), "message 3 of 3, 7 bytes");
        assert_eq!(describe(&three, 3), "no message 4 of 3");
        assert_eq!(describe_all(&three, 0), "3 messages, 12 bytes together");
    }

    #[test]
    fn known_answers_come_one_by_one_or_at_once() {
        let single = answers(BLAKE2B, one(&[128], 1));
        let at_once = answers(BLAKE2B, many(&[128], 1));
        assert_eq!((single.len(), at_once.len()), (BLAKE2B.len(), 1));
        for (i, answer) in single.iter().enumerate() {
            assert_eq!(messages(&answer.input), [messages(&at_once[0].input)[i]]);
            assert_eq!(answer.results[..], at_once[0].results[i..=i]);
        }
        assert!(answers(&[], many(&[128], 1)).is_empty());
    }
}
