use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use protocol::{ConfirmRequest, Remember, UserId, WaitingConfirmation};
use serde_json::{Map, Value};
use tokio::sync::oneshot;

/// The pending confirmation requests. They live in memory and as long as their turn, so a reloaded page finds them
/// again, and a restarted program asks nothing.
#[derive(Default)]
pub struct PendingConfirmations {
    waiting: Mutex<HashMap<String, PendingConfirmation>>,
}

struct PendingConfirmation {
    user: UserId,
    asked: WaitingConfirmation,
    answer: oneshot::Sender<ConfirmationAnswer>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfirmationAnswer {
    Yes {
        remember: Option<Remember>,
        /// The values that the user filled in, if there was a form.
        filled: Map<String, Value>,
    },
    No,
}

impl PendingConfirmations {
    /// Registers a confirmation request. The caller announces it.
    pub fn ask(&self, user: UserId, asked: WaitingConfirmation) -> oneshot::Receiver<ConfirmationAnswer> {
        let (answer, answered) = oneshot::channel();
        self.lock().insert(asked.confirmation.id.clone(), PendingConfirmation { user, asked, answer });
        answered
    }

    /// Answers a confirmation request. Returns false if it is not pending. Values that do not fit the form are an error
    /// with a text for the user, and the request stays pending.
    pub fn answer(&self, user: UserId, id: &str, request: &ConfirmRequest) -> Result<bool, String> {
        let mut waiting = self.lock();
        let Some(question) = waiting.get(id).filter(|question| question.user == user) else {
            return Ok(false);
        };
        let filled = request.filled.clone().unwrap_or_default();
        let answer = match (&question.asked.confirmation.form, request.approved) {
            (_, false) => ConfirmationAnswer::No,
            (None, true) => ConfirmationAnswer::Yes { remember: request.remember, filled },
            (Some(form), true) => ConfirmationAnswer::Yes {
                remember: request.remember,
                filled: tools::filled_in(form, filled)?,
            },
        };
        Ok(waiting.remove(id).is_some_and(|question| question.answer.send(answer).is_ok()))
    }

    /// Withdraws a confirmation request.
    pub fn withdraw(&self, id: &str) {
        self.lock().remove(id);
    }

    /// Returns a user's confirmation requests, the earliest deadline first.
    pub fn of(&self, user: UserId) -> Vec<WaitingConfirmation> {
        let waiting = self.lock();
        let mut asked: Vec<_> = waiting
            .values()
            .filter(|question| question.user == user)
            .map(|question| question.asked.clone())
            .collect();
        asked.sort_by(|one, other| one.confirmation.until.cmp(&other.confirmation.until));
        asked
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, PendingConfirmation>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Confirmation, ConversationId, MessageId, Risk};
    use serde_json::json;

    use super::*;

    const ME: UserId = UserId::new(1);
    const YOU: UserId = UserId::new(2);

    fn question(id: &str, until: &str) -> WaitingConfirmation {
        WaitingConfirmation {
            conversation_id: ConversationId::new(1),
            message_id: MessageId::new(1),
            confirmation: Confirmation {
                id: id.into(),
                tool: "open".into(),
                description: "Opens something.".into(),
                args: json!({}),
                risk: Risk::Risky,
                why: "because".into(),
                tainted: false,
                every_time: false,
                until: until.into(),
                form: None,
                rule: None,
            },
        }
    }

    fn yes() -> ConfirmRequest {
        ConfirmRequest { approved: true, remember: Some(Remember::Tool), filled: None }
    }

    #[tokio::test]
    async fn each_question_is_answered_once_and_by_whom_it_was_put_to() {
        let questions = PendingConfirmations::default();
        let first = questions.ask(ME, question("a", "2026-01-01T00:02:00Z"));
        let second = questions.ask(ME, question("b", "2026-01-01T00:01:00Z"));
        let ids = |user| questions.of(user).into_iter().map(|one| one.confirmation.id).collect::<Vec<_>>();
        assert_eq!(ids(ME), ["b", "a"]);
        assert!(ids(YOU).is_empty());
        assert_eq!(questions.answer(YOU, "a", &yes()), Ok(false));
        assert_eq!(questions.answer(ME, "a", &yes()), Ok(true));
        assert_eq!(questions.answer(ME, "a", &yes()), Ok(false), "it is settled");
        let remember = Some(Remember::Tool);
        assert_eq!(first.await, Ok(ConfirmationAnswer::Yes { remember, filled: Map::new() }));
        questions.withdraw("b");
        assert!(second.await.is_err());
        assert_eq!(
            [questions.answer(ME, "b", &yes()), questions.answer(ME, "c", &yes())],
            [Ok(false), Ok(false)]
        );
    }

    #[tokio::test]
    async fn a_form_that_is_filled_in_wrongly_waits_on() {
        let questions = PendingConfirmations::default();
        let mut asked = question("a", "2026-01-01T00:02:00Z");
        let form = json!({"type": "object", "properties": {"age": {"type": "integer", "maximum": 120}}});
        asked.confirmation.form = Some(form);
        let answered = questions.ask(ME, asked);
        let with = |age: u32| ConfirmRequest {
            filled: Some(Map::from_iter([("age".to_owned(), json!(age))])),
            ..yes()
        };
        let why = questions.answer(ME, "a", &with(500)).unwrap_err();
        assert!(why.starts_with("age: 500"), "{why}");
        assert_eq!(questions.of(ME).len(), 1);
        assert_eq!(questions.answer(ME, "a", &with(36)), Ok(true));
        let Ok(ConfirmationAnswer::Yes { filled, .. }) = answered.await else { panic!() };
        assert_eq!(filled["age"], 36);
    }
}
