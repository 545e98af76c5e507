//! Hostile contents that a command leaves in the layer, and attempts to change the files below.

use std::fs;
use std::os::unix::fs::MetadataExt as _;

use crate::fixture::{CaptureMethod, LayerFixture, fixtures, names, path};

const PYTHON: &str = "/usr/bin/python3 - <<'END'\n";

fn python(text: &str) -> String {
    format!("{PYTHON}{text}\nEND")
}

#[tokio::test]
async fn a_link_leads_us_nowhere() {
    for mut fixture in fixtures(&[("src/a.txt", "a\n"), ("b.txt", "b\n"), (".gitignore", "out/\n")]).await {
        let outside = fixture.folder.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("a.txt"), "outside\n").unwrap();
        let line = format!(
            "rm -r src b.txt; ln -s {0} src; ln -s {0}/a.txt b.txt; ln -s {0} new; mkdir out; ln -s {0} out/link; ln -s / root",
            outside.display()
        );
        let (_, writes) = fixture.run(&line).await;
        assert_eq!(writes.changed, [], "{:?}", fixture.method);
        assert_eq!(names(&writes.kept), ["new", "root"]);
        fixture.overlay.write(&path("src/a.txt"), b"A\n".to_vec()).unwrap();
        fixture.overlay.write(&path("b.txt"), b"B\n".to_vec()).unwrap();
        fixture.overlay.write(&path("new/a.txt"), b"N\n".to_vec()).unwrap();
        fixture.overlay.write(&path("out/link/a.txt"), b"O\n".to_vec()).unwrap();
        let (printed, _) = fixture.run("cat src/a.txt b.txt new/a.txt out/link/a.txt").await;
        assert_eq!(printed, "A\nB\nN\nO\n", "{:?}", fixture.method);
        assert_eq!(fs::read_to_string(outside.join("a.txt")).unwrap(), "outside\n");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
        fixture.layer.clear().await.unwrap();
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    }
}

#[tokio::test]
async fn odd_things_are_named_and_go() {
    for mut fixture in fixtures(&[("a.txt", "a\n"), ("b", "b\n")]).await {
        let text = r"
import os, socket, sys
os.mkfifo('fifo')
os.unlink('b'); os.mkfifo('b')
try:
    socket.socket(socket.AF_UNIX).bind('sock')
except OSError:
    pass
open(b'\xff\xfe name', 'w').write('text\n')
open('new\nline', 'w').write('text\n')
with open('sparse.txt', 'w') as file:
    file.truncate(3 << 30)
for number in (0, 1):
    try:
        os.mknod(f'device{number}', 0o020666, os.makedev(number, 3))
    except OSError:
        pass
os.mkdir('shut'); open('shut/in.txt', 'w').write('in\n'); os.chmod('shut', 0)
open('unreadable.txt', 'w').write('x\n'); os.chmod('unreadable.txt', 0)
";
        let (_, writes) = fixture.run(&python(text)).await;
        let refused = names(&writes.refused);
        assert!(refused.contains(&"fifo") && refused.contains(&"b"), "{refused:?}");
        let kept = names(&writes.kept);
        assert!(kept.contains(&"sparse.txt") && kept.contains(&"new\nline"), "{kept:?}");
        assert!(writes.changed.contains(&path("shut/in.txt")), "{writes:?}");
        let (printed, _) = fixture.run("ls -d *; cat b").await;
        for gone in ["fifo", "sock", "device0"] {
            assert!(!printed.contains(gone), "{:?}: {printed}", fixture.method);
        }
        assert!(printed.ends_with("b\n") && printed.contains("sparse.txt"));
        fixture.layer.clear().await.unwrap();
        assert_eq!(fs::read_dir(fixture.writes_folder()).unwrap().count(), 0, "however shut");
    }
}

#[tokio::test]
async fn neither_depth_nor_number_wears_us_out() {
    for method in [CaptureMethod::Mount, CaptureMethod::Copy] {
        let Some(mut fixture) = LayerFixture::new(method, &[("a.txt", "a\n")], &[]).await else { continue };
        let text = r"
import os
for _ in range(300):
    os.mkdir('d'); os.chdir('d')
open('deep.txt', 'w').write('deep\n')
";
        let (_, writes) = fixture.run(&python(text)).await;
        assert_eq!(writes.refused.len(), 1, "{:?}", fixture.method);
        assert!(writes.refused[0].1.contains("too deep") && writes.changed.is_empty());
        let text = r"
import os
os.mkdir('many')
for number in range(5100):
    os.close(os.open(f'many/{number}.txt', os.O_CREAT | os.O_WRONLY))
open('a.txt', 'w').write('A\n')
";
        let (_, writes) = fixture.run(&python(text)).await;
        assert!(writes.changed.is_empty() && fixture.overlay.changes().is_empty());
        assert!(writes.refused[0].1.contains("more files than can be looked through"), "{writes:?}");
        assert_eq!(fixture.run("cat a.txt; ls many | wc -l").await.0, "a\n0\n", "{:?}", fixture.method);
        let text = "for n in range(66): open(f'{n}.txt', 'w').write('x' * (1 << 20))";
        let (_, writes) = fixture.run(&python(text)).await;
        assert!(writes.refused[0].1.contains("more than 64 MiB"), "{writes:?}");
        assert!(fixture.overlay.changes().is_empty());
    }
}

#[tokio::test]
async fn nothing_gains_rights() {
    for mut fixture in fixtures(&[("a.sh", "echo\n")]).await {
        fixture.run("cp /bin/true t; chmod 4755 t; chmod 2755 a.sh; chmod u+s a.sh; true").await;
        let found = fs::symlink_metadata(fixture.writes_folder().join("t")).unwrap();
        assert_eq!(found.mode() & 0o7000, 0, "{:?}", fixture.method);
    }
}

/// Attempts to reach the files below. The test fixture checks the disk after each.
#[tokio::test]
async fn no_way_leads_through_to_the_disk() {
    let Some(mut fixture) =
        LayerFixture::new(CaptureMethod::Mount, &[("a.txt", "a\n"), ("d/b.txt", "b\n")], &[]).await
    else {
        return;
    };
    let (root, layer) = (fixture.root(), fixture.folder.path().join("layer"));
    let head = format!(
        "import ctypes, glob, os\nroot, layer = {:?}, {:?}\nlibc = ctypes.CDLL(None, use_errno=True)\n\
         def attempt(act):\n    try:\n        act()\n    except OSError:\n        pass\n\
         def put(path):\n    with open(path, 'w') as file:\n        file.write('through')\n",
        root.display(),
        layer.display()
    );
    let ways = [
        // Through other paths to the same place.
        "for p in ['/proc/self/root', '/proc/1/root', '/proc/self/cwd/../..', '/proc/1/cwd']:\n    attempt(lambda: put(p + root + '/a.txt'))\n    attempt(lambda: put(p + '/a.txt'))",
        "for fd in glob.glob('/proc/*/fd/*'):\n    attempt(lambda: put(fd + '/a.txt'))\n    attempt(lambda: put(fd))",
        "for n in range(3, 64):\n    attempt(lambda: os.close(os.open('a.txt', os.O_WRONLY | os.O_TRUNC, dir_fd=n)))",
        "for p in ['upper', 'work', 'work/work', 'spare']:\n    attempt(lambda: put(f'{layer}/{p}/a.txt'))\n    attempt(lambda: print(os.listdir(f'{layer}/{p}')))",
        // Through hard links and renames.
        "attempt(lambda: os.link(root + '/a.txt', '/tmp/a.txt'))\nattempt(lambda: put('/tmp/a.txt'))\nattempt(lambda: os.link('a.txt', 'l.txt'))\nattempt(lambda: put('l.txt'))",
        "attempt(lambda: os.rename(root, root + '2'))\nattempt(lambda: os.rmdir(root))\nattempt(lambda: os.rename(root, '/tmp/r'))",
        "attempt(lambda: os.rename('d', 'e'))\nattempt(lambda: os.replace('a.txt', 'd/b.txt'))\nattempt(lambda: os.unlink('a.txt'))",
        "attempt(lambda: os.chmod(root, 0))\nattempt(lambda: os.chmod(root, 0o755))\nattempt(lambda: os.utime('a.txt', (1, 1)))\nattempt(lambda: os.chown('a.txt', os.getuid(), os.getgid()))\nattempt(lambda: os.setxattr('a.txt', 'user.x', b'1'))",
        // By unmounting the layer, or mounting another one.
        "attempt(lambda: libc.umount2(root.encode(), 2))\nattempt(lambda: libc.mount(b'x', root.encode(), b'tmpfs', 0, 0))\nattempt(lambda: libc.mount(b'/', b'/tmp', 0, 4096, 0))\nattempt(lambda: libc.unshare(0x10020000))\nattempt(lambda: libc.umount2(root.encode(), 2))\nattempt(lambda: put('a.txt'))",
        "attempt(lambda: libc.mount(0, root.encode(), b'overlay', 32, b'lowerdir=/'))\nattempt(lambda: libc.syscall(442, -100, root.encode(), 0, 0, 0))\nattempt(lambda: libc.syscall(428, -100, root.encode(), 1))",
        // Through the extended attributes and device nodes that the kernel uses in a layer.
        "for name in ['redirect', 'opaque', 'metacopy', 'origin', 'whiteout', 'impure', 'upper']:\n    for space in ['user', 'trusted']:\n        attempt(lambda: os.setxattr('d', f'{space}.overlay.{name}', b'/etc'))\n        attempt(lambda: os.setxattr('a.txt', f'{space}.overlay.{name}', b'y'))\nattempt(lambda: put('d/b.txt'))",
        "attempt(lambda: os.unlink('a.txt'))\nattempt(lambda: os.mknod('a.txt', 0o020666, 0))\nattempt(lambda: os.mknod('d/b2', 0o020666, 0))",
        // Through a memory mapping of a file that is being copied up.
        "import mmap\nfd = os.open('a.txt', os.O_RDONLY)\nm = mmap.mmap(fd, 0, prot=mmap.PROT_READ)\nput('a.txt')\nattempt(lambda: os.ftruncate(fd, 0))\nattempt(lambda: os.close(os.open(f'/proc/self/fd/{fd}', os.O_WRONLY | os.O_TRUNC)))",
        // Through a file handle.
        "buf = ctypes.create_string_buffer(136); ctypes.c_uint.from_buffer(buf).value = 128\nm = ctypes.c_int()\nlibc.syscall(303, -100, root.encode(), buf, ctypes.byref(m), 0)\nlibc.syscall(304, 3, buf, 2)",
    ];
    for way in ways {
        let (printed, _) = fixture.run(&format!("{}\ntrue", python(&format!("{head}{way}")))).await;
        assert!(!printed.contains("SyntaxError") && !printed.contains("NameError"), "{way}\n{printed}");
        fixture.overlay = workspace::Overlay::new(fixture.workspace.root().clone());
        assert_eq!(fixture.run("cat a.txt d/b.txt").await.0, "a\nb\n", "nor is it seen by the next: {way}");
    }
    let (printed, _) = fixture.run("cat /proc/self/mountinfo; ls -l /proc/self/fd").await;
    assert!(!printed.contains(layer.to_str().unwrap()), "no name leads to the layer: {printed}");
    let (printed, _) = fixture.run(&format!("ls {} 2>&1 || true", layer.display())).await;
    assert!(printed.contains("No such file"), "{printed}");
}
