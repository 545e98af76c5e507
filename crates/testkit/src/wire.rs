use serde_json::{Map, Value, json};

use crate::playback::OutputPiece;
use crate::script::{ReplyEnding, ReplyStep, ScriptedReply};

/// The format in which a chat route answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ApiFormat {
    OpenAi,
    Ollama,
}

/// The properties of a request that determine its answer.
pub(crate) struct RequestedFormat {
    pub(crate) format: ApiFormat,
    pub(crate) model: String,
    pub(crate) usage: bool,
}

/// The joined content of a reply's steps.
#[derive(Default)]
struct JoinedReply {
    text: String,
    reasoning: String,
    calls: Vec<(Option<String>, Option<String>, String)>,
    usage: Option<(u32, u32, u32)>,
    pieces: u32,
}

impl JoinedReply {
    fn of(reply: &ScriptedReply) -> Self {
        let mut all = Self::default();
        for step in &reply.steps {
            match step {
                ReplyStep::Text(text) => {
                    all.text.push_str(text);
                    all.pieces += 1;
                }
                ReplyStep::Reasoning(text) => {
                    all.reasoning.push_str(text);
                    all.pieces += 1;
                }
                ReplyStep::ToolCall { index, id, name, arguments } => {
                    let index = *index as usize;
                    all.calls.resize_with(all.calls.len().max(index + 1), Default::default);
                    let call = &mut all.calls[index];
                    call.0 = call.0.take().or_else(|| id.clone());
                    call.1 = call.1.take().or_else(|| name.clone());
                    call.2.push_str(arguments);
                    all.pieces += 1;
                }
                ReplyStep::Usage { prompt, cached, completion } => {
                    all.usage = Some((*prompt, *cached, *completion));
                }
                ReplyStep::Raw(_) | ReplyStep::Wait(_) | ReplyStep::Pause(_) | ReplyStep::Endless(_) => {}
            }
        }
        all
    }

    /// Returns the scripted usage, or a count of the pieces.
    fn usage(&self) -> (u32, u32, u32) {
        self.usage.unwrap_or((7, 0, self.pieces))
    }

    fn openai_calls(&self) -> Vec<Value> {
        let calls = self.calls.iter().map(|(id, name, arguments)| {
            json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
        });
        calls.collect()
    }

    fn ollama_calls(&self) -> Vec<Value> {
        let calls = self.calls.iter().map(|(_, name, arguments)| {
            let arguments = serde_json::from_str(arguments).unwrap_or_else(|_| Value::Object(Map::new()));
            json!({ "function": { "name": name, "arguments": arguments } })
        });
        calls.collect()
    }
}

impl RequestedFormat {
    /// Returns the answer as one JSON document.
    pub(crate) fn document(&self, reply: &ScriptedReply) -> Value {
        let all = JoinedReply::of(reply);
        let finish = finish_reason(reply);
        if self.format == ApiFormat::Ollama {
            let mut message = json!({ "role": "assistant", "content": all.text });
            if !all.reasoning.is_empty() {
                message["thinking"] = json!(all.reasoning);
            }
            if !all.calls.is_empty() {
                message["tool_calls"] = json!(all.ollama_calls());
            }
            return self.ollama_end(&message, &all, finish);
        }
        let mut message = json!({ "role": "assistant", "content": all.text });
        if !all.reasoning.is_empty() {
            message["reasoning_content"] = json!(all.reasoning);
        }
        if !all.calls.is_empty() {
            message["tool_calls"] = json!(all.openai_calls());
        }
        json!({
            "id": "chatcmpl-scripted", "object": "chat.completion", "created": 0, "model": self.model,
            "choices": [{ "index": 0, "message": message, "finish_reason": finish }],
            "usage": openai_usage(all.usage()),
        })
    }

    /// Returns the answer as a stream.
    pub(crate) fn frames(&self, reply: &ScriptedReply) -> Vec<OutputPiece> {
        let all = JoinedReply::of(reply);
        let mut frames = Vec::new();
        if self.format == ApiFormat::OpenAi {
            frames.push(self.openai_chunk(&json!({ "role": "assistant", "content": "" }), None));
        }
        frames.extend(reply.steps.iter().filter_map(|step| self.frame(step)));
        if self.format == ApiFormat::Ollama && !all.calls.is_empty() {
            frames.push(self.ollama_chunk(&json!({ "content": "", "tool_calls": all.ollama_calls() })));
        }
        self.end(reply, &all, &mut frames);
        if !reply.after_the_end.is_empty() {
            frames.push(OutputPiece::Bytes(reply.after_the_end.clone()));
        }
        match reply.piece {
            Some(size) => in_pieces(frames, size),
            None => frames,
        }
    }

    fn frame(&self, step: &ReplyStep) -> Option<OutputPiece> {
        let frame = match (step, self.format) {
            (ReplyStep::Raw(bytes), _) => OutputPiece::Bytes(bytes.clone()),
            (ReplyStep::Wait(gate), _) => OutputPiece::Wait(gate.clone()),
            (ReplyStep::Pause(time), _) => OutputPiece::Pause(*time),
            (ReplyStep::Usage { .. }, _) | (ReplyStep::ToolCall { .. }, ApiFormat::Ollama) => return None,
            (ReplyStep::Endless(text), _) => match self.frame(&ReplyStep::Text(text.clone()))? {
                OutputPiece::Bytes(bytes) => OutputPiece::Endless(bytes),
                other => other,
            },
            (ReplyStep::Text(text), ApiFormat::OpenAi) => {
                self.openai_chunk(&json!({ "content": text }), None)
            }
            (ReplyStep::Text(text), ApiFormat::Ollama) => self.ollama_chunk(&json!({ "content": text })),
            (ReplyStep::Reasoning(text), ApiFormat::OpenAi) => {
                self.openai_chunk(&json!({ "reasoning_content": text }), None)
            }
            (ReplyStep::Reasoning(text), ApiFormat::Ollama) => {
                self.ollama_chunk(&json!({ "content": "", "thinking": text }))
            }
            (ReplyStep::ToolCall { index, id, name, arguments }, ApiFormat::OpenAi) => {
                let mut call = json!({ "index": index, "function": { "arguments": arguments } });
                if let Some(id) = id {
                    call["id"] = json!(id);
                    call["type"] = json!("function");
                }
                if let Some(name) = name {
                    call["function"]["name"] = json!(name);
                }
                self.openai_chunk(&json!({ "tool_calls": [call] }), None)
            }
        };
        Some(frame)
    }

    fn end(&self, reply: &ScriptedReply, all: &JoinedReply, frames: &mut Vec<OutputPiece>) {
        match reply.ending {
            ReplyEnding::Cut => return frames.push(OutputPiece::Cut),
            ReplyEnding::Silence => return frames.push(OutputPiece::Silence),
            ReplyEnding::Truncated => return,
            ReplyEnding::Finished(_) | ReplyEnding::NoMarker => {}
        }
        let finish = finish_reason(reply);
        let with_marker = matches!(reply.ending, ReplyEnding::Finished(_));
        if self.format == ApiFormat::Ollama {
            if with_marker {
                let end = self.ollama_end(&json!({ "role": "assistant", "content": "" }), all, finish);
                frames.push(OutputPiece::Bytes(format!("{end}\n").into_bytes()));
            }
            return;
        }
        frames.push(self.openai_chunk(&json!({}), Some(finish)));
        if self.usage || all.usage.is_some() {
            let mut chunk = self.openai_head();
            chunk["choices"] = json!([]);
            chunk["usage"] = openai_usage(all.usage());
            frames.push(OutputPiece::Bytes(format!("data: {chunk}\n\n").into_bytes()));
        }
        if with_marker {
            frames.push(OutputPiece::Bytes(b"data: [DONE]\n\n".to_vec()));
        }
    }

    fn openai_head(&self) -> Value {
        json!({ "id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 0, "model": self.model })
    }

    fn openai_chunk(&self, delta: &Value, finish: Option<&str>) -> OutputPiece {
        let mut chunk = self.openai_head();
        chunk["choices"] = json!([{ "index": 0, "delta": delta, "finish_reason": finish }]);
        OutputPiece::Bytes(format!("data: {chunk}\n\n").into_bytes())
    }

    fn ollama_chunk(&self, message: &Value) -> OutputPiece {
        let mut message = message.clone();
        message["role"] = json!("assistant");
        let chunk = json!({ "model": self.model, "created_at": "2026-01-01T00:00:00Z", "message": message, "done": false });
        OutputPiece::Bytes(format!("{chunk}\n").into_bytes())
    }

    fn ollama_end(&self, message: &Value, all: &JoinedReply, finish: &str) -> Value {
        let (prompt, _, completion) = all.usage();
        let reason = if finish == "length" { "length" } else { "stop" };
        json!({
            "model": self.model, "created_at": "2026-01-01T00:00:00Z", "message": message, "done": true,
            "done_reason": reason, "prompt_eval_count": prompt, "eval_count": completion,
        })
    }
}

fn finish_reason(reply: &ScriptedReply) -> &'static str {
    match reply.ending {
        ReplyEnding::Finished(reason) => reason,
        _ => "stop",
    }
}

fn openai_usage((prompt, cached, completion): (u32, u32, u32)) -> Value {
    json!({
        "prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion,
        "prompt_tokens_details": { "cached_tokens": cached },
    })
}

fn in_pieces(frames: Vec<OutputPiece>, size: usize) -> Vec<OutputPiece> {
    let mut cut = Vec::new();
    for frame in frames {
        match frame {
            OutputPiece::Bytes(bytes) => {
                cut.extend(bytes.chunks(size).map(|piece| OutputPiece::Bytes(piece.to_vec())));
            }
            other => cut.push(other),
        }
    }
    cut
}
