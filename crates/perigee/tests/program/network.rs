//! Network access from the sandbox: allowed hosts are reachable, others are not.

use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use testkit::{TempHome, perigee_command};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, UdpSocket, UnixListener};
use tokio::process::Command;

use crate::support::{BIN, has_whole_sandbox, soon};

struct Walls {
    home: TempHome,
    work: tempfile::TempDir,
}

impl Walls {
    fn new() -> Self {
        Self { home: TempHome::new(), work: tempfile::tempdir().unwrap() }
    }

    fn command(&self, profile: &str, hosts: &[&str], script: &str) -> Command {
        let arguments = ["sandbox", "run", "--profile", profile, "--work"];
        let mut command = perigee_command(Path::new(BIN), self.home.path(), arguments);
        command.arg(self.work.path());
        for host in hosts {
            command.args(["--allow-host", host]);
        }
        command.args(["--", "python3", "-c", &format!("{PRELUDE}\n{script}")]);
        command
    }

    async fn run(&self, profile: &str, hosts: &[&str], script: &str) -> Output {
        soon("the program", self.command(profile, hosts, script).output()).await.unwrap()
    }
}

/// Python helpers: `through` uses the proxy and `direct` bypasses it; both print the result and go on.
const PRELUDE: &str = r"
import os, socket, urllib.request
proxy = ('127.0.0.1', int(os.environ.get('http_proxy', ':9').rsplit(':', 1)[1]))
def told(name, act):
    try: print(name, 'got', act(), flush=True)
    except Exception as error: print(name, 'failed', error, flush=True)
def through(name, words):
    def ask():
        with socket.create_connection(proxy, 5) as line:
            line.sendall(words.encode())
            return line.recv(12).decode()
    told(name, ask)
def direct(name, family, kind, address, protocol=0):
    def ask():
        with socket.socket(family, kind, protocol) as line:
            line.settimeout(2)
            line.connect(address)
            line.sendall(b'heard')
            return 'through'
    told(name, ask)
";

/// A server that answers `moon` to every request and records what it received.
async fn web_server() -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let told = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&told);
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let mut heard = vec![0; 4096];
            let length = client.read(&mut heard).await.unwrap_or(0);
            kept.lock().unwrap().push(String::from_utf8_lossy(&heard[..length]).into_owned());
            let _ = client
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nmoon")
                .await;
        }
    });
    (port, told)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

#[tokio::test]
async fn what_is_named_is_reached_and_nobody_else() {
    if !has_whole_sandbox().await {
        return;
    }
    let walls = Walls::new();
    let (named, heard) = web_server().await;
    let (other, overheard) = web_server().await;
    let six = TcpListener::bind("[::1]:0").await.ok();
    let six_port = six.as_ref().map_or(9, |six| six.local_addr().unwrap().port());
    let datagrams = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let datagram_port = datagrams.local_addr().unwrap().port();
    let door = UnixListener::bind(format!("\0perigee-doors-{named}")).unwrap();
    let script = format!(
        r"
told('urllib', lambda: urllib.request.urlopen('http://127.0.0.1:{named}/page').read().decode())
through('tunnel', 'CONNECT 127.0.0.1:{named} HTTP/1.1\r\n\r\n')
S, D, R = socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW
direct('named', socket.AF_INET, S, ('127.0.0.1', {named}))
direct('other', socket.AF_INET, S, ('127.0.0.1', {other}))
direct('zero', socket.AF_INET, S, ('0.0.0.0', {other}))
direct('six', socket.AF_INET6, S, ('::1', {six_port}))
direct('mapped', socket.AF_INET6, S, ('::ffff:127.0.0.1', {other}))
direct('datagram', socket.AF_INET, D, ('127.0.0.1', {datagram_port}))
direct('abstract', socket.AF_UNIX, S, '\0perigee-doors-{named}')
for host in ['127.0.0.1:{other}', 'localhost:{named}', 'localhost:{other}', '0.0.0.0:{other}', '[::1]:{six_port}',
             '[::ffff:127.0.0.1]:{other}', '127.1:{other}', '2130706433:{other}', '127.0.0.1:{named}@127.0.0.1:{other}']:
    through('refused', 'CONNECT ' + host + ' HTTP/1.1\r\n\r\n')
    through('refused', 'GET http://' + host + '/ HTTP/1.1\r\n\r\n')
through('refused', 'GET http://127.0.0.1:{named}/ HTTP/1.1\r\nHost: 127.0.0.1:{other}\r\n\r\n')
through('refused', 'GET / HTTP/1.1\r\nHost: 127.0.0.1:{other}\r\n\r\n')
through('behind', 'GET http://127.0.0.1:{named}/ HTTP/1.1\r\n\r\nGET http://127.0.0.1:{other}/ HTTP/1.1\r\n\r\n')
direct('raw', socket.AF_INET, R, ('127.0.0.1', 0), 17)
direct('netlink', socket.AF_NETLINK, R, (0, 0))
direct('packet', socket.AF_PACKET, R, ('lo', 0))
print('sockets', [link for fd in os.listdir('/proc/self/fd') if int(fd) > 2
                  for link in [os.readlink('/proc/self/fd/' + fd) if os.path.lexists('/proc/self/fd/' + fd) else '']
                  if 'socket' in link])"
    );
    for profile in ["tool", "shell"] {
        heard.lock().unwrap().clear();
        let done = walls.run(profile, &[&format!("127.0.0.1:{named}")], &script).await;
        let said = text(&done.stdout);
        assert!(done.status.success(), "{profile}: {said}{}", text(&done.stderr));
        for line in said.lines() {
            let (name, came) = line.split_once(' ').unwrap();
            let expected = match name {
                "urllib" => came == "got moon",
                "tunnel" | "behind" => came == "got HTTP/1.1 200",
                "refused" => came == "got HTTP/1.1 403" || came == "got HTTP/1.1 400",
                "sockets" => came == "[]",
                // A datagram may be sent, but nothing receives it in the sandbox's own network.
                "datagram" if profile == "shell" => true,
                _ => came.starts_with("failed"),
            };
            assert!(expected, "{profile}: {line}");
        }
        assert_eq!(said.lines().filter(|line| line.starts_with("refused")).count(), 20, "{profile}: {said}");
        let heard: Vec<String> =
            heard.lock().unwrap().iter().filter(|words| !words.is_empty()).cloned().collect();
        assert_eq!(heard.len(), 2, "{profile}: {heard:?}");
        assert!(heard[0].starts_with("GET /page HTTP/1.1\r\n"), "{profile}: {heard:?}");
        assert!(!heard.concat().contains(&other.to_string()), "{profile}: {heard:?}");
    }
    assert!(overheard.lock().unwrap().is_empty(), "{overheard:?}");
    let moment = Duration::from_millis(50);
    let mut byte = [0];
    assert!(tokio::time::timeout(moment, datagrams.recv(&mut byte)).await.is_err(), "a datagram came out");
    assert!(tokio::time::timeout(moment, door.accept()).await.is_err(), "somebody was at the door");
    if let Some(six) = six {
        assert!(tokio::time::timeout(moment, six.accept()).await.is_err(), "somebody called");
    }
}

#[tokio::test]
async fn a_tool_listens_to_nobody_and_a_command_to_itself_alone() {
    if !has_whole_sandbox().await {
        return;
    }
    let script = "
def listen():
    with socket.socket() as door:
        door.bind(('127.0.0.1', 0))
        door.listen()
        return 'a door'
told('listening', listen)
told('the proxy', lambda: socket.create_connection(proxy, 2) and 'there')";
    let walls = Walls::new();
    for (profile, expected) in [
        ("tool", "listening failed [Errno 1] Operation not permitted\nthe proxy got there"),
        ("shell", "listening got a door\nthe proxy got there"),
    ] {
        let done = walls.run(profile, &["*"], script).await;
        assert_eq!(text(&done.stdout), expected, "{profile}: {}", text(&done.stderr));
        let done = walls.run(profile, &[], script).await;
        assert!(text(&done.stdout).contains("the proxy failed"), "{profile}: {}", text(&done.stdout));
    }
}

#[tokio::test]
async fn who_is_killed_takes_its_connections_with_it() {
    if !has_whole_sandbox().await {
        return;
    }
    let walls = Walls::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = listener.local_addr().unwrap().to_string();
    let script = format!(
        "
import time
line = socket.create_connection(proxy, 5)
line.sendall(b'CONNECT {host} HTTP/1.1\\r\\n\\r\\n')
print(line.recv(12).decode(), flush=True)
time.sleep(60)"
    );
    let mut command = walls.command("tool", &[&host], &script);
    let mut program = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
    let (mut server, _) = soon("the call", listener.accept()).await.unwrap();
    assert_eq!(soon("an answer", lines.next_line()).await.unwrap().as_deref(), Some("HTTP/1.1 200"));
    program.kill().await.unwrap();
    let mut rest = Vec::new();
    soon("the end", server.read_to_end(&mut rest)).await.unwrap();
    assert!(rest.is_empty());
}

#[tokio::test]
async fn where_the_network_is_everybodys_nobody_is_let_out() {
    if !has_whole_sandbox().await {
        return;
    }
    let walls = Walls::new();
    let arguments = ["sandbox", "run", "--level", "partial", "--work"];
    let mut command = perigee_command(Path::new(BIN), walls.home.path(), arguments);
    command.arg(walls.work.path()).args(["--allow-host", "example.org", "--", "touch", "made"]);
    let done = soon("the program", command.output()).await.unwrap();
    assert!(!done.status.success());
    assert!(text(&done.stderr).contains("cannot be let onto the network"), "{}", text(&done.stderr));
    assert!(!walls.work.path().join("made").exists());
}
