use std::collections::HashMap;
use std::fmt::Write as _;

use protocol::{MessageId, Role};
use store::{ExportedConversation, ExportedMessage};

use crate::error::{HandlerResult, Refusal};

/// Formats the visible branch as a readable document. `name` is the companion's name.
pub fn markdown(conversation: &ExportedConversation, name: &str) -> String {
    let mut text = format!("# {}\n", conversation.title);
    for message in shown(conversation) {
        let who = match message.role {
            Role::User => "You",
            Role::Assistant => name,
        };
        // Writing to a string cannot fail.
        let _ = write!(text, "\n## {who} · {}\n\n{}\n", message.created_at, message.content.trim());
        for attachment in &message.attachments {
            let _ = write!(text, "\n*Attached: {}*\n", attachment.name);
        }
        if let Some(error) = &message.error {
            let _ = write!(text, "\n*{error}*\n");
        }
    }
    text
}

pub fn json(conversation: &ExportedConversation) -> HandlerResult<Vec<u8>> {
    serde_json::to_vec_pretty(conversation)
        .map_err(|error| Refusal::new(protocol::ErrorCode::Internal, error.to_string()))
}

fn shown(conversation: &ExportedConversation) -> Vec<&ExportedMessage> {
    let by_id: HashMap<MessageId, &ExportedMessage> =
        conversation.messages.iter().map(|message| (message.id, message)).collect();
    let mut branch = Vec::new();
    let mut next = conversation.leaf;
    while let Some(message) = next.and_then(|id| by_id.get(&id)) {
        branch.push(*message);
        next = message.parent;
    }
    branch.reverse();
    branch
}

/// Returns a `Content-Disposition` header for a download named after this title.
pub fn file_name(title: &str, extension: &str) -> String {
    let short: String = title.chars().take(80).collect();
    let stem = if short.trim().is_empty() { "conversation" } else { short.trim() };
    disposition(&format!("{stem}.{extension}"))
}

/// Includes both forms of the name: a plain one for old clients, and the full one, escaped.
pub fn disposition(name: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_. ".contains(c) { c } else { '_' }).collect();
    let mut escaped = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{escaped}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_break_the_header() {
        let header = file_name("Mond \"und\"\r\nX-Evil: 1 🌙", "md");
        assert!(header.is_ascii() && !header.contains(['\r', '\n']), "{header}");
        assert!(header.starts_with("attachment; filename=\"Mond _und___X-Evil_ 1 _.md\""), "{header}");
        assert!(
            header.contains("filename*=UTF-8''Mond%20%22und%22%0D%0AX-Evil%3A%201%20%F0%9F%8C%99.md"),
            "{header}"
        );
        assert!(file_name("  ", "json").contains("conversation.json"));
    }
}
