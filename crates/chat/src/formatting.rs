//! Conversations, messages and context reports, formatted for the terminal.

use jiff::Timestamp;
use protocol::{
    ChatSummary, ChatView, Fragment, FragmentKind, Message, MessageStatus, Role, SearchHit, Usage, Why,
};
use terminal::{
    AnsiColour, MarkdownRenderer, Screen, Table, TableCell, TextStyle, ago, amount, clean, clean_line,
    duration, paragraph,
};

/// A numbered list of conversations; `/load` accepts the numbers.
pub fn chats(
    chats: &[ChatSummary],
    current: Option<protocol::ConversationId>,
    now: Timestamp,
    screen: Screen,
) -> String {
    let mut table = Table::with_columns(&["#>", "title", "messages>", "last"]);
    for (place, chat) in chats.iter().enumerate() {
        let mut title = clean_line(title_or_default(&chat.title));
        if chat.pinned {
            title.insert_str(0, "★ ");
        }
        if let Some(folder) = &chat.folder {
            title = format!("{title} ({})", clean_line(folder));
        }
        let style = if Some(chat.id) == current { TextStyle::BOLD } else { TextStyle::PLAIN };
        table.row([
            (place + 1).to_string().into(),
            TableCell::styled(style, &title),
            chat.message_count.to_string().into(),
            ago(now, &chat.updated_at).into(),
        ]);
    }
    table.render(screen)
}

pub fn hits(hits: &[SearchHit], now: Timestamp, screen: Screen) -> String {
    let mut table = Table::with_columns(&["#>", "found in", "words", "when"]);
    for (place, hit) in hits.iter().enumerate() {
        table.row([
            (place + 1).to_string().into(),
            title_or_default(&hit.title).into(),
            hit.snippet.as_str().into(),
            ago(now, &hit.created_at).into(),
        ]);
    }
    table.render(screen)
}

pub fn title_or_default(title: &str) -> &str {
    if title.trim().is_empty() { "untitled" } else { title }
}

/// The messages of the current branch.
pub fn conversation(view: &ChatView, screen: Screen) -> String {
    let mut out = String::new();
    if view.before.is_some() {
        out.push_str(&screen.painter.dim("There are earlier messages."));
        out.push_str("\n\n");
    }
    for shown in &view.messages {
        out.push_str(&message(shown, screen));
        out.push('\n');
    }
    out
}

fn message(message: &Message, screen: Screen) -> String {
    let mut out = String::new();
    match message.role {
        Role::User => {
            let mark = TextStyle { bold: true, ..TextStyle::coloured(AnsiColour::Cyan) };
            for (place, line) in clean(&message.content).lines().enumerate() {
                let mark = screen.painter.apply(mark, if place == 0 { "› " } else { "  " });
                out.extend([mark.as_str(), line, "\n"]);
            }
            for file in &message.attachments {
                out.push_str(&screen.painter.dim(&format!("  with {}", clean_line(&file.name))));
                out.push('\n');
            }
        }
        Role::Assistant => {
            let mut renderer = MarkdownRenderer::new(screen);
            out.push_str(&renderer.push(&message.content));
            out.push_str(&renderer.finish());
        }
    }
    let mut note = Vec::new();
    match (message.status, &message.error) {
        (_, Some(error)) => note.push(clean_line(error)),
        (MessageStatus::Partial, None) => note.push("ended early".to_owned()),
        (MessageStatus::Streaming, None) => note.push("still being written".to_owned()),
        (MessageStatus::Complete | MessageStatus::Failed, None) => {}
    }
    if message.siblings.len() > 1 {
        let place = message.siblings.iter().position(|id| *id == message.id).map_or(0, |place| place + 1);
        note.push(format!("{place} of {} (/branch back, /branch on)", message.siblings.len()));
    }
    if !note.is_empty() {
        out.push_str(&screen.painter.dim(&note.join(" · ")));
        out.push('\n');
    }
    out
}

/// The context of an answer and its cost in tokens.
pub fn why(why: &Why, screen: Screen) -> String {
    let mut table = Table::with_columns(&["context", "from", "tokens>", "it begins"]);
    for Fragment { kind, source, text, tokens } in &why.fragments {
        let beginning: String = clean_line(text).chars().take(60).collect();
        table.row([
            kind_name(*kind).into(),
            source.as_str().into(),
            tokens.to_string().into(),
            beginning.into(),
        ]);
    }
    let cost = paragraph(screen, TextStyle::PLAIN, &cost(&why.model, &why.usage));
    format!("{}\n{cost}", table.render(screen))
}

fn kind_name(kind: FragmentKind) -> &'static str {
    match kind {
        FragmentKind::Soul => "soul",
        FragmentKind::Tools => "tools",
        FragmentKind::Skills => "skills",
        FragmentKind::Date => "date",
        FragmentKind::Tone => "tone",
        FragmentKind::Summary => "summary",
        FragmentKind::History => "earlier messages",
        FragmentKind::Context => "context",
        FragmentKind::User => "you",
        FragmentKind::Assistant => "the model",
        FragmentKind::Results => "what a tool returned",
    }
}

fn cost(model: &str, usage: &Usage) -> String {
    let Usage { prompt_tokens, cached_tokens, completion_tokens, first_token_ms, reasoning_ms, total_ms } =
        usage;
    let mut parts = vec![
        format!(
            "read {} tokens, {} of them known already",
            amount(u64::from(*prompt_tokens)),
            amount(u64::from(*cached_tokens))
        ),
        format!("wrote {}", amount(u64::from(*completion_tokens))),
    ];
    if let Some(first) = first_token_ms {
        parts.push(format!("first word after {} ms", amount(u64::from(*first))));
    }
    if let Some(thought) = reasoning_ms {
        parts.push(format!("thought for {} ms", amount(u64::from(*thought))));
    }
    parts.push(format!("{} in all", duration(u64::from(*total_ms) / 1000)));
    let model =
        if model.is_empty() { "No model was asked.".to_owned() } else { format!("{}:", clean_line(model)) };
    format!("{model} {}.", parts.join(", "))
}

#[cfg(test)]
#[path = "formatting_tests.rs"]
mod tests;
