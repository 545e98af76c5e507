//! Answers of hers that come back with the history of a program: known by their words, and with them whose words stood
//! before her when she gave them. What nobody knows was written by nobody knows whom.

use std::collections::HashSet;

use model::{Message, Role};
use protocol::{Origin, UserId};
use store::{AnswerHash, StoreError};

use crate::companion::Inner;

/// Whose words a history is that is not known.
pub const PROGRAM: &str = "the program that asks";

/// Whose words are in the answers of a history.
pub(crate) async fn origins(
    inner: &Inner,
    user: UserId,
    messages: &[Message],
) -> Result<Vec<Origin>, StoreError> {
    let told = messages.iter().filter(|message| message.role == Role::Assistant);
    let (mut answers, mut is_known) = (HashSet::new(), true);
    for message in told {
        let words = message.content.as_text();
        // Her calls of the program's own tools come back as the program likes.
        is_known &= message.tool_calls.is_empty();
        if !words.trim().is_empty() {
            answers.insert(AnswerHash::of(&words));
        }
    }
    let known = inner.store.given_answers(user, answers.iter().copied().collect()).await?;
    is_known &= known.len() == answers.len();
    let stranger = (!is_known).then(|| Origin::Mcp(PROGRAM.to_owned()));
    Ok(known.into_values().flatten().chain(stranger).collect())
}

/// Knows an answer from here on. Without that it would be taken for somebody else's words, which costs a question.
pub(crate) async fn keep(inner: &Inner, user: UserId, words: &str, origins: Vec<Origin>) {
    if words.trim().is_empty() {
        return;
    }
    if let Err(error) = inner.store.keep_answer(user, AnswerHash::of(words), origins).await {
        tracing::warn!("an answer to a program will not be known when it comes back: {error}");
    }
}
