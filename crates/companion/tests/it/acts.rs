use std::time::Duration;

use protocol::{AuditDecision, ConfirmRequest, Event, Permission, Remember, ToolStatus};
use serde_json::json;
use tools::AuditQuery;

use crate::fixture::{CompanionFixture, TurnRecord, call, text};

fn yes(remember: Option<Remember>) -> ConfirmRequest {
    ConfirmRequest { approved: true, remember, filled: None }
}

const NO: ConfirmRequest = ConfirmRequest { approved: false, remember: None, filled: None };

#[tokio::test]
async fn a_tag_and_a_native_call_in_one_reply_are_both_done() {
    let fixture = CompanionFixture::new().await;
    let mut reply = text("Look [CARD:{\"text\": \"a ] b\"}] here.");
    reply.push(call(0, "echo", &json!({"text": "moon"})));
    fixture.says([reply, text("It says moon.")]);
    let told = fixture.tell("hi", None).await;
    assert_eq!(told.words(), "Look  here.\n\nIt says moon.");
    assert_eq!(told.outcome("echo"), Some((ToolStatus::Done, "moon".into())));
    let command = told.events.iter().find_map(|event| match event {
        Event::Command { command, .. } => Some(command.clone()),
        _ => None,
    });
    assert_eq!(command.unwrap().payload, json!({"text": "a ] b"}));
    let read = fixture.read(1);
    assert!(read.contains("Tool: moon") && read.contains("<tool_response name=\"card\">\nshown"), "{read}");
    assert!(told.ended_well());
}

#[tokio::test]
async fn two_slow_tools_overlap() {
    let fixture = CompanionFixture::new().await;
    // Each tool waits for the other, so sequential execution would never end.
    let calls = vec![call(0, "first", &json!({})), call(1, "second", &json!({}))];
    fixture.says([calls, text("Both are back.")]);
    let told = fixture.tell("go", None).await;
    assert_eq!(told.outcome("first"), Some((ToolStatus::Done, "met".into())));
    assert_eq!(told.outcome("second"), Some((ToolStatus::Done, "met".into())));
}

#[tokio::test]
async fn nothing_happens_before_a_yes_and_then_it_does() {
    let fixture = CompanionFixture::new().await;
    fixture.says([vec![call(0, "note", &json!({"text": "milk"}))], text("Noted.")]);
    let log = fixture.say("remember milk", None).await;
    let question = fixture.asked(&log).await;
    assert_eq!((question.tool.as_str(), &question.args), ("note", &json!({"text": "milk"})));
    assert!(!question.tainted && !question.why.is_empty());
    assert!(!fixture.file("note.txt").exists(), "it was not allowed yet");
    let waiting = fixture.companion.waiting(fixture.owner);
    assert_eq!(waiting.iter().map(|one| &one.confirmation.id).collect::<Vec<_>>(), [&question.id]);
    assert!(fixture.companion.confirm(fixture.owner, &question.id, &yes(None)).unwrap());
    let told = TurnRecord::of(&log).await;
    assert_eq!(std::fs::read_to_string(fixture.file("note.txt")).unwrap(), "milk");
    assert_eq!(told.statuses("note"), [ToolStatus::Waiting, ToolStatus::Running, ToolStatus::Done]);
    assert!(fixture.companion.waiting(fixture.owner).is_empty());
    assert!(!fixture.companion.confirm(fixture.owner, &question.id, &yes(None)).unwrap(), "it is settled");
}

#[tokio::test]
async fn a_no_and_no_answer_are_the_same_to_the_disk() {
    for denied in [true, false] {
        let fixture = CompanionFixture::new().await;
        fixture.says([vec![call(0, "note", &json!({"text": "milk"}))], text("As you like.")]);
        let log = fixture.say("remember milk", None).await;
        let question = fixture.asked(&log).await;
        if denied {
            assert!(fixture.companion.confirm(fixture.owner, &question.id, &NO).unwrap());
        } else {
            fixture.clock.sleepers(1).await;
            fixture.clock.advance(Duration::from_secs(299));
            assert_eq!(fixture.companion.waiting(fixture.owner).len(), 1);
            fixture.clock.advance(Duration::from_secs(2));
        }
        let told = TurnRecord::of(&log).await;
        assert_eq!(told.statuses("note"), [ToolStatus::Waiting, ToolStatus::Denied]);
        assert!(!fixture.file("note.txt").exists());
        assert_eq!(told.words(), "As you like.");
        let expected = if denied { AuditDecision::Denied } else { AuditDecision::TimedOut };
        let page = fixture
            .companion
            .tools()
            .audit()
            .page(&AuditQuery { limit: 9, ..AuditQuery::default() })
            .unwrap();
        assert_eq!(page.entries[0].decision, expected);
    }
}

#[tokio::test]
async fn several_questions_wait_at_once_and_stopping_answers_them() {
    let fixture = CompanionFixture::new().await;
    fixture.says([vec![call(0, "note", &json!({"text": "a"})), call(1, "echo", &json!({"text": "b"}))]]);
    let one = fixture.say("one", None).await;
    fixture.asked(&one).await;
    fixture.says([vec![call(0, "note", &json!({"text": "c"}))]]);
    let fresh =
        fixture.store.create_conversation(fixture.owner, store::NewConversation::default()).await.unwrap();
    let two = fixture.say("two", Some(fresh.id)).await;
    fixture.asked(&two).await;
    assert_eq!(fixture.companion.waiting(fixture.owner).len(), 2);
    fixture.companion.stop(fixture.owner, one.id).await.unwrap();
    let told = TurnRecord::of(&one).await;
    assert_eq!(told.outcome("note").unwrap().0, ToolStatus::Denied);
    assert_eq!(told.outcome("echo").unwrap().0, ToolStatus::Done, "what needs no yes waits for none");
    assert_eq!(fixture.companion.waiting(fixture.owner).len(), 1);
    fixture.companion.close().await;
    assert!(fixture.companion.waiting(fixture.owner).is_empty() && !fixture.file("note.txt").exists());
}

#[tokio::test]
async fn a_yes_can_be_for_good_for_the_tool_or_for_these_arguments() {
    let fixture = CompanionFixture::new().await;
    let note = |text: &str| vec![call(0, "note", &json!({ "text": text }))];
    fixture.says([note("milk"), text("Noted.")]);
    let log = fixture.say("one", None).await;
    let question = fixture.asked(&log).await;
    fixture.companion.confirm(fixture.owner, &question.id, &yes(Some(Remember::Arguments))).unwrap();
    let conversation = Some(TurnRecord::of(&log).await.conversation);

    fixture.says([note("milk"), text("Again.")]);
    assert_eq!(fixture.tell("two", conversation).await.outcome("note").unwrap().0, ToolStatus::Done);

    fixture.says([note("bread"), text("Bread.")]);
    let log = fixture.say("three", conversation).await;
    let question = fixture.asked(&log).await;
    fixture.companion.confirm(fixture.owner, &question.id, &yes(Some(Remember::Tool))).unwrap();
    TurnRecord::of(&log).await;
    let user = fixture.store.owner().await.unwrap();
    assert_eq!(fixture.companion.tools().permissions_of(&user).of("note"), Some(Permission::Allow));

    fixture.says([note("salt"), text("Salt.")]);
    assert_eq!(fixture.tell("four", conversation).await.outcome("note").unwrap().0, ToolStatus::Done);
    assert_eq!(std::fs::read_to_string(fixture.file("note.txt")).unwrap(), "salt");
}

#[tokio::test]
async fn what_is_blocked_off_or_unknown_cannot_run_however_it_is_named() {
    let fixture = CompanionFixture::new().await;
    fixture.says([
        vec![
            call(0, "danger", &json!({})),
            call(1, "shell", &json!({})),
            call(2, "nonsense", &json!({})),
            model::Delta::Text("[DANGER:now] [SHELL:ls]\n{\"tool\":\"danger\",\"args\":{}}".into()),
        ],
        text("I cannot."),
    ]);
    let told = fixture.tell("do it", None).await;
    for tool in ["danger", "shell", "nonsense"] {
        assert_eq!(told.outcome(tool).unwrap().0, ToolStatus::Blocked, "{tool}");
    }
    assert_eq!(told.words(), "I cannot.", "no tag shows as text");
    for tool in ["danger", "shell"] {
        assert!(!fixture.offered(0).contains(&tool.to_owned()), "{tool} was offered");
    }
    assert!(fixture.read(1).contains("not available"));
}

#[tokio::test]
async fn a_call_of_a_tool_that_is_not_there_is_answered_and_not_shown() {
    let fixture = CompanionFixture::new().await;
    fixture.says([
        text("<tool_call>\n{\"name\": \"dice__roll\", \"arguments\": {\"sides\": 6}}\n</tool_call>"),
        text("I have no dice."),
    ]);
    let told = fixture.tell("Roll", None).await;
    assert_eq!(told.words(), "I have no dice.");
    assert_eq!(told.outcome("dice__roll").unwrap().0, ToolStatus::Blocked);
    let read = fixture.read(1);
    assert!(
        read.contains("There is no tool dice__roll here") && read.contains("waits for the user's yes"),
        "{read}"
    );
    // A call that is only quoted is shown as text.
    fixture.says([text("Write `<tool_call>{\"name\": \"roll\"}</tool_call>` there.")]);
    assert!(fixture.tell("How?", None).await.words().contains("<tool_call>"));
}

#[tokio::test]
async fn a_tool_that_is_blocked_in_mid_conversation_is_gone_from_the_next_prompt() {
    let fixture = CompanionFixture::new().await;
    fixture.says([vec![call(0, "echo", &json!({"text": "a"}))], text("a")]);
    let told = fixture.tell("one", None).await;
    assert!(fixture.offered(0).contains(&"echo".to_owned()));
    // The file is edited by hand while the program runs.
    std::fs::write(fixture.file("permissions.json"), "{\"echo\": \"block\"}").unwrap();
    fixture.says([vec![call(0, "echo", &json!({"text": "b"}))], text("gone")]);
    let told = fixture.tell("two", Some(told.conversation)).await;
    assert!(!fixture.offered(2).contains(&"echo".to_owned()));
    assert_eq!(told.outcome("echo").unwrap().0, ToolStatus::Blocked);
}

#[tokio::test]
async fn a_tool_that_is_blocked_while_its_question_stands_does_not_run() {
    let fixture = CompanionFixture::new().await;
    fixture.says([vec![call(0, "note", &json!({"text": "x"}))], text("no")]);
    let log = fixture.say("one", None).await;
    let question = fixture.asked(&log).await;
    std::fs::write(fixture.file("permissions.json"), "{\"note\": \"block\"}").unwrap();
    fixture.companion.confirm(fixture.owner, &question.id, &yes(None)).unwrap();
    assert_eq!(TurnRecord::of(&log).await.outcome("note").unwrap().0, ToolStatus::Blocked);
    assert!(!fixture.file("note.txt").exists());
}

#[tokio::test]
async fn a_tool_whose_group_goes_off_while_its_question_stands_does_not_run() {
    let fixture = CompanionFixture::new().await;
    fixture.shell.store(true, std::sync::atomic::Ordering::SeqCst);
    std::fs::write(fixture.file("permissions.json"), "{\"shell\": \"confirm\"}").unwrap();
    fixture.says([vec![call(0, "shell", &json!({}))], text("no")]);
    let log = fixture.say("one", None).await;
    let question = fixture.asked(&log).await;
    fixture.shell.store(false, std::sync::atomic::Ordering::SeqCst);
    fixture.companion.confirm(fixture.owner, &question.id, &yes(None)).unwrap();
    assert_eq!(TurnRecord::of(&log).await.statuses("shell"), [ToolStatus::Waiting, ToolStatus::Blocked]);
}

#[tokio::test]
async fn the_machine_is_its_owners() {
    let fixture = CompanionFixture::new().await;
    let ada = fixture.store.create_user("Ada").await.unwrap();
    for (user, runs) in [(fixture.owner, true), (ada.id, false)] {
        fixture.says([vec![call(0, "desk", &json!({}))], text("Well.")]);
        let told = TurnRecord::of(&fixture.say_as(user, "go", None).await).await;
        let expected = if runs { ToolStatus::Done } else { ToolStatus::Blocked };
        assert_eq!(told.outcome("desk").unwrap().0, expected);
        assert_eq!(fixture.offered(fixture.requests() - 2).contains(&"desk".to_owned()), runs);
    }
    // The folder holds the data of Ada alone.
    assert!(fixture.file("users/Ada").is_dir());
    fixture.says([vec![call(0, "note", &json!({"text": "x"}))], text("Noted.")]);
    let log = fixture.say_as(ada.id, "note it", None).await;
    let question = fixture.asked(&log).await;
    fixture.companion.confirm(ada.id, &question.id, &yes(Some(Remember::Tool))).unwrap();
    TurnRecord::of(&log).await;
    assert_eq!(fixture.companion.tools().permissions_of(&ada).of("note"), Some(Permission::Allow));
    assert!(
        fixture.file("users/Ada/permissions.json").exists() && !fixture.file("permissions.json").exists()
    );
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_explained_and_can_be_mended() {
    let fixture = CompanionFixture::new().await;
    fixture.says([
        vec![call(0, "note", &json!({"colour": "red"})), call(1, "echo", &json!({"count": "many"}))],
        vec![call(0, "echo", &json!({"text": "mended", "count": "3"}))],
        text("Good."),
    ]);
    let told = fixture.tell("go", None).await;
    let (status, why) = told.outcome("note").unwrap();
    assert_eq!(status, ToolStatus::Failed, "it is not even asked about");
    assert!(why.contains("colour") && why.contains("text?: string"), "{why}");
    assert_eq!(told.outcome("echo"), Some((ToolStatus::Done, "mended".into())), "\"3\" is a number");
    assert!(!told.events.iter().any(|event| matches!(event, Event::Confirmation(_))));
}

#[tokio::test]
async fn a_tool_that_breaks_down_breaks_nothing_else() {
    let fixture = CompanionFixture::new().await;
    fixture.says([
        vec![call(0, "broken", &json!({})), call(1, "echo", &json!({"text": "fine"}))],
        text("Well."),
    ]);
    let told = fixture.tell("go", None).await;
    assert_eq!(told.outcome("broken").unwrap().0, ToolStatus::Failed);
    assert_eq!(told.outcome("echo"), Some((ToolStatus::Done, "fine".into())));
    assert!(told.ended_well());
}

#[tokio::test]
async fn a_button_passes_the_same_gate() {
    let fixture = CompanionFixture::new().await;
    let args = |text: &str| json!({ "text": text }).as_object().unwrap().clone();
    let log = fixture.companion.run_tool(fixture.owner, "note".into(), args("pressed"), None).unwrap();
    let question = fixture.asked(&log).await;
    assert!(!fixture.file("note.txt").exists());
    fixture.companion.confirm(fixture.owner, &question.id, &yes(None)).unwrap();
    assert!(TurnRecord::of(&log).await.ended_well());
    assert_eq!(std::fs::read_to_string(fixture.file("note.txt")).unwrap(), "pressed");
    let log = fixture.companion.run_tool(fixture.owner, "danger".into(), args(""), None).unwrap();
    assert_eq!(TurnRecord::of(&log).await.outcome("danger").unwrap().0, ToolStatus::Blocked);
}

#[tokio::test]
async fn everything_is_in_the_audit_log() {
    let fixture = CompanionFixture::new().await;
    fixture.says([
        vec![
            call(0, "echo", &json!({"text": "a"})),
            call(1, "danger", &json!({})),
            call(2, "echo", &json!({"x": 1})),
        ],
        text("done"),
    ]);
    let told = fixture.tell("go", None).await;
    let page =
        fixture.companion.tools().audit().page(&AuditQuery { limit: 9, ..AuditQuery::default() }).unwrap();
    let mut found: Vec<_> = page.entries.iter().map(|entry| (entry.tool.as_str(), entry.decision)).collect();
    found.sort_by_key(|(tool, decision)| (*tool, *decision as u8));
    assert_eq!(
        found,
        [
            ("danger", AuditDecision::Blocked),
            ("echo", AuditDecision::Allowed),
            ("echo", AuditDecision::Refused),
        ]
    );
    assert!(page.entries.iter().all(|entry| entry.conversation_id == Some(told.conversation)));
}

#[tokio::test]
async fn a_second_skill_never_opens_what_the_first_has_shut() {
    let fixture = CompanionFixture::new().await;
    let skill = |name: &str, allowed: &str| {
        let folder = fixture.file(&format!("skills/{name}"));
        std::fs::create_dir_all(&folder).unwrap();
        let front = format!(
            "---\nname: {name}\ndescription: Does {name}. Use it for {name}.\n{allowed}---\nDo it.\n"
        );
        std::fs::write(folder.join("SKILL.md"), front).unwrap();
        folder
    };
    let narrow = skill("narrow", "allowed-tools: echo\n");
    skill("wide", "");
    skill("other", "allowed-tools: echo jot\n");
    let read = |index, name: &str| call(index, "skill", &json!({ "name": name }));
    fixture.says([
        vec![read(0, "narrow")],
        vec![read(0, "wide"), read(1, "other")],
        vec![call(0, "jot", &json!({"text": "x"})), call(1, "echo", &json!({"text": "y"}))],
        text("Done."),
    ]);
    let told = fixture.tell("go", None).await;
    assert_eq!(told.outcome("jot").unwrap().0, ToolStatus::Blocked);
    assert_eq!(told.outcome("echo").unwrap().0, ToolStatus::Done);
    std::fs::remove_dir_all(narrow).unwrap();
}

#[tokio::test]
async fn a_skill_that_is_followed_lets_only_its_own_tools_run() {
    let fixture = CompanionFixture::new().await;
    let folder = fixture.file("skills/talker");
    std::fs::create_dir_all(&folder).unwrap();
    let skill = "---\nname: talker\ndescription: Says things. Use it when things are to be said.\nallowed-tools: echo\n---\nSay it with echo.\n";
    std::fs::write(folder.join("SKILL.md"), skill).unwrap();
    fixture.says([
        vec![call(0, "jot", &json!({"text": "before"})), call(1, "skill", &json!({"name": "talker"}))],
        vec![call(0, "jot", &json!({"text": "after"})), call(1, "echo", &json!({"text": "hi"}))],
        text("Said."),
    ]);
    let told = fixture.tell("say hi", None).await;
    assert_eq!(told.statuses("jot"), [ToolStatus::Running, ToolStatus::Done, ToolStatus::Blocked]);
    assert_eq!(told.outcome("echo"), Some((ToolStatus::Done, "hi".into())));
    let system = fixture.read(0);
    assert!(system.contains("talker: Says things") && !system.contains("Say it with echo"), "{system}");
    assert!(fixture.read(1).contains("Say it with echo"));
    // The skill does not restrict the next turn.
    fixture.says([vec![call(0, "jot", &json!({"text": "later"}))], text("Jotted.")]);
    let told = fixture.tell("jot it", Some(told.conversation)).await;
    assert_eq!(told.outcome("jot").unwrap().0, ToolStatus::Done);
}
