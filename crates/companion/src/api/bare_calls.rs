//! Converts the tool calls in a bare model's text into the calls that an API client expects.

use std::collections::VecDeque;

use dialect::{ParsedCall, ReplyParser, ReplyPart, ReplySyntax};
use futures_util::{StreamExt, stream};
use model::{ChatStream, Delta, ModelError, ToolCallDelta, ToolSpec};
use protocol::StopReason;
use serde_json::Value;

use crate::prompt::tool_offer;

/// An answer that is being streamed to the client.
struct CallExtractor {
    deltas: ChatStream,
    parser: Option<ReplyParser>,
    tools: Vec<ToolSpec>,
    ready: VecDeque<Result<Delta, ModelError>>,
    /// The number of calls so far, both separate ones and those in the text.
    calls: u32,
    /// The number of calls found in the text.
    among: u32,
}

/// Extracts calls of the client's tools from the text, and reasoning if the model's syntax is known. Without tools and
/// syntax the stream is returned unchanged.
pub fn with_calls(deltas: ChatStream, tools: Vec<ToolSpec>, syntax: Option<&ReplySyntax>) -> ChatStream {
    if tools.is_empty() && syntax.is_none() {
        return deltas;
    }
    let parser = Some(ReplyParser::new(tool_offer::vocabulary_of_client(&tools, syntax)));
    let deltas = deltas.fuse().boxed();
    let extractor = CallExtractor { deltas, parser, tools, ready: VecDeque::new(), calls: 0, among: 0 };
    let deltas = stream::unfold(extractor, |mut extractor| async move {
        loop {
            if let Some(delta) = extractor.ready.pop_front() {
                return Some((delta, extractor));
            }
            match extractor.deltas.next().await {
                Some(delta) => extractor.take(delta),
                None => extractor.take_rest(),
            }
            if extractor.ready.is_empty() && extractor.parser.is_none() {
                return None;
            }
        }
    });
    deltas.boxed()
}

impl CallExtractor {
    fn take(&mut self, delta: Result<Delta, ModelError>) {
        match delta {
            Ok(Delta::Text(text)) => match &mut self.parser {
                Some(parser) => {
                    let pieces = parser.push(&text);
                    self.add(pieces);
                }
                None => self.ready.push_back(Ok(Delta::Text(text))),
            },
            Ok(Delta::ToolCall(mut call)) => {
                // The model's index does not count the calls found in the text.
                call.index += self.among;
                self.calls = self.calls.max(call.index + 1);
                self.ready.push_back(Ok(Delta::ToolCall(call)));
            }
            Ok(Delta::Stop(reason)) => {
                self.take_rest();
                let called = self.calls > 0 && reason == StopReason::End;
                self.ready.push_back(Ok(Delta::Stop(if called { StopReason::ToolCalls } else { reason })));
            }
            Ok(delta @ Delta::Usage { .. }) => {
                self.take_rest();
                self.ready.push_back(Ok(delta));
            }
            Ok(delta @ (Delta::Progress { .. } | Delta::Reasoning(_))) => self.ready.push_back(Ok(delta)),
            Err(error) => {
                self.take_rest();
                self.ready.push_back(Err(error));
            }
        }
    }

    fn take_rest(&mut self) {
        let pieces = self.parser.take().map(ReplyParser::finish);
        self.add(pieces.unwrap_or_default());
    }

    fn add(&mut self, pieces: Vec<ReplyPart>) {
        for piece in pieces {
            let delta = match piece {
                ReplyPart::Text(text) | ReplyPart::Flawed { text, .. } => Delta::Text(text),
                ReplyPart::Reasoning(text) => Delta::Reasoning(text),
                ReplyPart::Call(call) => self.call(call),
            };
            self.ready.push_back(Ok(delta));
        }
    }

    fn call(&mut self, call: ParsedCall) -> Delta {
        let schema = self.tools.iter().find(|tool| tool.name == call.name).map(|tool| &tool.parameters);
        let arguments = Value::Object(call.arguments.fit(schema.unwrap_or(&Value::Null)));
        let index = self.calls;
        self.calls += 1;
        self.among += 1;
        Delta::ToolCall(ToolCallDelta {
            index,
            id: Some(format!("call_{index}")),
            name: Some(call.name),
            arguments: arguments.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    async fn read(deltas: Vec<Delta>, tools: &[&str]) -> Vec<Delta> {
        let parameters = json!({"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}});
        let tools = tools.iter().map(|name| ToolSpec {
            name: (*name).into(),
            description: String::new(),
            parameters: parameters.clone(),
        });
        let deltas = stream::iter(deltas.into_iter().map(Ok)).boxed();
        with_calls(deltas, tools.collect(), None).map(Result::unwrap).collect().await
    }

    fn call(index: u32, arguments: &str) -> Delta {
        let (id, name) = (Some(format!("call_{index}")), Some("weather".into()));
        Delta::ToolCall(ToolCallDelta { index, id, name, arguments: arguments.into() })
    }

    #[tokio::test]
    async fn calls_among_the_words_become_calls() {
        let text = |text: &str| Delta::Text(text.into());
        let usage = Delta::Usage { prompt: 1, cached: 0, completion: 2 };
        let said = vec![
            text("<tool_call>\n{\"name\": \"weather\", \"argu"),
            text("ments\": {\"city\": \"Kiel\", \"days\": \"3\"}}\n</tool_call>"),
            usage.clone(),
            Delta::Stop(StopReason::End),
        ];
        let expected = [call(0, "{\"city\":\"Kiel\",\"days\":3}"), usage, Delta::Stop(StopReason::ToolCalls)];
        assert_eq!(read(said.clone(), &["weather"]).await, expected);
        assert_eq!(read(said.clone(), &[]).await, said, "a client without tools gets the words");
        let plain = vec![text("It rains."), Delta::Stop(StopReason::Length)];
        assert_eq!(read(plain.clone(), &["weather"]).await, plain);
        // The stream ends without a stop event; text that the parser held back is not lost.
        assert_eq!(read(vec![text("<tool_call>{")], &["weather"]).await, [text("<tool_call>{")]);
    }
}
