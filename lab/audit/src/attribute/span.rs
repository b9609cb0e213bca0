//! Address ranges that carry a value: the common shape of symbols, line tables
//! and inline trees once they are ready to be walked beside the decoder.

/// The half-open address range `start..end` with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span<T> {
    pub start: u64,
    pub end: u64,
    pub value: T,
}

/// A span and how deeply it is nested; of two that start together the deeper
/// one wins.
pub(crate) type Nested<T> = (Span<T>, u32);

/// Turns nested or overlapping spans into sorted, non-overlapping ones: at every
/// address the span that started last wins, and its parent goes on behind it.
/// Neighbours with the same value become one. Empty and reversed spans vanish.
pub(crate) fn flatten<T: Copy + PartialEq>(mut nested: Vec<Nested<T>>) -> Vec<Span<T>> {
    nested.retain(|(span, _)| span.start < span.end);
    nested.sort_by_key(|(span, depth)| (span.start, *depth));
    let mut out: Vec<Span<T>> = Vec::with_capacity(nested.len());
    let mut open: Vec<Span<T>> = Vec::new();
    let mut cursor = 0;
    for (span, _) in nested {
        drain_until(&mut open, &mut cursor, span.start, &mut out);
        cursor = span.start;
        open.push(span);
    }
    drain_until(&mut open, &mut cursor, u64::MAX, &mut out);
    out
}

/// Emits what is open from `cursor` up to `limit`, innermost first.
fn drain_until<T: Copy + PartialEq>(
    open: &mut Vec<Span<T>>,
    cursor: &mut u64,
    limit: u64,
    out: &mut Vec<Span<T>>,
) {
    while let Some(top) = open.last() {
        if top.end <= *cursor {
            open.pop();
            continue;
        }
        if *cursor >= limit {
            break;
        }
        let end = top.end.min(limit);
        push_merged(
            out,
            Span {
                start: *cursor,
                end,
                value: top.value,
            },
        );
        *cursor = end;
    }
}

/// Appends a span, growing the last one when they touch and agree.
pub(crate) fn push_merged<T: PartialEq>(out: &mut Vec<Span<T>>, span: Span<T>) {
    match out.last_mut() {
        Some(last) if last.end == span.start && last.value == span.value => last.end = span.end,
        _ => out.push(span),
    }
}

/// What is left of sorted, non-overlapping spans without the addresses of others.
pub(crate) fn without<T: Copy>(spans: Vec<Span<T>>, others: &[Span<()>]) -> Vec<Span<T>> {
    if others.is_empty() {
        return spans;
    }
    let mut out = Vec::with_capacity(spans.len() + others.len());
    let mut next = 0;
    for span in spans {
        while others
            .get(next)
            .is_some_and(|other| other.end <= span.start)
        {
            next += 1;
        }
        let mut start = span.start;
        for other in others[next..].iter().take_while(|o| o.start < span.end) {
            if start < other.start {
                let end = other.start;
                out.push(Span { start, end, ..span });
            }
            start = start.max(other.end);
        }
        if start < span.end {
            out.push(Span { start, ..span });
        }
    }
    out
}

/// Walks sorted spans forwards, in step with a decoder.
pub(crate) struct Cursor<'a, T> {
    spans: &'a [Span<T>],
    next: usize,
}

impl<'a, T: Copy> Cursor<'a, T> {
    pub fn new(spans: &'a [Span<T>]) -> Self {
        Self { spans, next: 0 }
    }

    /// Moves to `address` (from anywhere; small steps forwards are cheap).
    /// Returns the value there, if any, and the address up to which that holds.
    pub fn at(&mut self, address: u64) -> (Option<T>, u64) {
        // Sections are not always sorted as the spans are, and a resync steps
        // back: search again then.
        if self.next > 0 && self.spans[self.next - 1].end > address {
            self.next = self.spans.partition_point(|span| span.end <= address);
        }
        while let Some(span) = self.spans.get(self.next) {
            if span.end <= address {
                self.next += 1;
                continue;
            }
            return if span.start <= address {
                (Some(span.value), span.end)
            } else {
                (None, span.start)
            };
        }
        (None, u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: u64, end: u64, value: char) -> Span<char> {
        Span { start, end, value }
    }

    #[test]
    fn inner_spans_win_and_outer_ones_resume() {
        let flat = flatten(vec![
            (span(0, 10, 'a'), 0),
            (span(2, 8, 'b'), 1),
            (span(2, 4, 'c'), 2),
            (span(20, 22, 'd'), 0),
        ]);
        assert_eq!(
            flat,
            [
                span(0, 2, 'a'),
                span(2, 4, 'c'),
                span(4, 8, 'b'),
                span(8, 10, 'a'),
                span(20, 22, 'd'),
            ]
        );
    }

    #[test]
    fn overlap_without_nesting_loses_nothing() {
        let flat = flatten(vec![(span(0, 6, 'a'), 0), (span(4, 9, 'b'), 0)]);
        assert_eq!(flat, [span(0, 4, 'a'), span(4, 9, 'b')]);
    }

    #[test]
    fn spans_are_cut_around_others() {
        let cut = |start, end| Span {
            start,
            end,
            value: (),
        };
        let left = without(
            vec![span(0, 10, 'a'), span(10, 12, 'b'), span(20, 30, 'c')],
            &[cut(0, 2), cut(4, 5), cut(8, 15), cut(25, 40)],
        );
        assert_eq!(left, [span(2, 4, 'a'), span(5, 8, 'a'), span(20, 25, 'c')]);
    }

    #[test]
    fn cursor_finds_gaps_and_steps_back() {
        let spans = [span(2, 4, 'a'), span(6, 8, 'b')];
        let mut cursor = Cursor::new(&spans);
        assert_eq!(cursor.at(0), (None, 2));
        assert_eq!(cursor.at(7), (Some('b'), 8));
        assert_eq!(cursor.at(3), (Some('a'), 4));
        assert_eq!(cursor.at(9), (None, u64::MAX));
    }
}
