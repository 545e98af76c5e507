//! Tools that use the network. Each explains in one sentence what is missing if it cannot work.
//!
//! Pages come through [`Web`], which reaches only the public web. Services chosen by the user or this program (a search
//! engine, the weather, Spotify) may be anywhere and are called directly.
//!
//! Start with [`tools`].

mod fetch;
mod picture;
mod readable;
mod research;
mod search;
mod service;
pub mod spotify;
#[cfg(test)]
mod test_server;
pub mod tiles;
mod weather;

use std::sync::Arc;
use std::time::Duration;

use host::Clock;
use reqwest::Url;
use tools::Tool;

use crate::web::Web;
use crate::{CurrentConfig, TextGenerator};
use research::{ResearchTool, StepLimits};
use search::{SearchEngines, SearchTool};
use service::ServiceClient;
use spotify::{Busctl, CoverImages, LocalPlayer, MusicPlayers, SpotifyAuth, SpotifyTool, WebPlayer};
use weather::WeatherTool;

/// The URLs of services that are not configurable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceUrls {
    pub brave: String,
    pub spotify_accounts: String,
    pub spotify_api: String,
}

impl Default for ServiceUrls {
    fn default() -> Self {
        Self {
            brave: "https://api.search.brave.com".to_owned(),
            spotify_accounts: "https://accounts.spotify.com".to_owned(),
            spotify_api: "https://api.spotify.com".to_owned(),
        }
    }
}

/// The dependencies of these tools.
pub struct OnlineToolParts {
    pub clock: Arc<dyn Clock>,
    pub settings: CurrentConfig,
    pub web: Arc<Web>,
    pub generator: Arc<dyn TextGenerator>,
    /// Shared with the routes for signing in.
    pub spotify: Arc<SpotifyAuth>,
    pub urls: ServiceUrls,
}

/// The time until Spotify reports the next track.
const UPDATE_DELAY: Duration = Duration::from_millis(400);

/// Returns all tools that use the network. The TLS crypto provider must be installed first.
pub fn tools(parts: OnlineToolParts) -> Result<Vec<Arc<dyn Tool>>, String> {
    let OnlineToolParts { clock, settings, web, generator, spotify, urls } = parts;
    let service = ServiceClient::new().map_err(|error| error.to_string())?;
    let address = |text: &str| Url::parse(text).map_err(|error| format!("{text}: {error}"));
    let search = SearchEngines::new(Arc::clone(&settings), service.clone(), address(&urls.brave)?);
    let player = WebPlayer {
        service: service.clone(),
        api: address(&urls.spotify_api)?,
        auth: spotify,
        update_delay: UPDATE_DELAY,
    };
    let music = MusicPlayers {
        web: player,
        local: LocalPlayer { bus: Arc::new(Busctl::default()) },
        covers: CoverImages::new(Arc::clone(&web)),
    };
    let research = ResearchTool {
        search: search.clone(),
        web: Arc::clone(&web),
        generator,
        limits: StepLimits::default(),
    };
    Ok(vec![
        Arc::new(tools::tool(SearchTool { search })?),
        Arc::new(tools::tool(fetch::FetchTool::new(web, clock))?),
        Arc::new(tools::tool(research)?),
        Arc::new(tools::tool(WeatherTool { settings, service })?),
        Arc::new(SpotifyTool::new(music)?),
    ])
}

#[cfg(test)]
mod tests {
    use host::ManualClock;
    use tools::{Effect, Group, ToolRegistry};

    use super::*;
    use crate::online::test_server::TestServer;
    use crate::test_support::{ScriptedGenerator, settings};

    #[tokio::test]
    async fn the_tools_are_what_they_are_called() {
        use Effect::{BringsUntrusted, SendsOut};
        let server = TestServer::open(|_| String::new()).await;
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::at("2025-06-01T12:00:00Z"));
        let settings = settings(|_| ());
        let auth = SpotifyAuth::new(
            Arc::clone(&settings),
            Arc::clone(&clock),
            &ServiceUrls::default().spotify_accounts,
        );
        let parts = OnlineToolParts {
            clock,
            settings,
            web: server.web(),
            generator: ScriptedGenerator::new(&[]),
            spotify: Arc::new(auth.unwrap()),
            urls: ServiceUrls::default(),
        };
        let mut registry = ToolRegistry::default();
        for tool in tools(parts).unwrap() {
            registry.add(tool).unwrap();
        }
        let cases: [(&str, &[Effect], Group, &str); 5] = [
            ("WEB_SEARCH", &[SendsOut, BringsUntrusted], Group::WebSearch, "query: string, count?: integer"),
            ("WEB_FETCH", &[SendsOut, BringsUntrusted], Group::Basic, "url: string, offset?: integer"),
            ("WEB_RESEARCH", &[SendsOut, BringsUntrusted], Group::WebSearch, "question: string"),
            ("weather", &[SendsOut], Group::Basic, "place: string, days?: integer, units?: metric|imperial"),
            (
                "SPOTIFY",
                &[SendsOut, BringsUntrusted],
                Group::Basic,
                "action: play|pause|next|previous|volume|queue|status, query?: string, volume?: integer",
            ),
        ];
        for (name, effects, group, outline) in cases {
            let spec = registry.find(name, |_| true).unwrap().spec();
            assert_eq!(
                (spec.effects.as_slice(), spec.group, spec.outline().as_str()),
                (effects, group, outline),
                "{name}"
            );
        }
        assert_eq!(registry.find("web_fetch", |_| true).unwrap().spec().address, Some("url"));
    }
}
