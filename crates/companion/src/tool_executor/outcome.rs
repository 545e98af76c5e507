//! The end of a call: stored with the message, written into the audit log, and sent to every listener.

use std::sync::Arc;

use dialect::CallArguments;
use protocol::{Act, AuditDecision, AuditEntry, Event, Risk, ToolStatus};
use serde_json::Value;
use store::RoundResult;
use tools::{Effect, Group, ToolDefinition, ToolOutput};

use super::ToolExecutor;
use super::call_outcome::{CallEnd, CallOutcome};
use super::checked_call::CallRefusal;
use crate::requested_call::RequestedCall;
use crate::tool_search;

impl ToolExecutor<'_> {
    pub(super) async fn end(&self, id: String, call: &RequestedCall, end: CallEnd) -> CallOutcome {
        let CallEnd { name, args, risk, status, had_wrong_arguments, output, ms, decision, why } = end;
        let ToolOutput { text, command, origins, follows, failed: _ } = output;
        let result = Some(Value::String(text.clone()));
        // For an incognito conversation, the audit log records that a tool ran, but not its arguments, result or
        // reason.
        let is_incognito = self.is_incognito();
        self.audit(AuditEntry {
            at: self.services.clock.now().to_string(),
            user: self.user.id,
            conversation_id: self.audited.filter(|_| !is_incognito),
            tool: name.clone(),
            args: if is_incognito { Value::Null } else { args.clone() },
            result: if is_incognito { String::new() } else { text.clone() },
            risk,
            decision,
            why: why.filter(|_| !is_incognito),
        })
        .await;
        // The call is stored before it is announced, because clients may request it at once, as the page in a frame
        // does.
        self.store(Act {
            id: id.clone(),
            name: name.clone(),
            args: args.clone(),
            status,
            result: result.clone(),
            ms,
            command: command.clone(),
            at: call.at,
            pinned: false,
        })
        .await;
        if let Some(command) = command {
            self.log.push(Event::Command { id: id.clone(), command });
        }
        self.log.push(Event::Tool { id, name: name.clone(), args, status, result, ms, at: Some(call.at) });
        let tool = self.tool(&name);
        let spec = tool.as_ref().map(|tool| tool.spec());
        let is_on_screen = status == ToolStatus::Done && spec.is_some_and(|spec| spec.has(Effect::Shows));
        let of_memory = spec.is_some_and(|spec| is_of_memory(spec.group));
        let text = match &self.private_facts {
            Some(private) if of_memory => private.without(&text),
            _ => text,
        };
        let told = RoundResult { call: call.id.clone(), name, text };
        CallOutcome { told, status, is_on_screen, had_wrong_arguments, origins, skill: follows }
    }

    pub(super) async fn refuse(&self, id: String, call: &RequestedCall, refusal: CallRefusal) -> CallOutcome {
        let CallRefusal { status, decision, text, why } = refusal;
        let tool = self.tool(&call.name);
        let spec = tool.as_ref().map(|tool| tool.spec());
        let end = CallEnd {
            name: spec.map_or(&call.name, |spec| &spec.name).clone(),
            args: as_written(call),
            risk: spec.map_or(Risk::Dangerous, |spec| spec.risk),
            status,
            had_wrong_arguments: status == ToolStatus::Failed,
            // The error text quotes the parameter descriptions, which come from the tool's author.
            output: ToolOutput {
                origins: spec.and_then(ToolDefinition::described_by).into_iter().collect(),
                ..ToolOutput::text(text)
            },
            ms: None,
            decision,
            why,
        };
        self.end(id, call, end).await
    }

    /// Searches for tools that are not named in the prompt. The search changes nothing, so it needs no permission.
    pub(super) async fn find(&self, id: String, call: &RequestedCall) -> CallOutcome {
        let end = CallEnd {
            name: call.name.clone(),
            args: tool_search::arguments(call),
            risk: Risk::Safe,
            status: ToolStatus::Done,
            had_wrong_arguments: false,
            output: tool_search::answer(&self.tool_set.permitted(&self.services.tools, &self.user), call),
            ms: None,
            decision: AuditDecision::Allowed,
            why: None,
        };
        self.end(id, call, end).await
    }

    async fn store(&self, act: Act) {
        if self.is_stored
            && let Err(error) = self.services.store.store_tool_call(self.log.id, act).await
        {
            tracing::warn!("an act of turn {} was not kept: {error}", self.log.id);
        }
    }

    async fn audit(&self, entry: AuditEntry) {
        let tools = Arc::clone(&self.services.tools);
        let written = tokio::task::spawn_blocking(move || tools.audit().note(entry)).await;
        if let Ok(Err(error)) = written {
            tracing::error!("the audit log cannot be written: {error}");
        }
    }
}

fn is_of_memory(group: Group) -> bool {
    matches!(group, Group::Memory | Group::MemoryReading | Group::VectorSearch)
}

/// Returns the arguments of a call that was not made, as the model wrote them.
fn as_written(call: &RequestedCall) -> Value {
    let written = match &call.arguments {
        Ok(CallArguments::Named(named)) => Value::Object(named.clone()),
        Ok(CallArguments::Positional(values, named)) => {
            Value::Array(values.iter().cloned().chain([Value::Object(named.clone())]).collect())
        }
        Ok(CallArguments::Text(text)) => Value::String(text.clone()),
        Err(_) => Value::Null,
    };
    // The value is stored inside other values and must stay readable there, so it may not be nested too deeply.
    if tools::is_too_deep(&written) { Value::String(written.to_string()) } else { written }
}
