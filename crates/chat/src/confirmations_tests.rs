use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::task::Poll;

use futures_util::FutureExt as _;
use protocol::Risk;
use serde_json::json;

use super::*;

fn question(id: &str) -> Event {
    Event::Confirmation(confirmation(id))
}

fn confirmation(id: &str) -> Confirmation {
    Confirmation {
        id: id.to_owned(),
        tool: "notify".to_owned(),
        description: "Shows a note.".to_owned(),
        args: json!({}),
        risk: Risk::Risky,
        why: "It is risky.".to_owned(),
        tainted: false,
        every_time: false,
        until: "2026-11-15T12:05:00Z".to_owned(),
        form: None,
        rule: None,
    }
}

fn running(id: &str) -> Event {
    let (id, name, status) = (id.to_owned(), "notify".to_owned(), ToolStatus::Running);
    Event::Tool { id, name, args: json!({}), status, result: None, ms: None, at: None }
}

/// A fake server that records the answers and replies once allowed to.
#[derive(Clone, Default)]
struct FakeServer {
    answers: Rc<RefCell<Vec<(String, bool)>>>,
    replies: Rc<Cell<bool>>,
}

impl FakeServer {
    fn confirmations(&self) -> ConfirmationQueue<'static> {
        let server = self.clone();
        let post = move |id: String, request: ConfirmRequest| -> Reply<'static> {
            let server = server.clone();
            Box::pin(async move {
                std::future::poll_fn(|_| if server.replies.get() { Poll::Ready(()) } else { Poll::Pending })
                    .await;
                server.answers.borrow_mut().push((id, request.approved));
                Ok(ConfirmReply { settled: true })
            })
        };
        ConfirmationQueue::with_post(Box::new(post), ConfirmationPolicy::Yes)
    }
}

#[test]
fn an_answer_on_its_way_outlives_whoever_waits_for_it() {
    let server = FakeServer::default();
    let mut confirmations = server.confirmations();
    assert!(confirmations.answer().now_or_never().is_none(), "there is nothing to answer");
    confirmations.observe(&question("a"));
    confirmations.observe(&question("b"));
    for _ in 0..3 {
        assert!(confirmations.answer().now_or_never().is_none(), "the reply is not there yet");
    }
    server.replies.set(true);
    confirmations.answer().now_or_never().unwrap().unwrap();
    assert_eq!(*server.answers.borrow(), [("a".to_owned(), true)]);
    confirmations.answer().now_or_never().unwrap().unwrap();
    assert_eq!(*server.answers.borrow(), [("a".to_owned(), true), ("b".to_owned(), true)]);
    assert!(confirmations.answer().now_or_never().is_none(), "each is answered once");
}

#[test]
fn what_is_settled_elsewhere_does_not_take_the_answer_of_the_next() {
    let server = FakeServer::default();
    let mut confirmations = server.confirmations();
    confirmations.observe(&question("a"));
    confirmations.observe(&question("b"));
    assert!(confirmations.answer().now_or_never().is_none());
    // The event that settles a request may arrive before the reply.
    confirmations.observe(&running("a"));
    server.replies.set(true);
    confirmations.answer().now_or_never().unwrap().unwrap();
    confirmations.answer().now_or_never().unwrap().unwrap();
    assert_eq!(*server.answers.borrow(), [("a".to_owned(), true), ("b".to_owned(), true)]);
    confirmations.observe(&question("c"));
    confirmations.observe(&running("c"));
    assert!(confirmations.answer().now_or_never().is_none(), "nobody is asked what is settled");
}

#[test]
fn for_ever_takes_two_keys_and_once_takes_one() {
    let (tool, exactly) = (Some(Remember::Tool), Some(Remember::Arguments));
    let yes = |remember| Some(ConfirmRequest { approved: true, remember, filled: None });
    let no = || Some(once(false));
    let cases = [
        ("y", false, yes(None)),
        ("Y", false, yes(None)),
        ("n", false, no()),
        ("a", false, None),
        ("e", false, None),
        ("a\n", false, yes(tool)),
        ("A\r", false, yes(tool)),
        ("e\n", false, yes(exactly)),
        ("ae\n", false, yes(exactly)),
        ("ax\n", false, None),
        ("ay", false, yes(None)),
        ("an", false, no()),
        ("\n", false, None),
        ("x", false, None),
        ("a\n", true, None),
        ("e\n", true, None),
        ("a\ny", true, yes(None)),
    ];
    for (pressed, tainted, expected) in cases {
        let mut permanent = None;
        let question = Confirmation { tainted, ..confirmation("c1") };
        let answer = pressed.chars().find_map(|key| answer_of_key(Some(key), &question, &mut permanent));
        assert_eq!(answer, expected, "{pressed:?}, tainted: {tainted}");
    }
    let question = confirmation("c1");
    assert_eq!(answer_of_key(None, &question, &mut tool.clone()), no(), "a terminal that is gone says no");
    let (mut permanent, press) = (None, "r\n");
    let by_rule = |question: &Confirmation, permanent: &mut Option<Remember>| {
        press.chars().find_map(|key| answer_of_key(Some(key), question, permanent))
    };
    assert_eq!(by_rule(&question, &mut permanent), None, "there is no rule for it");
    let ruled = Confirmation { rule: Some("git status ...".to_owned()), ..question };
    assert_eq!(by_rule(&ruled, &mut permanent), yes(Some(Remember::Rule)));
    assert_eq!(by_rule(&Confirmation { every_time: true, ..ruled }, &mut permanent), None);
}
