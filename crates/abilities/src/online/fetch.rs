use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use host::Clock;
use jiff::Timestamp;
use protocol::Command;
use reqwest::Url;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tools::{Ability, Effect, Invocation, Origin, ToolError, ToolOutput};

use super::readable::{PageLink, PageText, PageTextError, readable};
use super::search::site;
use crate::web::{FetchError, Web};

/// The characters of a page returned at once, less than a tool's output limit.
const PART_LENGTH: usize = 7_000;
/// The number of recent pages kept, so that reading on continues in the same version.
const RECENT_PAGES: usize = 4;
const RECENT_FOR: Duration = Duration::from_mins(10);

/// A web page as readable text.
#[derive(Debug, Clone)]
pub(crate) struct ReadPage {
    pub url: Url,
    pub title: Option<String>,
    pub text: String,
    pub links: Vec<PageLink>,
    /// True if the page was longer than what was fetched.
    pub is_cut: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PageError {
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error("the page at {host} {why}")]
    Unreadable { host: String, why: PageTextError },
    #[error("the page could not be read")]
    Lost,
}

/// Fetches a page and extracts its text.
pub(crate) async fn read(web: &Web, url: Url) -> Result<ReadPage, PageError> {
    let host = url.host_str().unwrap_or_default().to_owned();
    let page = web.get(url).await?;
    let (url, is_cut) = (page.url.clone(), page.is_cut);
    // A large page takes a moment, which must not block other tasks.
    let found = tokio::task::spawn_blocking(move || readable(&page)).await.map_err(|_| PageError::Lost)?;
    match found {
        Ok(PageText { title, text, links }) => Ok(ReadPage { url, title, text, links, is_cut }),
        Err(why) => Err(PageError::Unreadable { host, why }),
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// The page's address.
    #[schemars(length(min = 1, max = 2000))]
    url: String,
    /// Where to read on in a long page, in characters.
    offset: Option<usize>,
}

pub(crate) struct FetchTool {
    web: Arc<Web>,
    clock: Arc<dyn Clock>,
    recent: Mutex<VecDeque<(Url, Timestamp, Arc<ReadPage>)>>,
}

impl FetchTool {
    pub fn new(web: Arc<Web>, clock: Arc<dyn Clock>) -> Self {
        Self { web, clock, recent: Mutex::default() }
    }

    async fn page(&self, url: Url, offset: usize) -> Result<Arc<ReadPage>, PageError> {
        let now = self.clock.now();
        if offset > 0 {
            let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
            let known = recent.iter().find(|(known, at, _)| *known == url && now < *at + RECENT_FOR);
            if let Some((_, _, page)) = known {
                return Ok(Arc::clone(page));
            }
        }
        let page = Arc::new(with_links(read(&self.web, url.clone()).await?));
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.retain(|(known, _, _)| *known != url);
        recent.push_front((url, now, Arc::clone(&page)));
        recent.truncate(RECENT_PAGES);
        Ok(page)
    }
}

#[async_trait]
impl Ability for FetchTool {
    type Arguments = Arguments;
    const NAME: &'static str = "web_fetch";
    const ABOUT: &'static str = "Reads a web page as text. Long pages come in parts: read on with offset.";
    const ASKED_BY: &'static [&'static str] =
        &["http", "https", "www", "website", "web page", "webpage", "this page", "this link"];
    const EFFECTS: &'static [Effect] = &[Effect::SendsOut, Effect::BringsUntrusted];
    const TAGS: &'static [&'static str] = &["WEB_FETCH"];
    const ADDRESS: Option<&'static str> = Some("url");

    async fn run(&self, arguments: Arguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let url = address(&arguments.url)?;
        let offset = arguments.offset.unwrap_or(0);
        let page = self.page(url, offset).await.map_err(|error| tool_error(&error))?;
        let text = part(&page, offset)?;
        let mut payload = json!({ "url": page.url.as_str(), "site": site(&page.url) });
        if let Some(title) = &page.title {
            payload["title"] = title.as_str().into();
        }
        Ok(ToolOutput {
            text,
            command: Some(Command { action: Self::NAME.into(), payload }),
            origins: vec![Origin::Web(page.url.to_string())],
            ..ToolOutput::default()
        })
    }
}

/// Appends the links at the end of the text, where they do not disturb reading.
fn with_links(mut page: ReadPage) -> ReadPage {
    if !page.links.is_empty() {
        page.text.push_str("\n\nLinks:");
    }
    for PageLink { text, url } in &page.links {
        let _ = write!(page.text, "\n- {text}: {url}");
    }
    page
}

fn address(text: &str) -> Result<Url, ToolError> {
    let text = text.trim();
    let whole = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    Url::parse(&whole).map_err(|_| {
        ToolError::Impossible("That is not a web address. Give one such as https://example.org/.".into())
    })
}

fn tool_error(error: &PageError) -> ToolError {
    let words = format!("{error}.");
    // Some messages end with a question mark.
    let words = words.replace("?.", "?");
    match error {
        PageError::Fetch(FetchError::NoSuchHost(_) | FetchError::Silent { .. }) => {
            ToolError::Unavailable(words)
        }
        PageError::Fetch(FetchError::Unreachable(_) | FetchError::BadRedirect(_))
        | PageError::Unreadable { .. } => ToolError::Impossible(words),
        PageError::Fetch(_) | PageError::Lost => ToolError::Failed(words),
    }
}

/// Returns a part of the page and a note with the offset of the next one.
fn part(page: &ReadPage, offset: usize) -> Result<String, ToolError> {
    let total = page.text.chars().count();
    if offset > 0 && offset >= total {
        return Err(ToolError::Impossible(format!("The page has only {total} characters.")));
    }
    let mut text = String::new();
    if let Some(title) = page.title.as_ref().filter(|_| offset == 0) {
        text = format!("{title}\n{}\n\n", page.url);
    }
    text.extend(page.text.chars().skip(offset).take(PART_LENGTH));
    let end = offset + PART_LENGTH;
    if end < total {
        let _ = write!(text, "\n\n[{} more characters follow: read on with offset {end}]", total - end);
    } else if page.is_cut {
        text.push_str("\n\n[The page is longer than what is fetched. The rest is left out]");
    }
    Ok(text)
}

#[cfg(test)]
#[path = "fetch_tests.rs"]
mod tests;
