use std::collections::VecDeque;
use std::pin::Pin;

use protocol::{ConfirmReply, ConfirmRequest, Confirmation, Event, Remember, ToolStatus};
use serde_json::{Map, Value};

use super::form::{Filling, Step};
use crate::client::Client;
use crate::terminal::{self, Colour, Keys, Style, clean, clean_line, tell};

/// The way confirmation requests are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answering {
    /// Asks at the terminal; without one, the answer is no.
    Ask,
    Yes,
    No,
}

impl Answering {
    pub fn of(yes: bool, no: bool) -> Self {
        match (yes, no) {
            (true, _) => Self::Yes,
            (_, true) => Self::No,
            _ => Self::Ask,
        }
    }
}

/// The confirmation requests of a turn and the answers to them.
pub struct Questions<'a> {
    answering: Answering,
    post: Box<Post<'a>>,
    waiting: VecDeque<Confirmation>,
    /// The state of the dialogue about the first request.
    asked: Option<Asked>,
    /// The answer that is being sent, and the id of its request.
    sent: Option<(String, Reply<'a>)>,
}

type Reply<'a> = Pin<Box<dyn Future<Output = anyhow::Result<ConfirmReply>> + 'a>>;
type Post<'a> = dyn Fn(String, ConfirmRequest) -> Reply<'a> + 'a;

/// A question on the screen.
struct Asked {
    keys: Keys,
    /// The permanent permission that waits for Enter.
    always: Option<Remember>,
    /// The form to fill in after the yes.
    filling: Option<Filling>,
}

impl<'a> Questions<'a> {
    pub fn new(client: &'a Client, answering: Answering) -> Self {
        let post = move |id: String, request: ConfirmRequest| -> Reply<'a> {
            Box::pin(async move { client.post(&format!("/api/chat/confirm/{id}"), &request).await })
        };
        Self::sending(Box::new(post), answering)
    }

    fn sending(post: Box<Post<'a>>, answering: Answering) -> Self {
        Self { answering, post, waiting: VecDeque::new(), asked: None, sent: None }
    }

    /// Registers a new confirmation request and removes one that is settled.
    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::Confirmation(question) => self.waiting.push_back(question.clone()),
            Event::Tool { id, status, .. } if *status != ToolStatus::Waiting => {
                if self.waiting.front().is_some_and(|first| first.id == *id) {
                    self.asked = None;
                }
                self.waiting.retain(|question| question.id != *id);
            }
            _ => {}
        }
    }

    /// Answers the first request, or waits until there is one. Cancel safe: a pressed key and an answer being sent are
    /// kept, and the next call goes on from there.
    pub async fn answer(&mut self) -> anyhow::Result<()> {
        if self.sent.is_none() {
            let Some(question) = self.waiting.front().cloned() else { return std::future::pending().await };
            let request = self.decide(&question).await;
            self.asked = None;
            self.sent = Some((question.id.clone(), (self.post)(question.id, request)));
        }
        let Some((id, reply)) = &mut self.sent else { return Ok(()) };
        let reply = reply.await;
        let id = std::mem::take(id);
        self.sent = None;
        self.waiting.retain(|question| question.id != id);
        if !reply?.settled && self.answering == Answering::Ask {
            tell(Style::DIM, "It was settled already.");
        }
        Ok(())
    }

    async fn decide(&mut self, question: &Confirmation) -> ConfirmRequest {
        match self.answering {
            Answering::Yes => match question.form.as_ref().map(|form| (form, Filling::defaults(form))) {
                Some((form, filled)) if tools::filled_in(form, filled.clone()).is_err() => {
                    eprintln!(
                        "{} was not done: it has to be filled in, and nobody is here to do so.",
                        clean_line(&question.tool)
                    );
                    once(false)
                }
                form => ConfirmRequest { filled: form.map(|(_, filled)| filled), ..once(true) },
            },
            Answering::No => once(false),
            Answering::Ask if !terminal::is_interactive() => {
                eprintln!(
                    "{} was not done: nobody is here to say yes. --yes says it.",
                    clean_line(&question.tool)
                );
                once(false)
            }
            Answering::Ask => self.ask(question).await,
        }
    }

    async fn ask(&mut self, question: &Confirmation) -> ConfirmRequest {
        // Keys count only once the question is on the screen.
        let asked = self.asked.get_or_insert_with(|| {
            put(question);
            Asked { keys: Keys::read(), always: None, filling: None }
        });
        loop {
            let key = asked.keys.next().await;
            if let Some(filling) = &mut asked.filling {
                let Some(key) = key else { return once(false) };
                if let Some(filled) = fill(filling, key) {
                    return ConfirmRequest { filled: Some(filled), ..once(true) };
                }
                continue;
            }
            let before = asked.always;
            if let Some(answer) = heard(key, question, &mut asked.always) {
                tell(Style::DIM, if answer.approved { "yes" } else { "no" });
                let filling = question.form.as_ref().filter(|_| answer.approved).map(Filling::new);
                let Some(filling) = filling.filter(|filling| filling.prompt().is_some()) else {
                    return answer;
                };
                tell(Style::PLAIN, &clean(&filling.prompt().unwrap_or_default()));
                asked.filling = Some(filling);
                continue;
            }
            match asked.always {
                Some(always) if before != Some(always) => tell(Style::DIM, confirming(always)),
                _ => {}
            }
        }
    }
}

/// Feeds a key to a form and returns its values once it is complete.
fn fill(filling: &mut Filling, key: char) -> Option<Map<String, Value>> {
    match filling.press(key) {
        Step::Typed => {
            terminal::print(&format!("\r\u{1b}[K{}", clean_line(filling.typed())));
            return None;
        }
        Step::Wrong(why) => tell(Style::DIM, &format!("\n{why}")),
        Step::Next => terminal::print("\n"),
    }
    if let Some(prompt) = filling.prompt() {
        tell(Style::PLAIN, &clean(&prompt));
        return None;
    }
    Some(std::mem::replace(filling, Filling::new(&Value::Null)).filled())
}

fn once(approved: bool) -> ConfirmRequest {
    ConfirmRequest { approved, remember: None, filled: None }
}

/// Returns the answer that a key gives, if any. A permanent permission is confirmed with Enter; any other key cancels
/// it.
fn heard(
    key: Option<char>,
    question: &Confirmation,
    always: &mut Option<Remember>,
) -> Option<ConfirmRequest> {
    let only_once = question.tainted || question.every_time;
    let confirmed = always.take();
    match key {
        Some('y' | 'Y') => Some(once(true)),
        Some('n' | 'N') | None => Some(once(false)),
        Some('a' | 'A') if !only_once => {
            *always = Some(Remember::Tool);
            None
        }
        Some('e' | 'E') if !only_once => {
            *always = Some(Remember::Arguments);
            None
        }
        Some('r' | 'R') if !only_once && question.rule.is_some() => {
            *always = Some(Remember::Rule);
            None
        }
        Some('\n' | '\r') => {
            confirmed.map(|always| ConfirmRequest { approved: true, remember: Some(always), filled: None })
        }
        Some(_) => None,
    }
}

fn confirming(always: Remember) -> &'static str {
    match always {
        Remember::Tool => "Always this tool: Enter confirms, any other key takes it back.",
        Remember::Arguments => "Always exactly this: Enter confirms, any other key takes it back.",
        Remember::Rule => "Always commands like this: Enter confirms, any other key takes it back.",
    }
}

/// Prints the tool, its arguments, the reason and the keys for an answer.
fn put(question: &Confirmation) {
    let Confirmation { tool, description, args, why, tainted, every_time, rule, .. } = question;
    let args = serde_json::to_string_pretty(args).unwrap_or_default();
    tell(Style::coloured(Colour::Yellow), &format!("May I? {}: {}", clean_line(tool), clean(description)));
    tell(Style::PLAIN, &clean(&args));
    tell(Style::DIM, &clean(why));
    let by_rule =
        rule.as_deref().map(|rule| format!(", r and Enter always commands like: {}", clean_line(rule)));
    let keys = if *tainted || *every_time {
        "y yes, n no".to_owned()
    } else {
        let by_rule = by_rule.unwrap_or_default();
        format!("y yes, n no, a and Enter always this tool, e and Enter always exactly this{by_rule}")
    };
    tell(Style::PLAIN, &keys);
}

#[cfg(test)]
#[path = "questions_tests.rs"]
mod tests;
