use super::*;

type Files<'a> = &'a [(&'a str, &'a str)];

const GIB: u64 = 1 << 30;

fn root(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    root
}

const MEMINFO: (&str, &str) =
    ("proc/meminfo", "MemTotal:       16777216 kB\nMemFree: 1 kB\nMemAvailable:   8388608 kB\n");

#[test]
fn this_machine_has_facts() {
    let facts = machine();
    assert!(facts.logical_cores >= 1);
    assert!((1..=facts.logical_cores).contains(&facts.physical_cores));
    if cfg!(any(target_os = "linux", target_os = "macos")) {
        let (total, available) = (facts.memory_total.unwrap(), facts.memory_available.unwrap());
        assert!(total > 64 << 20 && available <= total, "{facts:?}");
    }
}

#[test]
fn disk_space_is_that_of_the_nearest_folder() {
    let folder = tempfile::tempdir().unwrap();
    assert!(disk_free(folder.path()).is_some());
    assert!(disk_free(folder.path().join("not/made/yet")).is_some());
}

#[test]
fn memory_follows_the_tightest_limit() {
    let second = "0::/box/inner\n";
    let first = "4:memory:/box\n0::/\n";
    let number = |value: u64| value.to_string();
    let (one, two, six) = (number(GIB), number(2 * GIB), number(6 * GIB));
    let cases: [(&str, Files<'_>, u64, u64); 6] = [
        ("bare", &[], 16 * GIB, 8 * GIB),
        (
            "v2 without limit",
            &[("proc/self/cgroup", second), ("sys/fs/cgroup/box/memory.max", "max\n")],
            16 * GIB,
            8 * GIB,
        ),
        (
            "v2, the outer group is tighter",
            &[
                ("proc/self/cgroup", second),
                ("sys/fs/cgroup/box/memory.max", &two),
                ("sys/fs/cgroup/box/memory.current", &one),
                ("sys/fs/cgroup/box/inner/memory.max", &six),
            ],
            2 * GIB,
            GIB,
        ),
        (
            "v2, file pages can be had back",
            &[
                ("proc/self/cgroup", second),
                ("sys/fs/cgroup/box/inner/memory.max", &six),
                ("sys/fs/cgroup/box/inner/memory.current", &six),
                ("sys/fs/cgroup/box/inner/memory.stat", "anon 5\ninactive_file 3221225472\n"),
            ],
            6 * GIB,
            3 * GIB,
        ),
        (
            "v1",
            &[
                ("proc/self/cgroup", first),
                ("sys/fs/cgroup/memory/box/memory.limit_in_bytes", &two),
                ("sys/fs/cgroup/memory/box/memory.usage_in_bytes", &one),
            ],
            2 * GIB,
            GIB,
        ),
        (
            "v1 without limit, and nonsense",
            &[
                ("proc/self/cgroup", "x\n4:memory:/box\n:::\n"),
                ("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "9223372036854771712"),
                ("sys/fs/cgroup/memory/memory.limit_in_bytes", "many"),
            ],
            16 * GIB,
            8 * GIB,
        ),
    ];
    for (name, files, total, available) in cases {
        let root = root(&[&[MEMINFO], files].concat());
        assert_eq!(memory_in(root.path()), (Some(total), Some(available)), "{name}");
    }
}

#[test]
fn a_machine_that_tells_nothing_is_no_error() {
    assert_eq!(memory_in(root(&[]).path()), (None, None));
    assert_eq!(memory_in(root(&[("proc/meminfo", "MemTotal: lots\n")]).path()), (None, None));
}

#[test]
fn siblings_are_one_core() {
    let processor = |socket, core| format!("processor : 9\nphysical id\t: {socket}\ncore id\t\t: {core}\n\n");
    let two_cores = [processor(0, 0), processor(0, 0), processor(0, 1), processor(0, 1)].concat();
    let two_sockets = [processor(0, 0), processor(1, 0)].concat();
    for (text, cores) in
        [(two_cores.as_str(), Some(2)), (&two_sockets, Some(2)), ("processor: 0\n", None), ("", None)]
    {
        assert_eq!(cores_in(text), cores);
    }
}
