//! The end of a call: stored with the message, written into the audit log, and sent to every listener.

use std::sync::Arc;

use dialect::Arguments;
use protocol::{Act, AuditDecision, AuditEntry, Event, Risk, ToolStatus};
use serde_json::Value;
use store::Told;
use tools::{Effect, Group, Output, Spec};

use super::{Acting, Done, Ready, Refusal, Wanted};
use crate::finding;

pub(super) struct Ending {
    pub name: String,
    pub args: Value,
    pub risk: Risk,
    pub status: ToolStatus,
    pub had_wrong_arguments: bool,
    pub output: Output,
    pub ms: Option<u32>,
    pub decision: AuditDecision,
    pub why: Option<String>,
}

impl Ending {
    /// Creates the ending of a call whose tool ran.
    pub fn ran(ready: &Ready, status: ToolStatus, output: Output) -> Self {
        let spec = ready.tool.spec();
        Self {
            name: spec.name.clone(),
            args: Value::Object(ready.arguments.clone()),
            risk: spec.risk,
            status,
            had_wrong_arguments: false,
            output,
            ms: None,
            decision: AuditDecision::Allowed,
            why: None,
        }
    }
}

impl Acting<'_> {
    pub(super) async fn end(&self, id: String, wanted: &Wanted, ending: Ending) -> Done {
        let Ending { name, args, risk, status, had_wrong_arguments, output, ms, decision, why } = ending;
        let Output { text, command, origins, follows, failed: _ } = output;
        let result = Some(Value::String(text.clone()));
        // For an incognito conversation, the audit log records that a tool ran, but not its arguments, result or
        // reason.
        let passing = self.is_passing();
        self.note(AuditEntry {
            at: self.inner.clock.now().to_string(),
            user: self.user.id,
            conversation_id: self.about.filter(|_| !passing),
            tool: name.clone(),
            args: if passing { Value::Null } else { args.clone() },
            result: if passing { String::new() } else { text.clone() },
            risk,
            decision,
            why: why.filter(|_| !passing),
        })
        .await;
        // The call is stored before it is announced, because clients may request it at once, as the page in a frame
        // does.
        self.keep(Act {
            id: id.clone(),
            name: name.clone(),
            args: args.clone(),
            status,
            result: result.clone(),
            ms,
            command: command.clone(),
            at: wanted.at,
            pinned: false,
        })
        .await;
        if let Some(command) = command {
            self.log.push(Event::Command { id: id.clone(), command });
        }
        self.log.push(Event::Tool { id, name: name.clone(), args, status, result, ms, at: Some(wanted.at) });
        let tool = self.tool(&name);
        let spec = tool.as_ref().map(|tool| tool.spec());
        let shown = status == ToolStatus::Done && spec.is_some_and(|spec| spec.has(Effect::Shows));
        let of_memory = spec.is_some_and(|spec| is_of_memory(spec.group));
        let text = match &self.secrets {
            Some(secrets) if of_memory => secrets.without(&text),
            _ => text,
        };
        let told = Told { call: wanted.call.clone(), name, text };
        Done { told, status, shown, had_wrong_arguments, origins, follows }
    }

    pub(super) async fn refuse(&self, id: String, wanted: &Wanted, refusal: Refusal) -> Done {
        let Refusal { status, decision, text, why } = refusal;
        let tool = self.tool(&wanted.name);
        let known = tool.as_ref().map(|tool| tool.spec());
        let ending = Ending {
            name: known.map_or(&wanted.name, |spec| &spec.name).clone(),
            args: as_written(wanted),
            risk: known.map_or(Risk::Dangerous, |spec| spec.risk),
            status,
            had_wrong_arguments: status == ToolStatus::Failed,
            // The error text quotes the parameter descriptions, which come from the tool's author.
            output: Output {
                origins: known.and_then(Spec::described_by).into_iter().collect(),
                ..Output::text(text)
            },
            ms: None,
            decision,
            why,
        };
        self.end(id, wanted, ending).await
    }

    /// Searches for tools that are not named in the prompt. The search changes nothing, so it needs no permission.
    pub(super) async fn find(&self, id: String, wanted: &Wanted) -> Done {
        let ending = Ending {
            name: wanted.name.clone(),
            args: finding::arguments(wanted),
            risk: Risk::Safe,
            status: ToolStatus::Done,
            had_wrong_arguments: false,
            output: finding::answer(&self.kit.permitted(&self.inner.hands, &self.user), wanted),
            ms: None,
            decision: AuditDecision::Allowed,
            why: None,
        };
        self.end(id, wanted, ending).await
    }

    async fn keep(&self, act: Act) {
        if self.kept
            && let Err(error) = self.inner.store.keep_act(self.log.id, act).await
        {
            tracing::warn!("an act of turn {} was not kept: {error}", self.log.id);
        }
    }

    async fn note(&self, entry: AuditEntry) {
        let hands = Arc::clone(&self.inner.hands);
        let noted = tokio::task::spawn_blocking(move || hands.audit().note(entry)).await;
        if let Ok(Err(error)) = noted {
            tracing::error!("the audit log cannot be written: {error}");
        }
    }
}

fn is_of_memory(group: Group) -> bool {
    matches!(group, Group::Memory | Group::MemoryReading | Group::VectorSearch)
}

/// Returns the arguments of a call that was not made, as the model wrote them.
fn as_written(wanted: &Wanted) -> Value {
    let written = match &wanted.arguments {
        Ok(Arguments::Named(named)) => Value::Object(named.clone()),
        Ok(Arguments::InOrder(values, named)) => {
            Value::Array(values.iter().cloned().chain([Value::Object(named.clone())]).collect())
        }
        Ok(Arguments::Text(text)) => Value::String(text.clone()),
        Err(_) => Value::Null,
    };
    // The value is stored inside other values and must stay readable there, so it may not be nested too deeply.
    if tools::is_too_deep(&written) { Value::String(written.to_string()) } else { written }
}
