//! Programs that no allow rule may name: allowing one of them would allow everything.

/// The reason a program is barred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Barred {
    Shell,
    Interpreter,
    Runner,
    Privilege,
    Remote,
    Viewer,
    Installer,
    Builtin,
}

impl Barred {
    /// Returns a clause that follows the name of the program: "`sudo` runs other programs as somebody else".
    pub fn reason(self) -> &'static str {
        match self {
            Self::Shell => "is a shell and runs whatever it is given",
            Self::Interpreter => "runs whatever program it is given",
            Self::Runner => "runs other programs",
            Self::Privilege => "runs other programs as somebody else, or changes the system",
            Self::Remote => "reaches other machines, or containers outside of the sandbox",
            Self::Viewer => "can start other programs from within",
            Self::Installer => "fetches programs of strangers and runs them",
            Self::Builtin => "is a part of the shell that can run or change anything",
        }
    }
}

const SHELLS: &str = "\
    sh bash rbash zsh dash ash ksh ksh93 mksh yash fish csh tcsh pwsh powershell cmd elvish nu xonsh rc es \
    ion osh oil";

const INTERPRETERS: &str = "\
    python pythonw pypy ipython jupyter node nodejs deno bun ts-node tsx perl raku ruby irb jruby php lua \
    luajit awk gawk mawk nawk goawk tclsh wish expect guile racket sbcl clisp ecl scheme chez csi gsi ghci \
    runghc runhaskell stack erl escript elixir iex mix julia r rscript octave matlab java jshell groovy \
    kotlin kotlinc scala amm clojure clj bb swipl prolog ocaml coqtop dotnet-script fsi osascript m4 \
    gnuplot dc sqlite3 sqlite duckdb psql mysql mariadb mongo mongosh redis-cli gdb lldb r2 radare2 tex \
    latex pdftex pdflatex xelatex lualatex luatex context texlua metapost mpost ghostscript gs bpftrace \
    stap dtrace logo forth gforth wasmtime wasmer wine wine64 qemu tcc gjs";

const RUNNERS: &str = "\
    env arch xargs nohup nice ionice timeout gtimeout setsid stdbuf gstdbuf chrt taskset strace ltrace \
    valgrind perf rr time gtime watch parallel entr script scriptreplay unshare nsenter chroot bwrap \
    firejail proot fakeroot systemd-run at batch crontab busybox toybox flock setarch linux32 linux64 i386 \
    x86_64 unbuffer catchsegv ld ldd ld.so run-parts start-stop-daemon daemonize capsh setpriv \
    dbus-run-session dbus-launch dbus-send xvfb-run openvt chpst softlimit cpulimit runcon hyperfine direnv \
    npx bunx pnpx uvx uv pipx poetry pipenv pdm hatch rye bundle conda mamba micromamba nix nix-shell \
    nix-build nix-env guix mise asdf rbenv pyenv nodenv volta nvm fnm sdk tmux screen dtach abduco zellij \
    byobu xterm konsole gnome-terminal alacritty kitty open xdg-open start explorer cross-env dotenv \
    dotenvx concurrently nodemon pm2 forever supervisord cygstart gtk-launch rlwrap torsocks proxychains \
    proxychains4 chronic ifne mispipe pee sem vidir vipe zrun lckdo ccache sccache distcc doppler op \
    chamber envchain aws-vault infisical sops envdir setuidgid tini dumb-init catatonit uftrace heaptrack \
    samply flamegraph coverage kcov bear scan-build intercept-build apptainer singularity toolbox distrobox \
    lima limactl colima wsl winpty sandbox-exec dtruss ktrace truss tcpdump logrotate openvpn nmap tshark \
    caffeinate eatmydata faketime cgexec numactl prlimit run0 choom flatpak flatpak-spawn snap";

const PRIVILEGE: &str = "\
    sudo sudoedit doas su runuser pkexec gosu su-exec sg newgrp systemctl service launchctl machinectl \
    initctl mount umount mkfs fdisk parted insmod modprobe shutdown reboot halt poweroff init telinit \
    passwd useradd usermod userdel visudo iptables nft sysctl kexec losetup cryptsetup";

const REMOTE: &str = "\
    ssh scp sftp autossh mosh sshpass ssh-agent ssh-add telnet rsh rlogin nc ncat netcat socat docker \
    docker-compose podman nerdctl buildah skopeo ctr crictl kubectl oc helm k9s minikube kind vagrant \
    multipass lxc lxd virsh ansible ansible-playbook ansible-console salt puppet chef terraform tofu pulumi \
    aws gcloud az";

const VIEWERS: &str = "\
    vi vim nvim gvim view vimdiff ex ed red emacs emacsclient nano pico micro hx helix kak joe jed mg less \
    more most man info pinfo lynx w3m links elinks mutt mail mailx sendmail ftp lftp gdbtui tig lazygit mc \
    ranger nnn vifm top htop fzf sk dialog whiptail gitk code codium subl idea soffice libreoffice chromium \
    chrome google-chrome firefox electron gimp inkscape blender wireshark";

const INSTALLERS: &str = "\
    pip pipenv gem composer brew port apt apt-get aptitude dpkg rpm yum dnf zypper pacman yay paru apk \
    emerge pkg pkgin opam cabal luarocks cpan cpanm easy_install";

/// The builtins of bash, without the harmless ones. Some of these evaluate text that looks like an array index: `unset
/// 'x[$(rm y)]'` runs `rm`.
const BUILTINS: &str = "\
    . source eval exec command builtin trap alias unalias bind compgen complete compopt declare typeset \
    local export readonly let read mapfile readarray unset enable hash fc history set shopt getopts logout \
    exit return suspend pushd popd dirs caller disown bg fg wait jobs break continue shift umask ulimit \
    coproc select function";

/// Returns the reason if no allow rule may name this program.
pub fn barred(program: &str) -> Option<Barred> {
    let lists = [
        (SHELLS, Barred::Shell),
        (INTERPRETERS, Barred::Interpreter),
        (RUNNERS, Barred::Runner),
        (PRIVILEGE, Barred::Privilege),
        (REMOTE, Barred::Remote),
        (VIEWERS, Barred::Viewer),
        (INSTALLERS, Barred::Installer),
        (BUILTINS, Barred::Builtin),
    ];
    lists.into_iter().find(|(names, _)| is_one_of(names, program)).map(|(_, barred)| barred)
}

pub fn is_shell(program: &str) -> bool {
    is_one_of(SHELLS, program)
}

pub fn is_interpreter(program: &str) -> bool {
    is_one_of(INTERPRETERS, program)
}

/// Returns true if the program is in the list. `python3.12` and `Python` count as `python`: versions follow the name,
/// and some file systems are case-insensitive.
fn is_one_of(names: &str, program: &str) -> bool {
    let program = program.rsplit('/').next().unwrap_or(program).to_ascii_lowercase();
    let program = program.strip_suffix(".exe").unwrap_or(&program);
    let letters = program.find(|next: char| !next.is_ascii_alphabetic()).unwrap_or(program.len());
    let stem = &program[..letters];
    names.split_ascii_whitespace().any(|name| name == program || (name == stem && !stem.is_empty()))
}
