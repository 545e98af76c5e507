"""What there is to get at: secrets in a home, a victim process and its folder, listeners, shared objects.

Each lane has a world of its own, so that two attempts at a time do not meet.
"""

import json
import os
import resource
import secrets
import shutil
import signal
import stat
import subprocess
import sys

from outside import host, objects
from outside.ears import Ears

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = {"memory": 1536, "pipes": 600, "processes": 300, "threads": 1500, "storage": 600, "entries": 30_000,
         "descriptors": 3_000, "output": 256}
# In the shell's workspace the rest of the machine may be read, as far as it is nobody's secret.
NOT_SECRET_IN_SHELL = ("home", "victim", "machine-id", "the listing", "network card")


class World:
    def __init__(self, base, lane, profile, template, has_layer=False):
        self.folder = os.path.join(base, str(lane))
        # What takes the writes in the place of the work.
        self.layer = os.path.join(self.folder, "layer") if has_layer else None
        self.below = None
        self.profile = profile
        self.template = template
        self.tokens = {}
        self.known = None
        self.neighbour = None
        self._lay_out()
        self._start_victim()
        self.objects = objects.Objects(self.token("segment"), self.token("key"), self.token("session_key"))
        self.proofs = host.proofs(self.folder)
        self._tell()

    def token(self, name):
        return self.tokens.setdefault(name, f"TOKEN-{name}-{secrets.token_hex(16)}")

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    # --- making it ---------------------------------------------------------------------------------------------------

    def _lay_out(self):
        self.home, self.victim = self.path("home"), self.path("victim")
        self.data = self.path("home", ".local", "share", "perigee")
        self.work = self.path("home", "project")
        self.files = {
            "home/.ssh/id_escape": self.token("dotfile"),
            "home/.profile": "# a profile\n",
            "home/.gitconfig": "[user]\n\tname = judge\n\temail = judge@localhost\n",
            "home/letter.txt": self.token("home"),
            "home/.local/share/perigee/secret": self.token("data"),
            f"home/.local/share/perigee/{self.token('data_name')}": "",
            "victim/letter.txt": self.token("victim"),
            "other/handed": self.token("handed"),
            "other/left-open": self.token("left_open"),
            "other/of-victim": self.token("victim_file"),
            "stdin/input": "a line\n",
            "stdin/beside-stdin": self.token("stdin"),
        }
        for folder in ("home", "sockets", "cache"):
            os.makedirs(self.path(folder))
        self._write_files()
        self.handed = os.open(self.path("other/handed"), os.O_RDONLY)
        self.left_open = os.open(self.path("other/left-open"), os.O_RDONLY)
        self.left_folder = os.open(self.data, os.O_RDONLY)
        self.ears = Ears(self.path("sockets"), self.token("loopback"), self.handed)
        address = host.quietly(host.own_address)
        if address and not address.startswith("127."):
            host.quietly(self.ears.at_own_address, address)
        self.other_master, self.other_slave = os.openpty()
        os.set_blocking(self.other_master, False)
        self.has_attributes = self._has_attributes()

    def _write_files(self):
        for name, text in self.files.items():
            path = self.path(name)
            if not self._changed_file(name, text):
                continue
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if os.path.lexists(path):
                os.unlink(path)
            with open(path, "w") as file:
                file.write(text)
            os.chmod(path, 0o600)

    def _has_attributes(self):
        try:
            os.setxattr(self.path("home/letter.txt"), "user.try", b"x")
            os.removexattr(self.path("home/letter.txt"), "user.try")
            return True
        except OSError:
            return False

    def _start_victim(self):
        environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "SECRET": self.token("victim_environment")}
        words = [sys.executable, "-I", os.path.join(HERE, "victim.py"), self.token("victim_command_line")]
        pipe = subprocess.PIPE
        self.victim_process = subprocess.Popen(words, stdin=pipe, stdout=pipe, env=environment, text=True,
                                               start_new_session=True)
        order = {"secret": self.token("memory"), "file": self.path("other/of-victim")}
        self.victim_has = json.loads(self.ask_victim(json.dumps(order)))
        self.victim_namespace = self.victim_has["own_namespace"]
        self.victim_before = self.victim_state()

    def ask_victim(self, line):
        self.victim_process.stdin.write(line + "\n")
        self.victim_process.stdin.flush()
        return self.victim_process.stdout.readline()

    def victim_state(self):
        pid = self.victim_process.pid
        return {
            "open files": resource.prlimit(pid, resource.RLIMIT_NOFILE),
            "rank": os.getpriority(os.PRIO_PROCESS, pid),
            "processors": os.sched_getaffinity(pid),
        }

    def _tell(self):
        ears, things = self.ears, self.objects
        block, numbers = host.block_device(self.folder)
        self.proofs["the table of connections"] = host.digest(f"{ears.tcp4}:{ears.tcp_inode()}".encode())
        self.told = {
            "profile": self.profile, "control": self.profile == "control",
            "work": self.work, "home": self.home, "data": self.data, "victim": self.victim,
            "dotfile": self.path("home/.ssh/id_escape"), "data_file": os.path.join(self.data, "secret"),
            "home_file": self.path("home/letter.txt"), "victim_file": self.path("victim/letter.txt"),
            "tcp4": ears.tcp4, "tcp6": ears.tcp6, "udp4": ears.udp4, "udp6": ears.udp6, "vsock": ears.vsock,
            "own_address": ears.own_address, "tcp_own": ears.tcp_own, "granted": ears.granted,
            "unix_path": ears.path, "unix_abstract": ears.abstract, "unix_datagram": ears.datagram,
            "fd_file": self.left_open, "fd_folder": self.left_folder, "fd_socket": ears.left_open.fileno(),
            "shm_key": things.key, "shm_id": things.shm, "sem_id": things.sem, "msg_id": things.msg,
            "left_key": things.left_key, "queue": things.queue, "devshm": things.folder,
            "devshm_file": things.folder and os.path.join(things.folder, "shared"),
            "user_key": things.user_key, "session_key": things.session_key,
            "handle": self._handle(),
            "block_device": block, "block_numbers": numbers,
            "namespaces": host.namespaces(), "listings": host.listings(), "programs": host.PROGRAMS,
            "system_places": host.SYSTEM_PLACES, "other_terminal": os.ttyname(self.other_slave), "own_terminal": "",
            "clock_error": host.CLOCK_ERROR, "suid_program": "", "capable_program": "",
        }
        if host.is_root() and not os.statvfs(self.folder).f_flag & os.ST_NOSUID:
            self.told["suid_program"] = os.path.join(self.work, "esc-suid")
            self.told["capable_program"] = os.path.join(self.work, "esc-able")
        state = host.state()
        self.told["restart_keys"] = state["restart keys"] == "1"

    def _handle(self):
        return host.quietly(objects.handle_of, self.path("home/.ssh/id_escape")) or ""

    # --- before each attempt -----------------------------------------------------------------------------------------

    def prepare(self, attempt, marker):
        """A fresh work folder, with the attempts and the context in it."""
        clear(self.work)
        os.mkdir(self.work)
        shutil.copytree(os.path.join(self.template, "attempts"), os.path.join(self.work, "attempts"))
        repository = os.path.join(self.template, "repository")
        if os.path.isdir(repository) and (self.profile == "shell" or attempt.group in ("git", "baseline")):
            shutil.copytree(repository, self.work, symlinks=True, dirs_exist_ok=True)
        host.quietly(os.link, self.ears.door, os.path.join(self.work, "door"))
        self._lay_out_programs()
        self._lay_out_layer()
        self.objects.refresh()
        sizes = dict(SIZES)
        if attempt.profiles == ("shell",):
            sizes["processes"] = 640
        has = self.victim_has
        living = {
            "handle": self._handle(), "free_port": objects.free_port(), "shm_id": self.objects.shm,
            "victim_pid": self.victim_process.pid,
            "victim_address": has["address"], "victim_length": has["length"], "victim_fd": has["fd"],
        }
        scratch = ["/tmp", "/dev/shm", "/run", "/var/tmp"]
        if self.profile == "control":
            # Nothing is put outside of the judge's own folders.
            scratch = [place for place in (self.objects.folder,) if place] * 2
        told = self.told | living | {"marker": marker, "sizes": sizes, "scratch": scratch}
        with open(os.path.join(self.work, "context.json"), "w") as file:
            json.dump(told, file)
        self.identity = os.stat(self.work).st_ino
        self.below = self._below() if self.layer or attempt.group == "layer" else None
        self.ears.take()
        self.drain_terminal()
        return told

    def written(self):
        """The folders in which lies what an attempt wrote."""
        return [self.work, os.path.join(self.layer, "upper")] if self.layer else [self.work]

    def _lay_out_layer(self):
        if self.layer:
            clear(self.layer)
            for part in ("upper", "work"):
                os.makedirs(os.path.join(self.layer, part))

    def _below(self):
        """The work to the byte, but for what the judge itself changes in it."""
        found = {}
        for where, folders, names in os.walk(self.work):
            for path in (os.path.join(where, name) for name in [".", *folders, *names]):
                about = os.lstat(path)
                known = [about.st_mode, about.st_ino, about.st_uid, about.st_size, about.st_mtime_ns, about.st_ctime_ns]
                if stat.S_ISREG(about.st_mode):
                    known += [about.st_nlink, host.digest(host.content(path))]
                if not path.endswith(("/context.json", "/.")) and os.path.basename(path) != "door":
                    found[os.path.relpath(path, self.work)] = known
                elif path.endswith("/."):
                    found[os.path.relpath(path, self.work) + "/"] = [about.st_mode, about.st_ino]
        return found

    def _changed_below(self):
        if self.below is None:
            return []
        here = self._below() if os.path.isdir(self.work) else {}
        names = sorted(name for name in {*here, *self.below} if here.get(name) != self.below.get(name))
        return [f"{name} was changed in the work itself" for name in names[:4]]

    def _lay_out_programs(self):
        if not self.told["suid_program"]:
            return
        sleep = os.path.realpath(shutil.which("sleep"))
        for path in (self.told["suid_program"], self.told["capable_program"]):
            shutil.copyfile(sleep, path)
            os.chmod(path, 0o755)
        os.chmod(self.told["suid_program"], 0o4755)
        able = bytes.fromhex("0100000200202000" + "00" * 12)
        os.setxattr(self.told["capable_program"], "security.capability", able)

    def environment(self, more):
        """What the runner is started with. A secret is in it, as a key for a model would be."""
        return {
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": self.home, "LANG": "C.UTF-8", "TERM": "dumb",
            "XDG_CACHE_HOME": self.path("cache"), "XDG_DATA_HOME": self.path("home/.local/share"),
            "ESCAPE_SECRET": self.token("environment"),
        } | more

    def start_neighbour(self):
        """Stands in one group with the runner, as a pipeline or a server's other children would."""
        if self.neighbour is None or self.neighbour.poll() is not None:
            self.neighbour = subprocess.Popen(["sleep", "600"], process_group=0)
        return self.neighbour.pid

    def helpers(self):
        known = [self.victim_process.pid]
        return known + ([self.neighbour.pid] if self.neighbour else [])

    def drain_terminal(self):
        try:
            return os.read(self.other_master, 65536)
        except OSError:
            return b""

    # --- after each attempt ------------------------------------------------------------------------------------------

    def secrets(self, fresh=False):
        """All that must not come out: text → what it is."""
        if fresh or self.known is None:
            self.known = self._secrets()
        return self.known

    def _secrets(self):
        found = {token: f"the secret “{name}”" for name, token in self.tokens.items()}
        # Listings and logs change while this runs: whoever saw one then or sees one at present has seen it.
        for known in (self.proofs, host.proofs(self.folder)):
            found |= {text: f"a proof of having read {name}" for name, text in known.items()}
        if self.profile == "shell":
            free = tuple(self.tokens.get(name, name) for name in NOT_SECRET_IN_SHELL)
            found = {text: name for text, name in found.items()
                     if text not in free and not any(word in name for word in free)}
        return found

    def damage(self, marker):
        """What has changed out here."""
        found = [*self.ears.take(), *self.objects.damage()]
        if marker.encode() in self.drain_terminal():
            found.append("something was written to another terminal")
        found += self._changed_files(marker)
        found += self._changed_below()
        found += self._changed_victim()
        if self.neighbour and (self.neighbour.poll() is not None or state_of(self.neighbour.pid) == "T"):
            found.append("a process in the runner's group got a signal")
        if not os.path.isdir(self.work) or os.stat(self.work).st_ino != self.identity:
            found.append("the work folder was exchanged")
        for place in host.SYSTEM_PLACES:
            left = [os.path.join(place, marker + ending) for ending in ("", "-0", "-1", "-2", "-3")]
            for path in filter(os.path.lexists, left):
                found.append(f"a file was left in {place}")
                host.quietly(os.unlink, path)
        return found

    def _changed_files(self, marker):
        found = []
        for name, text in self.files.items():
            change = self._changed_file(name, text)
            if change:
                found.append(f"{'a file in the data folder' if 'TOKEN' in name else name} {change}")
        known = {self.path(name) for name in self.files}
        for where, folders, names in os.walk(self.folder):
            folders[:] = [one for one in folders if os.path.join(where, one) not in (self.work, self.layer, self.path("cache"))]
            for path in (os.path.join(where, name) for name in names):
                if path in known or where == self.path("sockets"):
                    continue
                about = os.lstat(path)
                mine = stat.S_ISREG(about.st_mode) and marker.encode() in host.content(path, 4096)
                if where == self.victim or mine or marker in path:
                    found.append(f"there is a new file {os.path.relpath(path, self.folder)}")
        return found[:6]

    def _changed_file(self, name, text):
        path = self.path(name)
        about = host.quietly(os.lstat, path)
        if about is None:
            return "is gone"
        if not stat.S_ISREG(about.st_mode) or about.st_mode & 0o777 != 0o600 or about.st_mtime < 1e8:
            return "has other rights, kind or time"
        if host.content(path).decode(errors="replace") != text:
            return "was changed"
        if about.st_nlink != 1:
            return "has a second name"
        if any(one.startswith("user.") for one in host.quietly(os.listxattr, path) or []):
            return "has a new attribute"
        return ""

    def _changed_victim(self):
        pid = self.victim_process.pid
        if self.victim_process.poll() is not None:
            return ["the victim process was ended"]
        if state_of(pid) in "Tt":
            return ["the victim process was stopped"]
        now = self.victim_state()
        found = [f"the {name} of the victim process changed" for name in now if now[name] != self.victim_before[name]]
        memory = bytes.fromhex(self.ask_victim("?")).rstrip(b"\0").decode(errors="replace")
        if memory != self.tokens["memory"]:
            found.append("the memory of the victim process was changed")
        return found

    def repair(self):
        """As it was, whatever the attempt did."""
        away = self.work + "-away"
        if os.path.lexists(away):
            clear(away)
        for name in os.listdir(self.victim):
            clear(os.path.join(self.victim, name))
        host.quietly(os.unlink, self.path("home/beside"))
        if self._changed_file("other/left-open", self.files["other/left-open"]):
            self._write_files()
            # Under the same number: it is told to every attempt.
            fd = os.open(self.path("other/left-open"), os.O_RDONLY)
            os.dup2(fd, self.left_open)
            os.close(fd)
        self._write_files()
        if self.neighbour and (self.neighbour.poll() is not None or state_of(self.neighbour.pid) == "T"):
            self.neighbour.kill()
            self.neighbour.wait()
            self.neighbour = None
        if self._changed_victim():
            self._end_victim()
            self._start_victim()
        self.objects.repair()

    def _end_victim(self):
        if self.victim_process.poll() is None:
            os.kill(self.victim_process.pid, signal.SIGKILL)
        self.victim_process.wait()
        self.victim_process.stdin.close()
        self.victim_process.stdout.close()

    def close(self):
        if self.neighbour:
            self.neighbour.kill()
            self.neighbour.wait()
        self._end_victim()
        self.ears.close()
        self.objects.close()


def state_of(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "X"


def clear(path):
    """Takes it away, however deep, however shut, and whatever is mounted in it."""
    if not os.path.lexists(path):
        return
    objects.unmount_below(path)
    remove = ["rm", "-rf", "--one-file-system", path]
    if subprocess.run(remove, capture_output=True).returncode:
        subprocess.run(["chmod", "-R", "u+rwx", path], capture_output=True)
        subprocess.run(remove, capture_output=True)
