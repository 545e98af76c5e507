use model::{ChatModel, ModelMessage, ModelRequest, ModelRole, Priority, Sampling};
use store::{EpochSummary, PathMessage};

use super::budget::TokenBudget;
use super::text::{TokenCounter, fit};
use crate::model_text::complete;

/// The least number of parameters for a written summary. Summaries by smaller models are worse than the plain extract.
const ABLE_TO_SUMMARISE: u64 = 1_000_000_000;
const LINE_CHARS: usize = 160;

const TASK: &str = "You write the summary of a conversation for somebody who has to go on with it. Keep facts about \
    the people, names, numbers, decisions, promises and open questions. Leave out greetings and filler. Write at most \
    twelve short lines. Write only the summary.";

/// Returns the number of tokens that the messages may keep after a compaction to `share` of the prompt's budget.
pub fn target(budget: TokenBudget, fixed: u32, share: f32) -> u32 {
    let whole = f64::from(budget.prompt) * f64::from(share.clamp(0.05, 0.95));
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let whole = whole as u32;
    whole.saturating_sub(fixed).saturating_sub(longest_summary(budget)).max(64)
}

pub fn longest_summary(budget: TokenBudget) -> u32 {
    (budget.prompt / 8).clamp(64, 512)
}

pub fn is_due(budget: TokenBudget, tokens: u32, share: f32) -> bool {
    f64::from(tokens) > f64::from(budget.prompt) * f64::from(share)
}

/// Summarises messages with the model if it is able to, otherwise by the plain extract.
pub async fn summarise(
    model: &dyn ChatModel,
    earlier: Option<&EpochSummary>,
    messages: &[PathMessage],
    most: u32,
    count: TokenCounter<'_>,
) -> String {
    let able = model.info().parameters.is_none_or(|parameters| parameters >= ABLE_TO_SUMMARISE);
    if able && let Some(text) = by_model(model, earlier, messages, most, count).await {
        return text;
    }
    extract(earlier, messages, most, count)
}

async fn by_model(
    model: &dyn ChatModel,
    earlier: Option<&EpochSummary>,
    messages: &[PathMessage],
    most: u32,
    count: TokenCounter<'_>,
) -> Option<String> {
    let mut told =
        earlier.map(|summary| format!("Summary so far:\n{}\n\n", summary.text)).unwrap_or_default();
    for message in messages {
        told.push_str(speaker(message));
        told.push_str(message.content.trim());
        told.push_str(&attachments(message));
        told.push_str("\n\n");
    }
    let room = model.info().context.saturating_sub(most + count(TASK) + 64);
    let request = ModelRequest {
        messages: vec![
            ModelMessage::text(ModelRole::System, TASK),
            ModelMessage::text(ModelRole::User, fit(&told, room, count)),
        ],
        sampling: Sampling { max_tokens: most, temperature: 0.2, ..Sampling::default() },
        priority: Priority::Background,
        ..ModelRequest::default()
    };
    let text = fit(&complete(model, request).await?, most, count);
    (!text.is_empty()).then_some(text)
}

/// Lists the beginning of each message on a line, after the earlier summary. If that is too long, Luna's lines are
/// dropped before the user's, and the summary states how many are missing.
pub fn extract(
    earlier: Option<&EpochSummary>,
    messages: &[PathMessage],
    most: u32,
    count: TokenCounter<'_>,
) -> String {
    let mut lines: Vec<(bool, String)> =
        earlier.iter().flat_map(|summary| summary.text.lines()).map(|line| (true, line.to_owned())).collect();
    for message in messages {
        let said = format!("{}{}", beginning(&message.content), attachments(message));
        if !said.trim().is_empty() {
            let users = message.role == protocol::Role::User;
            lines.push((users, format!("- {}{}", speaker(message), said.trim())));
        }
    }
    // The newest lines of the user are kept first, the oldest of Luna's last. Only lines that may fit are counted.
    let mut by_worth: Vec<usize> = (0..lines.len()).collect();
    by_worth.sort_by_key(|&place| (!lines[place].0, std::cmp::Reverse(place)));
    let room = most.saturating_sub(count(&left_out(messages.len())) + 1);
    let mut used = 0_u32;
    let kept = by_worth.iter().take_while(|&&place| {
        used = used.saturating_add(count(&lines[place].1) + 1);
        used <= room
    });
    let mut kept: Vec<usize> = kept.copied().collect();
    kept.sort_unstable();
    let mut gone = (0..lines.len()).filter(|place| kept.binary_search(place).is_err()).peekable();
    let note = gone.peek().is_some().then(|| left_out(gone.map(|place| lines_in(&lines[place].1)).sum()));
    let lines = kept.iter().map(|&place| lines[place].1.clone());
    note.into_iter().chain(lines).collect::<Vec<_>>().join("\n")
}

fn left_out(lines: usize) -> String {
    format!("[{lines} earlier lines are left out]")
}

/// Returns the number of original lines that a line stands for: the note of an earlier compaction states it, any other
/// line counts once.
fn lines_in(line: &str) -> usize {
    line.strip_prefix('[').and_then(|rest| rest.split_once(' ')?.0.parse().ok()).unwrap_or(1)
}

/// Returns the names of the files attached to a message; their content is in no summary.
fn attachments(message: &PathMessage) -> String {
    message.attachments.iter().flat_map(|file| [" [attached: ", &file.name, "]"]).collect()
}

fn speaker(message: &PathMessage) -> &'static str {
    match message.role {
        protocol::Role::User => "User: ",
        protocol::Role::Assistant => "You: ",
    }
}

/// Returns the first sentence, cut to the length of a line.
fn beginning(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = text.find(['.', '!', '?']).map_or(text.as_str(), |end| &text[..=end]);
    if sentence.chars().count() <= LINE_CHARS {
        return sentence.to_owned();
    }
    let cut: String = sentence.chars().take(LINE_CHARS).collect();
    format!("{}…", cut.rsplit_once(' ').map_or(cut.as_str(), |(whole, _)| whole))
}

#[cfg(test)]
#[path = "compaction_tests.rs"]
mod tests;
