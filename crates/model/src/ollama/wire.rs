use protocol::StopReason;
use serde_json::Value;

use crate::ToolCallDelta;
use crate::http::{Framing, ParsedResponse, StreamProgress, TokenUsage, WireFormat};
use crate::openai::fresh_id;

/// The parser for the lines of Ollama's `/api/chat`.
#[derive(Debug, Default)]
pub(super) struct OllamaWire {
    calls: u32,
}

impl WireFormat for OllamaWire {
    const FRAMING: Framing = Framing::Lines;

    fn parse(&mut self, message: &Value, parsed: &mut ParsedResponse) -> StreamProgress {
        let done = message["done"].as_bool();
        if done.is_none() && !message["message"].is_object() {
            return StreamProgress::Unknown;
        }
        let said = &message["message"];
        if let Some(text) = said["thinking"].as_str() {
            parsed.reasoning(text);
        }
        if let Some(text) = said["content"].as_str() {
            parsed.text(text);
        }
        for call in said["tool_calls"].as_array().into_iter().flatten() {
            let function = &call["function"];
            parsed.tool_call(ToolCallDelta {
                index: self.calls,
                id: Some(call["id"].as_str().map_or_else(fresh_id, ToOwned::to_owned)),
                name: function["name"].as_str().map(ToOwned::to_owned),
                arguments: match &function["arguments"] {
                    Value::String(text) => text.clone(),
                    object => object.to_string(),
                },
            });
            self.calls += 1;
        }
        if done != Some(true) {
            return StreamProgress::GoOn;
        }
        parsed.stop = Some(match message["done_reason"].as_str() {
            Some("length") => StopReason::Length,
            _ if self.calls > 0 => StopReason::ToolCalls,
            _ => StopReason::End,
        });
        let count = |name: &str| message[name].as_u64().map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        if let (Some(prompt), Some(completion)) = (count("prompt_eval_count"), count("eval_count")) {
            parsed.usage = Some(TokenUsage { prompt, cached: 0, completion });
        }
        StreamProgress::Ended
    }
}
