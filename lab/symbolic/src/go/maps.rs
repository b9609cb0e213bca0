//! Go's maps. Where the run-time puts keys goes by a hash that it draws anew in each run: they are
//! kept in the order in which they were stored, and what the program itself reads of a map, how
//! many elements there are, is as the run-time has it.

use crate::bits::{Fork, Kind, Word};
use crate::convention::GO_WORDS;
use crate::machine::{Machine, Stop};
use crate::state::State;

/// Of a map's record, a word that only the run-time reads (`clearSeq` in
/// `internal/runtime/maps/map.go`, `extra` before Go 1.24): here where its list is.
const LIST: u64 = 40;
/// Bytes of that record.
const RECORD: u64 = 48;
/// Keys of one map, at most.
const MOST: u64 = 256;
/// Where a map's type names the types of keys and elements (`internal/abi/map.go`).
const KEY: u64 = 48;
const ELEMENT: u64 = 56;
/// What goes through a map: the key and the element at last, which the program reads, then what
/// the run-time reads, here the map and how many of its list were come to.
const MAP: u64 = 16;
const PLACE: u64 = 24;
const ITERATOR: u64 = 32;
/// The kind of texts, and the flag of types that are the same where their bytes are
/// (`internal/abi/type.go`).
const TEXT: u64 = 24;
const REGULAR: u64 = 8;

/// What is known, or why it is not.
type Known<T> = Result<T, Kind>;

impl Machine<'_> {
    /// A function of the run-time's that goes by a map.
    pub fn go_map(&mut self, state: &mut State, name: &str) -> Result<Vec<Word>, Stop> {
        let [of, map] = [0, 1].map(|number| self.go_given(state, number));
        Ok(match name {
            "makemap_small" => vec![Word::Known(state.memory.allocate(RECORD))],
            _ if name.starts_with("makemap") => {
                let given = self.go_given(state, 2).number()?.filter(|at| *at != 0);
                let map = given.unwrap_or_else(|| state.memory.allocate(RECORD));
                vec![Word::Known(map)]
            }
            "mapiterinit" | "mapIterStart" => {
                self.iterate(state, map)?;
                Vec::new()
            }
            "mapiternext" | "mapIterNext" => {
                if let Some(at) = of.number()? {
                    self.iterated(state, at)?;
                }
                Vec::new()
            }
            "mapclear" => {
                if let Some(map) = map.number()?.filter(|map| *map != 0) {
                    for at in [map, map + LIST] {
                        state.memory.write(at, &Word::ZERO, 8);
                    }
                }
                Vec::new()
            }
            _ => self.keyed(state, name, (of, map))?,
        })
    }

    /// A function that is given a key.
    fn keyed(
        &mut self,
        state: &mut State,
        name: &str,
        (of, map): (Word, Word),
    ) -> Result<Vec<Word>, Stop> {
        let key = self.go_key(state, name)?;
        let kinds = [KEY, ELEMENT].map(|by| match of.known() {
            Some(of) => self.load(state, Ok(of.wrapping_add(by)), 8).known(),
            None => None,
        });
        let map = map.number()?;
        let found = match (map, key, kinds) {
            (Some(0), ..) => Ok(None),
            (Some(map), Some(key), [Some(of), _]) => self.found(state, map, (key, of))?,
            _ => Err(Kind::Opaque),
        };
        let is_assigned = name.starts_with("mapassign");
        if let (true, Some(map), Err(_)) = (!name.starts_with("mapaccess"), map, &found) {
            self.lose_map(state, map);
        }
        Ok(match found {
            Err(_) if is_assigned => vec![Word::Known(state.memory.allocate(RECORD))],
            Err(kind) => vec![Word::unknown(8, kind), Word::Unknown(1, kind)],
            Ok(Some(pair)) if name.starts_with("mapdelete") => {
                let map = map.unwrap_or(0);
                state.memory.write(pair, &Word::ZERO, 8);
                let count = self.load(state, Ok(map), 8).number()?.unwrap_or(1);
                let left = Word::Known(count.saturating_sub(1));
                state.memory.write(map, &left, 8);
                Vec::new()
            }
            Ok(Some(pair)) => vec![self.load(state, Ok(pair + 8), 8), Word::Known(1)],
            Ok(None) if is_assigned => match (map, key, kinds) {
                (Some(map), Some(key), [Some(of), Some(element)]) => {
                    vec![self.added(state, map, (key, of), element)?]
                }
                _ => vec![Word::unknown(8, Kind::Opaque)],
            },
            // Zeros are read of an element that is not there.
            Ok(None) => {
                let size = kinds[1].and_then(|of| self.load(state, Ok(of), 8).known());
                let zeros = state.memory.allocate(size.unwrap_or(RECORD));
                vec![Word::Known(zeros), Word::ZERO]
            }
        })
    }

    /// Where the key is that a function is given: by its address, or as a number or text.
    fn go_key(&self, state: &mut State, name: &str) -> Result<Option<u64>, Stop> {
        let words = [2, 3].map(|number| self.go_given(state, number));
        let size = match name.rsplit_once("_fast").map(|(_, key)| key) {
            None => return Ok(words[0].number()?),
            Some("32" | "32ptr") => 4,
            Some(_) => 8,
        };
        let at = state.memory.allocate(16);
        state.memory.write(at, &words[0], size);
        if name.ends_with("str") {
            state.memory.write(at + 8, &words[1], 8);
        }
        Ok(Some(at))
    }

    /// The pairs of addresses of keys and elements that a map has.
    fn pairs(&self, state: &State, map: u64) -> Result<Known<(u64, u64)>, Fork> {
        let list = self.load(state, Ok(map.wrapping_add(LIST)), 8);
        Ok(match list.number()? {
            Some(0) => Ok((0, 0)),
            Some(list) => match self.load(state, Ok(list), 8).number()? {
                Some(count) if count <= MOST => Ok((list.wrapping_add(8), count)),
                _ => Err(Kind::Opaque),
            },
            None => Err(list.kind().unwrap_or(Kind::Opaque)),
        })
    }

    /// The pair that has a key, if there is one.
    fn found(
        &self,
        state: &State,
        map: u64,
        (key, of): (u64, u64),
    ) -> Result<Known<Option<u64>>, Stop> {
        let (first, count) = match self.pairs(state, map)? {
            Ok(pairs) => pairs,
            Err(kind) => return Ok(Err(kind)),
        };
        for pair in (0..count).map(|at| first.wrapping_add(at * 16)) {
            let Some(own) = self.load(state, Ok(pair), 8).number()? else {
                return Ok(Err(Kind::Opaque));
            };
            if own == 0 {
                continue;
            }
            let is_it = self.is_same_key(state, (own, key), of)?;
            match is_it.number()? {
                Some(0) => {}
                Some(_) => return Ok(Ok(Some(pair))),
                None => return Ok(Err(is_it.kind().unwrap_or(Kind::Opaque))),
            }
        }
        Ok(Ok(None))
    }

    fn is_same_key(&self, state: &State, keys: (u64, u64), of: u64) -> Result<Word, Stop> {
        let (a, b) = (Word::Known(keys.0), Word::Known(keys.1));
        let word = |by: u64, size| self.load(state, Ok(of.wrapping_add(by)), size).known();
        let [size, flags, kind] = [word(0, 8), word(20, 1), word(23, 1)];
        match (kind.map(|kind| kind & 31), flags) {
            (Some(TEXT), _) => {
                let (a, b) = (self.header(state, &a)?, self.header(state, &b)?);
                self.is_same_text(state, &a, &b)
            }
            (_, Some(flags)) if flags & REGULAR != 0 => self.is_same(state, &a, &b, size),
            _ => Ok(Word::Unknown(1, Kind::Opaque)),
        }
    }

    /// A new key: where its element is.
    fn added(
        &self,
        state: &mut State,
        map: u64,
        (key, of): (u64, u64),
        element: u64,
    ) -> Result<Word, Stop> {
        let sizes = [of, element].map(|of| self.load(state, Ok(of), 8).known());
        let (Ok((first, count)), [Some(size), Some(element)]) = (self.pairs(state, map)?, sizes)
        else {
            self.lose_map(state, map);
            return Ok(Word::Known(state.memory.allocate(RECORD)));
        };
        let element = state.memory.allocate(element);
        if count == MOST {
            self.lose_map(state, map);
            return Ok(Word::Known(element));
        }
        let first = match first {
            0 => {
                let list = state.memory.allocate(8 + MOST * 16);
                let place = map.wrapping_add(LIST);
                state.memory.write(place, &Word::Known(list), 8);
                list + 8
            }
            known => known,
        };
        let own = state.memory.allocate(size);
        self.go_copy(state, &Word::Known(own), &Word::Known(key), Some(size))?;
        let pair = first.wrapping_add(count * 16);
        let all = self.load(state, Ok(map), 8).number()?.unwrap_or(count) + 1;
        for (at, word) in [
            (first - 8, count + 1),
            (map, all),
            (pair, own),
            (pair + 8, element),
        ] {
            state.memory.write(at, &Word::Known(word), 8);
        }
        Ok(Word::Known(element))
    }

    /// What a map has is not known any more.
    fn lose_map(&self, state: &mut State, map: u64) {
        for at in [map, map.wrapping_add(LIST)] {
            state.memory.forget(at, 8, Kind::Opaque);
        }
    }

    /// A map is gone through from its beginning: in which order nobody knows, but it may be that
    /// in which it was filled, and in one run that is enough.
    fn iterate(&self, state: &mut State, map: Word) -> Result<(), Stop> {
        let Some(at) = state
            .plain(&self.symbols, state.registers[GO_WORDS[2]].clone())
            .number()?
        else {
            state.is_unsure = true;
            return Ok(());
        };
        let count = match map.number()? {
            Some(0) => Some(0),
            Some(map) => self.pairs(state, map)?.ok().map(|(_, count)| count),
            None => None,
        };
        if count.is_none_or(|count| count > 1 && !self.is_plain) {
            state.memory.forget(at, ITERATOR, Kind::Opaque);
            return Ok(());
        }
        state.memory.write(at + MAP, &map, 8);
        state.memory.write(at + PLACE, &Word::ZERO, 8);
        self.iterated(state, at)
    }

    /// The next of a map's elements.
    fn iterated(&self, state: &mut State, at: u64) -> Result<(), Stop> {
        let [map, place] = [MAP, PLACE].map(|by| self.load(state, Ok(at + by), 8));
        let pairs = match (map.number()?, place.number()?) {
            (Some(0), Some(_)) => Some((0, 0, 0)),
            (Some(map), Some(place)) => {
                let pairs = self.pairs(state, map)?.ok();
                pairs.map(|(first, count)| (first, count, place))
            }
            _ => None,
        };
        let Some((first, count, place)) = pairs else {
            state.memory.forget(at, ITERATOR, Kind::Opaque);
            return Ok(());
        };
        for place in place..count {
            let pair = first.wrapping_add(place * 16);
            let [key, element] = [0, 8].map(|by| self.load(state, Ok(pair + by), 8));
            if key != Word::ZERO {
                state.memory.write(at, &key, 8);
                state.memory.write(at + 8, &element, 8);
                state.memory.write(at + PLACE, &Word::Known(place + 1), 8);
                return Ok(());
            }
        }
        state.memory.write(at, &Word::ZERO, 8);
        Ok(())
    }
}
