use config::ToolStyle;
use model::{Delta, ModelRole};
use protocol::{Event, ToolStatus};
use serde_json::json;

use crate::fixture::{CompanionFixture, call, text};

#[tokio::test]
async fn the_last_round_answers_in_words() {
    let fixture = CompanionFixture::new().await;
    fixture.settings.lock().unwrap().rounds = 3;
    let again = |number: u32| vec![call(0, "echo", &json!({ "text": format!("{number}") }))];
    fixture.says([again(1), again(2), again(3), again(4)]);
    let told = fixture.tell("go", None).await;
    assert_eq!(fixture.requests(), 3);
    assert_eq!(told.outcome("echo"), Some((ToolStatus::Done, "2".into())), "the third is not made");
    assert!(told.words().contains("go on"), "{}", told.words());
    assert!(told.ended_well());
    assert!(fixture.read(2).contains("Answer in words"));
}

#[tokio::test]
async fn the_same_call_is_made_three_times_and_no_more() {
    let fixture = CompanionFixture::new().await;
    let same = || vec![call(0, "echo", &json!({"text": "x", "count": 1}))];
    let turned = vec![call(0, "echo", &json!({"count": 1, "text": "x"}))];
    fixture.says([same(), same(), same(), turned, text("enough")]);
    let told = fixture.tell("go", None).await;
    assert!(fixture.read(4).contains("Answer in words"), "she is stuck, so it is her last round");
    let done = told.statuses("echo").iter().filter(|status| **status == ToolStatus::Done).count();
    assert_eq!((done, told.outcome("echo").unwrap().0), (3, ToolStatus::Blocked));
    assert_eq!(told.words(), "enough");
}

#[tokio::test]
async fn a_call_that_never_fits_is_not_made_for_ever() {
    let fixture = CompanionFixture::new().await;
    let wrong = || vec![call(0, "echo", &json!({"type": "object"}))];
    fixture.says([wrong(), wrong(), wrong(), wrong(), text("I cannot."), text("never said")]);
    let told = fixture.tell("go", None).await;
    assert_eq!((fixture.requests(), told.words().as_str()), (5, "I cannot."));
    assert!(fixture.read(1).contains("type") && fixture.read(4).contains("three times"));
}

#[tokio::test]
async fn what_is_only_shown_needs_no_further_word() {
    let fixture = CompanionFixture::new().await;
    fixture.says([text("Here you are: [CARD:{\"text\":\"x\"}]")]);
    let told = fixture.tell("show me", None).await;
    assert_eq!(fixture.requests(), 1);
    assert!(told.ended_well());
    // A call without any text is not an answer yet.
    fixture.says([text("[CARD:{\"text\":\"x\"}]"), text("There.")]);
    assert_eq!(fixture.tell("again", Some(told.conversation)).await.words(), "There.");
    // The model is told about a card that cannot be shown.
    fixture.says([text("Here: [CARD:{\"wrong\":1}]"), text("Sorry.")]);
    assert!(fixture.tell("again", Some(told.conversation)).await.words().ends_with("Sorry."));
}

#[tokio::test]
async fn a_prompt_with_rounds_only_grows_at_its_end() {
    for style in [ToolStyle::Native, ToolStyle::Text] {
        let fixture = CompanionFixture::new().await;
        fixture.settings.lock().unwrap().tools = style;
        let mut first = text("I look. [CARD:{\"text\":\"y\"}]");
        first.push(call(0, "echo", &json!({"text": "moon"})));
        fixture.says([
            first,
            text("[TOOL_CALL:{\"tool\":\"echo\",\"args\":{\"text\":\"sun\"}}]"),
            text("Moon and sun."),
        ]);
        let told = fixture.tell("one", None).await;
        fixture.says([text("Yes.")]);
        fixture.tell("two", Some(told.conversation)).await;
        let asked = fixture.model.asked.lock().unwrap();
        assert_eq!(asked.len(), 4);
        for pair in asked.windows(2) {
            let (earlier, later) = (&pair[0].messages, &pair[1].messages);
            assert_eq!(earlier[..], later[..earlier.len()], "{style:?}");
        }
        let last = &asked[3].messages;
        assert_eq!(last[last.len() - 2].content.as_text(), "Moon and sun.");
        let tools = last.iter().filter(|message| message.role == ModelRole::Tool).count();
        assert_eq!(tools, usize::from(style == ToolStyle::Native));
    }
}

#[tokio::test]
async fn acts_stand_where_they_happened_and_stay_with_the_message() {
    let fixture = CompanionFixture::new().await;
    fixture.says([text("Zoë 🌙 [CARD:{\"text\":\"x\"}] end.")]);
    let told = fixture.tell("show", None).await;
    let view = fixture.store.open_conversation(fixture.owner, told.conversation, None, 9).await.unwrap();
    let answer = &view.messages[1];
    assert_eq!(answer.content, "Zoë 🌙  end.");
    assert_eq!(answer.acts.len(), 1);
    let before: String = String::from_utf16(
        &answer.content.encode_utf16().take(answer.acts[0].at as usize).collect::<Vec<_>>(),
    )
    .unwrap();
    assert_eq!(before, "Zoë 🌙 ");
    let id = told.events.iter().find_map(|event| match event {
        Event::Command { id, .. } => Some(id.clone()),
        _ => None,
    });
    assert_eq!(id.as_ref(), Some(&answer.acts[0].id));
}

#[tokio::test]
async fn long_results_leave_room_for_the_answer() {
    let fixture = CompanionFixture::over(std::sync::Arc::new(tempfile::tempdir().unwrap()), 2_000).await;
    let long = "word ".repeat(1_500);
    let calls = || vec![call(0, "echo", &json!({ "text": long }))];
    fixture.says([calls(), calls(), calls(), text("Enough.")]);
    let told = fixture.tell("go", None).await;
    assert!(told.ended_well(), "{:?}", told.events.last());
    let longest = (0..fixture.requests())
        .map(|request| fixture.read(request).split_whitespace().count())
        .max()
        .unwrap();
    assert!(longest < 2_000, "{longest}");
    assert!(fixture.read(1).contains("does not fit"));
}

#[tokio::test]
async fn a_call_that_cannot_be_read_is_shown_and_explained() {
    let fixture = CompanionFixture::new().await;
    fixture.says([text("{\"tool\": \"echo\", \"args\": {\"text\": oh no}}"), text("Sorry.")]);
    let told = fixture.tell("go", None).await;
    assert!(told.words().contains("oh no") && told.words().ends_with("Sorry."), "{}", told.words());
    assert_eq!(fixture.requests(), 2);
    let (status, why) = told.outcome("unreadable").unwrap();
    assert_eq!(status, ToolStatus::Failed);
    assert!(why.contains("JSON") && fixture.read(1).contains(&why), "{why}");
}

#[tokio::test]
async fn half_a_call_behind_a_mark_is_explained_and_not_shown() {
    let fixture = CompanionFixture::new().await;
    let half = "Let me see.\n<tool_call>\n{\"name\": \"echo\", \"arguments\": {\"text\": \"oh";
    fixture.says([text(half), text("Sorry.")]);
    let told = fixture.tell("go", None).await;
    assert_eq!(told.words().split_whitespace().collect::<Vec<_>>().join(" "), "Let me see. Sorry.");
    let (status, why) = told.outcome("unreadable").unwrap();
    assert_eq!(status, ToolStatus::Failed);
    assert!(why.contains("cut off") && fixture.read(1).contains(&why), "{why}");
}

#[tokio::test]
async fn every_call_beside_the_words_is_answered_however_many_there_are() {
    let fixture = CompanionFixture::new().await;
    let calls = (0..20).map(|index| call(index, "echo", &json!({ "text": format!("{index}") })));
    fixture.says([calls.collect(), text("Enough.")]);
    fixture.tell("go", None).await;
    let asked = fixture.model.asked.lock().unwrap();
    let last = &asked[1].messages;
    let made: Vec<&str> =
        last.iter().flat_map(|message| &message.tool_calls).map(|call| call.id.as_str()).collect();
    let answered: Vec<&str> = last.iter().filter_map(|message| message.tool_call_id.as_deref()).collect();
    assert_eq!((made.len(), &made), (20, &answered));
    assert!(last.last().unwrap().content.as_text().contains("at most 16"));
}

#[tokio::test]
async fn a_call_that_was_cut_is_sent_again_as_one_that_servers_can_read() {
    let fixture = CompanionFixture::new().await;
    let Delta::ToolCall(mut cut) = call(0, "echo", &json!({})) else { unreachable!() };
    cut.arguments = "{\"text\": \"mo".into();
    fixture.says([vec![Delta::ToolCall(cut)], text("Well.")]);
    let told = fixture.tell("go", None).await;
    assert_eq!(told.words(), "Well.");
    let asked = fixture.model.asked.lock().unwrap();
    let sent = asked[1].messages.iter().find_map(|message| message.tool_calls.first()).unwrap();
    assert!(serde_json::from_str::<serde_json::Value>(&sent.arguments).unwrap().is_object(), "{sent:?}");
}

#[tokio::test]
async fn her_own_words_count_too() {
    let fixture = CompanionFixture::over(std::sync::Arc::new(tempfile::tempdir().unwrap()), 2_000).await;
    let long = "word ".repeat(350);
    let reply = |number: u32| {
        let mut reply = text(&long);
        reply.push(call(0, "echo", &json!({ "text": format!("{number}") })));
        reply
    };
    fixture.says([reply(1), reply(2), reply(3), reply(4), reply(5), text("Enough.")]);
    let told = fixture.tell("go", None).await;
    assert!(told.ended_well(), "{:?}", told.events.last());
    let longest = (0..fixture.requests())
        .map(|request| fixture.read(request).split_whitespace().count())
        .max()
        .unwrap();
    assert!(longest < 2_000, "{longest}");
}

#[tokio::test]
async fn an_only_round_is_told_so_and_shows_what_it_shows() {
    let fixture = CompanionFixture::new().await;
    fixture.settings.lock().unwrap().rounds = 1;
    fixture.says([text("Here: [CARD:{\"text\":\"x\"}]")]);
    let told = fixture.tell("go", None).await;
    assert!(fixture.read(0).contains("Answer in words"));
    assert_eq!(told.outcome("card").unwrap().0, ToolStatus::Done);
    assert_eq!(told.words(), "Here: ");
    fixture.settings.lock().unwrap().rounds = 2;
    let mut first = text("I look.");
    first.push(call(0, "echo", &json!({"text": "a"})));
    fixture.says([first, vec![call(0, "echo", &json!({"text": "b"}))]]);
    let told = fixture.tell("again", Some(told.conversation)).await;
    assert!(told.words().starts_with("I look.") && told.words().contains("go on"), "{}", told.words());
}

#[tokio::test]
async fn tools_are_taught_in_words_where_the_model_has_no_other_way() {
    let fixture = CompanionFixture::new().await;
    fixture.settings.lock().unwrap().tools = ToolStyle::Text;
    fixture.says([text("[TOOL_CALL:{\"tool\":\"echo\",\"args\":{\"text\":\"hi\"}}]"), text("It says hi.")]);
    let told = fixture.tell("go", None).await;
    assert!(fixture.offered(0).is_empty());
    let read = fixture.read(0);
    assert!(
        read.contains("- echo(") && read.contains("[TOOL_CALL:") && !read.contains("- danger("),
        "{read}"
    );
    assert_eq!(told.words(), "It says hi.");
    assert!(fixture.read(1).contains("<tool_response name=\"echo\">\nhi\n</tool_response>"));
}

#[tokio::test]
async fn reasoning_never_acts() {
    let fixture = CompanionFixture::new().await;
    fixture.says([vec![
        Delta::Reasoning("[CARD:{\"text\":\"x\"}]".into()),
        Delta::Text("<think>[CARD:{\"text\":\"y\"}]</think>Hello.".into()),
    ]]);
    let told = fixture.tell("go", None).await;
    assert_eq!(told.outcome("card"), None);
    assert_eq!(told.words(), "Hello.");
}

#[tokio::test]
async fn a_long_request_is_planned_and_done_step_by_step() {
    let fixture = CompanionFixture::new().await;
    fixture.says([
        text("{\"steps\": [\"Look at the moon\", \"Write it down\"]}"),
        vec![call(0, "echo", &json!({"text": "full"}))],
        text("It is full."),
        text("Written."),
    ]);
    let told = fixture.tell("Please:\n1. look at the moon\n2. write it down\n3. be kind", None).await;
    assert_eq!(told.words(), "It is full.\n\nWritten.");
    let plans: Vec<String> = told
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Plan { steps } => {
                Some(steps.iter().map(|step| format!("{:?}", step.status)).collect::<Vec<_>>().join(" "))
            }
            _ => None,
        })
        .collect();
    assert_eq!(plans, ["Running Pending", "Done Running", "Done Done"]);
    assert!(fixture.read(1).contains("1. Look at the moon\n2. Write it down"));
    assert!(fixture.read(3).contains("Step 2 of 2: Write it down"));
    let view = fixture.store.open_conversation(fixture.owner, told.conversation, None, 9).await.unwrap();
    assert_eq!(view.messages[1].plan.len(), 2);
    // The next request repeats the earlier one word for word.
    fixture.says([text("Yes.")]);
    fixture.tell("Thanks", Some(told.conversation)).await;
    let asked = fixture.model.asked.lock().unwrap();
    let (earlier, later) = (&asked[3].messages, &asked[4].messages);
    assert_eq!(earlier[..], later[..earlier.len()]);
}

#[tokio::test]
async fn a_plan_goes_on_after_something_shown_and_is_walked_through_again() {
    let fixture = CompanionFixture::new().await;
    let steps = || text("{\"steps\": [\"Show a card\", \"Say more\"]}");
    let shows = || text("Here it is. [CARD:{\"text\":\"x\"}]");
    fixture.says([steps(), shows(), text("More.")]);
    let told = fixture.tell("Please:\n1. show a card\n2. say more\n3. be kind", None).await;
    assert_eq!(told.words(), "Here it is. \n\nMore.");
    let view = fixture.store.open_conversation(fixture.owner, told.conversation, None, 9).await.unwrap();
    let answer = view.messages[1].id;
    fixture.says([shows(), text("More again.")]);
    let log = fixture.companion.regenerate(fixture.owner, told.conversation, answer).await.unwrap();
    let told = crate::fixture::TurnRecord::of(&log).await;
    assert_eq!(told.words(), "Here it is. \n\nMore again.");
    assert!(told.events.iter().any(|event| matches!(event, Event::Plan { .. })));
}

#[tokio::test]
async fn a_client_that_acts_itself_gets_words_as_they_are() {
    let fixture = CompanionFixture::new().await;
    let tool = model::ToolSpec {
        name: "theirs".into(),
        description: String::new(),
        parameters: json!({"type": "object"}),
    };
    let ask = |tools: Vec<model::ToolSpec>, constraint| companion::ApiRequest {
        messages: vec![model::ModelMessage::text(ModelRole::User, "go")],
        tools,
        constraint,
        ..companion::ApiRequest::default()
    };
    let json = "{\"tool\":\"echo\",\"args\":{\"text\":\"x\"}}";
    let form = model::Constraint::JsonSchema(json!({"type": "object"}));
    for request in [ask(vec![tool], None), ask(Vec::new(), Some(form))] {
        fixture.says([text(json)]);
        let log = fixture.companion.answer_api(fixture.owner, request).unwrap();
        let told = crate::fixture::TurnRecord::of(&log).await;
        assert_eq!((told.words().as_str(), told.outcome("echo")), (json, None));
        let read = fixture.read(fixture.requests() - 1);
        assert!(!read.contains("echo("), "{read}");
    }
}

#[tokio::test]
async fn a_plan_that_cannot_be_read_is_done_without() {
    let fixture = CompanionFixture::new().await;
    fixture.says([text("I would rather not."), text("Done at once.")]);
    let told = fixture.tell("Please:\n1. look\n2. write\n3. rest", None).await;
    assert_eq!(told.words(), "Done at once.");
    assert!(!told.events.iter().any(|event| matches!(event, Event::Plan { .. })));
}
