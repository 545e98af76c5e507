//! Tests against a real bus with a small player, which implements just enough of the D-Bus protocol.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::{Arc, Mutex};

use host::{ChildProcess, OutputChunk, Program, find_program};

use super::super::super::bus::Busctl;
use super::super::*;

/// A D-Bus message encoder: little-endian, each value aligned to its size.
#[derive(Default)]
struct Layout(Vec<u8>);

impl Layout {
    fn align(&mut self, to: usize) {
        while !self.0.len().is_multiple_of(to) {
            self.0.push(0);
        }
    }

    fn number(&mut self, value: u32) {
        self.align(4);
        self.0.extend(value.to_le_bytes());
    }

    fn text(&mut self, value: &str) {
        self.number(value.len().try_into().unwrap());
        self.0.extend(value.as_bytes());
        self.0.push(0);
    }

    fn signature(&mut self, value: &str) {
        self.0.push(value.len().try_into().unwrap());
        self.0.extend(value.as_bytes());
        self.0.push(0);
    }

    /// Writes an array whose elements are aligned to `to`.
    fn array(&mut self, to: usize, write: impl FnOnce(&mut Self)) {
        self.number(0);
        let length_at = self.0.len() - 4;
        self.align(to);
        let from = self.0.len();
        write(self);
        let length = u32::try_from(self.0.len() - from).unwrap();
        self.0[length_at..length_at + 4].copy_from_slice(&length.to_le_bytes());
    }

    fn entry(&mut self, key: &str, signature: &str, write: impl FnOnce(&mut Self)) {
        self.align(8);
        self.text(key);
        self.signature(signature);
        write(self);
    }
}

/// Encodes a message from its kind, its header fields as (code, signature, text or number), its body and the body's
/// signature.
fn message(kind: u8, serial: u32, fields: &[(u8, &str, &str)], signature: &str, body: &[u8]) -> Vec<u8> {
    let mut out = Layout(vec![b'l', kind, 0, 1]);
    out.number(body.len().try_into().unwrap());
    out.number(serial);
    out.array(8, |out| {
        let mut field = |code: u8, form: &str, value: &str| {
            out.align(8);
            out.0.push(code);
            out.signature(form);
            match form {
                "u" => out.number(value.parse().unwrap()),
                "g" => out.signature(value),
                _ => out.text(value),
            }
        };
        for (code, form, value) in fields {
            field(*code, form, value);
        }
        if !signature.is_empty() {
            field(8, "g", signature);
        }
    });
    out.align(8);
    out.0.extend(body);
    out.0
}

struct Received {
    kind: u8,
    serial: u32,
    member: String,
    sender: String,
    body: Vec<u8>,
}

fn receive(stream: &mut UnixStream) -> Option<Received> {
    let mut head = [0; 16];
    stream.read_exact(&mut head).ok()?;
    let number = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().unwrap());
    let (body_length, serial, fields_length) = (number(4) as usize, number(8), number(12) as usize);
    let mut fields = vec![0; fields_length.next_multiple_of(8)];
    stream.read_exact(&mut fields).ok()?;
    let mut body = vec![0; body_length];
    stream.read_exact(&mut body).ok()?;
    let (mut member, mut sender) = (String::new(), String::new());
    let mut at = 0;
    while at + 4 < fields_length {
        let (code, form) = (fields[at], fields[at + 2]);
        at += 4;
        let length = |at: usize| u32::from_le_bytes(fields[at..at + 4].try_into().unwrap()) as usize;
        match form {
            b'u' => at += 4,
            b'g' => at += usize::from(fields[at]) + 2,
            _ => {
                let end = at + 4 + length(at);
                let text = String::from_utf8_lossy(&fields[at + 4..end]).into_owned();
                match code {
                    3 => member = text,
                    7 => sender = text,
                    _ => {}
                }
                at = end + 1;
            }
        }
        at = at.next_multiple_of(8);
    }
    Some(Received { kind: head[1], serial, member, sender, body })
}

/// The state of the player.
#[derive(Default)]
struct Deck {
    playing: bool,
    volume: f64,
    title: String,
    calls: Vec<String>,
}

fn properties(deck: &Deck) -> Vec<u8> {
    let mut body = Layout::default();
    body.array(8, |body| {
        body.entry("PlaybackStatus", "s", |v| v.text(if deck.playing { "Playing" } else { "Paused" }));
        body.entry("Volume", "d", |v| {
            v.align(8);
            v.0.extend(deck.volume.to_le_bytes());
        });
        body.entry("CanGoNext", "b", |v| v.number(1));
        body.entry("CanGoPrevious", "b", |v| v.number(0));
        body.entry("Metadata", "a{sv}", |v| {
            v.array(8, |v| {
                v.entry("xesam:title", "s", |v| v.text(&deck.title));
                v.entry("xesam:artist", "as", |v| v.array(4, |v| v.text("Audrey")));
                v.entry("mpris:length", "x", |v| {
                    v.align(8);
                    v.0.extend(160_000_000_i64.to_le_bytes());
                });
            });
        });
    });
    body.0
}

fn answer(deck: &Mutex<Deck>, call: &Received) -> (&'static str, Vec<u8>) {
    let mut deck = deck.lock().unwrap();
    deck.calls.push(call.member.clone());
    match call.member.as_str() {
        "GetAll" => return ("a{sv}", properties(&deck)),
        "Get" => {
            let mut body = Layout::default();
            body.signature("s");
            body.text("Little Player");
            return ("v", body.0);
        }
        // The volume comes last in the message.
        "Set" => deck.volume = f64::from_le_bytes(call.body[call.body.len() - 8..].try_into().unwrap()),
        "Play" => deck.playing = true,
        "Pause" => deck.playing = false,
        "Next" => deck.title = "Second".into(),
        _ => {}
    }
    ("", Vec::new())
}

/// Connects as a player and answers until the bus closes.
fn perform(socket: &Path, deck: Arc<Mutex<Deck>>) {
    let mut stream = UnixStream::connect(socket).unwrap();
    let uid = host::hex(own_uid().as_bytes());
    stream.write_all(format!("\0AUTH EXTERNAL {uid}\r\n").as_bytes()).unwrap();
    let mut line = [0; 256];
    let length = stream.read(&mut line).unwrap();
    assert!(line[..length].starts_with(b"OK "), "{}", String::from_utf8_lossy(&line[..length]));
    stream.write_all(b"BEGIN\r\n").unwrap();
    let bus = |member: &'static str| {
        [
            (1, "o", "/org/freedesktop/DBus"),
            (6, "s", "org.freedesktop.DBus"),
            (2, "s", "org.freedesktop.DBus"),
            (3, "s", member),
        ]
    };
    stream.write_all(&message(1, 1, &bus("Hello"), "", &[])).unwrap();
    let mut name = Layout::default();
    name.text("org.mpris.MediaPlayer2.little");
    name.number(0);
    stream.write_all(&message(1, 2, &bus("RequestName"), "su", &name.0)).unwrap();
    // Both replies arrive, and a signal that the name was acquired.
    let mut replies = 0;
    while replies < 2 {
        replies += u32::from(receive(&mut stream).unwrap().kind == 2);
    }
    std::thread::spawn(move || {
        let mut serial = 2;
        while let Some(call) = receive(&mut stream) {
            if call.kind != 1 {
                continue;
            }
            serial += 1;
            let (signature, body) = answer(&deck, &call);
            let to = call.serial.to_string();
            let reply = message(2, serial, &[(5, "u", &to), (6, "s", &call.sender)], signature, &body);
            if stream.write_all(&reply).is_err() {
                break;
            }
        }
    });
}

fn own_uid() -> String {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata("/proc/self").unwrap().uid().to_string()
}

async fn bus(folder: &Path) -> Option<(ChildProcess, String)> {
    if find_program("dbus-daemon").is_none() || find_program("busctl").is_none() {
        println!("skipped: there is no dbus-daemon or no busctl here");
        return None;
    }
    let config = folder.join("bus.conf");
    // In a bus address everything except plain letters, digits and a few signs is percent-encoded.
    let escaped = |byte: u8| match byte {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'_' | b'/' | b'.' => char::from(byte).to_string(),
        other => format!("%{other:02x}"),
    };
    let socket: String =
        folder.join("bus").as_os_str().as_encoded_bytes().iter().copied().map(escaped).collect();
    let text = format!(
        "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\" \
         \"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\"><busconfig><type>session</type>\
         <listen>unix:path={socket}</listen><policy context=\"default\"><allow send_destination=\"*\"/>\
         <allow receive_sender=\"*\"/><allow own=\"*\"/></policy></busconfig>"
    );
    host::atomic_write(&config, text.as_bytes()).unwrap();
    let mut child = Program::new("dbus-daemon")
        .arg(format!("--config-file={}", config.display()))
        .args(["--nofork", "--print-address"])
        .spawn()
        .unwrap();
    let Some(OutputChunk::Stdout(_)) = child.next().await.unwrap() else { panic!("the bus does not start") };
    Some((child, format!("unix:path={socket}")))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_on_a_real_bus_does_as_it_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let Some((_daemon, address)) = bus(folder.path()).await else { return };
    let player = LocalPlayer { bus: Arc::new(Busctl { address: Some(address) }) };
    let act = async |action, volume| player.act(&PlayerRequest { action, query: None, volume }).await;
    assert_eq!(act(PlayerAction::Status, None).await, Err(PlayerError::NoPlayer));

    let deck = Arc::new(Mutex::new(Deck { volume: 0.5, title: "First".into(), ..Deck::default() }));
    perform(&folder.path().join("bus"), Arc::clone(&deck));
    let state = act(PlayerAction::Status, None).await.unwrap().state.unwrap();
    assert_eq!(
        (state.player.as_str(), state.title.as_str(), state.artist.as_str()),
        ("Little Player", "First", "Audrey")
    );
    assert_eq!((state.playing, state.volume, state.duration_ms), (false, Some(50), Some(160_000)));
    assert!(act(PlayerAction::Play, None).await.unwrap().state.unwrap().playing);
    assert!(deck.lock().unwrap().playing);
    assert_eq!(act(PlayerAction::Next, None).await.unwrap().state.unwrap().title, "Second");
    assert_eq!(act(PlayerAction::Volume, Some(20)).await.unwrap().state.unwrap().volume, Some(20));
    assert!((deck.lock().unwrap().volume - 0.2).abs() < 1e-9);
    assert!(!act(PlayerAction::Pause, None).await.unwrap().state.unwrap().playing);
    assert_eq!(act(PlayerAction::Previous, None).await, Err(PlayerError::CannotSkip("Little Player".into())));
    assert!(!deck.lock().unwrap().calls.contains(&"Previous".to_owned()));
}

#[tokio::test]
async fn without_a_bus_there_is_no_player() {
    let nowhere = Busctl { address: Some("unix:path=/nonexistent/bus".into()) };
    assert_eq!(nowhere.call(&["list"]).await, Err(BusError::NoBus));
    let player = LocalPlayer { bus: Arc::new(nowhere) };
    let request = PlayerRequest { action: PlayerAction::Play, query: None, volume: None };
    assert_eq!(player.act(&request).await, Err(PlayerError::NoPlayer));
}
