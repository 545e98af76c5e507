use config::Folders;
use futures_util::FutureExt as _;
use protocol::{ChatRequest, ChatSummary, ConversationId, MessageId, NewChatRequest, StopReason};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::chat::attachment::Attachments;
use crate::chat::questions::{Answering, Questions};
use crate::chat::turn::Turn;
use crate::chat::view::{End, Manner, ReplyView, remark};
use crate::client::Client;
use crate::terminal::{Colour, QuietKeys, Screen, Style, say, sentence, tell};

/// A conversation in the terminal, and the state that its commands need.
pub struct Session<'a> {
    pub client: &'a Client,
    pub folders: &'a Folders,
    pub place: Place,
    /// The conversations of the list shown last, in its order.
    pub listed: Vec<ConversationId>,
    pub deleted: Option<ConversationId>,
    pub attachments: Attachments,
    pub thoughts: String,
    interrupts: Signal,
}

/// The conversation that the next message goes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A new conversation, created with the first message.
    Fresh {
        title: Option<String>,
    },
    At(ConversationId),
}

impl<'a> Session<'a> {
    pub fn new(client: &'a Client, folders: &'a Folders, place: Place) -> anyhow::Result<Self> {
        Ok(Self {
            client,
            folders,
            place,
            listed: Vec::new(),
            deleted: None,
            attachments: Attachments::default(),
            thoughts: String::new(),
            interrupts: signal(SignalKind::interrupt())?,
        })
    }

    /// Returns the open conversation, or an error if it has no message yet.
    pub fn conversation(&self) -> anyhow::Result<ConversationId> {
        match self.place {
            Place::At(id) => Ok(id),
            Place::Fresh { .. } => anyhow::bail!("nothing has been said here yet"),
        }
    }

    /// Sends a message and shows the answer.
    pub async fn say(&mut self, message: String, edit_of: Option<MessageId>) -> anyhow::Result<()> {
        let conversation_id = Some(self.begun().await?);
        let attachments = self.attachments.take();
        let mut request =
            ChatRequest { message, conversation_id, edit_of, attachments, client_message_id: None };
        let client = self.client;
        self.forget_interrupts();
        let begun = tokio::select! {
            begun = Turn::say(client, &mut request) => begun,
            _ = self.interrupts.recv() => Err(anyhow::anyhow!("interrupted")),
        };
        match begun {
            Ok(turn) => self.follow(turn).await,
            Err(error) => {
                // The attachments are kept for the next message.
                self.attachments.put_back(request.attachments);
                Err(error)
            }
        }
    }

    async fn begun(&mut self) -> anyhow::Result<ConversationId> {
        match &self.place {
            Place::At(id) => Ok(*id),
            Place::Fresh { title } => {
                let request = NewChatRequest { title: title.clone(), folder: None, incognito: false };
                let chat: ChatSummary = self.client.post("/api/chats/new", &request).await?;
                self.place = Place::At(chat.id);
                Ok(chat.id)
            }
        }
    }

    /// Shows a turn to its end. Ctrl-C stops the turn; a second one stops waiting for it.
    pub async fn follow(&mut self, mut turn: Turn<'_>) -> anyhow::Result<()> {
        self.forget_interrupts();
        say!("");
        let _quiet = QuietKeys::new();
        let mut view = ReplyView::new(Manner::Rendered(Screen::stdout()), " (/thoughts shows it)");
        let mut wants_stop = false;
        let mut questions = Questions::new(self.client, Answering::Ask);
        loop {
            let next = tokio::select! {
                next = turn.next() => next,
                answered = questions.answer() => {
                    answered?;
                    continue;
                }
                _ = self.interrupts.recv() => {
                    if wants_stop {
                        view.finish();
                        tell(Style::DIM, "She may go on in the background: /history shows it.");
                        return Ok(());
                    }
                    wants_stop = true;
                    turn.stop().await.ok();
                    continue;
                }
            };
            match next {
                Ok(Some(event)) => {
                    view.show(&event);
                    questions.hear(&event.event);
                    // A turn can only be stopped once its id is known.
                    if wants_stop && matches!(event.event, protocol::Event::Metadata { .. }) {
                        turn.stop().await.ok();
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    view.finish();
                    return Err(error);
                }
            }
        }
        let told = view.finish();
        self.thoughts = told.thoughts;
        match told.end {
            Some(End::Failed(message)) => {
                tell(Style::coloured(Colour::Red), &sentence(&message));
                tell(Style::DIM, "/regenerate tries again.");
            }
            Some(End::Done(reason)) => {
                if let Some(remark) = remark(reason) {
                    let more = if reason == StopReason::Cut { " /regenerate tries again." } else { "" };
                    tell(Style::DIM, &format!("{remark}{more}"));
                }
            }
            None => {}
        }
        say!("");
        Ok(())
    }

    /// Discards earlier Ctrl-Cs, which must not stop the next turn.
    fn forget_interrupts(&mut self) {
        while self.interrupts.recv().now_or_never().is_some() {}
    }
}

/// The next step after a command.
#[derive(Debug, PartialEq, Eq)]
pub enum Then {
    GoOn,
    End,
    /// Edit this text, which will replace the message.
    Edit {
        text: String,
        message: MessageId,
    },
}
