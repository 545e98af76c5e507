use protocol::{ConversationId, MessageId, TurnId};
use terminal::Painter;

use super::*;
use crate::command_help::format_help;
use crate::commands::{COMMANDS, HELP_FOOTER};

const PLAIN: Screen = Screen { painter: Painter::new(false), width: Some(70) };

fn summary(id: i64, title: &str) -> ChatSummary {
    ChatSummary {
        id: ConversationId::new(id),
        title: title.into(),
        created_at: String::new(),
        updated_at: "2026-05-01T11:00:00Z".into(),
        pinned: id == 1,
        folder: (id == 2).then(|| "sky".into()),
        tags: Vec::new(),
        message_count: 4,
        preview: String::new(),
        incognito: false,
    }
}

fn message_by(role: Role, content: &str) -> Message {
    Message {
        id: MessageId::new(5),
        parent: None,
        role,
        content: content.into(),
        reasoning: None,
        created_at: String::new(),
        status: MessageStatus::Complete,
        stop_reason: None,
        error: None,
        error_code: None,
        model: None,
        turn_id: Some(TurnId::new(1)),
        usage: None,
        attachments: Vec::new(),
        acts: Vec::new(),
        plan: Vec::new(),
        memory: Vec::new(),
        work: Vec::new(),
        siblings: vec![MessageId::new(5)],
    }
}

#[test]
fn conversations_are_numbered_and_safe_to_print() {
    let now = "2026-05-01T12:00:00Z".parse().unwrap();
    let list = [summary(1, "Moon\u{1b}[2J"), summary(2, "Sun"), summary(3, " ")];
    let expected = "\
#  title      messages  last
1  ★ Moon[2J         4  1 hour ago
2  Sun (sky)         4  1 hour ago
3  untitled          4  1 hour ago
";
    assert_eq!(chats(&list, None, now, PLAIN), expected);
}

#[test]
fn a_conversation_is_shown_as_it_was_held() {
    let mut answer = message_by(Role::Assistant, "**Hello**, you.");
    answer.status = MessageStatus::Partial;
    answer.siblings = vec![MessageId::new(4), MessageId::new(5)];
    let view = ChatView {
        pinned: Vec::new(),
        chat: summary(1, "Moon"),
        messages: vec![message_by(Role::User, "Hi\nthere\u{7}"), answer],
        before: Some(MessageId::new(1)),
        live: None,
        summary: None,
    };
    let expected = "There are earlier messages.\n\n› Hi\n  there\n\nHello, you.\nended early · 2 of 2 (/branch back, /branch on)\n\n";
    assert_eq!(conversation(&view, PLAIN), expected);
}

#[test]
fn the_reasons_name_every_source_and_the_cost() {
    let usage = Usage {
        prompt_tokens: 1234,
        cached_tokens: 1000,
        completion_tokens: 56,
        first_token_ms: Some(180),
        reasoning_ms: Some(1400),
        total_ms: 2500,
    };
    let reasons = Why {
        turn_id: TurnId::new(1),
        message_id: MessageId::new(2),
        model: "tiny".into(),
        fragments: vec![Fragment {
            kind: FragmentKind::Soul,
            source: "soul/identity.md".into(),
            text: "I am\nLuna".into(),
            tokens: 9,
        }],
        usage,
        timings: protocol::Timings::default(),
    };
    let expected = "\
context  from              tokens  it begins
soul     soul/identity.md       9  I am Luna

tiny: read 1,234 tokens, 1,000 of them known already, wrote 56, first
word after 180 ms, thought for 1,400 ms, 2 s in all.
";
    assert_eq!(why(&reasons, PLAIN), expected);
}

#[test]
fn help_names_every_command_even_where_it_is_narrow() {
    for width in [80, 40, 20] {
        let text = format_help(Screen { width: Some(width), ..PLAIN }, COMMANDS, HELP_FOOTER);
        for command in COMMANDS {
            assert!(text.contains(&format!("/{}", command.names[0])), "{width}: /{}", command.names[0]);
        }
    }
}
