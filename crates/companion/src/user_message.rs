use protocol::{
    CodeRequest, ConversationId, MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS, MAX_MESSAGE_BYTES, MessageId,
};
use store::NewAttachment;

use crate::error::CompanionError;

/// A message to be answered.
#[derive(Debug, Clone, Default)]
pub struct UserMessage {
    pub message: String,
    pub conversation: Option<ConversationId>,
    pub edit_of: Option<MessageId>,
    pub attachments: Vec<NewAttachment>,
    pub client_message_id: Option<String>,
    /// The details of a request about code, if it is one.
    pub code: Option<CodeRequest>,
}

impl UserMessage {
    /// Checks the size of the message and of what it carries.
    pub(crate) fn check(&self) -> Result<(), CompanionError> {
        if self.message.trim().is_empty() && self.attachments.is_empty() {
            return Err(CompanionError::EmptyMessage);
        }
        if self.message.len() > MAX_MESSAGE_BYTES {
            return Err(CompanionError::MessageTooLong {
                bytes: self.message.len(),
                limit: MAX_MESSAGE_BYTES,
            });
        }
        if self.attachments.len() > MAX_ATTACHMENTS {
            return Err(CompanionError::TooManyAttachments { limit: MAX_ATTACHMENTS });
        }
        match self.attachments.iter().find(|attachment| attachment.data.len() > MAX_ATTACHMENT_BYTES) {
            None => Ok(()),
            Some(attachment) => Err(CompanionError::AttachmentTooLarge {
                name: attachment.name.clone(),
                bytes: attachment.data.len(),
                limit: MAX_ATTACHMENT_BYTES,
            }),
        }
    }
}
