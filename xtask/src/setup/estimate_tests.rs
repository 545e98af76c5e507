use super::*;

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

fn look(done: usize, total: usize, active: &[&str]) -> BuildProgress {
    BuildProgress { done, total, active: active.iter().map(ToString::to_string).collect() }
}

#[test]
fn cargo_s_progress_line_is_read() {
    for (line, expected) in [
        (
            "    Building [======>        ] 3/12: serde_json(build.rs), zmij(build)        ",
            Some(look(3, 12, &["serde_json(build.rs)", "zmij(build)"])),
        ),
        (
            "    Building [=====================>     ] 10/12: a, b, c...",
            Some(look(10, 12, &["a", "b", "c"])),
        ),
        ("    Building [                            ] 0/12: ", Some(look(0, 12, &[]))),
        ("   Compiling serde_json v1.0.154", None),
        ("    Finished `dev` profile [unoptimized + debuginfo] target(s) in 9.98s", None),
        ("    Building [===", None),
        ("    Building [=>  ] x/y: a", None),
        ("", None),
    ] {
        assert_eq!(BuildProgress::parse(line), expected, "{line}");
    }
}

#[test]
fn the_line_names_the_heaviest_unit_and_the_time_left() {
    let mut estimate = Estimate::new(2, BuildStart::Warm);
    assert_eq!(estimate.describe(seconds(0)), None);
    estimate.observe(seconds(0), look(0, 300, &["libc(build.rs)", "syn"]));
    assert_eq!(
        estimate.describe(seconds(1)).unwrap(),
        "building 0/300 · libc(build.rs)",
        "too early to tell"
    );
    estimate.observe(seconds(200), look(231, 304, &[LLAMA, "serde"]));
    let line = estimate.describe(seconds(200)).unwrap();
    assert_eq!(line, "building 231/304 · llama.cpp (long) · about 6 min left");
}

#[test]
fn a_cold_build_counts_what_lies_ahead_and_a_warm_one_does_not() {
    let first = look(0, 300, &["libc"]);
    let left = |start| {
        let mut estimate = Estimate::new(2, start);
        estimate.observe(seconds(2), first.clone());
        estimate.left().unwrap().as_secs()
    };
    let (cold, warm) = (left(BuildStart::Cold), left(BuildStart::Warm));
    assert!((500..800).contains(&cold), "{cold}");
    assert!((150..300).contains(&warm), "{warm}");
}

#[test]
fn the_estimate_falls_while_the_one_long_unit_runs() {
    let mut estimate = Estimate::new(2, BuildStart::Cold);
    estimate.observe(seconds(10), look(297, 300, &[LLAMA]));
    let mut at = |now| {
        estimate.pass_time(seconds(now));
        estimate.left().unwrap().as_secs()
    };
    let samples = [at(10), at(100), at(200), at(300)];
    assert!(samples.is_sorted_by(|earlier, later| earlier > later), "{samples:?}");
    assert!(at(2000) > 0, "it is not over before it is over");
}

#[test]
fn a_unit_beside_the_long_one_slows_it_down() {
    let left = |active: &[&str]| {
        let mut estimate = Estimate::new(2, BuildStart::Warm);
        estimate.observe(seconds(2), look(290, 300, active));
        estimate.pass_time(seconds(100));
        estimate.work_left()
    };
    assert!(left(&[LLAMA, "a", "b"]) > left(&[LLAMA]) + 50.0);
}

#[test]
fn a_slow_machine_is_noticed() {
    let slow_and_fast = [12_u64, 1].map(|seconds_per_unit| {
        let mut estimate = Estimate::new(1, BuildStart::Warm);
        for unit in 0..50_u64 {
            let progress = look(usize::try_from(unit).unwrap(), 100, &["unit"]);
            estimate.observe(seconds(2 + unit * seconds_per_unit), progress);
        }
        estimate.left().unwrap().as_secs()
    });
    let [slow, fast] = slow_and_fast;
    assert!(slow > fast * 2, "{slow} and {fast}");
}

#[test]
fn what_an_earlier_run_built_does_not_count_as_pace() {
    let mut estimate = Estimate::new(2, BuildStart::Warm);
    estimate.observe(seconds(2), look(290, 300, &["a"]));
    estimate.observe(seconds(4), look(291, 300, &["b"]));
    let left = estimate.left().unwrap().as_secs();
    assert!((4..10).contains(&left), "nine units left: {left}");
}
