//! From counters to the document of an audit, for one object file or several.

use crate::count::arch::{extension_sets, mnemonic_name};
use crate::count::census::Counted;
use crate::counts::{Tally, add_census};
use crate::survival::{Found, judge};
use karat_binary::attribute::by_name::ByName;
use karat_binary::debug::owner::UNATTRIBUTED;
use karat_binary::read::image::{CodeSection, Image};
use karat_binary::read::symbols::Symbols;
use karat_model::audit::{
    ApartRegion, BinaryAudit, Census, CrateCensus, FunctionCensus, SectionCensus,
};
use karat_model::catalogue::KnownKernel;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

const DEAD_COPY: &str = "no sized symbol covers it where BOLT left the code it moved: \
     taken for dead copies and not counted";
const MAYBE_DATA: &str = "functions with bytes that do not decode may be data: \
     counted, but no extension is claimed from them";
const DATA: &str = "data between instructions, as the file itself marks it: not counted";

/// What was counted, by name.
#[derive(Default)]
pub(crate) struct Summary {
    pub code_bytes: u64,
    pub has_line_tables: bool,
    total: Census,
    functions: Vec<FunctionCensus>,
    functions_total: u64,
    /// By name, and whether functions' names told it.
    crates: BTreeMap<(String, bool), Census>,
    sections: Vec<SectionCensus>,
    apart: Vec<ApartRegion>,
    known: Vec<KnownKernel>,
    /// By expected function.
    found: Vec<Found>,
}

/// What was learnt of one object file.
pub(crate) struct Facts<'a> {
    pub image: &'a Image<'a>,
    pub symbols: &'a Symbols<'a>,
    pub counted: &'a Counted,
    /// The owners.
    pub owners: &'a ByName,
    pub has_line_tables: bool,
    /// By expected function: whether it has a symbol, and what limits the answer.
    pub targets: Vec<(bool, Option<String>)>,
    /// Kernels of the catalogue.
    pub known: Vec<KnownKernel>,
    /// Name of the archive's member.
    pub member: Option<&'a str>,
    /// How many functions to list.
    pub top: usize,
}

impl Facts<'_> {
    fn name(&self, function: u32) -> String {
        let name = self.symbols.readable_name(function);
        match self.member {
            Some(member) => format!("{name} ({member})"),
            None => name,
        }
    }
}

impl Summary {
    pub fn of(facts: &Facts<'_>) -> Self {
        let (image, counted) = (facts.image, facts.counted);
        let functions = counted.functions.iter();
        Self {
            code_bytes: facts.symbols.code_bytes(),
            has_line_tables: facts.has_line_tables,
            total: total(counted).census(image.arch, extension_sets(image.arch)),
            functions: functions_of(facts),
            functions_total: functions.filter(|c| c.is_there()).count() as u64,
            crates: crates(facts),
            sections: sections(facts),
            apart: apart(facts),
            known: facts.known.clone(),
            found: found(facts),
        }
    }

    /// Adds another object file of the same archive.
    pub fn add(&mut self, other: Self, top: usize) {
        self.code_bytes += other.code_bytes;
        self.has_line_tables |= other.has_line_tables;
        add_census(&mut self.total, &other.total);
        self.functions.extend(other.functions);
        // Twice as many before sorting: else every member sorts them all.
        if self.functions.len() / 2 > top {
            most_vector_first(&mut self.functions, top);
        }
        self.functions_total += other.functions_total;
        for (name, census) in &other.crates {
            add_census(self.crates.entry(name.clone()).or_default(), census);
        }
        for section in other.sections {
            match self.sections.iter_mut().find(|s| s.name == section.name) {
                Some(mine) => {
                    mine.bytes += section.bytes;
                    add_census(&mut mine.census, &section.census);
                }
                None => self.sections.push(section),
            }
        }
        for region in other.apart {
            let same =
                |mine: &&mut ApartRegion| mine.section == region.section && mine.why == region.why;
            match self.apart.iter_mut().find(same) {
                Some(mine) => {
                    mine.bytes += region.bytes;
                    mine.undecodable += region.undecodable;
                }
                None => self.apart.push(region),
            }
        }
        self.known.extend(other.known);
        for (mine, theirs) in self.found.iter_mut().zip(other.found) {
            mine.has_symbol |= theirs.has_symbol;
            add_census(&mut mine.census, &theirs.census);
            for (name, count) in theirs.mix {
                *mine.mix.entry(name).or_default() += count;
            }
            for (name, count) in theirs.hosts {
                *mine.hosts.entry(name).or_default() += count;
            }
            mine.caveat = mine.caveat.take().or(theirs.caveat);
        }
    }

    /// The audit's document; `expected` as the study wrote them.
    pub fn document(
        mut self,
        format: String,
        expected: &[String],
        baseline: Option<&BinaryAudit>,
        top: usize,
    ) -> BinaryAudit {
        most_vector_first(&mut self.functions, top);
        let mut crates: Vec<_> = self
            .crates
            .into_iter()
            .map(|((name, by_symbol), census)| CrateCensus {
                name,
                by_symbol,
                census,
            })
            .collect();
        // Equal ones stay by name.
        crates.sort_by_key(|c| Reverse(c.census.instructions));
        let found = expected.iter().zip(self.found);
        let mut audit = BinaryAudit {
            format,
            code_bytes: self.code_bytes,
            has_line_tables: self.has_line_tables,
            total: self.total,
            functions: self.functions,
            functions_total: self.functions_total,
            crates,
            sections: self.sections,
            apart: self.apart,
            known: self.known,
            ..Default::default()
        };
        // A baseline of another machine would make every function look changed.
        let baseline = baseline.filter(|baseline| baseline.same_machine(&audit));
        audit.survival = found
            .map(|(written, found)| judge(written, found, baseline))
            .collect();
        audit
    }
}

/// The functions with most wide vector instructions, then with most vector
/// instructions of any width; ties by size, then by address, so that two audits of one file agree.
fn most_vector_first(functions: &mut Vec<FunctionCensus>, top: usize) {
    functions.sort_by_key(|f| {
        let census = &f.census;
        (
            Reverse(census.ymm + census.zmm + census.sve),
            Reverse(census.vector()),
            Reverse(census.instructions),
            f.address,
        )
    });
    functions.truncate(top);
}

fn total(counted: &Counted) -> Tally {
    let mut total = Tally::default();
    for owner in &counted.owners {
        total.add(owner);
    }
    total
}

fn crates(facts: &Facts<'_>) -> BTreeMap<(String, bool), Census> {
    let mut by_name: BTreeMap<(String, bool), Census> = BTreeMap::new();
    let names = facts.owners.owners.iter().enumerate();
    let names = names.map(|(number, name)| (name.as_str(), number >= facts.owners.by_line));
    let names = names.chain([(UNATTRIBUTED, false)]);
    for ((name, by_symbol), tally) in names.zip(&facts.counted.owners) {
        if tally.counts.is_there() {
            let census = tally.census(facts.image.arch, extension_sets(facts.image.arch));
            let key = (name.to_string(), by_symbol);
            add_census(by_name.entry(key).or_default(), &census);
        }
    }
    by_name
}

fn sections(facts: &Facts<'_>) -> Vec<SectionCensus> {
    let mut out: Vec<SectionCensus> = Vec::new();
    for (section, tally) in facts.image.code.iter().zip(&facts.counted.sections) {
        let bytes = facts.symbols.bytes_in(section);
        let census = tally.census(facts.image.arch, extension_sets(facts.image.arch));
        // Objects have a section for every function; all are called alike.
        match out.iter_mut().find(|s| s.name == section.name) {
            Some(mine) => {
                mine.bytes += bytes;
                add_census(&mut mine.census, &census);
            }
            None => out.push(SectionCensus {
                name: section.name.clone(),
                bytes,
                census,
            }),
        }
    }
    out
}

/// What the totals leave out, or say less about.
fn apart(facts: &Facts<'_>) -> Vec<ApartRegion> {
    let mut out: Vec<ApartRegion> = Vec::new();
    let mut add = |section: &CodeSection<'_>, bytes: u64, undecodable: u64, why: &str| {
        if bytes == 0 {
            return;
        }
        let same = |mine: &&mut ApartRegion| mine.section == section.name && mine.why == why;
        match out.iter_mut().find(same) {
            Some(mine) => {
                mine.bytes += bytes;
                mine.undecodable += undecodable;
            }
            None => out.push(ApartRegion {
                section: section.name.clone(),
                bytes,
                undecodable,
                why: why.into(),
            }),
        }
    };
    for (section, withheld) in facts.image.code.iter().zip(&facts.counted.withheld) {
        let data = facts.symbols.data_in(section);
        let counted = facts.symbols.bytes_in(section);
        let unread = section.bytes.len() as u64 - counted - data;
        add(section, unread, 0, DEAD_COPY);
        add(section, data, 0, DATA);
        add(section, withheld.bytes, withheld.undecodable, MAYBE_DATA);
    }
    out
}

fn found(facts: &Facts<'_>) -> Vec<Found> {
    let arch = facts.image.arch;
    let targets = facts.targets.iter().zip(&facts.counted.targets);
    targets
        .map(|((has_symbol, caveat), counted)| {
            let mut found = Found {
                has_symbol: *has_symbol,
                census: counted.tally.census(arch, extension_sets(arch)),
                caveat: caveat.clone(),
                ..Default::default()
            };
            for (number, &count) in counted.mix.iter().enumerate() {
                if count > 0 {
                    let name = mnemonic_name(arch, number);
                    *found.mix.entry(name).or_default() += u64::from(count);
                }
            }
            for (&function, &instructions) in &counted.hosts {
                *found.hosts.entry(facts.name(function)).or_default() += instructions;
            }
            found
        })
        .collect()
}

/// The first functions in the order of [`most_vector_first`].
fn functions_of(facts: &Facts<'_>) -> Vec<FunctionCensus> {
    let (symbols, counted) = (facts.symbols, facts.counted);
    let mut order: Vec<u32> = (0..counted.functions.len() as u32)
        .filter(|&f| counted.functions[f as usize].is_there())
        .collect();
    let place = |f: &u32| {
        let counts = &counted.functions[*f as usize];
        (
            Reverse((counts.wide(), counts.vector(), counts.instructions)),
            symbols.functions[*f as usize].address,
            *f,
        )
    };
    // Few are listed: the others need no order.
    if facts.top < order.len() {
        order.select_nth_unstable_by_key(facts.top, place);
        order.truncate(facts.top);
    }
    order.sort_unstable_by_key(place);
    let mut tallies: HashMap<u32, Tally> = order
        .iter()
        .map(|&f| (f, Tally::of((&counted.functions[f as usize]).into())))
        .collect();
    for &(function, set, count) in &counted.function_sets {
        if let Some(tally) = tallies.get_mut(&function) {
            tally.add_set(set, count);
        }
    }
    order
        .iter()
        .map(|f| FunctionCensus {
            name: facts.name(*f),
            address: symbols.functions[*f as usize].address,
            census: tallies[f].census(facts.image.arch, extension_sets(facts.image.arch)),
        })
        .collect()
}
