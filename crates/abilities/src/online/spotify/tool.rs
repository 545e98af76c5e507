use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use protocol::Command;
use reqwest::Url;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tools::{Ability, Effect, Invocation, Origin, Tool, ToolDefinition, ToolError, ToolOutput};

use super::auth::SERVICE;
use super::auth::SignInStatus;
use super::cover::CoverImages;
use super::local::LocalPlayer;
use super::web::WebPlayer;
use super::{PlayerAction, PlayerError, PlayerRequest, PlayerResponse, PlayerState};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    action: PlayerAction,
    /// What to play or to put into the queue: a song, an artist, an album, a playlist.
    #[schemars(length(max = 300))]
    query: Option<String>,
    /// How loud, from 0 to 100.
    #[schemars(range(min = 0, max = 100))]
    volume: Option<u8>,
}

/// All available players.
pub(crate) struct MusicPlayers {
    pub web: WebPlayer,
    pub local: LocalPlayer,
    pub covers: CoverImages,
}

impl MusicPlayers {
    async fn act(&self, folder: &Path, request: &PlayerRequest<'_>) -> Result<PlayerResponse, PlayerError> {
        match self.web.auth.status(folder).await {
            SignInStatus::SignedIn => self.web.act(folder, request).await,
            SignInStatus::NotSetUp => self.local.act(request).await,
            // A player that is available is better than a request to sign in.
            SignInStatus::SignedOut => match self.local.act(request).await {
                Err(PlayerError::NoPlayer) => Err(super::SpotifyAuthError::SignedOut.into()),
                done => done,
            },
        }
    }
}

/// The players that a request may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    ThisMachine,
    Spotify,
}

async fn run(
    music: &MusicPlayers,
    reach: Reach,
    arguments: Arguments,
    invocation: &Invocation,
) -> ToolOutput {
    let query = arguments.query.as_deref().map(str::trim).filter(|query| !query.is_empty());
    let request = PlayerRequest { action: arguments.action, query, volume: arguments.volume };
    let mut payload = Map::new();
    payload.insert("action".into(), json!(request.action));
    if let Some(query) = query {
        payload.insert("query".into(), query.into());
    }
    if let Some(volume) = request.volume {
        payload.insert("volume".into(), volume.into());
    }
    let done = match reach {
        Reach::ThisMachine => music.local.act(&request).await,
        Reach::Spotify => music.act(&invocation.folder, &request).await,
    };
    let (text, origins) = match done {
        Ok(PlayerResponse { state: Some(mut state), note }) => {
            if let Some(address) = state.cover_at.take() {
                state.cover_url = music.covers.get(&address).await;
            }
            payload.insert("state".into(), json!(state));
            let names = origin(&state, note.as_deref());
            (status_text(&state, note), names.into_iter().collect())
        }
        Ok(PlayerResponse { state: None, note }) => {
            let names = note.is_some().then(|| Origin::Web(SERVICE.to_owned()));
            let text = note.unwrap_or_else(|| "Done. What is playing could not be read.".to_owned());
            (text, names.into_iter().collect())
        }
        Err(trouble) => {
            payload.insert("trouble".into(), trouble.to_string().into());
            (trouble.to_string(), Vec::new())
        }
    };
    ToolOutput {
        text,
        command: Some(Command { action: NAME.into(), payload: Value::Object(payload) }),
        origins,
        ..ToolOutput::default()
    }
}

fn status_text(state: &PlayerState, note: Option<String>) -> String {
    let PlayerState { player, playing, title, artist, .. } = state;
    let what = match (title.as_str(), artist.as_str()) {
        ("", _) => "nothing that has a name".to_owned(),
        (title, "") => title.to_owned(),
        (title, artist) => format!("{title} by {artist}"),
    };
    let mut text = note.unwrap_or_else(|| match playing {
        true => format!("{player} plays {what}."),
        false => format!("{player} is paused at {what}."),
    });
    if let Some(volume) = state.volume {
        let _ = write!(text, " The volume is {volume} %.");
    }
    text
}

/// Returns the origin of the shown names, which the publisher of the track chose.
fn origin(state: &PlayerState, note: Option<&str>) -> Option<Origin> {
    if state.title.is_empty() && state.artist.is_empty() && note.is_none() {
        return None;
    }
    let url = state.address.as_deref().and_then(|address| Url::parse(address).ok());
    Some(match url {
        Some(url) if matches!(url.scheme(), "http" | "https") => Origin::Web(url.into()),
        Some(url) if url.scheme() == "file" => {
            let name = url.path_segments().and_then(Iterator::last).unwrap_or_default().to_owned();
            Origin::File(name)
        }
        _ => Origin::Web(state.player.clone()),
    })
}

const NAME: &str = "spotify";
const ASKED_BY: &[&str] = &[
    "spotify",
    "play music",
    "play some",
    "pause the music",
    "next song",
    "next track",
    "previous song",
    "skip this",
    "volume",
    "what is playing",
    "whats playing",
    "playlist",
];
const ABOUT: &str = "Plays music: play (with a query or on), pause, next, previous, volume, queue, status.";

/// The tool with Spotify set up, which sends data out.
struct Connected(Arc<MusicPlayers>);

/// The tool without Spotify. Controlling a local player only presses its buttons, but it may send search queries on.
struct Local(Arc<MusicPlayers>);

#[async_trait]
impl Ability for Connected {
    type Arguments = Arguments;
    const NAME: &'static str = NAME;
    const ABOUT: &'static str = ABOUT;
    const ASKED_BY: &'static [&'static str] = ASKED_BY;
    const EFFECTS: &'static [Effect] = &[Effect::SendsOut, Effect::Changes, Effect::BringsUntrusted];
    const TAGS: &'static [&'static str] = &["SPOTIFY"];

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        Ok(run(&self.0, Reach::Spotify, arguments, invocation).await)
    }
}

#[async_trait]
impl Ability for Local {
    type Arguments = Arguments;
    const NAME: &'static str = NAME;
    const ABOUT: &'static str = ABOUT;
    const ASKED_BY: &'static [&'static str] = ASKED_BY;
    const EFFECTS: &'static [Effect] = &[Effect::SendsOut, Effect::BringsUntrusted];
    const TAGS: &'static [&'static str] = &["SPOTIFY"];

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        Ok(run(&self.0, Reach::ThisMachine, arguments, invocation).await)
    }
}

/// The music tool. Its effects depend on whether Spotify is set up at the moment.
pub(crate) struct SpotifyTool {
    music: Arc<MusicPlayers>,
    connected: Box<dyn Tool>,
    local: Box<dyn Tool>,
}

impl SpotifyTool {
    pub fn new(music: MusicPlayers) -> Result<Self, String> {
        let music = Arc::new(music);
        let connected = Box::new(tools::tool(Connected(Arc::clone(&music)))?);
        let local = Box::new(tools::tool(Local(Arc::clone(&music)))?);
        Ok(Self { music, connected, local })
    }

    fn tool(&self) -> &dyn Tool {
        if self.music.web.auth.is_set_up() { &*self.connected } else { &*self.local }
    }
}

#[async_trait]
impl Tool for SpotifyTool {
    fn spec(&self) -> &ToolDefinition {
        self.tool().spec()
    }

    async fn run(&self, invocation: Invocation) -> Result<ToolOutput, ToolError> {
        self.tool().run(invocation).await
    }
}

#[cfg(test)]
#[path = "tool_tests.rs"]
mod tests;
