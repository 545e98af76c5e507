use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use memory::{FORGOTTEN_MARK, FactQuery, Recipient, StatusFilter};
use protocol::{ConversationId, Fact, ForgetReport, ForgetRequest, ForgottenPlace, Risk, Role, UserId};
use schemars::JsonSchema;
use serde::Deserialize;
use tools::blocking::failed;
use tools::{Ability, CallPreview, Effect, Group, Invocation, Ruling, Tool, ToolError, ToolOutput, tool};

use super::ForgetService;
use super::phrases::{LAST, what_to_forget};

pub const NAME: &str = "forget";
/// The least share of the requested terms that a fact must contain.
const SHARED: f32 = 0.6;
/// The number of matching facts from which the meant one is chosen.
const MOST_LOOKED_AT: usize = 20;
/// The number of newest messages that are searched for the previous one.
const NEAR: u32 = 12;

/// Returns the tool `forget`.
pub fn tools(forgetting: &Arc<ForgetService>) -> Result<Vec<Arc<dyn Tool>>, String> {
    Ok(vec![Arc::new(tool(Forget(Arc::clone(forgetting)))?)])
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// What, in the user's words; words in quotes are forgotten wherever they stand; `last` is the message before.
    what: String,
}

/// The tool `forget`.
struct Forget(Arc<ForgetService>);

#[async_trait]
impl Ability for Forget {
    type Arguments = Arguments;
    const NAME: &'static str = NAME;
    const ABOUT: &'static str = "Forgets something for good, everywhere, when the user asks for it.";
    const ASKED_BY: &'static [&'static str] = &["forget"];
    const GROUP: Group = Group::Memory;
    const RISK: Risk = Risk::Risky;
    const EFFECTS: &'static [Effect] = &[Effect::Changes];
    const TIME_LIMIT: Duration = Duration::from_mins(5);

    fn ruling(&self, _: &Arguments) -> Ruling {
        Ruling::Ask("What is forgotten cannot be brought back, so she asks every time.".to_owned())
    }

    async fn preview(
        &self,
        arguments: Arguments,
        invocation: &Invocation,
    ) -> Result<Option<CallPreview>, ToolError> {
        let request = self.0.request_for(invocation.user, invocation.conversation, &arguments.what).await?;
        let report = self.0.forget_now(invocation.user, &request).await.map_err(failed)?;
        let first = report.words.first().cloned().unwrap_or_default();
        let stays = report.offered.iter().map(|offered| {
            let times = if offered.conversations == 1 { "conversation" } else { "conversations" };
            format!(" “{}” alone stays in {} {times}.", offered.words, offered.conversations)
        });
        let stays: String = stays.collect();
        let text = format!(
            "Forget “{first}” for good: it stands in {}.{stays} This cannot be undone.",
            places(&report)
        );
        Ok(Some(text.into()))
    }

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        let (user, conversation) = (invocation.user, invocation.conversation);
        let request = self.0.request_for(user, conversation, &arguments.what).await?;
        let request = ForgetRequest { confirm: true, ..request };
        let report = self.0.forget_now(user, &request).await.map_err(failed)?;
        Ok(ToolOutput::text(outcome(&report)))
    }
}

impl ForgetService {
    /// Translates the user's words in a conversation into a request.
    async fn request_for(
        &self,
        user: UserId,
        conversation: ConversationId,
        what: &str,
    ) -> Result<ForgetRequest, ToolError> {
        let what = what.trim();
        if what == LAST {
            let view = self.parts.store.open_conversation(user, conversation, None, NEAR).await;
            let view = view.map_err(failed)?;
            let own = view.messages.iter().rev().filter(|message| message.role == Role::User);
            // Messages that are already forgotten, and requests to forget, are not meant.
            let told = |content: &str| content.trim() != FORGOTTEN_MARK && what_to_forget(content).is_none();
            let before = own.skip(1).find(|message| told(&message.content)).map(|message| message.id);
            let Some(before) = before else {
                return Err(ToolError::Impossible("There is no message before this one.".into()));
            };
            return Ok(ForgetRequest { message: Some(before), ..ForgetRequest::default() });
        }
        let bare = what.trim_matches(['"', '“', '”', '\'']);
        if bare.len() < what.len() {
            return Ok(ForgetRequest { words: Some(bare.to_owned()), ..ForgetRequest::default() });
        }
        if let Some(whom) = everything_about(what) {
            return Ok(ForgetRequest { words: Some(whom), ..ForgetRequest::default() });
        }
        let query = FactQuery {
            words: Some(what.to_owned()),
            status: Some(StatusFilter::All),
            limit: Some(MOST_LOOKED_AT),
            ..FactQuery::default()
        };
        if what.contains(" and that ") {
            return Err(ToolError::Impossible(
                "Those are several things. Ask for one after the other.".into(),
            ));
        }
        let found = self.parts.memory.facts(user, Recipient::Person, query).await.map_err(failed)?;
        let mut asked = text::terms(what);
        // In *my dog's name*, the word `name` is not part of the fact.
        if asked.len() > 1 {
            asked.retain(|term| term != "name");
        }
        let meant = found
            .facts
            .into_iter()
            .filter(|fact| {
                let quote = fact.quote.as_deref().unwrap_or_default();
                covered(&asked, &format!("{} {} {quote}", fact.subject, fact.content)) >= SHARED
            })
            // Of the facts that contain the terms, the one with the fewest others is meant.
            .max_by(|one, other| {
                let fit = |fact: &Fact| {
                    let said = text::terms(&fact.content);
                    covered(&asked, &fact.content) + covered(&said, what)
                };
                fit(one).total_cmp(&fit(other))
            });
        let Some(fact) = meant else {
            return Err(ToolError::Impossible(
                "I know nothing of that. Words can be forgotten wherever they stand: put them in quotes."
                    .into(),
            ));
        };
        Ok(ForgetRequest { fact: Some(fact.id), ..ForgetRequest::default() })
    }
}

/// Returns the share of the terms that a text contains.
#[allow(clippy::cast_precision_loss, reason = "a few words")]
fn covered(terms: &[String], text: &str) -> f32 {
    let has = text::terms(text);
    terms.iter().filter(|term| has.contains(term)).count() as f32 / terms.len().max(1) as f32
}

/// Returns the words to forget for a request such as *everything about my sister Anna*: the name, since it identifies
/// what is about the person. Without a name, all words.
fn everything_about(what: &str) -> Option<String> {
    let small = what.to_lowercase();
    let openings = ["everything about ", "anything about ", "all about ", "everything you know about "];
    let opening = openings.into_iter().find(|opening| small.starts_with(opening))?;
    let whom = what.get(opening.len()..)?.trim_end_matches(['.', '!', '?']).trim();
    let whom = whom.strip_prefix("my ").or(whom.strip_prefix("the ")).unwrap_or(whom);
    let name = whom.split_whitespace().skip_while(|word| !word.starts_with(char::is_uppercase));
    let name = name.collect::<Vec<_>>().join(" ");
    let whom = if name.is_empty() { whom.to_owned() } else { name };
    (!whom.is_empty()).then_some(whom)
}

/// Lists the places in a report: `1 fact, 3 messages and 2 prompts`.
fn places(report: &ForgetReport) -> String {
    let mut removed: Vec<&ForgottenPlace> = report.removed.iter().collect();
    removed.sort_by_key(|place| {
        ["facts", "messages"].iter().position(|first| place.place == *first).unwrap_or(2)
    });
    let mut parts: Vec<String> = removed
        .into_iter()
        .map(|ForgottenPlace { place, count, .. }| {
            let (one, several) = match place.as_str() {
                "facts" => ("fact", "facts"),
                "messages" => ("message", "messages"),
                "summaries" => ("summary", "summaries"),
                "prompts" => ("stored prompt", "stored prompts"),
                "titles" => ("title", "titles"),
                "events" => ("log of a turn", "logs of turns"),
                "audit" => ("line of the audit log", "lines of the audit log"),
                "state" => ("saved state of the model", "saved states of the model"),
                "files" => ("file", "files"),
                "entries" => ("entry", "entries"),
                "code" => ("note or proposal about code", "notes and proposals about code"),
                _ => ("other place", "other places"),
            };
            format!("{count} {}", if *count == 1 { one } else { several })
        })
        .collect();
    match parts.pop() {
        None => "nothing".to_owned(),
        Some(last) if parts.is_empty() => last,
        Some(last) => format!("{} and {last}", parts.join(", ")),
    }
}

/// Describes the result without repeating the forgotten words.
fn outcome(report: &ForgetReport) -> String {
    let history = report.history_until.as_deref().map(|until| {
        format!(" The history of memory files keeps it until {}.", until.get(..10).unwrap_or(until))
    });
    let backups = report.backups.len();
    let backups = (backups > 0).then(|| format!(" Backups are as they were made: there are {backups}."));
    let (history, backups) = (history.unwrap_or_default(), backups.unwrap_or_default());
    let left: u32 = report.offered.iter().map(|offered| offered.conversations).max().unwrap_or(0);
    let left = match left {
        0 => String::new(),
        1 => " A name in it still stands in another conversation: ask to forget it by that name, in quotes."
            .to_owned(),
        left => format!(
            " A name in it still stands in {left} conversations: ask to forget it by that name, in quotes."
        ),
    };
    format!("Forgotten. It is gone from {}.{left}{history}{backups}", places(report))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_about_somebody_is_their_name() {
        for (what, whom) in [
            ("everything about Anna", Some("Anna")),
            ("Everything about my sister Anna.", Some("Anna")),
            ("everything you know about the boat", Some("boat")),
            ("all about Mary Ann Miller", Some("Mary Ann Miller")),
            ("that I live in Berlin", None),
            ("everything about ", None),
        ] {
            assert_eq!(everything_about(what).as_deref(), whom, "{what}");
        }
    }
}
