use client::{Client, TurnStream};
use futures_util::FutureExt as _;
use protocol::{ChatRequest, ChatSummary, ConversationId, MessageId, NewChatRequest, StopReason};
use terminal::{AnsiColour, EchoOff, Screen, TextStyle, print_line, print_paragraph};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tools::sentence;

use crate::attachments::Attachments;
use crate::confirmations::{ConfirmationPolicy, ConfirmationQueue};
use crate::program::ProgramCommands;
use crate::reply_view::{OutputFormat, ReplyView, TurnEnd, end_remark};

/// A conversation in the terminal, and the state that its commands need.
pub struct ChatSession<'a> {
    pub client: &'a Client,
    pub program: &'a dyn ProgramCommands,
    pub current: CurrentChat,
    /// The conversations of the list shown last, in its order.
    pub listed: Vec<ConversationId>,
    pub deleted: Option<ConversationId>,
    pub attachments: Attachments,
    pub thoughts: String,
    interrupts: Signal,
}

/// The conversation that the next message goes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CurrentChat {
    /// A new conversation, created with the first message.
    New {
        title: Option<String>,
    },
    Existing(ConversationId),
}

impl<'a> ChatSession<'a> {
    pub fn new(
        client: &'a Client,
        program: &'a dyn ProgramCommands,
        current: CurrentChat,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            client,
            program,
            current,
            listed: Vec::new(),
            deleted: None,
            attachments: Attachments::default(),
            thoughts: String::new(),
            interrupts: signal(SignalKind::interrupt())?,
        })
    }

    /// Returns the open conversation, or an error if it has no message yet.
    pub fn conversation(&self) -> anyhow::Result<ConversationId> {
        match self.current {
            CurrentChat::Existing(id) => Ok(id),
            CurrentChat::New { .. } => anyhow::bail!("nothing has been said here yet"),
        }
    }

    /// Sends a message and shows the answer.
    pub async fn send(&mut self, message: String, edit_of: Option<MessageId>) -> anyhow::Result<()> {
        let conversation_id = Some(self.conversation_for_message().await?);
        let attachments = self.attachments.take();
        let mut request =
            ChatRequest { message, conversation_id, edit_of, attachments, client_message_id: None };
        let client = self.client;
        self.discard_interrupts();
        let started = tokio::select! {
            started = TurnStream::send_message(client, &mut request) => started,
            _ = self.interrupts.recv() => Err(anyhow::anyhow!("interrupted")),
        };
        match started {
            Ok(turn) => self.follow(turn).await,
            Err(error) => {
                // The attachments are kept for the next message.
                self.attachments.put_back(request.attachments);
                Err(error)
            }
        }
    }

    async fn conversation_for_message(&mut self) -> anyhow::Result<ConversationId> {
        match &self.current {
            CurrentChat::Existing(id) => Ok(*id),
            CurrentChat::New { title } => {
                let request = NewChatRequest { title: title.clone(), folder: None, incognito: false };
                let chat: ChatSummary = self.client.post("/api/chats/new", &request).await?;
                self.current = CurrentChat::Existing(chat.id);
                Ok(chat.id)
            }
        }
    }

    /// Shows a turn to its end. Ctrl-C stops the turn; a second one stops waiting for it.
    pub async fn follow(&mut self, mut turn: TurnStream<'_>) -> anyhow::Result<()> {
        self.discard_interrupts();
        print_line!("");
        let _echo_off = EchoOff::begin();
        let mut view = ReplyView::new(OutputFormat::Rendered(Screen::stdout()), " (/thoughts shows it)");
        let mut wants_stop = false;
        let mut confirmations = ConfirmationQueue::new(self.client, ConfirmationPolicy::Ask);
        loop {
            let next = tokio::select! {
                next = turn.next() => next,
                answered = confirmations.answer() => {
                    answered?;
                    continue;
                }
                _ = self.interrupts.recv() => {
                    if wants_stop {
                        view.finish();
                        print_paragraph(TextStyle::DIM, "The answer may continue in the background: /history shows it.");
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
                    confirmations.observe(&event.event);
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
        let outcome = view.finish();
        self.thoughts = outcome.thoughts;
        match outcome.end {
            Some(TurnEnd::Failed(message)) => {
                print_paragraph(TextStyle::coloured(AnsiColour::Red), &sentence(&message));
                print_paragraph(TextStyle::DIM, "/regenerate tries again.");
            }
            Some(TurnEnd::Done(reason)) => {
                if let Some(remark) = end_remark(reason) {
                    let more = if reason == StopReason::Cut { " /regenerate tries again." } else { "" };
                    print_paragraph(TextStyle::DIM, &format!("{remark}{more}"));
                }
            }
            None => {}
        }
        print_line!("");
        Ok(())
    }

    /// Discards earlier Ctrl-Cs, which must not stop the next turn.
    fn discard_interrupts(&mut self) {
        while self.interrupts.recv().now_or_never().is_some() {}
    }
}

/// The next step after a command.
#[derive(Debug, PartialEq, Eq)]
pub enum NextStep {
    Continue,
    Exit,
    /// Edit this text, which will replace the message.
    Edit {
        text: String,
        message: MessageId,
    },
}
