//! One task at one size: who takes part, whether they agree, how fast they are.

use super::task::{Body, Shape, Task, Threads};
use crate::commands::failed;
use crate::exit;
use anyhow::Result;
use karat_cpu::{AnyKernel, IsaSet};
use karat_model::kernels::{Case, CaseArm};
use karat_run::bench::{Bench, Report};
use std::cell::Cell;
use std::hint::black_box;
use std::time::Duration;

/// Bytes of a line of the cache.
const LINE: usize = 64;

/// How long and from which numbers.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Rounds at most.
    pub rounds: u32,
    /// Time for all rounds.
    pub max_time: Duration,
    /// Decides inputs and order.
    pub seed: u64,
    /// Smallest relative change that matters.
    pub margin: f64,
    /// Threads where a task uses several.
    pub processors: usize,
}

/// A task at one size.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The task.
    pub task: Task,
    /// Messages of a call.
    pub messages: usize,
    /// Bytes of each.
    pub size: u64,
}

/// Another crate's function.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// Its name.
    pub name: &'static str,
    /// What to know of it.
    pub note: &'static str,
    /// The function.
    pub body: Body,
}

/// Who takes part.
struct Contender {
    name: String,
    note: &'static str,
    body: Body,
    /// The implementation to force; a peer has none.
    implementation: Option<&'static str>,
    chosen: bool,
}

/// Implementations and peers of a task, with the kernel that is forced.
struct Field {
    kernel: &'static dyn AnyKernel,
    contenders: Vec<Contender>,
    plan: Plan,
    threads: usize,
}

/// Measures the plan with these peers.
///
/// The baseline is the peer that is fastest in a short run before, or what calls go to when
/// there are no peers.
pub fn run(plan: Plan, peers: &[Peer], options: Options) -> Result<Case> {
    let field = Field::new(plan, peers, options.processors)?;
    let result = field.measure(options);
    // Whatever happened: the choice is the process's, not ours.
    if let Some(chosen) = field.contenders.iter().find(|c| c.chosen) {
        field.enter(chosen);
    }
    result
}

impl Field {
    fn new(plan: Plan, peers: &[Peer], processors: usize) -> Result<Self> {
        let mut kernels = karat_hash::kernels().iter();
        let Some(kernel) = kernels.find(|k| k.name() == plan.task.kernel) else {
            anyhow::bail!("task {} has no kernel", plan.task.name);
        };
        let infos = (0..kernel.len()).map(|i| kernel.info(i));
        let ours = infos
            .filter(|i| i.missing == IsaSet::EMPTY)
            .map(|info| Contender {
                name: format!("karat {}", info.name),
                note: "",
                body: plan.task.body,
                implementation: Some(info.name),
                chosen: info.chosen,
            });
        let others = peers.iter().map(|peer| Contender {
            name: peer.name.to_owned(),
            note: peer.note,
            body: peer.body,
            implementation: None,
            chosen: false,
        });
        Ok(Self {
            kernel: *kernel,
            contenders: ours.chain(others).collect(),
            plan,
            threads: match plan.task.threads {
                Threads::One => 1,
                _ => processors,
            },
        })
    }

    /// Makes the kernel use a contender's implementation.
    fn enter(&self, contender: &Contender) {
        if let Some(name) = contender.implementation {
            // Those that this CPU lacks are no contenders.
            let _ = self.kernel.force(Some(name));
        }
    }

    /// Bytes of a call's input.
    fn input(&self) -> usize {
        self.plan.messages * self.plan.size as usize
    }

    /// Bytes of a call's result.
    fn output(&self) -> usize {
        match self.plan.task.shape {
            Shape::Sum => self.plan.task.digest,
            _ => self.plan.messages * self.plan.task.digest,
        }
    }

    /// Bytes that count as work.
    fn bytes(&self) -> u64 {
        match self.plan.task.shape {
            Shape::Output => self.output() as u64,
            _ => self.input() as u64,
        }
    }

    fn call(&self, body: Body, input: &[u8], out: &mut [u8]) {
        match self.plan.task.threads {
            Threads::Dealt => deal(body, self.threads, input, self.plan.messages, out),
            _ => body(input, self.plan.messages, out),
        }
    }

    fn measure(&self, options: Options) -> Result<Case> {
        self.agree(options.seed)?;
        let baseline = self.baseline(options)?;
        let mut order: Vec<usize> = (0..self.contenders.len()).collect();
        order.sort_by_key(|i| *i != baseline);
        let report = self.bench(&order, options)?;
        Ok(self.case(&order, &report))
    }

    /// Fails when two compute different things: their times would compare nothing.
    fn agree(&self, seed: u64) -> Result<()> {
        let input = fresh(&mut karat_run::bench::Rng::new(seed), self.input());
        let result = |contender: &Contender| {
            self.enter(contender);
            let mut out = vec![0; self.output()];
            self.call(contender.body, &input, &mut out);
            out
        };
        let Some(first) = self.contenders.first() else {
            return Ok(());
        };
        let expected = result(first);
        for other in &self.contenders[1..] {
            if result(other) != expected {
                let message = format!(
                    "{}: `{}` and `{}` give different results for {} message(s) of {} bytes; \
                     `karat kernels check` tells which of karat's is wrong",
                    self.plan.task.name, first.name, other.name, self.plan.messages, self.plan.size
                );
                return Err(failed(exit::PARITY, message));
            }
        }
        Ok(())
    }

    /// The index of whom the others are compared with.
    fn baseline(&self, options: Options) -> Result<usize> {
        let indices = 0..self.contenders.len();
        let peers: Vec<usize> = indices
            .clone()
            .filter(|i| self.contenders[*i].implementation.is_none())
            .collect();
        if peers.is_empty() {
            let chosen = self.contenders.iter().position(|c| c.chosen);
            return Ok(chosen.unwrap_or(0));
        }
        if peers.len() == 1 {
            return Ok(peers[0]);
        }
        // A few rounds tell who leads; where two are level, either will do.
        let report = self.bench(
            &peers,
            Options {
                rounds: 5,
                ..options
            },
        )?;
        let times = report.arms.iter().map(|a| a.ns.faster_half);
        let fastest = times.zip(&peers).min_by(|a, b| a.0.total_cmp(&b.0));
        Ok(fastest.map_or(peers[0], |(_, i)| *i))
    }

    /// Runs these contenders side by side; the first is the baseline.
    fn bench(&self, order: &[usize], options: Options) -> Result<Report> {
        let name = format!("{} {}", self.plan.task.name, self.plan.size);
        let mut bench = Bench::new(name)
            .bytes(self.input() as u64)
            .rounds(options.rounds)
            .max_time(options.max_time)
            .seed(options.seed)
            .margin(options.margin);
        if self.threads > 1 {
            bench = bench.wall_time();
        }
        // Whose turn it is. Forcing asks the CPU, which takes microseconds on a virtual
        // machine; it is done at the first call of an arm, which is never a timed one.
        let turn = Cell::new(usize::MAX);
        for index in order {
            let contender = &self.contenders[*index];
            let turn = &turn;
            // Every result begins a line of the cache: the allocator's places differ, and
            // 2048 bytes of output took 7 % longer at one of them.
            let mut place = vec![0; self.output() + LINE];
            let start = place.as_ptr().align_offset(LINE);
            bench = bench.arm(&contender.name, move |input: &Vec<u8>| {
                if turn.get() != *index {
                    turn.set(*index);
                    self.enter(contender);
                }
                let out = &mut place[start..][..self.output()];
                self.call(contender.body, input, out);
                black_box(&out);
                out[0]
            });
        }
        bench
            .run(|rng| fresh(rng, self.input()))
            .map_err(|e| failed(exit::MEASURE, e.to_string()))
    }

    fn case(&self, order: &[usize], report: &Report) -> Case {
        let bytes = self.bytes();
        let arm = |(index, contender): (usize, &Contender)| {
            let at = order.iter().position(|i| *i == index)?;
            let measured = &report.arms[at];
            let speed = measured.comparison.as_ref().map(|c| c.speed);
            Some(CaseArm {
                name: contender.name.clone(),
                peer: contender.implementation.is_none(),
                chosen: contender.chosen,
                note: contender.note.to_owned(),
                ns: measured.ns.faster_half,
                gib_per_second: bytes as f64 / measured.ns.faster_half / 1.073_741_824,
                cycles_per_byte: (self.threads == 1)
                    .then(|| measured.cycles.faster_half / bytes as f64),
                speed,
                judgement: report.judgement(&contender.name),
            })
        };
        let plan = self.plan;
        Case {
            task: plan.task.name.to_owned(),
            title: plan.task.title.to_owned(),
            kernel: plan.task.kernel.to_owned(),
            messages: plan.messages as u64,
            size: plan.size,
            bytes,
            threads: self.threads as u32,
            baseline: report.arms[0].name.clone(),
            rounds: report.rounds,
            out_of_time: report.out_of_time,
            again_passed: report.again_passed,
            noise_floor: report.noise_floor,
            clock_ghz: report.clock.median,
            arms: self.contenders.iter().enumerate().filter_map(arm).collect(),
        }
    }
}

/// Random bytes.
fn fresh(rng: &mut karat_run::bench::Rng, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    for chunk in bytes.chunks_mut(8) {
        let random = rng.next_u64().to_le_bytes();
        chunk.copy_from_slice(&random[..chunk.len()]);
    }
    bytes
}

/// Deals messages out to threads, as equally as whole messages can be.
fn deal(body: Body, threads: usize, input: &[u8], messages: usize, out: &mut [u8]) {
    let share = messages.div_ceil(threads);
    let (length, digest) = (input.len() / messages, out.len() / messages);
    let parts = input
        .chunks(share * length)
        .zip(out.chunks_mut(share * digest));
    std::thread::scope(|scope| {
        for (input, out) in parts {
            scope.spawn(move || body(input, input.len() / length, out));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dealt_messages_are_all_hashed_in_their_places() {
        let body: Body = |input, messages, out| {
            let length = input.len() / messages;
            for (message, place) in input.chunks(length).zip(out.chunks_mut(1)) {
                place[0] = message.iter().fold(0, |sum: u8, b| sum.wrapping_add(*b));
            }
        };
        let input: Vec<u8> = (0..7 * 10).collect();
        let (mut alone, mut dealt) = ([0; 7], [0; 7]);
        body(&input, 7, &mut alone);
        for threads in [1, 2, 3, 7, 9] {
            deal(body, threads, &input, 7, &mut dealt);
            assert_eq!(alone, dealt, "{threads}");
        }
    }
}
