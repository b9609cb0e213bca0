//! What each body takes on which CPU: records of `karat kernels bench`, and the tables of
//! `karat-mca`.

use anyhow::{Context as _, Result, bail};
use std::collections::BTreeMap;
use std::path::Path;

/// The bodies of one kernel for one task at one size.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Design of the CPU, as in `karat_cpu::Microarchitecture`.
    pub cpu: &'static str,
    /// The kernel.
    pub kernel: String,
    /// The task.
    pub task: String,
    /// Items of a call.
    pub items: u64,
    /// Bytes of each, or of things that are counted how many.
    pub size: u64,
    /// Names of karat's bodies, and what a call takes: nanoseconds, or cycles by model.
    pub bodies: Vec<(String, f64)>,
    /// The record, from the root of the repository.
    pub file: String,
    /// When it was made, as its line `# run:` says (`2026-11-25T01:36:00Z`), or the day in the
    /// file's name.
    pub when: String,
}

impl Measured {
    /// What the fastest body takes.
    pub fn fastest(&self) -> f64 {
        let times = self.bodies.iter().map(|(_, time)| *time);
        times.fold(f64::INFINITY, f64::min)
    }
}

/// The folder of the models' tables, beside those of machines.
const MODELS: &str = "models";

/// All cases on one thread: of each machine the newest records.
pub fn measured(folder: &Path) -> Result<Vec<Measured>> {
    let mut cases = Vec::new();
    let mut machines: Vec<_> = std::fs::read_dir(folder)?.collect::<std::io::Result<_>>()?;
    machines.sort_by_key(std::fs::DirEntry::file_name);
    for machine in machines {
        let name = machine.file_name().to_string_lossy().into_owned();
        if name != MODELS {
            cases.extend(newest(&machine.path(), &name, "-kernels", parse)?);
        }
    }
    Ok(cases)
}

/// All cases in the models' newest tables.
pub fn modelled(folder: &Path) -> Result<Vec<Measured>> {
    newest(&folder.join(MODELS), MODELS, "-llvm-mca", parse_model)
}

/// The cases of a folder's records of one kind, such as `2026-11-20-kernels.csv` and
/// `2026-11-20-kernels-rest.csv` of `-kernels`. A record need not have all tasks: those of
/// a task are from the newest date that has it.
fn newest(
    folder: &Path,
    folder_name: &str,
    kind: &str,
    parse: fn(&str, &str) -> Result<Vec<Measured>>,
) -> Result<Vec<Measured>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let after_date = name.get(10..).unwrap_or_default();
        let rest = after_date.strip_prefix(kind);
        if rest.is_some_and(|rest| rest.starts_with(['.', '-'])) {
            names.push(name);
        }
    }
    names.sort();
    let mut dated = Vec::new();
    for name in names {
        let file = format!("records/{folder_name}/{name}");
        let text = std::fs::read_to_string(folder.join(&name))?;
        let cases = parse(&text, &file).with_context(|| file.clone())?;
        dated.push((name[..10].to_owned(), cases));
    }
    Ok(newest_of_each_task(dated))
}

/// Of each task on each design the cases of the newest date that has it. Dates ascend.
fn newest_of_each_task(records: Vec<(String, Vec<Measured>)>) -> Vec<Measured> {
    let mut last = BTreeMap::new();
    for (date, cases) in &records {
        for case in cases {
            last.insert((case.cpu, case.task.clone()), date.clone());
        }
    }
    let is_last = |date: &String, case: &Measured| last[&(case.cpu, case.task.clone())] == *date;
    let each = records.into_iter();
    each.flat_map(|(date, mut cases)| {
        cases.retain(|case| is_last(&date, case));
        cases
    })
    .collect()
}

/// The day in the name of a record.
fn day(file: &str) -> String {
    let name = file.rsplit('/').next().unwrap_or_default();
    name.chars().take(10).collect()
}

fn parse(text: &str, file: &str) -> Result<Vec<Measured>> {
    let line = |name: &str| text.lines().find_map(|l| l.strip_prefix(name));
    let run = line("# run: ").and_then(|run| run.split(',').next());
    let when = run.map_or_else(|| day(file), str::to_owned);
    let machine = line("# machine: ").context("no line `# machine:`")?;
    // Records of 2026-11-23 and before may have no ISAs. Their machines showed their models.
    let cpu = design(machine, line("# isas: ").unwrap_or_default())?;
    let (head, lines) = table(text)?;
    let column = |names: &[&str]| place(&head, names);
    let (task, kernel) = (column(&["task"])?, column(&["kernel"])?);
    // Records of 2026-11-22 and before say `messages`.
    let (items, size) = (column(&["items", "messages"])?, column(&["size"])?);
    // Records of hashes of 2026-11-22 and before have no units.
    let unit = column(&["unit"]).ok();
    let (threads, arm, ns) = (column(&["threads"])?, column(&["arm"])?, column(&["ns"])?);
    let mut cases: Vec<Measured> = Vec::new();
    for line in lines {
        let row = fields(line);
        let field = |at: usize| row.get(at).map_or("", String::as_str);
        let Some(body) = field(arm).strip_prefix("karat ") else {
            continue;
        };
        if field(threads) != "1" {
            continue;
        }
        let case = Measured {
            cpu,
            kernel: field(kernel).to_owned(),
            task: field(task).to_owned(),
            items: field(items).parse()?,
            size: match unit.map(field) {
                Some("bits") => field(size).parse::<u64>()? / 8,
                _ => field(size).parse()?,
            },
            bodies: vec![(body.to_owned(), field(ns).parse()?)],
            file: file.to_owned(),
            when: when.clone(),
        };
        add(&mut cases, case);
    }
    Ok(cases)
}

/// A table of `karat-mca`.
fn parse_model(text: &str, file: &str) -> Result<Vec<Measured>> {
    let (head, lines) = table(text)?;
    let column = |name: &str| place(&head, &[name]);
    let (task, kernel, cpu) = (column("task")?, column("kernel")?, column("cpu")?);
    let (items, size) = (column("items")?, column("size")?);
    let (body, cycles) = (column("implementation")?, column("cycles")?);
    let mut cases = Vec::new();
    for line in lines {
        let row = fields(line);
        let field = |at: usize| row.get(at).map_or("", String::as_str);
        let design = karat_cpu::Microarchitecture::named(field(cpu));
        let design = design.with_context(|| format!("karat-cpu knows no {}", field(cpu)))?;
        let case = Measured {
            cpu: design.variant(),
            kernel: field(kernel).to_owned(),
            task: field(task).to_owned(),
            items: field(items).parse()?,
            size: field(size).parse()?,
            bodies: vec![(field(body).to_owned(), field(cycles).parse()?)],
            file: file.to_owned(),
            when: day(file),
        };
        add(&mut cases, case);
    }
    Ok(cases)
}

/// Adds the one body of `new` to its case.
fn add(cases: &mut Vec<Measured>, new: Measured) {
    let same = |c: &&mut Measured| {
        (c.cpu, c.task.as_str(), c.items, c.size)
            == (new.cpu, new.task.as_str(), new.items, new.size)
    };
    match cases.iter_mut().find(same) {
        Some(case) => case.bodies.extend(new.bodies),
        None => cases.push(new),
    }
}

/// The names of the columns, and the rows.
fn table(text: &str) -> Result<(Vec<String>, impl Iterator<Item = &str>)> {
    let mut lines = text.lines().filter(|l| !l.starts_with('#'));
    let head = fields(lines.next().context("no columns")?);
    Ok((head, lines))
}

/// The place of a column that has one of these names.
fn place(head: &[String], names: &[&str]) -> Result<usize> {
    let place = head.iter().position(|h| names.contains(&h.as_str()));
    place.with_context(|| format!("no column {}", names[0]))
}

/// The design of the CPU of a line such as `AMD EPYC (AuthenticAMD 26/2/1), 2 processors`,
/// with these ISAs, some of which karat may not know any more.
fn design(machine: &str, isas: &str) -> Result<&'static str> {
    // The last parentheses: a brand such as `Intel(R) Xeon(R)` has some too.
    let id = machine
        .rsplit_once('(')
        .and_then(|(_, rest)| rest.split_once(')'));
    let (vendor, numbers) = id
        .and_then(|(id, _)| id.split_once(' '))
        .with_context(|| format!("no vendor and family in `{machine}`"))?;
    let numbers: Vec<u32> = numbers.split('/').map_while(|n| n.parse().ok()).collect();
    let [family, model, _] = numbers[..] else {
        bail!("no family, model and stepping in `{machine}`");
    };
    let mut identity = karat_cpu::Identity {
        family,
        model,
        ..karat_cpu::Identity::UNKNOWN
    };
    let length = vendor.len().min(12);
    identity.vendor[..length].copy_from_slice(&vendor.as_bytes()[..length]);
    let isas = isas.split(' ').filter_map(karat_cpu::Isa::named);
    let isas = isas.fold(karat_cpu::IsaSet::EMPTY, karat_cpu::IsaSet::with);
    let design = karat_cpu::Microarchitecture::of(&identity, isas);
    let design =
        design.with_context(|| format!("karat-cpu knows no design {vendor} {numbers:?}"))?;
    Ok(design.variant())
}

/// The fields of a line of CSV (RFC 4180), without line breaks inside of quotes.
fn fields(line: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match (c, quoted) {
            ('"', _) => quoted = !quoted,
            (',', false) => all.push(String::new()),
            (c, _) => all.last_mut().expect("one at least").push(c),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "\
# command: karat kernels bench
# machine: AMD EPYC (AuthenticAMD 25/17/1), 1 processors, linux
task,kernel,messages,size,threads,arm,peer,ns
sum,sum,1,64,1,karat avx2,false,10.5
sum,sum,1,64,1,karat portable,false,20
sum,sum,1,64,1,\"peer, one by one\",true,5
sum,sum,16,64,1,karat avx2,false,100
sum,sum,1,64,2,karat avx2,false,7
";

    #[test]
    fn a_record_gives_the_bodies_of_each_case() {
        let cases = parse(RECORD, "records/a.csv").unwrap();
        assert_eq!(cases.len(), 2);
        assert_eq!((cases[0].cpu, cases[0].fastest()), ("Zen4", 10.5));
        assert_eq!(cases[0].bodies[1], ("portable".to_owned(), 20.0));
        assert_eq!((cases[1].items, cases[1].bodies.len()), (16, 1));
        let unknown = RECORD.replace("25/17/1", "99/1/1");
        assert!(
            parse(&unknown, "")
                .unwrap_err()
                .to_string()
                .contains("no design")
        );
        assert!(parse("a,b\n", "").is_err());
    }

    #[test]
    fn a_record_has_what_its_design_is_told_by() {
        let machine = |cpu: &str| {
            let brand = format!("Intel(R) Xeon(R) Processor ({cpu})");
            RECORD.replace("AMD EPYC (AuthenticAMD 25/17/1)", &brand)
        };
        let design = |text: &str| parse(text, "").map(|cases| cases[0].cpu).ok();
        let model = machine("GenuineIntel 6/167/1");
        assert_eq!(design(&model), Some("IceLake"));
        let isas = |names: &str| model.replacen("\ntask", &format!("\n# isas: {names}\ntask"), 1);
        assert_eq!(
            design(&isas("avx512f avx512fp16 amx-tile")),
            Some("SapphireRapids")
        );
        assert_eq!(design(&isas("avx512f gone")), Some("IceLake"));
    }

    #[test]
    fn a_record_of_one_task_leaves_the_others_of_the_one_before() {
        let old = RECORD.to_owned() + "mul,mul,1,64,1,karat avx2,false,3\n";
        let of = |date: &str, text: &str| {
            let cases = parse(text, &format!("records/a/{date}-kernels.csv")).unwrap();
            (date.to_owned(), cases)
        };
        let records = vec![
            of("2026-01-01", &old),
            of("2026-01-02", RECORD),
            of("2026-01-02", &RECORD.replace(",16,64,", ",16,128,")),
        ];
        let files = |task: &str| -> Vec<String> {
            let newest = newest_of_each_task(records.clone());
            let of_task = newest.into_iter().filter(|case| case.task == task);
            of_task.map(|case| case.file).collect()
        };
        assert_eq!(files("mul"), ["records/a/2026-01-01-kernels.csv"]);
        assert_eq!(files("sum"), ["records/a/2026-01-02-kernels.csv"; 4]);
    }

    #[test]
    fn a_record_says_when_it_was_made() {
        let when = |text: &str| {
            parse(text, "records/a/2026-01-02-kernels.csv").unwrap()[0]
                .when
                .clone()
        };
        assert_eq!(when(RECORD), "2026-01-02");
        let run = format!("# run: 2026-01-01T23:59:00Z, karat 0.1.0, 78 s\n{RECORD}");
        assert_eq!(when(&run), "2026-01-01T23:59:00Z");
    }

    #[test]
    fn quotes_hold_commas() {
        assert_eq!(fields("a,\"b, c\",,d"), ["a", "b, c", "", "d"]);
    }
}
