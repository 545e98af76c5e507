use model::{ContentPart, MessageContent, ModelMessage, ModelRole, ToolCall};
use protocol::{Fragment, FragmentKind};
use store::{EpochSummary, PathMessage, Round, RoundCall, RoundResult};

use super::budget::TokenBudget;
use super::system_prompt::SystemPrompt;
use super::text::{MESSAGE_OVERHEAD, TokenCounter, bytes_of};
use super::tool_format::ToolFormat;

/// An assembled prompt, its parts, and its size.
pub struct AssembledPrompt {
    pub messages: Vec<ModelMessage>,
    pub fragments: Vec<Fragment>,
    pub tokens: u32,
    /// The number of messages at the beginning that are the same in other conversations.
    pub opening: usize,
}

/// The name under which the next step of a plan is told, which answers no call.
pub const PLAN: &str = "plan";

/// A picture in a message, for a model with vision.
#[derive(Debug, Clone, PartialEq)]
pub struct MessagePicture {
    pub mime: String,
    pub bytes: std::sync::Arc<[u8]>,
}

/// Assembles the prompt: system prompt, summary, and the branch as it was sent. The summary is put into the first
/// message that is not summarised, because many templates support only one system message.
pub fn assemble(
    system: &SystemPrompt,
    summary: Option<&EpochSummary>,
    path: &[PathMessage],
    pictures: impl Fn(&PathMessage) -> Vec<MessagePicture>,
    count: TokenCounter<'_>,
) -> AssembledPrompt {
    let mut messages = system.messages();
    let mut fragments = system.fragments.clone();
    let mut history = (0_u32, 0_u32);
    let mut carried = summary.map(|summary| {
        let text = format!("<summary>\n{}\n</summary>", summary.text.trim());
        let tokens = count(&text);
        fragments.push(Fragment {
            kind: FragmentKind::Summary,
            source: "summary".into(),
            text: text.clone(),
            tokens,
        });
        text
    });
    let last = path.len().saturating_sub(1);
    for (place, message) in path.iter().enumerate() {
        let (role, kind) = match message.role {
            protocol::Role::User => (ModelRole::User, FragmentKind::User),
            protocol::Role::Assistant => (ModelRole::Assistant, FragmentKind::Assistant),
        };
        if !message.rounds.is_empty() {
            for told in message.rounds.iter().flat_map(|round| round_messages(round, system.format)) {
                history = (history.0 + 1, history.1 + count(&told.content.as_text()) + MESSAGE_OVERHEAD);
                messages.push(told);
            }
            continue;
        }
        if message.content.is_empty() && message.context.is_none() {
            continue;
        }
        let parts = [carried.take(), message.context.clone(), Some(message.content.clone())];
        let text =
            parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n");
        if place == last {
            if let Some(context) = &message.context {
                let (text, tokens) = (context.clone(), count(context));
                fragments.push(Fragment {
                    kind: FragmentKind::Context,
                    source: "context".into(),
                    text,
                    tokens,
                });
            }
            let (text, tokens) = (message.content.clone(), count(&message.content));
            fragments.push(Fragment { kind, source: "message".into(), text, tokens });
        } else {
            history = (history.0 + 1, history.1 + count(&text) + MESSAGE_OVERHEAD);
        }
        push(&mut messages, role, text, pictures(message));
    }
    if history.0 > 0 {
        let before = fragments.len()
            - fragments.iter().rev().take_while(|fragment| is_last_turn(fragment.kind)).count();
        let noun = if history.0 == 1 { "message" } else { "messages" };
        let source = format!("{} earlier {noun}", history.0);
        fragments.insert(
            before,
            Fragment { kind: FragmentKind::History, source, text: String::new(), tokens: history.1 },
        );
    }
    let told = messages.len() - system.examples.len() * 2;
    let overhead = MESSAGE_OVERHEAD * u32::try_from(told).unwrap_or(u32::MAX);
    let tokens = fragments.iter().map(|fragment| fragment.tokens).sum::<u32>() + overhead;
    AssembledPrompt { messages, fragments, tokens, opening: system.examples.len() * 2 + 1 }
}

fn is_last_turn(kind: FragmentKind) -> bool {
    matches!(kind, FragmentKind::Context | FragmentKind::User | FragmentKind::Assistant)
}

/// Returns the text, calls and tool results of a round in the given format.
pub fn round_messages(round: &Round, format: ToolFormat) -> Vec<ModelMessage> {
    let mut messages = Vec::new();
    let (mut said, mut calls) = (round.said.clone(), Vec::new());
    match format {
        ToolFormat::Native | ToolFormat::Template => {
            let call = |call: &RoundCall| ToolCall {
                id: call.id.clone(),
                name: call.name.clone(),
                arguments: call.arguments.clone(),
            };
            calls.extend(round.calls.iter().map(call));
        }
        // The calls may come from a model with another syntax, so they are written as text.
        ToolFormat::Text => {
            for call in &round.calls {
                let written =
                    format!("[TOOL_CALL:{{\"tool\":\"{}\",\"args\":{}}}]", call.name, call.arguments);
                said = if said.is_empty() { written } else { format!("{said}\n{written}") };
            }
        }
    }
    if !said.is_empty() || !calls.is_empty() {
        messages.push(ModelMessage { tool_calls: calls, ..ModelMessage::text(ModelRole::Assistant, said) });
    }
    let is_native = |told: &&RoundResult| match format {
        ToolFormat::Native => told.call.is_some(),
        ToolFormat::Template => told.name != PLAN,
        ToolFormat::Text => false,
    };
    for told in round.told.iter().filter(is_native) {
        messages.push(ModelMessage {
            tool_call_id: told.call.clone(),
            ..ModelMessage::text(ModelRole::Tool, told.text.clone())
        });
    }
    let in_words = round.told.iter().filter(|told| !is_native(told)).map(|told| {
        format!(
            "<tool_response name=\"{}\">\n{}\n</tool_response>",
            told.name,
            without_closing_tag(&told.text)
        )
    });
    let in_words = in_words.collect::<Vec<_>>().join("\n");
    if !in_words.is_empty() {
        messages.push(ModelMessage::text(ModelRole::User, in_words));
    }
    messages
}

/// Prevents a tool result from closing its block and continuing as the user.
fn without_closing_tag(text: &str) -> String {
    text.replace("</tool_response", "<\u{2060}/tool_response")
        .replace("<tool_response", "<\u{2060}tool_response")
}

/// Adds a text to the end of a prompt.
pub fn append(messages: &mut Vec<ModelMessage>, role: ModelRole, text: &str) {
    push(messages, role, text.to_owned(), Vec::new());
}

/// Appends a message. Two consecutive messages of the same role (the answer between them failed) are merged, because
/// most templates require alternating roles.
fn push(messages: &mut Vec<ModelMessage>, role: ModelRole, text: String, pictures: Vec<MessagePicture>) {
    if let Some(previous) = messages.last_mut().filter(|previous| previous.role == role)
        && previous.tool_calls.is_empty()
        && let MessageContent::Text(earlier) = &mut previous.content
        && pictures.is_empty()
    {
        earlier.push_str("\n\n");
        earlier.push_str(&text);
        return;
    }
    let content = if pictures.is_empty() {
        MessageContent::Text(text)
    } else {
        let images = pictures
            .into_iter()
            .map(|picture| ContentPart::Image { mime: picture.mime, bytes: picture.bytes });
        MessageContent::Parts(std::iter::once(ContentPart::Text(text)).chain(images).collect())
    };
    messages.push(ModelMessage { role, content, tool_calls: Vec::new(), tool_call_id: None });
}

/// Returns the number of oldest messages to summarise so that the rest has at most `target` tokens. The rest begins
/// with a user message, and the last question always stays.
pub fn messages_to_summarise(path: &[PathMessage], target: u32, count: TokenCounter<'_>) -> usize {
    let mut kept = 0_u32;
    let mut first = path.len();
    for (place, message) in path.iter().enumerate().rev() {
        kept = kept.saturating_add(tokens_of(message, count));
        if kept > target && first < path.len() {
            break;
        }
        if message.role == protocol::Role::User {
            first = place;
        }
    }
    if first == path.len() { 0 } else { first }
}

/// Returns the size of a message in a prompt, in tokens.
fn tokens_of(message: &PathMessage, count: TokenCounter<'_>) -> u32 {
    if message.rounds.is_empty() {
        let context = message.context.as_deref().map_or(0, count);
        return count(&message.content) + context + MESSAGE_OVERHEAD;
    }
    let told = message.rounds.iter().flat_map(|round| round_messages(round, ToolFormat::Text));
    told.map(|told| count(&told.content.as_text()) + MESSAGE_OVERHEAD).sum()
}

/// Returns true if a branch is certainly too long by its byte length alone, so that its tokens need not be counted.
pub fn is_far_too_long(path: &[PathMessage], budget: TokenBudget) -> bool {
    let bytes = |message: &PathMessage| {
        let rounds = message
            .rounds
            .iter()
            .flat_map(|round| round.told.iter().map(|told| told.text.len()).chain([round.said.len()]));
        message.content.len() + message.context.as_ref().map_or(0, String::len) + rounds.sum::<usize>()
    };
    path.iter().map(bytes).sum::<usize>() > bytes_of(budget.prompt)
}
