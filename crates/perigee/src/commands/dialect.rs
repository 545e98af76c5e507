//! `perigee dialect`: reply parsing on its own, for inspection.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use ::dialect::{ReplyParser, ReplyPart, ReplySyntax, ReplyVocabulary, TemplateInput};
use anyhow::Context as _;
use clap::Args;
use host::Clock as _;
use serde_json::{Map, Value, json};
use template::Template;

/// The input limit for a reply, in bytes.
const LONGEST: u64 = 64 << 20;
/// The input limit for a file of tools or a template, in bytes.
const LONGEST_FILE: u64 = 4 << 20;

#[derive(Debug, Args)]
#[command(after_help = "Example:
  perigee dialect --template chat_template.jinja --tools tools.json --json < reply.txt")]
pub struct DialectCommandOptions {
    /// The chat template of the model that wrote the reply.
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,
    /// The tools offered to the model: a JSON list, as in an OpenAI request.
    #[arg(long, value_name = "FILE")]
    tools: Option<PathBuf>,
    /// Parse the reply in pieces of this many characters.
    #[arg(long, value_name = "N")]
    cut: Option<usize>,
    /// Print the syntax learned from the template, and parse nothing.
    #[arg(long, requires = "template")]
    syntax: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(options: &DialectCommandOptions) -> anyhow::Result<ExitCode> {
    let tools = match &options.tools {
        Some(path) => tools(path)?,
        None => Vec::new(),
    };
    let learned = options.template.as_deref().map(|path| learn(path, &tools)).transpose()?;
    let (syntax, opening) = learned.unwrap_or_default();
    if options.syntax {
        terminal::print(&format!("{}\n", serde_json::to_string_pretty(&syntax)?));
        return Ok(ExitCode::SUCCESS);
    }
    let mut reply = Vec::new();
    std::io::stdin().lock().take(LONGEST).read_to_end(&mut reply).context("the reply cannot be read")?;
    let reply = String::from_utf8_lossy(&reply);
    let read = read(&reply, &opening, options.cut, vocabulary(&tools, &syntax), &tools);
    if options.json {
        terminal::print(&format!("{}\n", read.json()));
    } else {
        terminal::print(&read.words());
    }
    Ok(ExitCode::SUCCESS)
}

struct Tool {
    name: String,
    parameters: Value,
    described: Value,
}

fn tools(path: &Path) -> anyhow::Result<Vec<Tool>> {
    let text = file(path)?;
    let listed: Value =
        serde_json::from_str(&text).with_context(|| format!("{} is not valid JSON", path.display()))?;
    let listed = listed.get("tools").unwrap_or(&listed);
    let Value::Array(listed) = listed else {
        anyhow::bail!("{} holds no list of tools", path.display());
    };
    let tools = listed.iter().filter_map(|tool| {
        let function = tool.get("function").unwrap_or(tool);
        let name = function.get("name").or(Some(function)).and_then(Value::as_str)?.to_owned();
        let parameters =
            ["parameters", "input_schema", "inputSchema"].iter().find_map(|key| function.get(*key));
        let parameters = parameters.cloned().unwrap_or_else(|| json!({"type": "object", "properties": {}}));
        let described = json!({"type": "function", "function": {
            "name": name, "description": function.get("description").cloned().unwrap_or_else(|| json!("")),
            "parameters": parameters,
        }});
        Some(Tool { name, parameters, described })
    });
    Ok(tools.collect())
}

fn file(path: &Path) -> anyhow::Result<String> {
    let failed = || format!("{} cannot be read", path.display());
    let mut text = String::new();
    let file = std::fs::File::open(path).with_context(failed)?;
    file.take(LONGEST_FILE).read_to_string(&mut text).with_context(failed)?;
    Ok(text)
}

/// Returns the model's syntax and the section that its prompt has already opened when the reply begins.
fn learn(path: &Path, tools: &[Tool]) -> anyhow::Result<(ReplySyntax, String)> {
    let clock = host::SystemClock;
    let now = Arc::new(move || clock.now().to_zoned(clock.time_zone()));
    let template = Template::new(&file(path)?, "<s>", "</s>", now)?;
    let syntax = template.learn().syntax;
    let messages = vec![json!({"role": "user", "content": "Hello"})];
    let tools = tools.iter().map(|tool| tool.described.clone()).collect();
    let talk = TemplateInput { messages, tools, add_generation_prompt: true, enable_thinking: None };
    // If a template refuses tools, the prompt is rendered without them.
    let prompt =
        template.render(&talk).or_else(|_| template.render(&TemplateInput { tools: Vec::new(), ..talk }));
    let opening = prompt.ok().and_then(|prompt| syntax.thought_opened_by(&prompt).map(str::to_owned));
    Ok((syntax, opening.unwrap_or_default()))
}

fn vocabulary(tools: &[Tool], syntax: &ReplySyntax) -> ReplyVocabulary {
    let names = tools.iter().map(|tool| tool.name.clone());
    let mut vocabulary = ReplyVocabulary::new(names, Vec::<String>::new()).with_unknown_tools();
    for tool in tools {
        let properties = tool.parameters.get("properties").and_then(Value::as_object);
        let names = properties.into_iter().flat_map(|properties| properties.keys().cloned());
        vocabulary = vocabulary.with_parameters(&tool.name, names);
    }
    vocabulary.with_syntax(syntax)
}

#[derive(Default)]
struct Read {
    text: String,
    reasoning: String,
    calls: Vec<(String, Map<String, Value>)>,
    /// The reasons why calls could not be parsed.
    flaws: Vec<String>,
}

fn read(reply: &str, opening: &str, cut: Option<usize>, vocabulary: ReplyVocabulary, tools: &[Tool]) -> Read {
    let mut parser = ReplyParser::new(Arc::new(vocabulary));
    let mut pieces = parser.push(opening);
    match cut.filter(|length| *length > 0) {
        Some(length) => {
            let mut rest = reply;
            while !rest.is_empty() {
                let end = rest.char_indices().nth(length).map_or(rest.len(), |(place, _)| place);
                pieces.extend(parser.push(&rest[..end]));
                rest = &rest[end..];
            }
        }
        None => pieces.extend(parser.push(reply)),
    }
    pieces.extend(parser.finish());
    let mut read = Read::default();
    for piece in pieces {
        match piece {
            ReplyPart::Text(text) => read.text.push_str(&text),
            ReplyPart::Reasoning(text) => read.reasoning.push_str(&text),
            ReplyPart::Call(call) => {
                let tool = tools.iter().find(|tool| tool.name == call.name);
                let schema = tool.map_or(&Value::Null, |tool| &tool.parameters);
                read.calls.push((call.name, call.arguments.fit(schema)));
            }
            ReplyPart::Flawed { text, why } => {
                read.text.push_str(ReplyPart::shown_of_flawed(&text));
                read.flaws.push(why);
            }
        }
    }
    read
}

impl Read {
    fn json(&self) -> Value {
        let calls: Vec<Value> = self
            .calls
            .iter()
            .map(|(name, arguments)| json!({"name": name, "arguments": arguments}))
            .collect();
        let mut printed = json!({
            "text": self.text.trim(), "reasoning": self.reasoning.trim(), "calls": calls, "shown": self.shown(),
        });
        if !self.flaws.is_empty() {
            printed["flaws"] = json!(self.flaws);
        }
        printed
    }

    /// Returns the text as shown to the user, in which a removed call leaves at most a paragraph break.
    fn shown(&self) -> String {
        let mut shown = self.text.trim().to_owned();
        while shown.contains("\n\n\n") {
            shown = shown.replace("\n\n\n", "\n\n");
        }
        shown
    }

    fn words(&self) -> String {
        let mut words = String::new();
        for line in self.reasoning.trim().lines() {
            words.extend(["> ", line, "\n"]);
        }
        if !self.text.trim().is_empty() {
            words.extend([self.shown().as_str(), "\n"]);
        }
        for (name, arguments) in &self.calls {
            let arguments = Value::Object(arguments.clone()).to_string();
            words.extend([name.as_str(), " ", &arguments, "\n"]);
        }
        for why in &self.flaws {
            words.extend(["not readable: ", why, "\n"]);
        }
        words
    }
}
