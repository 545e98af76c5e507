use protocol::{AttachmentInfo, MessageId, Origin, Role};
use store::{EpochSummary, PathMessage, PromptEpoch, Store, StoreError, Turn};
use tools::Taint;

use super::assembly::PLAN;

/// The branch that ends with the message to be answered, and its prompt epoch.
pub struct Branch {
    pub epoch: Option<PromptEpoch>,
    /// The messages that the epoch's summary does not cover.
    pub path: Vec<PathMessage>,
}

impl Branch {
    /// Loads the branch that ends with the question of a turn.
    pub async fn of_question(store: &Store, turn: &Turn) -> Result<Self, StoreError> {
        Self::up_to(store, turn, turn.user_message.unwrap_or(turn.message)).await
    }

    /// Loads the branch that ends with the given message.
    pub async fn up_to(store: &Store, turn: &Turn, end: MessageId) -> Result<Self, StoreError> {
        let epoch = store.epoch(turn.user, turn.conversation, end).await?;
        let after = epoch.as_ref().and_then(|epoch| epoch.summary.as_ref()).map(|summary| summary.up_to);
        let path = store.path(turn.user, turn.conversation, end, after).await?;
        Ok(Self { epoch, path })
    }

    /// Returns the message to be answered, if it has no attachments.
    pub fn plain_question(&self) -> Option<&str> {
        let question = self.path.last().filter(|message| message.attachments.is_empty())?;
        Some(&question.content)
    }

    /// The origins of the texts, besides the user and Luna.
    pub fn taint(&self) -> Taint {
        origins(self.summary(), &self.path).into_iter().collect()
    }

    /// Returns the message to be answered, if it has not been sent to a model yet.
    pub fn unsent_question(&self) -> Option<&str> {
        let question = self.path.last().filter(|message| message.context.is_none())?;
        Some(&question.content)
    }

    /// Returns the message to be answered.
    pub fn question(&self) -> Option<&str> {
        self.path.last().map(|message| message.content.as_str())
    }

    /// Returns the names of the tools that the last answer used.
    pub fn used_tools(&self) -> Vec<&str> {
        let last = self.path.iter().rfind(|message| message.role == Role::Assistant);
        let told = last.into_iter().flat_map(|answer| &answer.rounds).flat_map(|round| &round.told);
        told.map(|told| told.name.as_str()).filter(|name| *name != PLAN).collect()
    }

    /// Returns the user's messages in the branch.
    pub fn user_messages(&self) -> Vec<String> {
        let users = self.path.iter().filter(|message| message.role == Role::User);
        users.map(|message| message.content.clone()).collect()
    }

    pub fn summary(&self) -> Option<&EpochSummary> {
        self.epoch.as_ref().and_then(|epoch| epoch.summary.as_ref())
    }
}

/// Returns the origins of the content in the messages and in the summary before them, besides the user and Luna.
pub fn origins(summary: Option<&EpochSummary>, messages: &[PathMessage]) -> Vec<Origin> {
    let before = summary.into_iter().flat_map(|summary| summary.origins.iter().cloned());
    let told = messages.iter().flat_map(|message| {
        let files = message.attachments.iter().map(|file| {
            let name = file.name.clone();
            if is_picture(file) { Origin::Picture(name) } else { Origin::File(name) }
        });
        message.origins.iter().cloned().chain(files)
    });
    before.chain(told).collect::<Taint>().origins().to_vec()
}

/// Returns true if an attachment is a picture.
pub(super) fn is_picture(info: &AttachmentInfo) -> bool {
    info.mime.starts_with("image/")
}
