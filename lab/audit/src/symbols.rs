//! Function symbols, and the code that has none.
//!
//! Order of trust: a *sized* function symbol owns exactly its bytes; of the rest
//! an entry of the unwind table owns its bytes; of the rest a global symbol
//! without a size (hand-written assembly often has no `.size`) owns what follows
//! it, up to the next of all these. What is left stays `[no symbol]`: to give it
//! to the nearest *sized* symbol before it, as disassemblers do, put 2,018
//! instructions of BLAKE3 assembly on `std::wstring::substr` in a real binary.

use crate::fdes;
use crate::image::{CodeSection, Image};
use crate::span::{Cursor, Nested, Span, flatten};
use object::{Object, ObjectSymbol, SymbolKind};
use std::collections::{BTreeMap, HashMap};

/// A gap shorter than this between two functions is taken for padding: 64 is
/// the largest alignment compilers give functions.
const PADDING: u64 = 64;

/// One function, or one region without a symbol.
pub(crate) struct Function<'a> {
    pub address: u64,
    /// Mangled names: one for most functions, several when they are aliases (or
    /// were folded), none for a region without a symbol.
    pub names: Vec<&'a str>,
    /// Where the FDE starts that covers a region without a symbol.
    pub fde: Option<u64>,
}

/// All code of an image, cut into functions.
pub(crate) struct Symbols<'a> {
    pub functions: Vec<Function<'a>>,
    /// Every byte of code that counts: indices into `functions`, sorted,
    /// non-overlapping.
    pub spans: Vec<Span<u32>>,
}

impl<'a> Symbols<'a> {
    /// Reads `.symtab`, and `.dynsym` for what a stripped file still exports.
    pub fn read<'file>(image: &'file Image<'a>) -> Self
    where
        'file: 'a,
    {
        let mut functions: Vec<Function<'a>> = Vec::new();
        let mut nested: Vec<Nested<u32>> = Vec::new();
        let mut known: HashMap<(u64, u64), u32> = HashMap::new();
        let mut labels = Labels::new();
        for symbol in image.file.symbols().chain(image.file.dynamic_symbols()) {
            let (address, size) = (symbol.address(), symbol.size());
            let Some(end) = address.checked_add(size) else {
                continue;
            };
            // Assembly often has a size but no type.
            if !matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Unknown)
                || !symbol.is_definition()
                || !image.is_code(address)
            {
                continue;
            }
            // A damaged name is no reason to lose the function.
            let name = symbol.name().unwrap_or("[unreadable name]");
            if size == 0 {
                // Local ones are labels inside of functions.
                if symbol.is_global() {
                    let names = labels.entry(address).or_default();
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                continue;
            }
            match known.get(&(address, size)) {
                Some(&index) => {
                    let names = &mut functions[index as usize].names;
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                None => {
                    let index = functions.len() as u32;
                    known.insert((address, size), index);
                    functions.push(Function {
                        address,
                        names: vec![name],
                        fde: None,
                    });
                    let span = Span {
                        start: address,
                        end,
                        value: index,
                    };
                    // Two symbols at one address: the shorter one is the more
                    // exact, so it counts as the deeper.
                    nested.push((span, u32::MAX - size.min(u64::from(u32::MAX)) as u32));
                }
            }
        }
        let covered = flatten(nested);
        let spans = fill_gaps(image, &covered, &labels, &mut functions);
        Self { functions, spans }
    }

    /// Bytes of code that count.
    pub fn code_bytes(&self) -> u64 {
        self.spans.iter().map(|span| span.end - span.start).sum()
    }

    /// Bytes of one section that count.
    pub fn bytes_in(&self, section: &CodeSection<'_>) -> u64 {
        let first = self.spans.partition_point(|s| s.end <= section.address);
        let inside = self.spans[first..].iter();
        inside
            .take_while(|span| span.start < section.end())
            .map(|span| span.end - span.start)
            .sum()
    }
}

/// Global symbols without a size, by address.
type Labels<'a> = BTreeMap<u64, Vec<&'a str>>;

/// Adds functions for what no sized symbol covers.
fn fill_gaps<'a>(
    image: &Image<'_>,
    covered: &[Span<u32>],
    labels: &Labels<'a>,
    functions: &mut Vec<Function<'a>>,
) -> Vec<Span<u32>> {
    let fdes = fdes::read(image);
    let mut spans = Vec::with_capacity(covered.len() * 2);
    for section in &image.code {
        let mut gaps = Gaps {
            fdes: Cursor::new(&fdes),
            labels,
            padding: None,
            last_fde: None,
            functions,
        };
        let mut at = section.address;
        let first = covered.partition_point(|span| span.end <= section.address);
        for span in covered[first..]
            .iter()
            .take_while(|s| s.start < section.end())
        {
            if !section.named_only {
                gaps.fill(at, span.start, &mut spans);
            }
            // A size that runs over the section's end is cut.
            let start = span.start.max(at);
            let end = span.end.min(section.end());
            spans.push(Span {
                start,
                end,
                value: span.value,
            });
            at = end;
        }
        if !section.named_only {
            gaps.fill(at, section.end(), &mut spans);
        }
    }
    spans
}

/// The code of one section that no sized symbol covers.
struct Gaps<'g, 'a> {
    fdes: Cursor<'g, u64>,
    labels: &'g Labels<'a>,
    /// The function for all short gaps: with one each, a binary would have as
    /// many regions as functions.
    padding: Option<u32>,
    /// The FDE seen last and its function: a symbol may cut it in two.
    last_fde: Option<(u64, u32)>,
    functions: &'g mut Vec<Function<'a>>,
}

impl Gaps<'_, '_> {
    /// Appends spans for the gap `start..end`, if it is one.
    fn fill(&mut self, start: u64, end: u64, spans: &mut Vec<Span<u32>>) {
        let mut at = start;
        while at < end {
            let (fde, until) = self.fdes.at(at);
            let mut until = until.min(end);
            if fde.is_none() {
                let next = self.labels.range(at + 1..until).next();
                until = next.map_or(until, |(address, _)| *address);
            }
            let value = self.function(at, until, fde);
            spans.push(Span {
                start: at,
                end: until,
                value,
            });
            at = until;
        }
    }

    fn function(&mut self, start: u64, end: u64, fde: Option<u64>) -> u32 {
        match (fde, self.last_fde) {
            (Some(fde), Some((last, function))) if fde == last => return function,
            // What a symbol leaves of its own FDE is padding.
            (Some(fde), _) if fde == start || end - start >= PADDING => {
                let function = self.add(start, Some(fde));
                self.last_fde = Some((fde, function));
                return function;
            }
            _ if end - start >= PADDING || self.labels.contains_key(&start) => {
                return self.add(start, None);
            }
            _ => {}
        }
        if let Some(padding) = self.padding {
            return padding;
        }
        let padding = self.add(start, None);
        self.padding = Some(padding);
        padding
    }

    fn add(&mut self, address: u64, fde: Option<u64>) -> u32 {
        self.functions.push(Function {
            address,
            names: self.labels.get(&address).cloned().unwrap_or_default(),
            fde,
        });
        self.functions.len() as u32 - 1
    }
}
