use std::fmt::Write as _;

use async_trait::async_trait;
use protocol::Command;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tools::{Ability, Effect, Group, Invocation, Origin, ToolError, ToolOutput};

use super::{SearchEngines, SearchResult};

const USUAL_COUNT: usize = 8;
/// Less than a tool's output limit, so that no result is cut off.
const LONGEST_OUTPUT: usize = 7_500;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// What to look for.
    #[schemars(length(min = 1, max = 1000))]
    query: String,
    /// How many results, up to 20.
    #[schemars(range(min = 1, max = 20))]
    count: Option<usize>,
}

pub(crate) struct SearchTool {
    pub search: SearchEngines,
}

#[async_trait]
impl Ability for SearchTool {
    type Arguments = Arguments;
    const NAME: &'static str = "web_search";
    const ABOUT: &'static str = "Searches the web. Cite what you use as [1], [2].";
    const ASKED_BY: &'static [&'static str] = &[
        "search",
        "google",
        "look up",
        "look it up",
        "find out",
        "on the web",
        "on the internet",
        "online",
        "latest",
        "news",
        "suche",
        "im internet",
        "nachrichten",
        "cherche",
        "sur internet",
        "actualités",
        "busca",
        "en internet",
        "noticias",
        "cerca",
        "su internet",
        "notizie",
        "procura",
        "pesquisa",
        "na internet",
        "notícias",
        "zoek",
        "op internet",
        "nieuws",
    ];
    const EFFECTS: &'static [Effect] = &[Effect::SendsOut, Effect::BringsUntrusted];
    const GROUP: Group = Group::WebSearch;
    const TAGS: &'static [&'static str] = &["WEB_SEARCH"];

    async fn run(&self, arguments: Arguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let query = arguments.query.trim();
        if query.is_empty() {
            return Err(ToolError::Impossible("There is nothing to look for: the query is empty.".into()));
        }
        let mut found = self.search.find(query, arguments.count.unwrap_or(USUAL_COUNT)).await?;
        let text = numbered_list(query, &mut found);
        let origins = found.iter().map(|result| Origin::Search(result.url.clone())).collect();
        let payload = json!({ "query": query, "results": found });
        Ok(ToolOutput {
            text,
            command: Some(Command { action: Self::NAME.into(), payload }),
            origins,
            ..ToolOutput::default()
        })
    }
}

/// Renders the results as a numbered list. Results that do not fit are removed from `found`.
fn numbered_list(query: &str, found: &mut Vec<SearchResult>) -> String {
    if found.is_empty() {
        return format!("Nothing was found for “{query}”. Try other words.");
    }
    let mut text = format!("Results for “{query}”. Cite what you use by its number, such as [1].");
    let mut kept = 0;
    for (number, result) in (1..).zip(found.iter()) {
        let SearchResult { title, url, text: snippet, site, age } = result;
        let mut entry = format!("\n\n[{number}] {title} ({site}");
        if let Some(age) = age {
            let _ = write!(entry, ", {age}");
        }
        let _ = write!(entry, ")\n{url}\n{snippet}");
        if text.chars().count() + entry.chars().count() > LONGEST_OUTPUT {
            break;
        }
        text.push_str(&entry);
        kept = number;
    }
    found.truncate(kept);
    text
}
