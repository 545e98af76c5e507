//! Imports conversations from other programs.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use protocol::{ConversationId, MessageId, MessageStatus, Origin, Role, StopReason};
use serde::Deserialize;
use serde_json::Value;
use store::{ExportedConversation, ExportedMessage};

/// Upper bound on the messages of one imported conversation; no real one is longer.
const MOST_MESSAGES: usize = 20_000;

/// The context that is needed to read a file.
pub(super) struct ImportContext<'a> {
    pub name: &'a str,
    pub now: Timestamp,
    pub zone: &'a TimeZone,
}

impl ImportContext<'_> {
    fn origin(&self) -> Origin {
        Origin::File(self.name.to_owned())
    }
}

/// A message being imported. Ids count from one.
struct ImportedMessage {
    id: i64,
    parent: Option<i64>,
    role: Role,
    content: String,
    at: Timestamp,
}

/// Builds an exported conversation from imported messages. The message ids are negative, which the store never issues,
/// so that it assigns its own.
fn conversation(
    title: &str,
    folder: &str,
    messages: Vec<ImportedMessage>,
    leaf: Option<i64>,
    origins: impl Fn(Role) -> Vec<Origin>,
) -> Option<ExportedConversation> {
    let (first, last) = (messages.iter().map(|one| one.at).min()?, messages.iter().map(|one| one.at).max()?);
    let id = |number: i64| MessageId::new(-number);
    let messages = messages.into_iter().map(|one| ExportedMessage {
        id: id(one.id),
        parent: one.parent.map(id),
        role: one.role,
        content: one.content,
        reasoning: None,
        context: None,
        created_at: one.at.to_string(),
        status: MessageStatus::Complete,
        stop_reason: (one.role == Role::Assistant).then_some(StopReason::End),
        error: None,
        error_code: None,
        model: None,
        attachments: Vec::new(),
        acts: Vec::new(),
        rounds: Vec::new(),
        origins: origins(one.role),
        plan: Vec::new(),
    });
    Some(ExportedConversation {
        format: 1,
        id: ConversationId::new(-1),
        title: title.trim().to_owned(),
        titled_by_person: true,
        created_at: first.to_string(),
        updated_at: last.to_string(),
        pinned: false,
        folder: Some(folder.to_owned()),
        tags: Vec::new(),
        leaf: leaf.map(id),
        messages: messages.collect(),
    })
}

#[derive(Deserialize)]
struct ChatGptConversation {
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    create_time: Option<f64>,
    mapping: HashMap<String, ChatGptNode>,
    #[serde(default)]
    current_node: Option<String>,
}

#[derive(Deserialize)]
struct ChatGptNode {
    #[serde(default)]
    message: Option<ChatGptMessage>,
    #[serde(default)]
    parent: Option<String>,
}

#[derive(Deserialize)]
struct ChatGptMessage {
    author: ChatGptAuthor,
    #[serde(default)]
    create_time: Option<f64>,
    #[serde(default)]
    content: Option<ChatGptContent>,
    #[serde(default)]
    metadata: Option<Value>,
}

#[derive(Deserialize)]
struct ChatGptAuthor {
    role: String,
}

#[derive(Deserialize)]
struct ChatGptContent {
    #[serde(default)]
    content_type: String,
    #[serde(default)]
    parts: Vec<Value>,
}

impl ChatGptMessage {
    /// Returns the text of a visible user or assistant message; tool messages and hidden notes have none.
    fn text(&self) -> Option<(Role, String)> {
        let role = match self.author.role.as_str() {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            _ => return None,
        };
        let hidden = self.metadata.as_ref().and_then(|metadata| {
            metadata.get("is_visually_hidden_from_conversation").and_then(Value::as_bool)
        });
        let content = self.content.as_ref()?;
        if hidden == Some(true) || !matches!(content.content_type.as_str(), "text" | "multimodal_text") {
            return None;
        }
        let words: Vec<&str> = content.parts.iter().filter_map(Value::as_str).collect();
        let words = words.join("\n").trim().to_owned();
        (!words.is_empty()).then_some((role, words))
    }
}

fn seconds(time: Option<f64>) -> Option<Timestamp> {
    #[allow(clippy::cast_possible_truncation, reason = "the year of a far too large number is refused")]
    let milliseconds = (time? * 1_000.0) as i64;
    Timestamp::from_millisecond(milliseconds).ok()
}

/// Reads the `conversations.json` of a ChatGPT export. An error in one conversation is reported, and the others are
/// imported.
pub(super) fn chatgpt(
    chats: Vec<Value>,
    context: &ImportContext<'_>,
    problems: &mut Vec<String>,
) -> Vec<ExportedConversation> {
    let mut read = Vec::new();
    for (place, chat) in chats.into_iter().enumerate() {
        let name = chat.get("title").and_then(Value::as_str).unwrap_or_default().to_owned();
        match serde_json::from_value::<ChatGptConversation>(chat) {
            Ok(chat) if chat.mapping.len() > MOST_MESSAGES => {
                problems.push(format!(
                    "Conversation {} “{name}” is too long: {} messages.",
                    place + 1,
                    chat.mapping.len()
                ));
            }
            Ok(chat) => read.extend(chat.read(context)),
            Err(error) => {
                problems.push(format!("Conversation {} “{name}” cannot be read: {error}", place + 1));
            }
        }
    }
    read
}

impl ChatGptConversation {
    fn read(self, context: &ImportContext<'_>) -> Option<ExportedConversation> {
        let began = seconds(self.create_time).unwrap_or(context.now);
        // Parents come first; siblings are ordered by time.
        let mut kept: Vec<(&String, Role, String, Timestamp)> = self
            .mapping
            .iter()
            .filter_map(|(id, node)| {
                let message = node.message.as_ref()?;
                let (role, words) = message.text()?;
                Some((id, role, words, seconds(message.create_time).unwrap_or(began)))
            })
            .collect();
        let ConversationShape { depths, ends } = self.shape();
        kept.sort_by_key(|(id, _, _, at)| (*at, depths.get(id.as_str()).copied()));
        let numbers: HashMap<&str, i64> =
            kept.iter().zip(1..).map(|((id, ..), number)| (id.as_str(), number)).collect();
        let leaf = self.current_node.as_deref().and_then(|id| self.nearest(id, &numbers, &ends));
        let messages = kept.iter().map(|(id, role, words, at)| ImportedMessage {
            id: numbers[id.as_str()],
            parent: self.parent_of(id, &ends).and_then(|parent| self.nearest(parent, &numbers, &ends)),
            role: *role,
            content: words.clone(),
            at: *at,
        });
        // Text by another assistant may be based on untrusted content.
        let origins = |role| if role == Role::Assistant { vec![context.origin()] } else { Vec::new() };
        conversation(self.title.as_deref().unwrap_or_default(), "ChatGPT", messages.collect(), leaf, origins)
    }

    fn parent_of<'a>(&'a self, id: &str, ends: &HashSet<&str>) -> Option<&'a str> {
        self.mapping.get(id).filter(|_| !ends.contains(id))?.parent.as_deref()
    }

    /// Returns the message itself, or its nearest ancestor that is kept.
    fn nearest(&self, id: &str, kept: &HashMap<&str, i64>, ends: &HashSet<&str>) -> Option<i64> {
        std::iter::successors(Some(id), |id| self.parent_of(id, ends)).find_map(|id| kept.get(id).copied())
    }

    /// Computes the depth of every message and the points at which cycles are cut, in one pass.
    fn shape(&self) -> ConversationShape<'_> {
        let mut shape = ConversationShape::default();
        for id in self.mapping.keys() {
            let mut path: Vec<&str> = Vec::new();
            let mut next = Some(id.as_str());
            while let Some(id) = next.filter(|id| !shape.depths.contains_key(id)) {
                path.push(id);
                shape.depths.insert(id, 0);
                next = self.mapping.get(id).and_then(|node| node.parent.as_deref());
            }
            let is_cycle = next.is_some_and(|id| path.contains(&id));
            if let Some(last) = path.last().filter(|_| is_cycle) {
                shape.ends.insert(last);
            }
            let first = next.filter(|_| !is_cycle).map_or(0, |known| shape.depths[known] + 1);
            for (depth, id) in (first..).zip(path.into_iter().rev()) {
                shape.depths.insert(id, depth);
            }
        }
        shape
    }
}

#[derive(Default)]
struct ConversationShape<'a> {
    /// The number of ancestors of each message.
    depths: HashMap<&'a str, usize>,
    /// Messages at which cycles are cut: they are treated as having no parent.
    ends: HashSet<&'a str>,
}

#[derive(Deserialize)]
struct SillyTavernLine {
    #[serde(default)]
    name: String,
    #[serde(default)]
    is_user: bool,
    #[serde(default)]
    is_system: bool,
    #[serde(default)]
    send_date: Value,
    mes: String,
}

/// Returns true if this first line is that of a SillyTavern chat.
pub(super) fn begins_sillytavern(line: &str) -> bool {
    serde_json::from_str::<Value>(line).is_ok_and(|line| {
        line.get("character_name").is_some() || (line.get("mes").is_some() && line.get("is_user").is_some())
    })
}

/// Reads a SillyTavern chat: one JSON object per line. It is role-play, so what the user says in it is not reliably
/// true.
pub(super) fn sillytavern(
    text: &str,
    context: &ImportContext<'_>,
    problems: &mut Vec<String>,
) -> Vec<ExportedConversation> {
    let mut messages: Vec<ImportedMessage> = Vec::new();
    let mut with = String::new();
    for (place, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let Ok(value) = serde_json::from_str::<Value>(line) else {
            problems.push(format!("Line {} is not JSON.", place + 1));
            continue;
        };
        if value.get("mes").is_none() {
            let name = value.get("character_name").and_then(Value::as_str);
            name.unwrap_or_default().clone_into(&mut with);
            continue;
        }
        let Ok(line) = serde_json::from_value::<SillyTavernLine>(value) else {
            problems.push(format!("Line {} is not a message.", place + 1));
            continue;
        };
        if line.is_system || line.mes.trim().is_empty() {
            continue;
        }
        if with.is_empty() && !line.is_user {
            with.clone_from(&line.name);
        }
        let before = messages.last().map(|one| one.at);
        let at = sent(&line.send_date, context.zone).or(before).unwrap_or(context.now);
        let number = i64::try_from(messages.len()).unwrap_or(i64::MAX - 1) + 1;
        messages.push(ImportedMessage {
            id: number,
            parent: (number > 1).then_some(number - 1),
            role: if line.is_user { Role::User } else { Role::Assistant },
            content: line.mes.trim().to_owned(),
            at: before.map_or(at, |before| at.max(before)),
        });
    }
    let title = if with.is_empty() { context.name.to_owned() } else { with };
    conversation(&title, "SillyTavern", messages, None, |_| vec![context.origin()]).into_iter().collect()
}

/// Parses a send date. SillyTavern has used several formats.
fn sent(value: &Value, zone: &TimeZone) -> Option<Timestamp> {
    if let Some(milliseconds) = value.as_i64() {
        return Timestamp::from_millisecond(milliseconds).ok();
    }
    let text = value.as_str()?.trim();
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    if let Ok(milliseconds) = text.parse::<i64>() {
        return Timestamp::from_millisecond(milliseconds).ok();
    }
    let small = text.to_lowercase();
    let plain: String = small.split_whitespace().collect::<Vec<_>>().join(" ");
    let forms = ["%Y-%m-%d@%Hh%Mm%Ss", "%Y-%m-%d @%Hh %Mm %Ss", "%B %d, %Y %I:%M%p", "%B %d, %Y %I:%M %p"];
    // A trailing `… 311ms` is dropped; that precision is not needed.
    let plain = plain
        .rsplit_once("s ")
        .filter(|(_, rest)| rest.ends_with("ms"))
        .map_or(plain.clone(), |(text, _)| format!("{text}s"));
    let time = forms.into_iter().find_map(|form| DateTime::strptime(form, &plain).ok())?;
    zone.to_zoned(time).ok().map(|zoned| zoned.timestamp())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn times_of_every_kind_are_read() {
        let at = |value: Value| sent(&value, &TimeZone::UTC).map(|at| at.to_string()).unwrap_or_default();
        let expected = "2024-05-12T10:32:11Z";
        assert_eq!(at("2024-05-12@10h32m11s".into()), expected);
        assert_eq!(at("2024-05-12 @10h 32m 11s 311ms".into()), expected);
        assert_eq!(at(expected.into()), expected);
        assert_eq!(at(1_715_509_931_000_i64.into()), expected);
        assert_eq!(at("May 12, 2024 10:32am".into()), "2024-05-12T10:32:00Z");
        assert_eq!(at("May 12, 2024 10:32 PM".into()), "2024-05-12T22:32:00Z");
        assert_eq!(at("some day".into()), "");
    }

    #[test]
    fn long_and_tangled_conversations_are_read_soon() {
        let context = ImportContext { now: Timestamp::UNIX_EPOCH, zone: &TimeZone::UTC, name: "x" };
        let node = |parent: String, text: &str| {
            json!({"parent": parent, "message": {"author": {"role": "user"}, "create_time": 1.0,
                   "content": {"content_type": "text", "parts": [text]}}})
        };
        let mut mapping = serde_json::Map::new();
        for number in 0..MOST_MESSAGES - 2 {
            mapping.insert(number.to_string(), node((number + 1).to_string(), "chain"));
        }
        mapping.insert("a".into(), node("b".into(), "ring"));
        mapping.insert("b".into(), node("a".into(), "ring"));
        let began = std::time::Instant::now();
        let mut problems = Vec::new();
        let long = json!({"title": "Long", "mapping": mapping.clone(), "current_node": "0"});
        mapping.insert("c".into(), node("a".into(), "one more"));
        let longer = json!({"title": "Longer", "mapping": mapping, "current_node": "0"});
        let read = chatgpt(vec![long, longer], &context, &mut problems);
        assert_eq!(read.iter().map(|chat| chat.messages.len()).collect::<Vec<_>>(), [MOST_MESSAGES]);
        let rings = read[0].messages.iter().filter(|message| message.content == "ring");
        assert_eq!(rings.filter(|message| message.parent.is_none()).count(), 1, "a ring is cut open");
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
    }
}
