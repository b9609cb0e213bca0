//! What is known where the blocks of a routine begin. Behind most blocks the same is known on all
//! their edges, so those that come first to two blocks are kept once for both, until more is
//! joined to one of them.

/// No state yet.
const NONE: u32 = u32::MAX;

/// Bytes of states for which room is kept, at most, where there is little code.
const LARGE: usize = 1 << 20;

/// The same as a part of the code: in a large file there are many large routines, and all of
/// what the search takes is larger than this.
const PART: usize = 8;

/// The same of those that are kept besides a larger one.
const SMALL: usize = 1 << 16;

/// Room for states, in which none are.
pub struct Room<S> {
    states: Vec<S>,
    owners: Vec<u32>,
    numbers: Vec<u32>,
}

impl<S> Default for Room<S> {
    fn default() -> Self {
        Self {
            states: Vec::new(),
            owners: Vec::new(),
            numbers: Vec::new(),
        }
    }
}

/// Rooms for the states of routines that are looked at while others are.
pub struct Rooms<S>(Vec<Room<S>>);

impl<S> Default for Rooms<S> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

#[cfg(test)]
impl<S> Room<S> {
    fn is_new(&self) -> bool {
        self.states.capacity() == 0
    }
}

impl<S> Rooms<S> {
    /// The one that was kept last.
    pub fn take(&mut self) -> Room<S> {
        self.0.pop().unwrap_or_default()
    }

    /// Keeps one for another routine: what is open below has its own. Of several only the first
    /// may be large, so that they take little.
    pub fn keep(&mut self, room: Room<S>) {
        let bytes = room.states.capacity() * size_of::<S>();
        if self.0.is_empty() || bytes <= SMALL {
            self.0.push(room);
        } else if let Some(last) = self.0.last_mut()
            && last.states.capacity() < room.states.capacity()
        {
            *last = room;
        }
    }
}

/// States by block.
pub struct Entered<S> {
    states: Vec<S>,
    /// By state: how many blocks have it.
    owners: Vec<u32>,
    /// By block: the number of its state.
    numbers: Vec<u32>,
}

/// A state that comes to blocks.
pub enum Coming<S> {
    /// It is kept nowhere yet.
    New(S),
    /// The number of one that is.
    Kept(u32),
}

impl<S: Clone> Entered<S> {
    /// Of so many blocks, to which nothing has come. The room of another routine's states is used
    /// again: memory that is allocated and freed for each routine costs faults of pages.
    pub fn of(blocks: usize, room: Room<S>) -> Self {
        let Room {
            mut states,
            mut owners,
            mut numbers,
        } = room;
        states.clear();
        owners.clear();
        numbers.clear();
        numbers.resize(blocks, NONE);
        Self {
            states,
            owners,
            numbers,
        }
    }

    /// Forgets all states and gives their room for another routine; a new one where it is large
    /// for a file with so many bytes of code.
    pub fn end(mut self, code: usize) -> Room<S> {
        if self.states.capacity() * size_of::<S>() > LARGE.max(code / PART) {
            return Room::default();
        }
        self.states.clear();
        Room {
            states: self.states,
            owners: self.owners,
            numbers: self.numbers,
        }
    }

    /// What is known where a block begins; none if nothing has come there.
    pub fn get(&self, block: u32) -> Option<&S> {
        self.states.get(self.numbers[block as usize] as usize)
    }

    fn keep(&mut self, state: S) -> u32 {
        self.states.push(state);
        self.owners.push(0);
        self.states.len() as u32 - 1
    }

    fn set(&mut self, block: u32, number: u32) {
        self.numbers[block as usize] = number;
        self.owners[number as usize] += 1;
    }

    /// A state comes to a block; returns whether anything changes there. `join` adds the second
    /// to the first, which stays as it is where nothing is new.
    pub fn enter(
        &mut self,
        block: u32,
        coming: &mut Coming<S>,
        join: impl FnOnce(&mut S, &S) -> bool,
    ) -> bool {
        let known = self.numbers[block as usize];
        if known == NONE {
            let number = match std::mem::replace(coming, Coming::Kept(NONE)) {
                Coming::New(state) => self.keep(state),
                Coming::Kept(number) => number,
            };
            *coming = Coming::Kept(number);
            self.set(block, number);
            return true;
        }
        let at = known as usize;
        if self.owners[at] > 1 {
            let theirs = match coming {
                Coming::New(state) => state,
                Coming::Kept(number) if *number == known => return false,
                Coming::Kept(number) => &self.states[*number as usize],
            };
            let mut own = self.states[at].clone();
            let is_new = join(&mut own, theirs);
            if is_new {
                self.owners[at] -= 1;
                let number = self.keep(own);
                self.set(block, number);
            }
            return is_new;
        }
        match coming {
            Coming::New(state) => join(&mut self.states[at], state),
            Coming::Kept(number) => {
                match self.states.get_disjoint_mut([at, *number as usize]) {
                    Ok([mine, theirs]) => join(mine, theirs),
                    // It is its own.
                    Err(_) => false,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Coming, Entered, LARGE, PART, Room, Rooms, SMALL};

    /// Joins sets of bits.
    fn join(mine: &mut u32, theirs: &u32) -> bool {
        let before = std::mem::replace(mine, *mine | *theirs);
        before != *mine
    }

    #[test]
    fn what_is_shared_is_apart_once_it_differs() {
        let mut entered = Entered::of(3, Room::default());
        let mut coming = Coming::New(1);
        assert!(entered.enter(0, &mut coming, join) && entered.enter(1, &mut coming, join));
        assert_eq!((entered.states.len(), entered.get(2)), (1, None));
        // Its own, and nothing new.
        assert!(!entered.enter(0, &mut coming, join));
        assert!(!entered.enter(0, &mut Coming::New(1), join));
        assert_eq!(entered.states.len(), 1);
        assert!(entered.enter(0, &mut Coming::New(2), join));
        assert_eq!((entered.get(0), entered.get(1)), (Some(&3), Some(&1)));
        // Nobody else has either now.
        assert!(entered.enter(1, &mut Coming::New(4), join));
        assert_eq!((entered.get(0), entered.get(1)), (Some(&3), Some(&5)));
        assert_eq!(entered.states.len(), 2);
        assert!(!entered.enter(1, &mut coming, join));
    }

    #[test]
    fn a_kept_one_is_joined_to_others() {
        let mut entered = Entered::of(2, Room::default());
        let mut coming = Coming::New(1);
        assert!(entered.enter(0, &mut coming, join));
        assert!(entered.enter(1, &mut Coming::New(2), join));
        assert!(entered.enter(1, &mut coming, join));
        assert_eq!((entered.get(0), entered.get(1)), (Some(&1), Some(&3)));
    }

    #[test]
    fn of_several_rooms_one_may_be_large() {
        let room = |bytes: usize| {
            let mut entered: Entered<u8> = Entered::of(1, Room::default());
            entered.states.reserve_exact(bytes);
            entered.end(0)
        };
        let mut rooms = Rooms::default();
        let mut kept = |sizes: &[usize]| -> Vec<usize> {
            for bytes in sizes {
                rooms.keep(room(*bytes));
            }
            let taken = std::iter::from_fn(|| Some(rooms.take()).filter(|it| !it.is_new()));
            taken.map(|room| room.states.capacity()).collect()
        };
        assert_eq!(kept(&[8, 16]), [16, 8]);
        // The larger one takes the place of the last, and is not given up for a smaller one.
        assert_eq!(kept(&[8, 2 * SMALL]), [2 * SMALL]);
        assert_eq!(kept(&[3 * SMALL, 2 * SMALL, 16]), [16, 3 * SMALL]);
    }

    #[test]
    fn room_is_used_again_and_nothing_of_the_states_is_left() {
        let mut entered = Entered::of(3, Room::default());
        assert!(entered.enter(2, &mut Coming::New(1), join));
        let room = entered.end(0);
        let place = room.states.as_ptr();
        let mut entered = Entered::of(4, room);
        assert!((0..4).all(|block| entered.get(block).is_none()));
        assert!(entered.enter(3, &mut Coming::New(2), join));
        assert_eq!((entered.get(3), entered.states.as_ptr()), (Some(&2), place));
        // What had a state before has none of those that are there now.
        assert!((0..3).all(|block| entered.get(block).is_none()));
        let large: Entered<[u8; LARGE]> = Entered::of(1, Room::default());
        let mut large = large;
        large.states.reserve(2);
        assert_eq!(large.end(0).states.capacity(), 0);
        let mut large: Entered<[u8; LARGE]> = Entered::of(1, Room::default());
        large.states.reserve_exact(2);
        assert_eq!(large.end(2 * PART * LARGE).states.capacity(), 2);
    }
}
