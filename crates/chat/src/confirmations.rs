use std::collections::VecDeque;
use std::pin::Pin;

use client::Client;
use protocol::{ConfirmReply, ConfirmRequest, Confirmation, Event, Remember, ToolStatus};
use serde_json::{Map, Value};
use terminal::{
    AnsiColour, KeyReader, TextStyle, clean, clean_line, is_interactive, print, print_error, print_paragraph,
};

use crate::form::{FormInput, KeyEffect};

/// The way confirmation requests are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfirmationPolicy {
    /// Asks at the terminal; without one, the answer is no.
    Ask,
    Yes,
    No,
}

impl ConfirmationPolicy {
    pub fn of(yes: bool, no: bool) -> Self {
        match (yes, no) {
            (true, _) => Self::Yes,
            (_, true) => Self::No,
            _ => Self::Ask,
        }
    }
}

/// The confirmation requests of a turn and the answers to them.
pub struct ConfirmationQueue<'a> {
    policy: ConfirmationPolicy,
    post: Box<Post<'a>>,
    waiting: VecDeque<Confirmation>,
    /// The state of the dialogue about the first request.
    open: Option<OpenQuestion>,
    /// The answer that is being sent, and the id of its request.
    sent: Option<(String, Reply<'a>)>,
}

type Reply<'a> = Pin<Box<dyn Future<Output = anyhow::Result<ConfirmReply>> + 'a>>;
type Post<'a> = dyn Fn(String, ConfirmRequest) -> Reply<'a> + 'a;

/// A question on the screen.
struct OpenQuestion {
    keys: KeyReader,
    /// The permanent permission that waits for Enter.
    permanent: Option<Remember>,
    /// The form to fill in after the yes.
    form: Option<FormInput>,
}

impl<'a> ConfirmationQueue<'a> {
    pub fn new(client: &'a Client, policy: ConfirmationPolicy) -> Self {
        let post = move |id: String, request: ConfirmRequest| -> Reply<'a> {
            Box::pin(async move { client.post(&format!("/api/chat/confirm/{id}"), &request).await })
        };
        Self::with_post(Box::new(post), policy)
    }

    fn with_post(post: Box<Post<'a>>, policy: ConfirmationPolicy) -> Self {
        Self { policy, post, waiting: VecDeque::new(), open: None, sent: None }
    }

    /// Registers a confirmation request, and removes one that was answered elsewhere.
    pub fn observe(&mut self, event: &Event) {
        match event {
            Event::Confirmation(question) => self.waiting.push_back(question.clone()),
            Event::Tool { id, status, .. } if *status != ToolStatus::Waiting => {
                if self.waiting.front().is_some_and(|first| first.id == *id) {
                    self.open = None;
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
            self.open = None;
            self.sent = Some((question.id.clone(), (self.post)(question.id, request)));
        }
        let Some((id, reply)) = &mut self.sent else { return Ok(()) };
        let reply = reply.await;
        let id = std::mem::take(id);
        self.sent = None;
        self.waiting.retain(|question| question.id != id);
        if !reply?.settled && self.policy == ConfirmationPolicy::Ask {
            print_paragraph(TextStyle::DIM, "It was answered already.");
        }
        Ok(())
    }

    async fn decide(&mut self, question: &Confirmation) -> ConfirmRequest {
        match self.policy {
            ConfirmationPolicy::Yes => {
                match question.form.as_ref().map(|form| (form, FormInput::defaults(form))) {
                    Some((form, filled)) if tools::filled_in(form, filled.clone()).is_err() => {
                        print_error(&format!(
                            "{} was not run: it has a form to fill in, and nobody is here to do so.",
                            clean_line(&question.tool)
                        ));
                        once(false)
                    }
                    form => ConfirmRequest { filled: form.map(|(_, filled)| filled), ..once(true) },
                }
            }
            ConfirmationPolicy::No => once(false),
            ConfirmationPolicy::Ask if !is_interactive() => {
                print_error(&format!(
                    "{} was not run: nobody is here to allow it. --yes allows it.",
                    clean_line(&question.tool)
                ));
                once(false)
            }
            ConfirmationPolicy::Ask => self.ask(question).await,
        }
    }

    async fn ask(&mut self, question: &Confirmation) -> ConfirmRequest {
        // Keys count only once the question is on the screen.
        let open = self.open.get_or_insert_with(|| {
            print_question(question);
            OpenQuestion { keys: KeyReader::read(), permanent: None, form: None }
        });
        loop {
            let key = open.keys.next().await;
            if let Some(form) = &mut open.form {
                let Some(key) = key else { return once(false) };
                if let Some(filled) = press(form, key) {
                    return ConfirmRequest { filled: Some(filled), ..once(true) };
                }
                continue;
            }
            let before = open.permanent;
            if let Some(answer) = answer_of_key(key, question, &mut open.permanent) {
                print_paragraph(TextStyle::DIM, if answer.approved { "yes" } else { "no" });
                let form = question.form.as_ref().filter(|_| answer.approved).map(FormInput::new);
                let Some(form) = form.filter(|form| form.prompt().is_some()) else {
                    return answer;
                };
                print_paragraph(TextStyle::PLAIN, &clean(&form.prompt().unwrap_or_default()));
                open.form = Some(form);
                continue;
            }
            match open.permanent {
                Some(permanent) if before != Some(permanent) => {
                    print_paragraph(TextStyle::DIM, describe(permanent));
                }
                _ => {}
            }
        }
    }
}

/// Feeds a key to a form and returns its values once it is complete.
fn press(form: &mut FormInput, key: char) -> Option<Map<String, Value>> {
    match form.press(key) {
        KeyEffect::Typed => {
            print(&format!("\r\u{1b}[K{}", clean_line(form.typed())));
            return None;
        }
        KeyEffect::Invalid(why) => print_paragraph(TextStyle::DIM, &format!("\n{why}")),
        KeyEffect::NextField => print("\n"),
    }
    if let Some(prompt) = form.prompt() {
        print_paragraph(TextStyle::PLAIN, &clean(&prompt));
        return None;
    }
    Some(std::mem::replace(form, FormInput::new(&Value::Null)).values())
}

fn once(approved: bool) -> ConfirmRequest {
    ConfirmRequest { approved, remember: None, filled: None }
}

/// Returns the answer that a key gives, if any. A permanent permission is confirmed with Enter; any other key cancels
/// it.
fn answer_of_key(
    key: Option<char>,
    question: &Confirmation,
    permanent: &mut Option<Remember>,
) -> Option<ConfirmRequest> {
    let only_once = question.tainted || question.every_time;
    let confirmed = permanent.take();
    match key {
        Some('y' | 'Y') => Some(once(true)),
        Some('n' | 'N') | None => Some(once(false)),
        Some('a' | 'A') if !only_once => {
            *permanent = Some(Remember::Tool);
            None
        }
        Some('e' | 'E') if !only_once => {
            *permanent = Some(Remember::Arguments);
            None
        }
        Some('r' | 'R') if !only_once && question.rule.is_some() => {
            *permanent = Some(Remember::Rule);
            None
        }
        Some('\n' | '\r') => confirmed.map(|permanent| ConfirmRequest {
            approved: true,
            remember: Some(permanent),
            filled: None,
        }),
        Some(_) => None,
    }
}

fn describe(permanent: Remember) -> &'static str {
    match permanent {
        Remember::Tool => "Always this tool: Enter confirms, any other key cancels.",
        Remember::Arguments => "Always exactly this: Enter confirms, any other key cancels.",
        Remember::Rule => "Always commands like this: Enter confirms, any other key cancels.",
    }
}

/// Prints the tool, its arguments, the reason and the keys for an answer.
fn print_question(question: &Confirmation) {
    let Confirmation { tool, description, args, why, tainted, every_time, rule, .. } = question;
    let args = serde_json::to_string_pretty(args).unwrap_or_default();
    print_paragraph(
        TextStyle::coloured(AnsiColour::Yellow),
        &format!("May I? {}: {}", clean_line(tool), clean(description)),
    );
    print_paragraph(TextStyle::PLAIN, &clean(&args));
    print_paragraph(TextStyle::DIM, &clean(why));
    let by_rule =
        rule.as_deref().map(|rule| format!(", r and Enter always commands like: {}", clean_line(rule)));
    let keys = if *tainted || *every_time {
        "y yes, n no".to_owned()
    } else {
        let by_rule = by_rule.unwrap_or_default();
        format!("y yes, n no, a and Enter always this tool, e and Enter always exactly this{by_rule}")
    };
    print_paragraph(TextStyle::PLAIN, &keys);
}

#[cfg(test)]
#[path = "confirmations_tests.rs"]
mod tests;
