use std::collections::VecDeque;

use protocol::{ConfirmReply, ConfirmRequest, Confirmation, Event, Remember, ToolStatus};

use crate::client::Client;
use crate::terminal::{self, Colour, KeyPress, Style, clean, clean_line, tell};

/// How questions are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answering {
    /// By whoever sits at the terminal; where nobody does, with no.
    Ask,
    Yes,
    No,
}

/// What she asks in the course of a turn, and the answers to it.
pub struct Questions<'a> {
    client: &'a Client,
    answering: Answering,
    waiting: VecDeque<Confirmation>,
    /// The key that answers the first.
    key: Option<KeyPress>,
}

impl<'a> Questions<'a> {
    pub fn new(client: &'a Client, answering: Answering) -> Self {
        Self { client, answering, waiting: VecDeque::new(), key: None }
    }

    /// Takes note of a question, and of one that is settled.
    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::Confirmation(question) => self.waiting.push_back(question.clone()),
            Event::Tool { id, status, .. } if *status != ToolStatus::Waiting => {
                if self.waiting.front().is_some_and(|first| first.id == *id) {
                    self.key = None;
                }
                self.waiting.retain(|question| question.id != *id);
            }
            _ => {}
        }
    }

    /// Answers the first question, and waits for one where there is none. Nothing is lost when this is dropped.
    pub async fn answer(&mut self) -> anyhow::Result<()> {
        let Some(question) = self.waiting.front().cloned() else { return std::future::pending().await };
        let request = match self.answering {
            Answering::Yes => ConfirmRequest { approved: true, remember: None },
            Answering::No => ConfirmRequest { approved: false, remember: None },
            Answering::Ask if !terminal::is_interactive() => {
                eprintln!(
                    "{} was not done: nobody is here to say yes. --yes says it.",
                    clean_line(&question.tool)
                );
                ConfirmRequest { approved: false, remember: None }
            }
            Answering::Ask => self.ask(&question).await,
        };
        self.waiting.pop_front();
        self.key = None;
        let path = format!("/api/chat/confirm/{}", question.id);
        let reply: ConfirmReply = self.client.post(&path, &request).await?;
        if !reply.settled && self.answering == Answering::Ask {
            tell(Style::DIM, "It was settled already.");
        }
        Ok(())
    }

    async fn ask(&mut self, question: &Confirmation) -> ConfirmRequest {
        if self.key.is_none() {
            put(question);
        }
        loop {
            let key = self.key.get_or_insert_with(KeyPress::read).next().await;
            let answer = |approved, remember| ConfirmRequest { approved, remember };
            let answer = match key {
                Some('y' | 'Y') => answer(true, None),
                Some('n' | 'N') | None => answer(false, None),
                Some('a' | 'A') if !question.tainted => answer(true, Some(Remember::Tool)),
                Some('e' | 'E') if !question.tainted => answer(true, Some(Remember::Arguments)),
                Some(_) => {
                    self.key = None;
                    continue;
                }
            };
            tell(Style::DIM, if answer.approved { "yes" } else { "no" });
            return answer;
        }
    }
}

/// What, on what, why, and how to answer.
fn put(question: &Confirmation) {
    let Confirmation { tool, description, args, why, tainted, .. } = question;
    let args = serde_json::to_string_pretty(args).unwrap_or_default();
    tell(Style::coloured(Colour::Yellow), &format!("May I? {}: {}", clean_line(tool), clean(description)));
    tell(Style::PLAIN, &clean(&args));
    tell(Style::DIM, &clean(why));
    let keys =
        if *tainted { "y yes, n no" } else { "y yes, n no, a always this tool, e always exactly this" };
    tell(Style::PLAIN, keys);
}
