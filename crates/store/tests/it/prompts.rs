use protocol::{Fragment, FragmentKind, Origin};
use store::{EpochSummary, FinishedTurn, MessageTarget, NewPromptEpoch, NewTurn, ObjectKind};

use crate::support::{TestStore, answered, missing, said};

fn fragment(kind: FragmentKind, source: &str, text: &str) -> Fragment {
    Fragment { kind, source: source.into(), text: text.into(), tokens: 3 }
}

#[tokio::test]
async fn a_path_runs_from_the_first_message_to_the_leaf() {
    let test = TestStore::new().await;
    let first = test.say(MessageTarget::Fresh, "one", "eins").await;
    let second = test.say(MessageTarget::Current, "two", "zwei").await;
    let question = second.user_message.unwrap();
    test.store.freeze_context(test.owner, question, "it is noon", Vec::new()).await.unwrap();
    test.store.freeze_context(test.owner, question, "it is midnight", Vec::new()).await.unwrap();

    let path = test.store.path(test.owner, first.conversation, second.message, None).await.unwrap();
    let words: Vec<&str> = path.iter().map(|message| message.content.as_str()).collect();
    assert_eq!(words, ["one", "eins", "two", "zwei"]);
    assert_eq!(path[2].context.as_deref(), Some("it is noon"), "what was sent once stays as it was sent");
    let rest =
        test.store.path(test.owner, first.conversation, second.message, Some(first.message)).await.unwrap();
    assert_eq!(rest, path[2..]);
    let none =
        test.store.path(test.owner, first.conversation, second.message, Some(second.message)).await.unwrap();
    assert_eq!(none, []);
}

#[tokio::test]
async fn a_path_takes_no_message_of_another_conversation() {
    let test = TestStore::new().await;
    let one = test.say(MessageTarget::Fresh, "one", "eins").await;
    let two = test.say(MessageTarget::Fresh, "two", "zwei").await;
    let mixed = test.store.path(test.owner, one.conversation, two.message, None).await;
    assert_eq!(mixed, missing(ObjectKind::Message));
}

#[tokio::test]
async fn why_shows_what_the_model_read_in_order() {
    let test = TestStore::new().await;
    let soul = fragment(FragmentKind::Soul, "soul/identity.md", "You are Luna.");
    let mut turns = Vec::new();
    for question in ["one", "two"] {
        let turn = test.begin(said(MessageTarget::Current, question)).await;
        let fragments = vec![soul.clone(), fragment(FragmentKind::User, "message", question), soul.clone()];
        let finished = FinishedTurn { fragments, ..answered("yes") };
        test.store.finish_turn(turn.id, finished).await.unwrap();
        turns.push(turn);
    }
    let why = test.store.why(test.owner, turns[1].id).await.unwrap();
    assert_eq!((why.turn_id, why.message_id, why.model.as_str()), (turns[1].id, turns[1].message, "tiny"));
    let read: Vec<&str> = why.fragments.iter().map(|fragment| fragment.text.as_str()).collect();
    assert_eq!(read, ["You are Luna.", "two", "You are Luna."]);
    assert_eq!(why.fragments[0], soul);
}

#[tokio::test]
async fn pieces_of_prompts_go_with_the_last_conversation_that_used_them() {
    let test = TestStore::new().await;
    let mut turns = Vec::new();
    for question in ["xylophone", "zither"] {
        let turn = test.begin(said(MessageTarget::Fresh, "hello")).await;
        let fragments = vec![
            fragment(FragmentKind::Soul, "soul", "shared"),
            fragment(FragmentKind::User, "message", question),
        ];
        test.store.finish_turn(turn.id, FinishedTurn { fragments, ..answered("yes") }).await.unwrap();
        turns.push(turn);
    }
    let epoch = NewPromptEpoch { system: "xylophone".into(), summary: None };
    test.store.begin_epoch(test.owner, turns[0].conversation, epoch).await.unwrap();
    test.store.delete_conversation(test.owner, turns[0].conversation).await.unwrap();
    test.store.purge_deleted_before(jiff::Timestamp::MAX).await.unwrap();
    let why = test.store.why(test.owner, turns[1].id).await.unwrap();
    assert_eq!(why.fragments.iter().map(|f| f.text.as_str()).collect::<Vec<_>>(), ["shared", "zither"]);
    test.assert_sound().await;
    let bytes = std::fs::read(test.path()).unwrap();
    assert!(!bytes.windows(9).any(|window| window == b"xylophone"));
}

#[tokio::test]
async fn an_epoch_counts_only_on_the_branch_that_it_sums_up() {
    let test = TestStore::new().await;
    let first = test.say(MessageTarget::Fresh, "one", "eins").await;
    let (owner, conversation) = (test.owner, first.conversation);
    let second = test.say(MessageTarget::Current, "two", "zwei").await;
    let edit = NewTurn { edit_of: second.user_message, ..said(MessageTarget::Current, "three") };
    let other = test.begin(edit).await;
    assert_eq!(test.store.epoch(owner, conversation, other.message).await.unwrap(), None);

    let plain = NewPromptEpoch { system: "plain".into(), summary: None };
    test.store.begin_epoch(owner, conversation, plain).await.unwrap();
    let summary = EpochSummary {
        text: "they counted".into(),
        up_to: second.message,
        origins: vec![Origin::Web("https://a.example".into())],
    };
    let summed = NewPromptEpoch { system: "summed".into(), summary: Some(summary.clone()) };
    let made = test.store.begin_epoch(owner, conversation, summed).await.unwrap();

    let on = |leaf| test.store.epoch(owner, conversation, leaf);
    assert_eq!(on(second.message).await.unwrap(), Some(made));
    let beside = on(other.message).await.unwrap().unwrap();
    assert_eq!((beside.system.as_str(), beside.summary), ("plain", None));
    assert_eq!(
        on(first.message).await.unwrap().unwrap().system,
        "plain",
        "the summary reaches further than this"
    );

    assert_eq!(test.open(&first).await.summary, None, "the other branch is shown");
    test.store.switch_branch(owner, conversation, second.message).await.unwrap();
    let mark = test.open(&first).await.summary.unwrap();
    assert_eq!((mark.up_to, mark.text), (second.message, summary.text));

    let elsewhere = test.say(MessageTarget::Fresh, "x", "y").await;
    let strange = EpochSummary { text: "?".into(), up_to: elsewhere.message, origins: Vec::new() };
    let strange = NewPromptEpoch { system: "s".into(), summary: Some(strange) };
    assert_eq!(test.store.begin_epoch(owner, conversation, strange).await, missing(ObjectKind::Message));
}
