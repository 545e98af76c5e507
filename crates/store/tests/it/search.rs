use protocol::{ChatPatch, Role};
use store::MessageTarget;

use crate::support::{TestStore, said};

#[tokio::test]
async fn words_are_found_in_any_language_case_and_accent() {
    let test = TestStore::new().await;
    let texts = [
        "The quick brown fox",
        "Crème brûlée für Łukasz",
        "Привет, как дела?",
        "今天天气很好，我们去公园吧",
        "コーヒーを飲みます",
        "서울에서 만나요",
        "สวัสดีชาวโลก",
        "שָׁלוֹם עולם",
        "مُحَمَّد يكتب",
        "हिन्दी में बात करें",
        "good night 🌙 and 👩‍💻",
        "snake_case and well-known C++ code, x=1",
    ];
    for text in texts {
        test.begin(said(MessageTarget::Fresh, text)).await;
    }
    let cases = [
        ("QUICK", 0),
        ("quick fox", 0),
        ("fo", usize::MAX),
        ("fox", 0),
        ("qui", 0),
        ("creme brulee", 1),
        ("BRÛLÉE", 1),
        ("lukasz", 1),
        ("привет", 2),
        ("ПРИВЕТ дела", 2),
        ("天气", 3),
        ("公园", 3),
        ("气天", usize::MAX),
        ("ヒー", 4),
        ("飲み", 4),
        ("서울", 5),
        ("만나", 5),
        ("ชาว", 6),
        ("שלום", 7),
        ("محمد", 8),
        ("हिन्दी", 9),
        ("बात", 9),
        ("🌙", 10),
        ("💻", 10),
        ("well-known", 11),
        ("known", 11),
        ("case", 11),
        ("C++", 11),
        ("known-well", usize::MAX),
        ("zebra", usize::MAX),
    ];
    for (query, expected) in cases {
        let expected: Vec<&str> = texts.get(expected).copied().into_iter().collect();
        assert_eq!(test.found(query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn nothing_that_is_typed_is_an_error_or_an_operator() {
    let test = TestStore::new().await;
    test.begin(said(MessageTarget::Fresh, "alpha and beta near gamma or NOT delta")).await;
    let hostile = [
        "", " ", "\"", "\"\"", "'", "*", "^", "(", ")", "((", "-", "--", "\0", "a\0b", "NEAR(", "text:",
        "owner:1", "{text}", "\u{202e}", "%", "_", "\\", ";", "AND", "\" OR \"", "rowid", "😀*", "+",
        "a*b*c",
    ];
    for query in hostile {
        test.store
            .search(test.owner, query, None, 10)
            .await
            .unwrap_or_else(|error| panic!("{query:?}: {error}"));
    }
    assert_eq!(test.found("alpha OR zebra").await.len(), 0, "`or` is a word like any other");
    assert_eq!(test.found("alpha NOT delta").await.len(), 1);
    assert_eq!(test.found("text:alpha").await.len(), 0);
    assert_eq!(test.found(&"alpha ".repeat(10_000)).await.len(), 1);
    assert_eq!(test.found(&"字".repeat(10_000)).await.len(), 0);
}

#[tokio::test]
async fn the_newest_come_first_whole_words_before_beginnings() {
    let test = TestStore::new().await;
    for text in ["moon 1", "moonlight 1", "moon 2", "moonlight 2"] {
        test.begin(said(MessageTarget::Fresh, text)).await;
    }
    assert_eq!(test.found("moon").await, ["moon 2", "moon 1", "moonlight 2", "moonlight 1"]);
    assert_eq!(test.found("moon ").await, ["moon 2", "moon 1"], "a space ends the word");
    assert_eq!(test.found("moonl").await, ["moonlight 2", "moonlight 1"]);
}

#[tokio::test]
async fn pages_of_results_join_without_gap_or_overlap() {
    let test = TestStore::new().await;
    for number in 0..30 {
        let content = if number % 3 == 0 { format!("moonlight {number}") } else { format!("moon {number}") };
        test.begin(said(MessageTarget::Fresh, &content)).await;
    }
    let whole = test.found("moon").await;
    assert_eq!(whole.len(), 30);
    for limit in [1, 4, 7, 20] {
        let mut seen = Vec::new();
        let mut cursor = None;
        loop {
            let page = test.store.search(test.owner, "moon", cursor.as_deref(), limit).await.unwrap();
            assert!(page.hits.len() <= limit as usize);
            seen.extend(page.hits.into_iter().map(|hit| hit.snippet));
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, whole, "pages of {limit}");
    }
}

#[tokio::test]
async fn titles_are_found_too_once() {
    let test = TestStore::new().await;
    let turn = test.say(MessageTarget::Fresh, "hello", "hi").await;
    let rename = |title: &str| ChatPatch { title: Some(title.into()), ..ChatPatch::default() };
    test.store.patch_conversation(test.owner, turn.conversation, rename("Reise nach Köln")).await.unwrap();
    for number in 0..3 {
        test.begin(said(MessageTarget::Fresh, &format!("koln {number}"))).await;
    }
    let mut seen = Vec::new();
    let mut cursor = None;
    loop {
        let page = test.store.search(test.owner, "köln", cursor.as_deref(), 1).await.unwrap();
        seen.extend(page.hits);
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen.len(), 4);
    let title = &seen[0];
    assert_eq!((title.message, title.role, title.chat), (None, None, turn.conversation));
    assert_eq!((title.snippet.as_str(), &title.marks[..]), ("Reise nach Köln", &[(11, 15)][..]));
    assert_eq!(seen[1].role, Some(Role::User));

    test.store.patch_conversation(test.owner, turn.conversation, rename("Something else")).await.unwrap();
    assert_eq!(test.found("reise").await, Vec::<String>::new());
    test.assert_sound().await;
}

#[tokio::test]
async fn marks_count_as_javascript_counts() {
    let test = TestStore::new().await;
    test.begin(said(MessageTarget::Fresh, "🌙🌙 needle")).await;
    let results = test.store.search(test.owner, "needle", None, 10).await.unwrap();
    assert_eq!(results.hits[0].marks, [(5, 11)]);
}

#[tokio::test]
async fn the_index_follows_the_answer() {
    let test = TestStore::new().await;
    let turn = test.begin(said(MessageTarget::Fresh, "question")).await;
    assert_eq!(test.found("answer").await.len(), 0);
    test.store.finish_turn(turn.id, crate::support::answered("answer")).await.unwrap();
    assert_eq!(test.found("answer").await, ["answer"]);
    test.assert_sound().await;
}
