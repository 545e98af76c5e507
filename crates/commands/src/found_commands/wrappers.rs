//! Programs that run a command given in their arguments (`sudo rm x`), and its position among the arguments.

/// A program that runs the rest of its arguments as a command.
pub struct Wrapper {
    /// Program names, with the subcommand (`git-submodule`) if only that runs something.
    pub names: &'static str,
    /// Options that take the next argument.
    pub valued: &'static str,
    /// The letters of options that take no argument. After an option that is in neither list, both readings are tried.
    pub flags: &'static str,
    /// The number of arguments before the command.
    pub operands: usize,
    /// True if the arguments are joined and read by a shell.
    pub script: bool,
}

const fn words(names: &'static str, valued: &'static str, flags: &'static str, operands: usize) -> Wrapper {
    Wrapper { names, valued, flags, operands, script: false }
}

const fn script(names: &'static str, valued: &'static str, flags: &'static str, operands: usize) -> Wrapper {
    Wrapper { names, valued, flags, operands, script: true }
}

pub const WRAPPERS: &[Wrapper] = &[
    words(
        "sudo",
        "-u --user -g --group -h --host -p --prompt -C --close-from -r --role -t --type -T --command-timeout -U \
         --other-user -D --chdir -R --chroot",
        "AbEeHiKknPSsv",
        0,
    ),
    words("doas", "-u -C", "Lns", 0),
    words("env", "-u --unset -C --chdir -S --split-string", "i0v", 0),
    words("nohup setsid busybox toybox command builtin fakeroot eatmydata", "", "cfwpvV", 0),
    words("exec", "-a", "cl", 0),
    words("nice", "-n --adjustment", "", 0),
    words("ionice", "-c --class -n --classdata", "t", 0),
    words("timeout gtimeout", "-k --kill-after -s --signal", "v", 1),
    words("stdbuf gstdbuf", "-i --input -o --output -e --error", "", 0),
    words("time gtime", "-f --format -o --output", "pavq", 0),
    words(
        "chrt taskset chroot flock setarch cpulimit gosu su-exec softlimit direnv",
        "",
        "abdefimoprRzsxnu",
        1,
    ),
    words(
        "linux32 linux64 i386 x86_64 arch unbuffer catchsegv torsocks proxychains proxychains4",
        "",
        "qd",
        0,
    ),
    words(
        "unshare nsenter runuser setpriv pkexec machinectl",
        "-t --target -u --user -S -G -r --root -w --wd",
        "imnpUCfF",
        0,
    ),
    words(
        "xargs",
        "-I -L -n -P -s -a -d -E --arg-file --delimiter --max-args --max-lines --max-procs --max-chars \
         --replace",
        "0rtpxo",
        0,
    ),
    words(
        "strace ltrace",
        "-e -o -p -s -u -E -a -b -I -O -P -S -X --trace --output",
        "fcCdDFhikqrtTvVwxyYzZ",
        0,
    ),
    words(
        "valgrind perf rr gdb lldb rlwrap sshpass firejail bwrap proot systemd-run dbus-run-session xvfb-run",
        "-p -o -e --args",
        "qv",
        0,
    ),
    words(
        "npx bunx pnpx uvx dotenv cross-env dotenvx",
        "-p --package --from --with --python -f -e",
        "yqv",
        0,
    ),
    words(
        "uv-run pipx-run poetry-run pipenv-run pdm-run hatch-run rye-run bundle-exec pnpm-exec pnpm-dlx \
         npm-exec npm-x",
        "-p --package --with --python --extra",
        "yqv",
        0,
    ),
    words(
        "yarn-exec yarn-dlx yarn-run yarn-node mise-exec mise-x asdf-exec rbenv-exec pyenv-exec volta-run \
         conda-run mamba-run",
        "-n -p --name --prefix",
        "yqv",
        0,
    ),
    words(
        "rustup-run nix-run nix-shell-run docker-exec docker-run podman-exec podman-run kubectl-exec",
        "-e --env -u --user -w --workdir -v --volume -p --publish --name -n --namespace -c --container",
        "itdP",
        1,
    ),
    words("git-bisect ip-netns", "", "", 1),
    words("entr flatpak-spawn chpst start-stop-daemon caffeinate hyperfine-run", "-u -x", "", 0),
    script("eval trap coproc", "", "", 0),
    script("coproc", "", "", 1),
    script("watch", "-n --interval -d", "bcegtx", 0),
    script("parallel", "-j --jobs -a --arg-file -I -n --max-args", "kuX0", 0),
    script(
        "ssh autossh mosh",
        "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w",
        "46AaCfGgKkMNnqsTtVvXxYy",
        1,
    ),
    script("git-submodule", "", "q", 1),
    script("hyperfine at batch", "-w -r -m -M -p", "", 0),
];

/// Options that carry a script in any program, either after `=` or as the next argument.
pub const SCRIPT_OPTIONS: &[&str] = &[
    "--command",
    "--exec",
    "--execute",
    "--exec-batch",
    "--to-command",
    "--use-compress-program",
    "--compress-program",
    "--rsh",
    "--rsh-command",
    "--rsync-path",
    "--eval",
    "--upload-pack",
    "--receive-pack",
    "--pager",
    "--checkpoint-action",
    "--info-script",
    "--new-volume-script",
    "--split-string",
    "--script-shell",
    "--shell",
    "--extcmd",
    "--open-files-in-pager",
    "--hostname-bin",
    "--unzip-command",
    "--init-command",
    "-toolexec",
    "-vettool",
    "-exec",
    "--use-askpass",
];

/// Like [`SCRIPT_OPTIONS`], for names that have other meanings in other programs.
pub const SCRIPT_OPTIONS_OF: &[(&str, &str)] =
    &[("split", "--filter"), ("nix-shell", "--run"), ("rg", "--pre")];

/// Letters of short options that carry a script, by program.
pub const SCRIPT_LETTERS: &[(&str, &str)] = &[
    ("tar bsdtar gtar", "IF"),
    ("rsync", "e"),
    ("ssh scp sftp", "oS"),
    ("man", "P"),
    ("vi vim nvim view ex emacs", "c"),
    ("git", "c"),
    ("git-rebase git-difftool", "x"),
    ("git-grep", "O"),
    ("git-clone", "cu"),
    ("npm-exec npm-x pnpm-exec", "c"),
    ("env", "S"),
    ("su runuser script flock sg fish npx psql just", "c"),
    ("xterm konsole gnome-terminal alacritty kitty wget", "e"),
];

/// Programs with subcommands, and those of their global options that take the next argument: `git -C x push` pushes.
pub const BEFORE_SUBCOMMANDS: &[(&str, &str)] = &[
    ("git", "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source"),
    ("cargo", "-C -Z --config --color"),
    ("npm pnpm yarn", "--prefix -C --dir --cwd -w --workspace --loglevel"),
    ("docker podman nerdctl", "-H --host -c --context --config -l --log-level"),
    ("kubectl helm", "-n --namespace --context --kubeconfig --cluster --user -s --server"),
    ("systemctl journalctl", "-H --host -M --machine"),
    ("apt apt-get", "-o -c -t"),
];
