//! Removes private facts from earlier messages before they are sent to a remote model. The model that read them may have
//! been a local one.

use memory::{Memory, MemoryError, Secrets};
use model::ChatModel;
use protocol::UserId;

use super::branch::Branch;
use super::memory_block::marked_lines;

/// The replacement for an answer whose prompt contained private facts.
const LEFT_OUT: &str = "[An answer that rests on something private is left out here.]";

/// Removes the private facts of a user from a branch, unless the model runs on this machine.
pub async fn remove(
    memory: &Memory,
    user: UserId,
    branch: &mut Branch,
    model: &dyn ChatModel,
) -> Result<(), MemoryError> {
    if model.info().is_here {
        return Ok(());
    }
    let secrets = memory.secrets(user).await?;
    for message in &mut branch.path {
        if let Some(context) = &mut message.context {
            *context = without_secrets(context, &secrets);
        }
        // The answer may state a private fact in any words, and a tool may have repeated it, so all of it is removed.
        if secrets.were_in_context_of(message.id) {
            LEFT_OUT.clone_into(&mut message.content);
            message.rounds.clear();
            message.reasoning = None;
        }
    }
    Ok(())
}

/// Removes the memories with private facts from a context.
fn without_secrets(context: &str, secrets: &Secrets) -> String {
    let lines = marked_lines(context).filter(|(line, is_memory)| !(*is_memory && secrets.are_in(line)));
    lines.map(|(line, _)| line).collect::<Vec<_>>().join("\n")
}
