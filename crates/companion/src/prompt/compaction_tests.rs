use jiff::Timestamp;
use protocol::{MessageId, MessageStatus, Role as Side};

use super::*;

fn words(text: &str) -> u32 {
    u32::try_from(text.split_whitespace().count()).unwrap()
}

fn message(id: i64, role: Side, content: &str) -> PathMessage {
    PathMessage {
        id: MessageId::new(id),
        parent: None,
        role,
        content: content.into(),
        reasoning: None,
        context: None,
        status: MessageStatus::Complete,
        created_at: Timestamp::UNIX_EPOCH,
        attachments: Vec::new(),
        rounds: Vec::new(),
        origins: Vec::new(),
    }
}

#[test]
fn the_extract_has_a_line_for_each_message() {
    let messages = [
        message(1, Side::User, "My dog is called Max. He is old."),
        message(2, Side::Assistant, "What a nice name!\nHow old?"),
        message(3, Side::Assistant, "  "),
    ];
    let text = extract(None, &messages, 100, &words);
    assert_eq!(text, "- User: My dog is called Max.\n- You: What a nice name!");
    let earlier =
        EpochSummary { text: "- User: Hello.".into(), up_to: MessageId::new(1), origins: Vec::new() };
    let longer = extract(Some(&earlier), &messages[..1], 100, &words);
    assert_eq!(longer, "- User: Hello.\n- User: My dog is called Max.");
}

#[test]
fn what_does_not_fit_is_counted_not_dropped_in_silence() {
    let messages: Vec<_> = (0..20)
        .map(|id| {
            message(id, if id % 2 == 0 { Side::User } else { Side::Assistant }, "Five words are in here.")
        })
        .collect();
    let text = extract(None, &messages, 60, &words);
    assert!(words(&text) <= 60, "{text}");
    assert!(text.starts_with("[1"), "{text}");
    assert!(!text.contains("You:"), "her own lines go first: {text}");
    let again = extract(
        Some(&EpochSummary { text, up_to: MessageId::new(1), origins: Vec::new() }),
        &messages[..4],
        40,
        &words,
    );
    let first = again.lines().next().unwrap();
    let missing: u32 = first[1..].split(' ').next().unwrap().parse().unwrap();
    assert!(missing > 12, "the count goes on: {again}");
}

#[test]
fn a_file_leaves_its_name() {
    let file = |name: &str| protocol::AttachmentInfo {
        id: protocol::AttachmentId::new(1),
        name: name.into(),
        mime: "text/plain".into(),
        bytes: 3,
    };
    let mut alone = message(1, Side::User, "");
    alone.attachments = vec![file("plan.md"), file("map.png")];
    let mut said = message(2, Side::User, "Here it is. Look.");
    said.attachments = vec![file("notes.txt")];
    assert_eq!(
        extract(None, &[alone, said], 100, &words),
        "- User: [attached: plan.md] [attached: map.png]\n- User: Here it is. [attached: notes.txt]"
    );
}

#[test]
fn only_what_may_stay_is_counted() {
    let counted = std::sync::atomic::AtomicUsize::new(0);
    let count = |text: &str| {
        counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        words(text)
    };
    let messages: Vec<_> = (0..5_000).map(|id| message(id, Side::User, "Five words are in here.")).collect();
    let text = extract(None, &messages, 100, &count);
    assert!(text.starts_with("[49") && words(&text) <= 100, "{text}");
    assert!(counted.into_inner() < 30);
}

#[test]
fn a_long_sentence_is_cut_between_words() {
    let line = beginning(&"moonlight ".repeat(40));
    assert!(line.ends_with("moonlight…") && line.chars().count() <= LINE_CHARS, "{line}");
}

#[test]
fn targets_leave_room_for_system_and_summary() {
    let budget = TokenBudget { system: 600, prompt: 7168, context: 2048 };
    let left = target(budget, 300, 0.5);
    assert_eq!(left, 3584 - 300 - 512);
    assert!(is_due(budget, 6100, 0.85));
    assert!(!is_due(budget, 6000, 0.85));
}
