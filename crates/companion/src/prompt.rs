use jiff::Zoned;
use model::{Content, Message, ModelInfo, Part, Role, ToolCall};
use protocol::{Fragment, FragmentKind};
use store::{PathMessage, Round, RoundCall, Summary, Told};

use crate::offer::Style;
use crate::scale::Scale;
use crate::soul::SoulFile;

/// The tokens that a chat template adds around each message.
pub const MESSAGE_OVERHEAD: u32 = 6;
/// The tags of this program that a small model might imitate; they end its answer.
const OURS: [&str; 2] = ["<context>", "<summary>"];
const SMALL_SYSTEM: u32 = 600;
const SMALL_ROUNDS: u32 = 3;
const DATE_LINE: &str = "\n\nToday is ";

/// The time in seconds in which the machine must be able to read the fixed beginning of a prompt.
const BEGINNING_SECONDS: u32 = 5;
/// The least budget of the fixed beginning in tokens, so that the soul fits.
const LEAST_SYSTEM: u32 = 300;

/// The division of the model's context, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    pub system: u32,
    /// The system prompt, the history and the new message together.
    pub prompt: u32,
    /// The context and the attachments of one message.
    pub context: u32,
}

impl Budget {
    /// Divides the context of a model. `reply` is the greatest length of the answer, which gets at most half.
    pub fn new(info: &ModelInfo, reply: u32) -> Self {
        let (context, scale) = (info.context, Scale::of(info.parameters));
        let readable = |pace: u32| pace.saturating_mul(BEGINNING_SECONDS).max(LEAST_SYSTEM);
        let most = if scale.is_small() { SMALL_SYSTEM } else { u32::MAX };
        let system = info.reading_pace.map_or(u32::MAX, readable).min(most).min(context / 4);
        Self { system, prompt: context - reply.min(context / 2), context: context / 4 }
    }
}

/// Returns the number of rounds that an answer may have. A small model rarely learns anything from a third result and
/// repeats itself.
pub fn rounds(parameters: Option<u64>, wished: u32) -> u32 {
    if Scale::of(parameters).is_small() { wished.min(SMALL_ROUNDS) } else { wished }
}

/// Returns the strings that end the answer of a small model, in addition to the configured ones.
pub fn stops(parameters: Option<u64>) -> impl Iterator<Item = String> {
    OURS.into_iter().filter(move |_| Scale::of(parameters).is_small()).map(ToOwned::to_owned)
}

/// An assembled prompt, its parts, and its size.
pub struct Prompt {
    pub messages: Vec<Message>,
    pub fragments: Vec<Fragment>,
    pub tokens: u32,
    /// The number of messages at the beginning that are the same in other conversations.
    pub opening: usize,
}

/// The name under which the next step of a plan is told, which answers no call.
pub const PLAN: &str = "plan";

/// Counts the tokens of a text with the active model's tokenizer.
pub type Count<'a> = &'a (dyn Fn(&str) -> u32 + Sync);

/// The fixed beginning of a prompt: soul, tools, skills, date and tone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct System {
    pub text: String,
    fragments: Vec<Fragment>,
    style: Style,
    /// Example questions and answers before every conversation, from which a very small model takes its manner.
    pub examples: Vec<(String, String)>,
}

/// The parts beside the soul: tools, skills, and, after the date, the tone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Abilities {
    pub tools: Option<String>,
    pub skills: Option<String>,
    /// The current personality in words.
    pub tone: Option<String>,
    pub style: Style,
}

impl System {
    /// Composes the soul files in order, cut at the budget, the abilities, the date without the time, and the tone.
    pub fn compose(
        files: &[SoulFile],
        abilities: &Abilities,
        now: &Zoned,
        budget: u32,
        count: Count<'_>,
    ) -> Self {
        let date = format!("{}{}.", DATE_LINE.trim_start(), now.strftime("%A, %-d %B %Y"));
        let date_tokens = count(&date);
        let further = [(FragmentKind::Tools, &abilities.tools), (FragmentKind::Skills, &abilities.skills)];
        let further: Vec<Fragment> = further
            .into_iter()
            .filter_map(|(kind, text)| {
                let text = text.clone()?;
                let source = if kind == FragmentKind::Tools { "tools" } else { "skills" };
                Some(Fragment { kind, source: source.into(), tokens: count(&text), text })
            })
            .collect();
        let tone = abilities.tone.as_ref().map(|text| Fragment {
            kind: FragmentKind::Tone,
            source: "personality".into(),
            tokens: count(text),
            text: text.clone(),
        });
        let taken = date_tokens
            + tone.as_ref().map_or(0, |tone| tone.tokens)
            + further.iter().map(|fragment| fragment.tokens).sum::<u32>();
        let mut left = budget.saturating_sub(taken);
        let mut fragments = Vec::new();
        for file in files {
            let text = fit(&file.text, left, count);
            if text.is_empty() {
                break;
            }
            let tokens = count(&text);
            left = left.saturating_sub(tokens);
            fragments.push(Fragment { kind: FragmentKind::Soul, source: file.source.clone(), text, tokens });
        }
        fragments.extend(further);
        fragments.push(Fragment {
            kind: FragmentKind::Date,
            source: "date".into(),
            text: date,
            tokens: date_tokens,
        });
        fragments.extend(tone);
        let texts: Vec<&str> = fragments.iter().map(|fragment| fragment.text.as_str()).collect();
        Self { text: texts.join("\n\n"), fragments, style: abilities.style, examples: Vec::new() }
    }

    /// Composes the short text about Luna and the examples, without other parts.
    pub fn brief(files: &[SoulFile], examples: Vec<(String, String)>, budget: u32, count: Count<'_>) -> Self {
        let text = files.iter().map(|file| file.text.as_str()).collect::<Vec<_>>().join("\n\n");
        let text = fit(&text, budget, count);
        let soul = Fragment {
            kind: FragmentKind::Soul,
            source: "soul".into(),
            tokens: count(&text),
            text: text.clone(),
        };
        let told = examples.iter().map(|(asked, said)| format!("{asked}\n{said}")).collect::<Vec<_>>();
        let told = told.join("\n");
        let tokens = count(&told) + MESSAGE_OVERHEAD * 2 * u32::try_from(examples.len()).unwrap_or(0);
        let shown = Fragment { kind: FragmentKind::Soul, source: "examples".into(), tokens, text: told };
        Self { text, fragments: vec![soul, shown], style: Style::Text, examples }
    }

    /// Returns the messages at the beginning of every conversation.
    pub fn messages(&self) -> Vec<Message> {
        let examples = self.examples.iter().flat_map(|(asked, said)| {
            [Message::text(Role::User, asked.as_str()), Message::text(Role::Assistant, said.as_str())]
        });
        std::iter::once(Message::text(Role::System, self.text.as_str())).chain(examples).collect()
    }

    /// Restores a beginning that was fixed earlier. It is divided into the current parts if the text before the date is
    /// the same.
    pub fn fixed(text: String, today: &Self, count: Count<'_>) -> Self {
        if text == today.text {
            return today.clone();
        }
        let soul = text.rsplit_once(DATE_LINE).map_or(text.as_str(), |(soul, _)| soul);
        let rest = text[soul.len()..].trim_start();
        let (date, tone) = rest.split_once("\n\n").unwrap_or((rest, ""));
        let (date, tone) = (date.to_owned(), tone.to_owned());
        let mut fragments: Vec<Fragment> = Vec::new();
        if soul == today.soul() {
            let kept = today
                .fragments
                .iter()
                .filter(|fragment| !matches!(fragment.kind, FragmentKind::Date | FragmentKind::Tone));
            fragments.extend(kept.cloned());
        } else {
            let (text, tokens) = (soul.to_owned(), count(soul));
            fragments.push(Fragment { kind: FragmentKind::Soul, source: "soul".into(), text, tokens });
        }
        let tokens = count(&date);
        fragments.push(Fragment { kind: FragmentKind::Date, source: "date".into(), text: date, tokens });
        if !tone.is_empty() {
            let tokens = count(&tone);
            let source = "personality".into();
            fragments.push(Fragment { kind: FragmentKind::Tone, source, text: tone, tokens });
        }
        Self { text, fragments, style: today.style, examples: today.examples.clone() }
    }

    /// Returns the text without the date and the tone. A change of this part begins a new epoch.
    pub fn soul(&self) -> &str {
        soul_of(&self.text)
    }

    pub fn has_soul_of(&self, text: &str) -> bool {
        soul_of(text) == self.soul()
    }
}

fn soul_of(text: &str) -> &str {
    text.rsplit_once(DATE_LINE).map_or(text, |(soul, _)| soul)
}

/// Returns the block before a message, which stays with it permanently: the time, attachments, memories and the plan.
pub fn context_block(now: &Zoned, attached: &[String]) -> String {
    let mut block = format!("<context>\nIt is {}.\n", now.strftime("%A, %-d %B %Y, %H:%M"));
    for text in attached {
        block.push('\n');
        block.push_str(&harmless(text.trim_end()));
        block.push('\n');
    }
    block.push_str("</context>");
    block
}

/// Prevents a text from closing the context block that contains it.
pub fn harmless(text: &str) -> String {
    text.replace("</context", "<\u{2060}/context").replace("<context", "<\u{2060}context")
}

/// Returns a text file for the model, cut at the budget.
pub fn attached_text(name: &str, text: &str, budget: u32, count: Count<'_>) -> String {
    let fitted = fit(text, budget, count);
    let note = if fitted.len() < text.trim().len() { "\n[the rest of the file does not fit]" } else { "" };
    // The fence is longer than any in the file, so the file cannot close it.
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("Attached file {name}:\n{fence}\n{fitted}\n{fence}{note}")
}

/// A picture in a message, for a model with vision.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    pub mime: String,
    pub bytes: std::sync::Arc<[u8]>,
}

/// Assembles the prompt: system prompt, summary, and the branch as it was sent. The summary is put into the first
/// message that is not summarised, because many templates support only one system message.
pub fn assemble(
    system: &System,
    summary: Option<&Summary>,
    path: &[PathMessage],
    pictures: impl Fn(&PathMessage) -> Vec<Picture>,
    count: Count<'_>,
) -> Prompt {
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
            protocol::Role::User => (Role::User, FragmentKind::User),
            protocol::Role::Assistant => (Role::Assistant, FragmentKind::Assistant),
        };
        if !message.rounds.is_empty() {
            for told in message.rounds.iter().flat_map(|round| round_messages(round, system.style)) {
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
    Prompt { messages, fragments, tokens, opening: system.examples.len() * 2 + 1 }
}

fn is_last_turn(kind: FragmentKind) -> bool {
    matches!(kind, FragmentKind::Context | FragmentKind::User | FragmentKind::Assistant)
}

/// Returns the text, calls and tool results of a round in the given style.
pub fn round_messages(round: &Round, style: Style) -> Vec<Message> {
    let mut messages = Vec::new();
    let (mut said, mut calls) = (round.said.clone(), Vec::new());
    match style {
        Style::Native | Style::Template => {
            let call = |call: &RoundCall| ToolCall {
                id: call.id.clone(),
                name: call.name.clone(),
                arguments: call.arguments.clone(),
            };
            calls.extend(round.calls.iter().map(call));
        }
        // The calls may come from a model with another syntax, so they are written as text.
        Style::Text => {
            for call in &round.calls {
                let written =
                    format!("[TOOL_CALL:{{\"tool\":\"{}\",\"args\":{}}}]", call.name, call.arguments);
                said = if said.is_empty() { written } else { format!("{said}\n{written}") };
            }
        }
    }
    if !said.is_empty() || !calls.is_empty() {
        messages.push(Message { tool_calls: calls, ..Message::text(Role::Assistant, said) });
    }
    let is_native = |told: &&Told| match style {
        Style::Native => told.call.is_some(),
        Style::Template => told.name != PLAN,
        Style::Text => false,
    };
    for told in round.told.iter().filter(is_native) {
        messages.push(Message {
            tool_call_id: told.call.clone(),
            ..Message::text(Role::Tool, told.text.clone())
        });
    }
    let in_words = round.told.iter().filter(|told| !is_native(told)).map(|told| {
        format!("<tool_response name=\"{}\">\n{}\n</tool_response>", told.name, without_closing(&told.text))
    });
    let in_words = in_words.collect::<Vec<_>>().join("\n");
    if !in_words.is_empty() {
        messages.push(Message::text(Role::User, in_words));
    }
    messages
}

/// Prevents a tool result from closing its block and continuing as the user.
fn without_closing(text: &str) -> String {
    text.replace("</tool_response", "<\u{2060}/tool_response")
        .replace("<tool_response", "<\u{2060}tool_response")
}

/// Adds a text to the end of a prompt.
pub fn add(messages: &mut Vec<Message>, role: Role, text: &str) {
    push(messages, role, text.to_owned(), Vec::new());
}

/// Appends a message. Two consecutive messages of the same role (the answer between them failed) are merged, because
/// most templates require alternating roles.
fn push(messages: &mut Vec<Message>, role: Role, text: String, pictures: Vec<Picture>) {
    if let Some(previous) = messages.last_mut().filter(|previous| previous.role == role)
        && previous.tool_calls.is_empty()
        && let Content::Text(earlier) = &mut previous.content
        && pictures.is_empty()
    {
        earlier.push_str("\n\n");
        earlier.push_str(&text);
        return;
    }
    let content = if pictures.is_empty() {
        Content::Text(text)
    } else {
        let images =
            pictures.into_iter().map(|picture| Part::Image { mime: picture.mime, bytes: picture.bytes });
        Content::Parts(std::iter::once(Part::Text(text)).chain(images).collect())
    };
    messages.push(Message { role, content, tool_calls: Vec::new(), tool_call_id: None });
}

/// Returns the number of oldest messages to summarise so that the rest has at most `target` tokens. The rest begins
/// with a user message, and the last question always stays.
pub fn messages_to_summarise(path: &[PathMessage], target: u32, count: Count<'_>) -> usize {
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
fn tokens_of(message: &PathMessage, count: Count<'_>) -> u32 {
    if message.rounds.is_empty() {
        let context = message.context.as_deref().map_or(0, count);
        return count(&message.content) + context + MESSAGE_OVERHEAD;
    }
    let told = message.rounds.iter().flat_map(|round| round_messages(round, Style::Text));
    told.map(|told| count(&told.content.as_text()) + MESSAGE_OVERHEAD).sum()
}

/// Returns true if a branch is certainly too long by its byte length alone, so that its tokens need not be counted.
pub fn is_far_too_long(path: &[PathMessage], budget: Budget) -> bool {
    let bytes = |message: &PathMessage| {
        let rounds = message
            .rounds
            .iter()
            .flat_map(|round| round.told.iter().map(|told| told.text.len()).chain([round.said.len()]));
        message.content.len() + message.context.as_ref().map_or(0, String::len) + rounds.sum::<usize>()
    };
    path.iter().map(bytes).sum::<usize>() > bytes_of(budget.prompt)
}

/// Returns the greatest number of bytes that a number of tokens has in any meaningful text.
fn bytes_of(tokens: u32) -> usize {
    (tokens as usize).saturating_mul(16)
}

/// Returns the beginning of a text with at most `budget` tokens. It is cut between words, or within a word that is
/// longer than the whole budget.
pub fn fit(text: &str, budget: u32, count: Count<'_>) -> String {
    let text = text.trim();
    let room = text.floor_char_boundary(bytes_of(budget));
    if room == text.len() && count(text) <= budget {
        return text.to_owned();
    }
    let text = &text[..room];
    let spaces = text.char_indices().filter(|(_, letter)| letter.is_whitespace()).map(|(place, _)| place);
    let words: Vec<usize> = spaces.chain([room]).collect();
    let fitting = longest_fitting(text, &words, budget, count);
    if !fitting.is_empty() {
        return fitting.trim_end().to_owned();
    }
    let letters: Vec<usize> = text.char_indices().skip(1).map(|(place, _)| place).collect();
    longest_fitting(text, &letters, budget, count).to_owned()
}

/// Returns the text up to the last of the given positions at which it fits the budget.
fn longest_fitting<'a>(text: &'a str, places: &[usize], budget: u32, count: Count<'_>) -> &'a str {
    let fitting = places.partition_point(|&end| count(&text[..end]) <= budget);
    fitting.checked_sub(1).map_or("", |last| &text[..places[last]])
}

#[cfg(test)]
#[path = "prompt_tests.rs"]
mod tests;
