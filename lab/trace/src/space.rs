//! One address space: where the plan's files are mapped, and what is planted there.

use crate::loader::Loader;
use crate::machine::HERE;
use crate::maps::Mapping;
use crate::memory::Memory;
use crate::plan::{Plan, Site};
use std::io;

/// Pages are planted as a whole.
const PAGE: u64 = 4096;
/// Bytes read and written at once, at most.
const RUN: u64 = 1 << 20;

/// What is known of the plan's sites, whichever space they are in.
pub(crate) struct Sites {
    pub plan: Plan,
    /// By file and index: no breakpoint is wanted any more.
    pub done: Vec<Vec<bool>>,
    /// By file and index: the instruction's own bytes, once they have been seen.
    pub original: Vec<Vec<Option<[u8; 4]>>>,
    /// How many are not done.
    pub open: usize,
}

impl Sites {
    pub(crate) fn new(plan: Plan) -> Self {
        let counts = || plan.files.iter().map(|file| file.offsets().len());
        Self {
            done: counts().map(|count| vec![false; count]).collect(),
            original: counts().map(|count| vec![None; count]).collect(),
            open: counts().sum(),
            plan,
        }
    }

    /// Notes that a site is done; tells whether it was not before.
    pub(crate) fn finish(&mut self, site: Site) -> bool {
        let done = self
            .done
            .get_mut(site.file)
            .and_then(|f| f.get_mut(site.index));
        match done {
            Some(done) if !*done => {
                *done = true;
                self.open -= 1;
                true
            }
            _ => false,
        }
    }
}

/// The code of a file of the plan, mapped somewhere.
#[derive(Clone)]
pub(crate) struct Mapped {
    pub file: usize,
    start: u64,
    end: u64,
    offset: u64,
    /// Index of the first site in the mapping.
    first: usize,
    /// By site of the mapping: whether its breakpoint is there.
    planted: Vec<bool>,
}

impl Mapped {
    fn address(&self, sites: &Sites, index: usize) -> u64 {
        self.start + (sites.plan.files[self.file].offsets()[index] - self.offset)
    }

    fn is(&self, file: usize, mapping: &Mapping) -> bool {
        (self.file, self.start, self.end, self.offset)
            == (file, mapping.start, mapping.end, mapping.offset)
    }
}

/// An address space, which tasks may share.
pub(crate) struct Space {
    pub memory: Memory,
    pub mapped: Vec<Mapped>,
    pub loader: Option<Loader>,
    /// Whether nothing tells of libraries that come later but system calls.
    pub is_blind: bool,
}

impl Space {
    pub(crate) fn new(memory: Memory) -> Self {
        Self {
            memory,
            mapped: Vec::new(),
            loader: None,
            is_blind: false,
        }
    }

    /// The copy of this space that a fork has made.
    pub(crate) fn forked(&self, memory: Memory) -> Self {
        Self {
            memory,
            mapped: self.mapped.clone(),
            loader: self.loader.clone(),
            is_blind: self.is_blind,
        }
    }

    /// The site at an address.
    pub(crate) fn site_at(&self, sites: &Sites, address: u64) -> Option<Site> {
        self.mapped.iter().find_map(|mapped| {
            if !(mapped.start..mapped.end).contains(&address) {
                return None;
            }
            let offset = mapped.offset + (address - mapped.start);
            let offsets = sites.plan.files[mapped.file].offsets();
            let index = offsets.binary_search(&offset).ok()?;
            Some(Site {
                file: mapped.file,
                index,
            })
        })
    }

    /// Takes note of what is mapped now, and plants what is new. Returns the files
    /// whose code is new here, and how many breakpoints were planted.
    pub(crate) fn look(
        &mut self,
        task: i32,
        sites: &mut Sites,
        maps: &[Mapping],
    ) -> io::Result<(Vec<usize>, u64)> {
        let mut new = Vec::new();
        let mut kept = Vec::new();
        for mapping in maps.iter().filter(|mapping| mapping.is_code) {
            let files = &sites.plan.files;
            let Some(file) = files.iter().position(|f| f.identity() == mapping.identity) else {
                continue;
            };
            match self.mapped.iter().position(|m| m.is(file, mapping)) {
                Some(at) => kept.push(self.mapped.swap_remove(at)),
                None => {
                    let offsets = sites.plan.files[file].offsets();
                    let length = mapping.end - mapping.start;
                    let first = offsets.partition_point(|at| *at < mapping.offset);
                    let behind = offsets.partition_point(|at| *at < mapping.offset + length);
                    new.push(Mapped {
                        file,
                        start: mapping.start,
                        end: mapping.end,
                        offset: mapping.offset,
                        first,
                        planted: vec![false; behind - first],
                    });
                }
            }
        }
        let files = new.iter().map(|mapped| mapped.file).collect();
        let mut planted = 0;
        for mapped in &mut new {
            planted += plant(&self.memory, task, sites, mapped)?;
        }
        kept.extend(new);
        self.mapped = kept;
        Ok((files, planted))
    }

    /// Takes the breakpoint of one site out, wherever it is in this space.
    pub(crate) fn restore(&mut self, task: i32, sites: &Sites, site: Site) -> io::Result<()> {
        let Some(original) = sites.original[site.file][site.index] else {
            return Ok(());
        };
        for mapped in &mut self.mapped {
            if mapped.file != site.file || site.index < mapped.first {
                continue;
            }
            let address = mapped.address(sites, site.index);
            let Some(planted) = mapped.planted.get_mut(site.index - mapped.first) else {
                continue;
            };
            *planted = false;
            self.memory.put_back(task, address, original)?;
        }
        Ok(())
    }

    /// Takes out what is done elsewhere and still planted here.
    pub(crate) fn refresh(&mut self, task: i32, sites: &Sites) -> io::Result<()> {
        for mapped in &mut self.mapped {
            for at in 0..mapped.planted.len() {
                let index = mapped.first + at;
                if mapped.planted[at] && sites.done[mapped.file][index] {
                    mapped.planted[at] = false;
                    if let Some(original) = sites.original[mapped.file][index] {
                        let address = mapped.address(sites, index);
                        self.memory.put_back(task, address, original)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes all breakpoints out, also those that a fork has copied meanwhile.
    pub(crate) fn clear(&mut self, task: i32, sites: &Sites) -> io::Result<()> {
        for mapped in &mut self.mapped {
            let addresses: Vec<(usize, u64)> = (0..mapped.planted.len())
                .map(|at| (at, mapped.address(sites, mapped.first + at)))
                .collect();
            edit(&self.memory, task, &addresses, |code, place, at| {
                let index = mapped.first + at;
                let original = sites.original[mapped.file][index];
                original.is_some_and(|original| HERE.restore(code, place, original))
            })?;
            mapped.planted.fill(false);
        }
        match self.loader.take() {
            Some(loader) => loader.remove(&self.memory, task),
            None => Ok(()),
        }
    }
}

/// Plants what is not done in a mapping; how many those are.
fn plant(memory: &Memory, task: i32, sites: &mut Sites, mapped: &mut Mapped) -> io::Result<u64> {
    let file = mapped.file;
    let addresses: Vec<(usize, u64)> = (0..mapped.planted.len())
        .filter(|at| !sites.done[file][mapped.first + at])
        .map(|at| (at, mapped.address(sites, mapped.first + at)))
        .collect();
    let mut planted = 0;
    let (first, flags) = (mapped.first, &mut mapped.planted);
    edit(memory, task, &addresses, |code, place, at| {
        let known = sites.original[file][first + at];
        let Some(original) = HERE.plant(code, place) else {
            return false;
        };
        // Where the program has written over its code since, the bytes that will be
        // put back would be wrong.
        if known.is_some_and(|known| known != original) {
            HERE.restore(code, place, original);
            return false;
        }
        sites.original[file][first + at] = Some(original);
        flags[at] = true;
        planted += 1;
        true
    })?;
    Ok(planted)
}

/// Reads the pages that hold `addresses` (sorted, each with a number), hands each place
/// to `change`, and writes the pages that changed.
fn edit(
    memory: &Memory,
    task: i32,
    addresses: &[(usize, u64)],
    mut change: impl FnMut(&mut [u8], usize, usize) -> bool,
) -> io::Result<()> {
    let mut rest = addresses;
    while let Some(&(_, first)) = rest.first() {
        let from = first & !(PAGE - 1);
        let page_end = |address: u64| (address + HERE.trap.len() as u64).next_multiple_of(PAGE);
        let mut until = page_end(first);
        let mut count = 1;
        for &(_, address) in &rest[1..] {
            if address >= until + PAGE || address - from >= RUN {
                break;
            }
            until = until.max(page_end(address));
            count += 1;
        }
        let mut code = vec![0; (until - from) as usize];
        memory.read(from, &mut code)?;
        let mut changed = false;
        for &(number, address) in &rest[..count] {
            changed |= change(&mut code, (address - from) as usize, number);
        }
        if changed {
            memory.write(task, from, &code)?;
        }
        rest = &rest[count..];
    }
    Ok(())
}
