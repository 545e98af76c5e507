use serde_json::{Map, Value, json};

use crate::play::Frame;
use crate::script::{Ending, Reply, Step};

/// The format in which a chat route answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    OpenAi,
    Ollama,
}

/// The properties of a request that determine its answer.
pub(crate) struct Asked {
    pub(crate) dialect: Dialect,
    pub(crate) model: String,
    pub(crate) usage: bool,
}

/// The joined content of a reply's steps.
#[derive(Default)]
struct Gathered {
    text: String,
    reasoning: String,
    calls: Vec<(Option<String>, Option<String>, String)>,
    usage: Option<(u32, u32, u32)>,
    pieces: u32,
}

impl Gathered {
    fn of(reply: &Reply) -> Self {
        let mut all = Self::default();
        for step in &reply.steps {
            match step {
                Step::Text(text) => {
                    all.text.push_str(text);
                    all.pieces += 1;
                }
                Step::Reasoning(text) => {
                    all.reasoning.push_str(text);
                    all.pieces += 1;
                }
                Step::ToolCall { index, id, name, arguments } => {
                    let index = *index as usize;
                    all.calls.resize_with(all.calls.len().max(index + 1), Default::default);
                    let call = &mut all.calls[index];
                    call.0 = call.0.take().or_else(|| id.clone());
                    call.1 = call.1.take().or_else(|| name.clone());
                    call.2.push_str(arguments);
                    all.pieces += 1;
                }
                Step::Usage { prompt, cached, completion } => {
                    all.usage = Some((*prompt, *cached, *completion));
                }
                Step::Raw(_) | Step::Wait(_) | Step::Pause(_) | Step::Endless(_) => {}
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

impl Asked {
    /// Returns the answer as one JSON document.
    pub(crate) fn document(&self, reply: &Reply) -> Value {
        let all = Gathered::of(reply);
        let finish = finish_reason(reply);
        if self.dialect == Dialect::Ollama {
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
    pub(crate) fn frames(&self, reply: &Reply) -> Vec<Frame> {
        let all = Gathered::of(reply);
        let mut frames = Vec::new();
        if self.dialect == Dialect::OpenAi {
            frames.push(self.openai_chunk(&json!({ "role": "assistant", "content": "" }), None));
        }
        frames.extend(reply.steps.iter().filter_map(|step| self.frame(step)));
        if self.dialect == Dialect::Ollama && !all.calls.is_empty() {
            frames.push(self.ollama_chunk(&json!({ "content": "", "tool_calls": all.ollama_calls() })));
        }
        self.end(reply, &all, &mut frames);
        if !reply.after_the_end.is_empty() {
            frames.push(Frame::Bytes(reply.after_the_end.clone()));
        }
        match reply.piece {
            Some(size) => in_pieces(frames, size),
            None => frames,
        }
    }

    fn frame(&self, step: &Step) -> Option<Frame> {
        let frame = match (step, self.dialect) {
            (Step::Raw(bytes), _) => Frame::Bytes(bytes.clone()),
            (Step::Wait(gate), _) => Frame::Wait(gate.clone()),
            (Step::Pause(time), _) => Frame::Pause(*time),
            (Step::Usage { .. }, _) | (Step::ToolCall { .. }, Dialect::Ollama) => return None,
            (Step::Endless(text), _) => match self.frame(&Step::Text(text.clone()))? {
                Frame::Bytes(bytes) => Frame::Endless(bytes),
                other => other,
            },
            (Step::Text(text), Dialect::OpenAi) => self.openai_chunk(&json!({ "content": text }), None),
            (Step::Text(text), Dialect::Ollama) => self.ollama_chunk(&json!({ "content": text })),
            (Step::Reasoning(text), Dialect::OpenAi) => {
                self.openai_chunk(&json!({ "reasoning_content": text }), None)
            }
            (Step::Reasoning(text), Dialect::Ollama) => {
                self.ollama_chunk(&json!({ "content": "", "thinking": text }))
            }
            (Step::ToolCall { index, id, name, arguments }, Dialect::OpenAi) => {
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

    fn end(&self, reply: &Reply, all: &Gathered, frames: &mut Vec<Frame>) {
        match reply.ending {
            Ending::Cut => return frames.push(Frame::Cut),
            Ending::Silence => return frames.push(Frame::Silence),
            Ending::Truncated => return,
            Ending::Finished(_) | Ending::NoMarker => {}
        }
        let finish = finish_reason(reply);
        let with_marker = matches!(reply.ending, Ending::Finished(_));
        if self.dialect == Dialect::Ollama {
            if with_marker {
                let end = self.ollama_end(&json!({ "role": "assistant", "content": "" }), all, finish);
                frames.push(Frame::Bytes(format!("{end}\n").into_bytes()));
            }
            return;
        }
        frames.push(self.openai_chunk(&json!({}), Some(finish)));
        if self.usage || all.usage.is_some() {
            let mut chunk = self.openai_head();
            chunk["choices"] = json!([]);
            chunk["usage"] = openai_usage(all.usage());
            frames.push(Frame::Bytes(format!("data: {chunk}\n\n").into_bytes()));
        }
        if with_marker {
            frames.push(Frame::Bytes(b"data: [DONE]\n\n".to_vec()));
        }
    }

    fn openai_head(&self) -> Value {
        json!({ "id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 0, "model": self.model })
    }

    fn openai_chunk(&self, delta: &Value, finish: Option<&str>) -> Frame {
        let mut chunk = self.openai_head();
        chunk["choices"] = json!([{ "index": 0, "delta": delta, "finish_reason": finish }]);
        Frame::Bytes(format!("data: {chunk}\n\n").into_bytes())
    }

    fn ollama_chunk(&self, message: &Value) -> Frame {
        let mut message = message.clone();
        message["role"] = json!("assistant");
        let chunk = json!({ "model": self.model, "created_at": "2026-01-01T00:00:00Z", "message": message, "done": false });
        Frame::Bytes(format!("{chunk}\n").into_bytes())
    }

    fn ollama_end(&self, message: &Value, all: &Gathered, finish: &str) -> Value {
        let (prompt, _, completion) = all.usage();
        let reason = if finish == "length" { "length" } else { "stop" };
        json!({
            "model": self.model, "created_at": "2026-01-01T00:00:00Z", "message": message, "done": true,
            "done_reason": reason, "prompt_eval_count": prompt, "eval_count": completion,
        })
    }
}

fn finish_reason(reply: &Reply) -> &'static str {
    match reply.ending {
        Ending::Finished(reason) => reason,
        _ => "stop",
    }
}

fn openai_usage((prompt, cached, completion): (u32, u32, u32)) -> Value {
    json!({
        "prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion,
        "prompt_tokens_details": { "cached_tokens": cached },
    })
}

fn in_pieces(frames: Vec<Frame>, size: usize) -> Vec<Frame> {
    let mut cut = Vec::new();
    for frame in frames {
        match frame {
            Frame::Bytes(bytes) => cut.extend(bytes.chunks(size).map(|piece| Frame::Bytes(piece.to_vec()))),
            other => cut.push(other),
        }
    }
    cut
}
