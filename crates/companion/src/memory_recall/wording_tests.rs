use super::*;

pub fn item(kind: MemoryKind, text: &str, at: &str) -> MemoryItem {
    MemoryItem {
        kind,
        id: "people.md".into(),
        text: text.into(),
        who: String::new(),
        at: Some(at.into()),
        score: 1.0,
        parts: Vec::new(),
        conversation_id: None,
        message_id: None,
        title: Some("Pets".into()),
        origins: Vec::new(),
    }
}

fn words(text: &str) -> u32 {
    u32::try_from(text.split_whitespace().count()).unwrap()
}

fn in_room<T>(tokens: u32, asks: bool, present: &[&str], of: impl Fn(&RecallRoom<'_>) -> T) -> T {
    let present: HashSet<&str> = present.iter().copied().collect();
    of(&RecallRoom { tokens, zone: &TimeZone::UTC, count: &words, asks, present_lines: &present })
}

fn line(item: &MemoryItem) -> String {
    in_room(1_000, false, &[], |room| room.line(item, RecallExtent::Best))
}

/// Creates messages of the user, oldest first. Their ranks do not follow the order of time.
fn messages(count: i64, length: usize) -> Vec<MemoryItem> {
    let mut items: Vec<MemoryItem> = (0..count)
        .map(|number| MemoryItem {
            message_id: Some(MessageId::new(number + 1)),
            text: format!("number {number}{}", " word".repeat(length.saturating_sub(2))),
            score: f32::from(i16::try_from(number * 7 % 10).unwrap()),
            ..item(MemoryKind::Message, "", "2026-05-03T10:00:00Z")
        })
        .collect();
    items.sort_by(|one, other| other.score.total_cmp(&one.score));
    items
}

#[test]
fn memories_are_told_in_order_and_within_the_budget() {
    let items = vec![
        item(MemoryKind::Message, "my dog is\ncalled Max", "2026-05-03T10:00:00Z"),
        item(MemoryKind::File, "Ada likes tea", "2026-05-01T10:00:00Z"),
        item(MemoryKind::Fact, &"very long ".repeat(400), "2026-05-02T10:00:00Z"),
    ];
    let (told, kept) = in_room(46, false, &[], |room| room.write(items.clone(), RecallExtent::Best, false));
    let expected = format!(
        "{HEADING}\n- From your memory file people.md: Ada likes tea\n\
         - On 3 May 2026 the user said: my dog is called Max"
    );
    assert_eq!(told.as_deref(), Some(expected.as_str()));
    assert_eq!(kept.len(), 2);
    assert_eq!(kept[0].kind, MemoryKind::Message, "the best stays first");
}

#[test]
fn all_that_the_user_told_goes_in_word_for_word_by_time_or_it_is_not_whole() {
    for (count, length) in [(3, 2), (25, 4), (200, 3), (2, 500)] {
        let items = messages(count, length);
        // A line has eight words before those of the message, and a line end.
        let lines = u32::try_from(count).unwrap() * (8 + u32::try_from(length).unwrap() + 1);
        let needed = words(HEADING) + words(WHOLE) + 1 + lines;
        for (tokens, has_room) in [(needed, true), (needed - 1, false)] {
            let holds = in_room(tokens, true, &[], |room| room.holds(&items));
            assert_eq!(holds, has_room, "{count} messages of {length} words in {tokens}");
        }
        let (told, kept) =
            in_room(needed, true, &[], |room| room.write(items.clone(), RecallExtent::Whole, true));
        let told = told.unwrap();
        let mut expected = messages(count, length);
        assert_eq!(kept, expected, "{count}: the best stays first");
        expected.sort_by_key(|item| item.message_id);
        let expected: Vec<String> =
            expected.iter().map(|item| format!("- On 3 May 2026 the user said: {}", item.text)).collect();
        assert_eq!(told, format!("{HEADING}\n{}\n{WHOLE}", expected.join("\n")));
    }
}

#[test]
fn beside_the_whole_the_rest_has_what_room_is_left() {
    let own = MemoryItem {
        who: "Luna".into(),
        score: 50.0,
        ..item(MemoryKind::Message, &"talk ".repeat(40), "2026-05-03T10:00:00Z")
    };
    let sure = MemoryItem {
        score: 60.0,
        message_id: Some(MessageId::new(1)),
        ..item(MemoryKind::Fact, "Lives in Lyon.", "")
    };
    let by_hand = MemoryItem { score: 0.0, ..item(MemoryKind::Fact, "Is allergic to nuts.", "") };
    let mut items = vec![sure, own];
    items.extend(messages(3, 4));
    items.push(by_hand);
    let needed = words(HEADING) + (4 + 1) + (5 + 1) + 3 * 13;
    let (told, kept) = in_room(needed, false, &[], |room| {
        assert!(room.holds(&items));
        room.write(items.clone(), RecallExtent::Whole, false)
    });
    let told = told.unwrap();
    assert_eq!(kept.len(), 5, "all but her own talk: {told}");
    assert!(told.contains("Lyon") && told.contains("nuts") && told.contains("number 2"), "{told}");
    assert!(!told.contains(WHOLE), "nothing is asked");
    assert!(!in_room(needed - 1, false, &[], |room| room.holds(&items)));
    let (told, _) =
        in_room(needed + 60, false, &[], |room| room.write(items.clone(), RecallExtent::Whole, false));
    assert!(told.unwrap().contains("talk"), "and her own words where there is more");
}

#[test]
fn what_the_prompt_has_already_is_not_told_again() {
    let items = messages(3, 2);
    let present = ["- On 3 May 2026 the user said: number 0", "- On 3 May 2026 the user said: number 1"];
    let tell = |present: &[&str], refused| {
        in_room(60, true, present, |room| {
            assert!(room.holds(&items));
            room.write(items.clone(), RecallExtent::Whole, refused)
        })
    };
    let (told, kept) = tell(&present, false);
    assert_eq!(told, Some(format!("{HEADING}\n- On 3 May 2026 the user said: number 2")));
    assert_eq!(kept.len(), 3, "they stand before the model");
    let all = [present[0], present[1], "- On 3 May 2026 the user said: number 2"];
    assert_eq!(tell(&all, false).0, None);
    assert_eq!(tell(&all, true).0.as_deref(), Some(WHOLE));
    let best =
        in_room(80, true, &all, |room| room.write(items.clone(), RecallExtent::Best, false)).0.unwrap();
    assert_eq!(best.lines().count(), 4, "{best}");
}

#[test]
fn nothing_is_said_to_be_all_where_the_best_must_do() {
    let (told, kept) =
        in_room(1_000, true, &[], |room| room.write(messages(3, 2), RecallExtent::Best, false));
    assert!(kept.len() == 3 && !told.unwrap().contains(WHOLE));
    let (told, kept) = in_room(1_000, true, &[], |room| room.write(Vec::new(), RecallExtent::Best, true));
    assert_eq!((told.as_deref(), kept.len()), (Some(NOTHING), 0));
    assert_eq!(in_room(1_000, false, &[], |room| room.write(Vec::new(), RecallExtent::Best, true)).0, None);
}

#[test]
fn a_fact_about_somebody_else_names_them() {
    for (who, text, told) in [
        ("", "Lives in Lyon.", "- Lives in Lyon."),
        ("Anna", "Plays the cello", "- Anna: Plays the cello"),
        ("sister Anna", "Sister Anna lives in Rome.", "- Sister Anna lives in Rome."),
    ] {
        let item = MemoryItem { who: who.into(), ..item(MemoryKind::Fact, text, "") };
        assert_eq!(line(&item), told);
    }
}

#[test]
fn beside_a_fact_that_answers_only_what_is_near_is_told() {
    let scored = |kind, score| MemoryItem { score, ..item(kind, "x", "") };
    let mut items = vec![
        scored(MemoryKind::Fact, 2.0),
        scored(MemoryKind::Message, 0.9),
        scored(MemoryKind::Message, 0.5),
    ];
    leave_out_distant(&mut items, |_| false);
    assert_eq!(items.len(), 2);
    let mut unsure = vec![scored(MemoryKind::Message, 2.0), scored(MemoryKind::Message, 0.5)];
    leave_out_distant(&mut unsure, |_| false);
    assert_eq!(unsure.len(), 2, "messages are many pieces of one answer");
}

#[test]
fn news_are_told_as_far_as_there_is_room() {
    let one = |id: i64, now: &str| ReplacedFact {
        id: FactId::new(id),
        who: String::new(),
        now: Some(now.into()),
        before: "Lives in Berlin.".into(),
    };
    let many: Vec<ReplacedFact> = (1..=50).map(|id| one(id, "Lives in Lyon.")).collect();
    let (text, ids) = about_replaced(&many, 40, &words);
    let text = text.unwrap();
    assert!(words(&text) <= 40 && !ids.is_empty() && ids.len() < 5, "{text}");
    assert_eq!(text.lines().count(), ids.len() + 1);
    assert_eq!(about_replaced(&many, 10, &words), (None, Vec::new()));
}
