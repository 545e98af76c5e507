use super::*;

fn programs(line: &str) -> Vec<String> {
    FoundCommands::in_line(line).programs().into_iter().map(str::to_owned).collect()
}

/// Each of these lines runs, or may run, `rm`.
#[test]
fn what_a_line_runs_is_found_however_it_is_wrapped() {
    let lines = [
        "rm x",
        "  rm x",
        "/bin/rm x",
        "\\rm x",
        "'rm' x",
        "r''m x",
        "\"r\"m x",
        "$'rm' x",
        "$'\\x72m' x",
        "$'\\162\\u006d' x",
        "ls; rm x",
        "ls;rm x",
        "ls && rm x",
        "ls || rm x",
        "ls | rm x",
        "ls & rm x",
        "ls\nrm x",
        "ls # rm\nrm x",
        "r\\\nm x",
        "(rm x)",
        "{ rm x; }",
        "! rm x",
        "time rm x",
        "time -p rm x",
        "if true; then rm x; fi",
        "if rm x; then true; fi",
        "while ! rm x; do :; done",
        "for a in b; do rm $a; done",
        "for c in rm; do $c x; done",
        "case a in a) rm x;; esac",
        "case a in (a) rm x;; esac",
        "(case a in a) ls;; esac; rm x)",
        "f() { rm x; }; f",
        "function f { rm x; }; f",
        "echo $(rm x)",
        "echo `rm x`",
        "echo \"$(rm x)\"",
        "echo \"`rm x`\"",
        "echo \"a $(echo \"b $(rm x)\")\"",
        "echo ${a:-$(rm x)}",
        "echo ${a:-${b:-`rm x`}}",
        "echo $((1 + $(rm x)))",
        "cat <(rm x)",
        "tee >(rm x)",
        "a=$(rm x)",
        "a=b rm x",
        "a=rm; $a x",
        "a=rm; ${a} x",
        "a='rm x'; $a",
        "a=r; a+=m; $a x",
        "export a=rm; $a x",
        "a=r b=m; $a$b x",
        "$nothing rm x",
        "false && a=ls; $a rm x",
        "a=ls; unset a; $a $b rm x",
        "${a[0]:-rm} x",
        "echo ${a[$(rm x)]}",
        "${a:=rm} x",
        "echo ${a:=rm}; $a x",
        "echo ${a:-b <(rm x)}",
        "a\r#b; rm x",
        "$(true) $nothing rm x",
        "ls$IFS#; rm x",
        "a='b '; $a#; rm x",
        "ls$IFS\\\n#; rm x",
        "(ls)# a\nrm x",
        "{rm,-r,x}>y",
        "cat <<$a\n\ndon't\n$a\nrm x",
        "cat <<$(a b)\ndon't\n$(a b)\nrm x",
        "cat <<'a\nb'\ndon't\nrm x",
        "echo \"${a:-'}\"; rm x",
        "echo \"${a:-'}\"; rm x # '}\"",
        "echo \"${a#'\"'}\"; rm x",
        "echo \"$(case a in a) rm x;; esac)\"",
        "echo \"$(case a in (a) ls;; b|c) rm x;; esac)\"",
        "echo \"`bash -c \\\"rm x\\\"`\"",
        "coproc NAME { rm x; }",
        "'a' 'b; rm x",
        "${a:-rm} x",
        "rm$IFS-r${IFS}x",
        "{rm,-r,x}",
        "/bin/r? x",
        "/bin/[r]m x",
        "/???/r* x",
        ">y rm x",
        "2>&1 rm x",
        "<y rm x",
        "&>y rm x",
        "{log}>y rm x",
        "cat <<EOF\n$(rm x)\nEOF",
        "cat <<EOF\ndon't $(rm x)\nEOF",
        "cat <<EOF\ndon't\nEOF\nrm x",
        "cat <<-'E O F'\n\tdon't\n\tE O F\nrm x",
        "echo $((1<<2))\nrm x",
        "bash <<EOF\nrm x\nEOF",
        "bash <<< 'rm x'",
        "echo 'rm x' | sh",
        "printf 'rm x' | bash -s",
        "sudo rm x",
        "sudo -u root rm x",
        "sudo -nu root -- rm x",
        "sudo --unknown value rm x",
        "sudo A=b rm x",
        "doas rm x",
        "env rm x",
        "env -i A=b rm x",
        "env -u A rm x",
        "env -S 'rm x'",
        "env --split-string='rm x'",
        "xargs rm",
        "ls | xargs -0 rm",
        "ls | xargs -I{} -P 4 rm {}",
        "nohup rm x",
        "nice -n 5 rm x",
        "timeout -s KILL 5 rm x",
        "timeout 5 rm x",
        "stdbuf -o0 rm x",
        "setsid -w rm x",
        "command rm x",
        "command -p rm x",
        "builtin eval 'rm x'",
        "exec rm x",
        "exec -a ls rm x",
        "eval rm x",
        "eval 'ls; rm x'",
        "trap 'rm x' EXIT",
        "coproc rm x",
        "busybox rm x",
        "watch -n 1 'rm x'",
        "parallel 'rm {}' ::: x",
        "parallel rm ::: x",
        "ssh host 'rm x'",
        "ssh -o ProxyCommand='rm x' host",
        "bash -c 'rm x'",
        "bash -lc 'ls && rm x'",
        "bash -e -c 'rm x'",
        "sh -c \"bash -c 'rm x'\"",
        "bash --norc -c 'rm x'",
        "su -c 'rm x' root",
        "find . -exec rm {} +",
        "find . -name a -execdir rm {} \\;",
        "find . -ok rm {} \\; -exec ls {} \\;",
        "fd a -x rm",
        "git -c alias.a='!rm x' a",
        "git rebase --exec 'rm x' main",
        "git rebase -x 'rm x' main",
        "git bisect run rm x",
        "git submodule foreach 'rm x'",
        "git grep -O'rm' a",
        "tar cf a --to-command='rm x' b",
        "tar cf a --checkpoint-action=exec='rm x' b",
        "tar -I rm -xf a",
        "rsync -e 'rm x' a b:",
        "sort --compress-program=rm a",
        "vim -c ':!rm x'",
        "vim +'!rm x'",
        "man -P rm ls",
        "go test -exec rm ./...",
        "npx rm x",
        "npm exec rm x",
        "uv run rm x",
        "docker run -it image rm x",
        "kubectl exec pod -- rm x",
        "python3 -c 'import os; os.system(\"rm x\")'",
        "python3 -c \"import subprocess; subprocess.run(['rm', 'x'])\"",
        "perl -e 'system(\"rm x\")'",
        "perl -e '`rm x`'",
        "awk 'BEGIN { system(\"rm x\") }'",
        "python3 <<EOF\nos.system('rm x')\nEOF",
        "chroot /x rm x",
        "strace -f -o log rm x",
        "sudo env nice timeout 5 bash -c 'find . -exec rm {} +'",
    ];
    for line in lines {
        let found = FoundCommands::in_line(line);
        let rule: crate::CommandPattern = "rm ...".parse().unwrap();
        assert!(found.commands.iter().any(|command| rule.may_fit(command)), "{line:?}: {:?}", programs(line));
    }
}

#[test]
fn what_a_line_only_speaks_of_is_not_run() {
    let cases: [(&str, &[&str]); 19] = [
        ("ls -l", &["ls"]),
        ("echo rm x", &["echo"]),
        ("echo 'rm x; rm y'", &["echo"]),
        ("ls # rm x", &["ls"]),
        ("ls > rm", &["ls"]),
        ("ls 2> rm", &["ls"]),
        ("grep -r 'sudo rm' .", &["grep"]),
        ("git commit -m 'rm x'", &["git"]),
        ("sudo ls rm", &["sudo", "ls"]),
        ("sudo -n ls rm", &["sudo", "ls"]),
        ("xargs -0 grep rm", &["xargs", "grep"]),
        ("timeout 5 ls rm", &["timeout", "ls"]),
        ("find . -name rm", &["find"]),
        ("command -v rm", &["command"]),
        ("echo \"${a:-rm}\" b", &["echo"]),
        ("cat <<< a", &["a", "cat"]),
        ("echo '{rm,x}'", &["echo"]),
        ("case a in rm) ls;; esac", &["ls"]),
        ("cargo test && cargo fmt | tee log", &["cargo", "tee"]),
    ];
    for (line, expected) in cases {
        assert_eq!(programs(line), expected, "{line:?}");
    }
}

#[test]
fn commands_are_shown_as_one_would_type_them() {
    let cases = [
        ("git  commit -m 'two words'", "git commit -m 'two words'"),
        ("rm -rf \"$HOME\"", "rm -rf …"),
        ("rm a$b", "rm a…"),
        ("echo 'it'\\''s'", "echo 'it'\\''s'"),
        ("echo 'a\u{202e}b'", "echo 'a\u{fffd}b'"),
    ];
    for (line, shown) in cases {
        assert_eq!(FoundCommands::in_line(line).commands[0].shown(), shown, "{line}");
    }
    let long = FoundCommands::in_line(&format!("echo {}", "a".repeat(500))).commands[0].shown();
    assert!(long.ends_with('…') && long.chars().count() < 200);
}

/// Lines that would take too long or grow without end are abandoned and reported as cut.
#[test]
fn what_is_too_deep_or_too_much_is_cut() {
    let nested =
        |begin: &str, end: &str, depth: usize| format!("{}rm x{}", begin.repeat(depth), end.repeat(depth));
    let here = |depth: usize| {
        let begin: Vec<String> = (0..depth).map(|level| format!("$(cat <<E{level}\n")).collect();
        let end: Vec<String> = (0..depth).rev().map(|level| format!("\nE{level}\n)")).collect();
        format!("echo {}rm x{}", begin.concat(), end.concat())
    };
    let doubled = format!("x=aaaaaaaa; {} $x", "x=$x$x; ".repeat(2000));
    let cases = [
        (nested("$(", ")", 10), true),
        (nested("$(", ")", 5000), false),
        (nested("(", ")", 5000), false),
        (nested("${a:-", "}", 5000), false),
        (nested("\"${a:-", "}\"", 5000), false),
        (nested("`", "`", 5000), true),
        (nested("<(", ")", 5000), false),
        (here(40), false),
        (format!("{}rm x", "sudo ".repeat(3000)), false),
        (nested("bash -c '", "'", 500), true),
        (nested("{a,", "}", 3000), true),
        (nested("{a,b}", "", 3000), true),
        (nested("*", "", 20_000), true),
        (doubled, true),
        ("a;".repeat(5000), true),
        ((0..5000).map(|number| format!("a{number};")).collect::<Vec<_>>().concat(), false),
        ("fd ".to_owned() + &"-x ".repeat(20_000), false),
        ("sudo ".to_owned() + &"-q a ".repeat(12_000), false),
        ("sudo ".repeat(12_000), false),
        ("$a ".repeat(20_000), false),
        (nested("${a[", "]}", 5000), false),
        (nested("<<E\n", "", 5000), false),
        ("x".repeat(70_000), false),
    ];
    for (line, whole) in cases {
        let begin: String = line.chars().take(30).collect();
        assert_eq!(FoundCommands::in_line(&line).complete, whole, "{begin}");
    }
}
