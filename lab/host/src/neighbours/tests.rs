//! Waiting, with looks and time that the tests make up.

use super::*;

const FREE: f64 = 5.0;
const SHARED: f64 = 3.5;

/// Waits while the looks are those of `widths`, the last one for ever, 1 ms each.
fn wait(core: &mut Neighbours, widths: &[f64]) -> Wait {
    let mut made = 0;
    let look = || {
        made += 1;
        widths[(made - 1).min(widths.len() - 1)]
    };
    let mut now = 0.0;
    let mut seconds = || {
        now += 0.001;
        now
    };
    core.wait_by(look, &mut seconds, &AtomicBool::new(false))
}

fn known() -> Neighbours {
    let mut core = Neighbours::default();
    (0..100).for_each(|_| core.remember(FREE));
    core
}

#[test]
fn a_quiet_core_is_not_waited_for() {
    let wait = wait(&mut known(), &[FREE]);
    assert!((wait.seconds - 0.002).abs() < 1e-9, "{wait:?}");
    assert_eq!(wait.width, FREE);
}

#[test]
fn a_wait_ends_when_the_neighbour_does() {
    let mut looks = vec![SHARED; 30];
    // One quiet look between others is not enough.
    looks[10] = FREE;
    looks.push(FREE);
    let wait = wait(&mut known(), &looks);
    assert!((wait.seconds - 0.032).abs() < 1e-9, "{wait:?}");
}

#[test]
fn a_core_that_never_rests_is_given_up() {
    let mut core = known();
    let first = wait(&mut core, &[SHARED]);
    assert!(first.seconds < 0.51, "{first:?}");
    assert_eq!(first.width, SHARED);
    // Patience is used up; only time that passes brings it back.
    let second = wait(&mut core, &[SHARED]);
    assert!(second.seconds < 0.01, "{second:?}");
}

#[test]
fn an_interrupt_ends_a_wait() {
    let mut core = known();
    let wait = core.wait_by(|| SHARED, &mut || 0.0, &AtomicBool::new(true));
    assert_eq!(wait.width, SHARED);
}

#[test]
fn a_few_looks_that_are_too_large_are_not_the_free_width() {
    let mut core = known();
    (0..900).for_each(|_| core.remember(SHARED));
    core.remember(100.0);
    core.remember(7.0);
    assert!((core.free() - FREE).abs() < 0.02, "{}", core.free());
    assert!(core.threshold() > SHARED && core.threshold() < FREE);
}

#[test]
fn long_waits_do_not_hide_the_free_width() {
    let mut core = known();
    // Waits of thousands of looks each, beside a neighbour that is seldom away.
    let mut looks = vec![SHARED; 4000];
    looks.extend([FREE; 2]);
    let mut next = looks.iter().cycle();
    for _ in 0..30 {
        let look = || *next.next().unwrap();
        core.wait_by(look, &mut || 0.0, &AtomicBool::new(false));
    }
    assert!((core.free() - FREE).abs() < 0.02, "{}", core.free());
}

#[test]
fn before_the_first_look_everything_is_quiet() {
    let core = Neighbours::default();
    assert_eq!(core.free(), 0.0);
    assert!(SHARED >= core.threshold());
}
