use protocol::StopReason;
use serde_json::Value;

use crate::ToolCallDelta;
use crate::http::{Framing, ParsedResponse, StreamProgress, TokenUsage, WireFormat};

/// The parser for an OpenAI-compatible stream, including the deviations of common servers.
#[derive(Debug, Default)]
pub(crate) struct OpenAiWire {
    calls: Vec<Call>,
}

/// A tool call that is still being received.
#[derive(Debug)]
struct Call {
    /// The server's index for the call, which some servers never increment.
    index: u64,
    id: String,
    named: bool,
}

impl WireFormat for OpenAiWire {
    const FRAMING: Framing = Framing::Events;

    fn parse(&mut self, message: &Value, parsed: &mut ParsedResponse) -> StreamProgress {
        if let Some(usage) = usage(message) {
            parsed.usage = Some(usage);
        }
        let read = &message["prompt_progress"];
        if let (Some(done), Some(total)) = (count(&read["processed"]), count(&read["total"])) {
            parsed.progress(done, total);
        }
        let Some(choices) = message["choices"].as_array() else {
            let harmless = message.is_object() && message.get("usage").is_some();
            return if harmless { StreamProgress::GoOn } else { StreamProgress::Unknown };
        };
        let Some(choice) = choices.first() else { return StreamProgress::GoOn };
        let said = if choice["delta"].is_object() { &choice["delta"] } else { &choice["message"] };
        for name in ["reasoning_content", "reasoning", "thinking"] {
            if let Some(text) = said[name].as_str() {
                parsed.reasoning(text);
                break;
            }
        }
        content(&said["content"], parsed);
        if let Some(refusal) = said["refusal"].as_str() {
            parsed.text(refusal);
        }
        for piece in said["tool_calls"].as_array().into_iter().flatten() {
            self.tool_call(piece, parsed);
        }
        match choice["finish_reason"].as_str() {
            None | Some("") => StreamProgress::GoOn,
            Some("content_filter") => StreamProgress::Filtered,
            Some(reason) => {
                parsed.stop = Some(self.stop_reason(reason));
                StreamProgress::GoOn
            }
        }
    }
}

impl OpenAiWire {
    fn stop_reason(&self, reason: &str) -> StopReason {
        match reason {
            "length" | "max_tokens" => StopReason::Length,
            // Some servers report `stop` although they call a tool.
            _ if !self.calls.is_empty() => StopReason::ToolCalls,
            _ => StopReason::End,
        }
    }

    fn tool_call(&mut self, piece: &Value, parsed: &mut ParsedResponse) {
        let function = &piece["function"];
        let id = piece["id"].as_str().filter(|id| !id.is_empty());
        let name = function["name"].as_str().filter(|name| !name.is_empty());
        let arguments = match &function["arguments"] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            object => object.to_string(),
        };
        let numbered = piece["index"].as_u64();
        let known = match numbered {
            Some(index) => self.calls.iter().rposition(|call| call.index == index),
            // Without an index, a fragment that has a name begins a new call and any other continues the last one.
            None if name.is_none() => self.calls.len().checked_sub(1),
            None => id.and_then(|id| self.calls.iter().rposition(|call| call.id == id)),
        };
        // Some servers give every call the index 0, so that only the ID tells them apart.
        let known = known.filter(|&at| id.is_none_or(|id| id == self.calls[at].id) || name.is_none());
        let first = known.is_none();
        let at = known.unwrap_or_else(|| {
            let id = id.map_or_else(fresh_id, ToOwned::to_owned);
            let index = numbered.unwrap_or(self.calls.len() as u64);
            self.calls.push(Call { index, id, named: false });
            self.calls.len() - 1
        });
        let call = &mut self.calls[at];
        let name = name.filter(|_| !call.named);
        call.named |= name.is_some();
        parsed.tool_call(ToolCallDelta {
            index: u32::try_from(at).unwrap_or(u32::MAX),
            id: first.then(|| call.id.clone()),
            name: name.map(ToOwned::to_owned),
            arguments,
        });
    }
}

/// Generates an ID for a call that came without one, because tool results refer to it.
pub(crate) fn fresh_id() -> String {
    format!("call_{}", host::hex(&host::random_bytes::<8>()))
}

/// Parses a text, or parts that contain text. Some servers send reasoning as separate parts.
fn content(content: &Value, parsed: &mut ParsedResponse) {
    match content {
        Value::String(text) => parsed.text(text),
        Value::Array(parts) => {
            for part in parts {
                match (part["type"].as_str(), &part["text"], &part["thinking"]) {
                    (Some("thinking"), _, Value::String(text)) => parsed.reasoning(text),
                    (Some("thinking"), _, Value::Array(inner)) => {
                        for text in inner.iter().filter_map(|part| part["text"].as_str()) {
                            parsed.reasoning(text);
                        }
                    }
                    (_, Value::String(text), _) => parsed.text(text),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

fn count(value: &Value) -> Option<u32> {
    value.as_u64().map(|count| u32::try_from(count).unwrap_or(u32::MAX))
}

fn usage(message: &Value) -> Option<TokenUsage> {
    let usage = &message["usage"];
    let timings = &message["timings"];
    let cached =
        count(&usage["prompt_tokens_details"]["cached_tokens"]).or_else(|| count(&timings["cache_n"]));
    if let Some(prompt) = count(&usage["prompt_tokens"]) {
        let completion = count(&usage["completion_tokens"]).unwrap_or(0);
        return Some(TokenUsage { prompt, cached: cached.unwrap_or(0), completion });
    }
    // llama-server without a usage report: the prompt is the sum of evaluated and cached tokens.
    let evaluated = count(&timings["prompt_n"])?;
    let cached = cached.unwrap_or(0);
    Some(TokenUsage {
        prompt: evaluated.saturating_add(cached),
        cached,
        completion: count(&timings["predicted_n"])?,
    })
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
