//! One task at one size: who takes part, whether they agree, how fast they are.

use super::contender::{Contender, Way, prepare};
use super::program::{Remote, Set};
use super::{KernelError, Options, Plan};
use crate::{Bench, Histogram, Report};
use karat_cpu::AnyKernel;
use karat_kit::{Body, Choices, Input, Peer, Random, Threads, Unit, Work};
use karat_model::kernels::{Case, CaseArm, CycleShare, SizeUnit, WorkUnit};
use std::cell::Cell;
use std::hint::black_box;

/// Bytes of a line of the cache.
const LINE: usize = 64;

/// Rounds of the short run that finds the fastest peer.
const HEAT: u32 = 5;

/// Implementations and peers of a task, with the kernel that is forced.
pub(super) struct Field {
    kernel: &'static dyn AnyKernel,
    contenders: Vec<Contender>,
    plan: Plan,
    threads: usize,
}

impl Field {
    pub(super) fn new(plan: Plan, peers: &[Peer], others: Vec<Contender>, threads: usize) -> Self {
        let kernel = plan.suite.kernel(plan.task.kernel);
        // A suite's own test asserts that its tasks' kernels exist.
        let kernel = kernel.unwrap_or_else(|| panic!("task {} has no kernel", plan.task.name));
        let mut contenders = Contender::ours(kernel, plan.task, plan.size);
        for peer in peers.iter().filter(|p| p.task == plan.task.peers) {
            let way = Way::Function(peer.body);
            contenders.push(Contender::peer(peer.name.to_owned(), peer.note, way));
        }
        contenders.extend(others);
        Self {
            kernel,
            contenders,
            plan,
            threads: match plan.task.threads {
                Threads::One => 1,
                _ => threads,
            },
        }
    }

    /// Measures all contenders.
    ///
    /// The baseline is the peer that is fastest in a short run before, or what calls go to
    /// when there are no peers.
    pub(super) fn measure(&self, options: &Options) -> Result<Case, KernelError> {
        // Whatever happens: the choice is the process's, not ours.
        let _restored = Choices::of_now(vec![self.kernel]);
        self.agree(options.seed)?;
        let baseline = self.baseline(options)?;
        let mut order: Vec<usize> = (0..self.contenders.len()).collect();
        order.sort_by_key(|i| *i != baseline);
        let report = self.bench(&order, options)?;
        Ok(self.case(&order, &report, options.cycles))
    }

    /// Makes the kernel use a contender's implementation.
    fn enter(&self, contender: &Contender) {
        if let Some(name) = contender.implementation {
            // Those that this CPU lacks are no contenders.
            let _ = self.kernel.force(Some(name));
        }
    }

    fn input(&self, random: &mut Random) -> Input {
        (self.plan.task.input)(random, self.plan.size)
    }

    /// Bytes of a call's result.
    fn output(&self) -> usize {
        (self.plan.task.result)(self.plan.size)
    }

    /// Fails when two contenders compute different things.
    fn agree(&self, seed: u64) -> Result<(), KernelError> {
        let input = self.input(&mut Random::new(seed));
        let Some(first) = self.contenders.first() else {
            return Ok(());
        };
        let expected = self.result(first, &input)?;
        for other in &self.contenders[1..] {
            if self.result(other, &input)? != expected {
                let (task, size) = (self.plan.task, self.plan.size);
                return Err(KernelError::Disagree {
                    task: task.name,
                    first: first.name.clone(),
                    second: other.name.clone(),
                    input: format!("{} {} of size {}", size.items, task.item, size.size),
                });
            }
        }
        Ok(())
    }

    fn result(&self, contender: &Contender, input: &Input) -> Result<Vec<u8>, KernelError> {
        self.enter(contender);
        match &contender.way {
            Way::Function(body) => {
                let mut call = self.call(*body, input);
                call.call();
                let mut out = vec![0; self.output()];
                call.result(&mut out);
                Ok(out)
            }
            Way::Program(program) => {
                let mut program = program.borrow_mut();
                program.inputs(Set::Timed, std::slice::from_ref(input))?;
                program.run(Set::Timed, 1, self.threads > 1)?;
                Ok(program.result(0)?)
            }
        }
    }

    fn call(&self, body: Body, input: &Input) -> Box<dyn karat_kit::Call> {
        let threads = self.plan.task.threads;
        prepare(body, threads, self.threads, input, self.output())
    }

    /// The index of whom the others are compared with.
    fn baseline(&self, options: &Options) -> Result<usize, KernelError> {
        let indices = 0..self.contenders.len();
        let peers: Vec<usize> = indices
            .filter(|i| self.contenders[*i].implementation.is_none())
            .collect();
        match peers[..] {
            [] => {
                let chosen = self.contenders.iter().position(|c| c.chosen);
                return Ok(chosen.unwrap_or(0));
            }
            [only] => return Ok(only),
            _ => {}
        }
        // A few rounds tell who leads; where two are level, either will do.
        let heat = Options {
            rounds: HEAT,
            ..*options
        };
        let report = self.bench(&peers, &heat)?;
        let times = report.arms.iter().map(|a| a.ns.faster_half);
        let fastest = times.zip(&peers).min_by(|a, b| a.0.total_cmp(&b.0));
        Ok(fastest.map_or(peers[0], |(_, i)| *i))
    }

    /// Runs these contenders side by side; the first is the baseline.
    fn bench(&self, order: &[usize], options: &Options) -> Result<Report, KernelError> {
        let name = format!("{} {}", self.plan.task.name, self.plan.size.size);
        let example = self.input(&mut Random::new(options.seed));
        let size = example.bytes.len() + 8 * example.numbers.len();
        let mut bench = Bench::new(name)
            .bytes(size as u64)
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
            let (contender, turn) = (&self.contenders[*index], &turn);
            let enter = move || {
                if turn.get() != *index {
                    turn.set(*index);
                    self.enter(contender);
                }
            };
            bench = self.arm(bench, contender, enter);
        }
        Ok(bench.run(|rng| self.input(&mut Random::new(rng.next_u64())))?)
    }

    fn arm<'a>(
        &'a self,
        bench: Bench<'a, Input>,
        contender: &'a Contender,
        enter: impl Fn() + 'a,
    ) -> Bench<'a, Input> {
        let name = &contender.name;
        match &contender.way {
            Way::Function(Body::Direct(function)) if self.plan.task.threads != Threads::Dealt => {
                // Every result begins a line of the cache: the allocator's places differ, and
                // 2048 bytes of output took 7 % longer at one of them.
                let mut place = vec![0; self.output() + LINE];
                let start = place.as_ptr().align_offset(LINE);
                bench.arm(name, move |input: &Input| {
                    enter();
                    let out = &mut place[start..][..self.output()];
                    function(input, out);
                    black_box(&out);
                    out[0]
                })
            }
            Way::Function(body) => bench.prepared_arm(
                name,
                move |input: &Input| self.call(*body, input),
                move |call| {
                    enter();
                    call.call();
                },
            ),
            Way::Program(program) => bench.work(
                name,
                Box::new(Remote {
                    program: program.clone(),
                    bench: self.plan.task.name,
                }),
            ),
        }
    }

    fn case(&self, order: &[usize], report: &Report, histograms: bool) -> Case {
        let Plan { task, size, .. } = self.plan;
        let (work, work_unit) = match (task.work)(size) {
            Work::Bytes(bytes) => (bytes, WorkUnit::Bytes),
            Work::Operations(count) => (count, WorkUnit::Operations),
        };
        let arm = |(index, contender): (usize, &Contender)| {
            let at = order.iter().position(|i| *i == index)?;
            let measured = &report.arms[at];
            let speed = measured.comparison.as_ref().map(|c| c.speed);
            // Cycles of all threads together are not known, nor those of another process.
            let cycles = self.threads == 1 && matches!(contender.way, Way::Function(_));
            Some(CaseArm {
                name: contender.name.clone(),
                peer: contender.implementation.is_none(),
                chosen: contender.chosen,
                note: contender.note.clone(),
                ns: measured.ns.faster_half,
                per_second: work as f64 * 1e9 / measured.ns.faster_half,
                cycles: cycles.then(|| measured.cycles.faster_half / work as f64),
                clock_drop: measured.clock_drop,
                histogram: match histograms && self.threads == 1 {
                    true => shares(&measured.histogram, work),
                    false => Vec::new(),
                },
                speed,
                judgement: report.judgement(&contender.name),
            })
        };
        Case {
            task: task.name.to_owned(),
            title: task.title.to_owned(),
            kernel: task.kernel.to_owned(),
            item: task.item.to_owned(),
            items: size.items as u64,
            size: size.size,
            unit: match task.unit {
                Unit::Bytes => SizeUnit::Bytes,
                Unit::Bits => SizeUnit::Bits,
                Unit::Count => SizeUnit::Count,
            },
            work,
            work_unit,
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

/// A histogram of calls that each do so much work, for 1000 units of it.
fn shares(histogram: &Histogram, work: u64) -> Vec<CycleShare> {
    let factor = 1000.0 / (histogram.calls * work) as f64;
    let share = |share: &crate::Share| CycleShare {
        cycles: (share.cycles as f64 * factor).round() as u64,
        percent: share.percent,
    };
    histogram.shares.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_a_thousand_units_of_work() {
        // Calls of 16 units, counted by thousands: 64 and 160 cycles a call.
        let histogram = Histogram::new(&[64.0, 64.0, 64.0, 160.0]);
        let found: Vec<(u64, f64)> = shares(&histogram, 16)
            .iter()
            .map(|s| (s.cycles, s.percent))
            .collect();
        assert_eq!(found, [(4000, 75.0), (10_000, 25.0)]);
    }
}
