//! Recognises earlier answers in the history that an API client sends. They are found by a hash of their text, together
//! with the origins of the content in their prompts. Other answers count as untrusted.

use std::collections::HashSet;

use model::{ModelMessage, ModelRole};
use protocol::{Origin, UserId};
use store::{AnswerHash, Store, StoreError};

/// The origin of a history with unknown answers.
pub const PROGRAM: &str = "the program that asks";

/// Returns the origins of the answers in a history.
pub async fn origins(
    store: &Store,
    user: UserId,
    messages: &[ModelMessage],
) -> Result<Vec<Origin>, StoreError> {
    let told = messages.iter().filter(|message| message.role == ModelRole::Assistant);
    let (mut answers, mut is_known) = (HashSet::new(), true);
    for message in told {
        let words = message.content.as_text();
        // Calls of the client's own tools are not recorded, so the client may have changed them.
        is_known &= message.tool_calls.is_empty();
        if !words.trim().is_empty() {
            answers.insert(AnswerHash::of(&words));
        }
    }
    let known = store.given_answers(user, answers.iter().copied().collect()).await?;
    is_known &= known.len() == answers.len();
    let stranger = (!is_known).then(|| Origin::Mcp(PROGRAM.to_owned()));
    Ok(known.into_values().flatten().chain(stranger).collect())
}

/// Records an answer. An unrecorded one counts as untrusted later, which leads to an unnecessary confirmation request.
pub async fn record(store: &Store, user: UserId, words: &str, origins: Vec<Origin>) {
    if words.trim().is_empty() {
        return;
    }
    if let Err(error) = store.keep_answer(user, AnswerHash::of(words), origins).await {
        tracing::warn!("an answer to a program will not be known when it comes back: {error}");
    }
}
