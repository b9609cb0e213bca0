//! Who takes part in a comparison.

use super::program::Program;
use karat_cpu::{Info, IsaSet};
use karat_kit::{Body, Call, Input, Size, Task, Threads};
use std::cell::RefCell;
use std::rc::Rc;

/// Who takes part.
pub(super) struct Contender {
    pub(super) name: String,
    pub(super) note: String,
    pub(super) way: Way,
    /// The implementation to force; a peer has none.
    pub(super) implementation: Option<&'static str>,
    pub(super) chosen: bool,
}

/// How a contender computes.
#[derive(Clone)]
pub(super) enum Way {
    /// By a function in this process.
    Function(Body),
    /// By a program of its own.
    Program(Rc<RefCell<Program>>),
}

impl Contender {
    /// karat's implementations that this CPU has.
    pub(super) fn ours(kernel: &dyn karat_cpu::AnyKernel, task: &Task, size: Size) -> Vec<Self> {
        let infos = || (0..kernel.len()).map(|i| kernel.info(i));
        let short = |i: &Info| {
            i.chosen_up_to
                .is_some_and(|limit| size.size <= limit.into())
        };
        let any_short = infos().any(|i| short(&i));
        let able = infos().filter(|i| i.missing == IsaSet::EMPTY);
        let contender = |info: Info| Self {
            name: format!("karat {}", info.name),
            note: String::new(),
            way: Way::Function(task.body),
            implementation: Some(info.name),
            chosen: if any_short { short(&info) } else { info.chosen },
        };
        able.map(contender).collect()
    }

    pub(super) fn peer(name: String, note: &str, way: Way) -> Self {
        Self {
            name,
            note: note.to_owned(),
            way,
            implementation: None,
            chosen: false,
        }
    }
}

/// The call of a body with an input, on as many threads as the task says.
pub(super) fn prepare(
    body: Body,
    threads: Threads,
    processors: usize,
    input: &Input,
    result: usize,
) -> Box<dyn Call> {
    match (body, threads) {
        (Body::Prepared(prepare), _) => prepare(input),
        (Body::Direct(function), Threads::Dealt) => Box::new(Dealt {
            function,
            parts: input.split(processors),
            items: input.items,
            out: vec![0; result],
        }),
        (Body::Direct(function), _) => Box::new(Once {
            function,
            input: input.clone(),
            out: vec![0; result],
        }),
    }
}

/// A direct function with its input.
struct Once {
    function: fn(&Input, &mut [u8]),
    input: Input,
    out: Vec<u8>,
}

impl Call for Once {
    fn call(&mut self) {
        (self.function)(&self.input, &mut self.out);
    }

    fn result(&self, out: &mut [u8]) {
        out.copy_from_slice(&self.out);
    }
}

/// Items that are dealt out to threads.
struct Dealt {
    function: fn(&Input, &mut [u8]),
    parts: Vec<Input>,
    items: usize,
    out: Vec<u8>,
}

impl Call for Dealt {
    fn call(&mut self) {
        let each = self.out.len() / self.items;
        let mut rest = &mut self.out[..];
        std::thread::scope(|scope| {
            for part in &self.parts {
                let (out, others) = std::mem::take(&mut rest).split_at_mut(part.items * each);
                rest = others;
                let function = self.function;
                scope.spawn(move || function(part, out));
            }
        });
    }

    fn result(&self, out: &mut [u8]) {
        out.copy_from_slice(&self.out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dealt_items_are_all_computed_in_their_places() {
        let sums: fn(&Input, &mut [u8]) = |input, out| {
            for (item, place) in input.each_item().zip(out) {
                *place = item.iter().fold(0, |sum: u8, b| sum.wrapping_add(*b));
            }
        };
        let input = Input::of_items((0..7 * 10).collect(), 7);
        let result = |threads, processors| {
            let mut call = prepare(Body::Direct(sums), threads, processors, &input, 7);
            call.call();
            let mut out = [0; 7];
            call.result(&mut out);
            out
        };
        let alone = result(Threads::One, 1);
        for processors in [1, 2, 3, 7, 9] {
            assert_eq!(alone, result(Threads::Dealt, processors), "{processors}");
        }
    }
}
