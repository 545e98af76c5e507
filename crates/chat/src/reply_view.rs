use std::time::Instant;

use client::TurnEvent;
use protocol::{
    CodeMeta, ConversationId, Event, PlanStep, RelevantFile, StepStatus, StopReason, ToolStatus, VerifyError,
    VerifyStage,
};
use terminal::{MarkdownRenderer, Screen, StatusLine, clean, clean_line, duration, print, print_error};

/// Commands with visual results, which a terminal cannot show.
const VISUAL_COMMANDS: [&str; 3] = ["widget", "map", "scene"];

/// The maximum number of build errors shown.
const SHOWN_ERRORS: usize = 3;

/// The output format of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFormat {
    /// Formatted, for a user at a terminal.
    Rendered(Screen),
    /// The plain text, for a file or another program.
    Plain,
    /// JSON events, one per line.
    Json,
}

impl OutputFormat {
    /// Chooses the format that fits standard output.
    pub fn of(json: bool) -> Self {
        match (json, Screen::stdout()) {
            (true, _) => Self::Json,
            (false, Screen { width: None, .. }) => Self::Plain,
            (false, screen) => Self::Rendered(screen),
        }
    }
}

/// Shows a turn while it runs.
pub struct ReplyView {
    format: OutputFormat,
    /// A hint on how to show the thoughts, appended when they are folded.
    thoughts_hint: &'static str,
    status: StatusLine,
    body: Body,
    thoughts: Thoughts,
    outcome: TurnOutcome,
    /// True if tool output is printed as it arrives.
    pub shows_tool_output: bool,
}

enum Body {
    Empty,
    Rendered(MarkdownRenderer),
    Plain { ends_line: bool },
}

#[derive(Default)]
struct Thoughts {
    text: String,
    since: Option<Instant>,
}

/// The outcome of a turn.
#[derive(Debug, Default)]
pub struct TurnOutcome {
    pub conversation: Option<ConversationId>,
    /// The steps of the plan, as of the last event.
    pub plan: Vec<PlanStep>,
    /// The result of a code request.
    pub meta: Option<CodeMeta>,
    pub thoughts: String,
    pub end: Option<TurnEnd>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnEnd {
    Done(StopReason),
    Failed(String),
}

impl ReplyView {
    pub fn new(format: OutputFormat, thoughts_hint: &'static str) -> Self {
        let mut status = StatusLine::on_stderr();
        if matches!(format, OutputFormat::Rendered(_)) {
            status.show("…");
        }
        Self {
            format,
            thoughts_hint,
            status,
            body: Body::Empty,
            thoughts: Thoughts::default(),
            outcome: TurnOutcome::default(),
            shows_tool_output: false,
        }
    }

    pub fn show(&mut self, event: &TurnEvent) {
        if self.format == OutputFormat::Json {
            print(&format!("{}\n", event.json));
        }
        match &event.event {
            // By default, tool output is left out, as a build may print many lines. Proposals are reviewed at the end.
            Event::ToolOutput { text, .. } if self.shows_tool_output && self.format != OutputFormat::Json => {
                self.end_text();
                print(&clean(text));
            }
            Event::Memory { .. } | Event::ToolOutput { .. } | Event::Proposal { .. } | Event::Usage(_) => {}
            Event::Metadata { conversation_id, .. } => self.outcome.conversation = Some(*conversation_id),
            Event::Context { files, .. } => self.context(files),
            Event::Verify { stage, ok, output, errors } => self.verify(*stage, *ok, output, errors),
            Event::Meta(meta) => self.outcome.meta = Some(meta.clone()),
            Event::Progress { stage, done, total, seconds_left } => {
                self.show_status(&progress(stage, *done, *total, *seconds_left));
            }
            Event::Reasoning { content } => self.think(content),
            Event::Token { content } => self.text(content),
            Event::Tool { name, status, .. } => self.tool(name, *status),
            Event::Command { command, .. } => self.command(&command.action),
            // The question itself is printed by the code that answers it.
            Event::Confirmation(_) => self.end_text(),
            Event::Plan { steps } => {
                let running = steps.iter().find(|step| step.status == StepStatus::Running);
                if let Some(step) = running {
                    self.print_note(&clean_line(&step.title));
                }
                self.outcome.plan.clone_from(steps);
            }
            Event::Done { stop_reason, .. } => self.outcome.end = Some(TurnEnd::Done(*stop_reason)),
            Event::Error { message, .. } => self.outcome.end = Some(TurnEnd::Failed(message.clone())),
        }
    }

    /// Ends the output and returns the outcome.
    pub fn finish(mut self) -> TurnOutcome {
        self.fold_thoughts();
        self.status.clear();
        match std::mem::replace(&mut self.body, Body::Empty) {
            Body::Rendered(renderer) => print(&renderer.finish()),
            Body::Plain { ends_line: false } => print("\n"),
            Body::Plain { .. } | Body::Empty => {}
        }
        self.outcome.thoughts = std::mem::take(&mut self.thoughts.text);
        self.outcome
    }

    fn text(&mut self, content: &str) {
        self.fold_thoughts();
        self.status.clear();
        match self.format {
            OutputFormat::Json => {}
            OutputFormat::Plain => {
                let text = clean(content);
                print(&text);
                if !text.is_empty() {
                    self.body = Body::Plain { ends_line: text.ends_with('\n') };
                }
            }
            OutputFormat::Rendered(screen) => {
                if !matches!(self.body, Body::Rendered(_)) {
                    self.body = Body::Rendered(MarkdownRenderer::new(screen));
                }
                if let Body::Rendered(renderer) = &mut self.body {
                    print(&renderer.push(content));
                }
            }
        }
    }

    fn think(&mut self, content: &str) {
        self.thoughts.since.get_or_insert_with(Instant::now);
        self.thoughts.text.push_str(content);
        let last: String = {
            let words: Vec<&str> = self.thoughts.text.split_whitespace().rev().take(8).collect();
            words.into_iter().rev().collect::<Vec<_>>().join(" ")
        };
        self.show_status(&format!("thinking … {last}"));
    }

    /// Replaces the thoughts by one dimmed line.
    fn fold_thoughts(&mut self) {
        let (Some(since), OutputFormat::Rendered(screen)) = (self.thoughts.since.take(), self.format) else {
            return;
        };
        // Thoughts in the middle of a reply must not interrupt its text.
        if !matches!(self.body, Body::Empty) {
            return;
        }
        self.status.clear();
        let line = format!("thought for {}{}", duration(since.elapsed().as_secs()), self.thoughts_hint);
        print(&format!("{}\n\n", screen.painter.dim(&line)));
    }

    fn tool(&mut self, name: &str, status: ToolStatus) {
        let name = clean_line(name);
        match status {
            ToolStatus::Requested | ToolStatus::Running => self.show_status(&format!("{name} …")),
            ToolStatus::Waiting => {}
            ToolStatus::Done => self.print_note(&name),
            ToolStatus::Failed => self.print_note(&format!("{name} failed")),
            ToolStatus::Denied => self.print_note(&format!("{name} was not allowed")),
            ToolStatus::Blocked => self.print_note(&format!("{name} is blocked")),
        }
    }

    /// Shows the files that the turn starts with, and the reasons.
    fn context(&mut self, files: &[RelevantFile]) {
        for file in files {
            let why = if file.reasons.is_empty() {
                String::new()
            } else {
                format!(": {}", file.reasons.join(", "))
            };
            self.print_note(&clean_line(&format!("looks at {}{why}", file.path)));
        }
    }

    fn verify(&mut self, stage: VerifyStage, ok: Option<bool>, output: &str, errors: &[VerifyError]) {
        let stage = match stage {
            VerifyStage::Build => "build",
            VerifyStage::Test => "tests",
            VerifyStage::Run => "run",
        };
        match ok {
            None => {
                let last = last_line(output).unwrap_or_default();
                self.show_status(&clean_line(&format!("{stage} … {last}")));
            }
            Some(true) => self.print_result(&format!("{stage}: passed")),
            Some(false) => {
                self.print_result(&format!("{stage}: failed"));
                for error in errors.iter().take(SHOWN_ERRORS) {
                    self.print_result(&format!("  {}", clean_line(&located(error))));
                }
                // Without a recognized error, the last line of the output is shown.
                if let (true, Some(last)) = (errors.is_empty(), last_line(output)) {
                    self.print_result(&format!("  {}", clean_line(last)));
                }
            }
        }
    }

    /// Names a visual command. Other commands are reported with their tool call.
    fn command(&mut self, action: &str) {
        if VISUAL_COMMANDS.contains(&action) {
            self.print_note(&format!("shows a {action} in the web app"));
        }
    }

    /// Prints a result that is needed without a terminal too; plain output writes it to standard error.
    fn print_result(&mut self, text: &str) {
        match self.format {
            OutputFormat::Plain => print_error(text),
            _ => self.print_note(text),
        }
    }

    /// Prints a dimmed line between the parts of the reply.
    fn print_note(&mut self, text: &str) {
        let OutputFormat::Rendered(screen) = self.format else { return };
        self.end_text();
        print(&format!("{}\n", screen.painter.dim(&format!("· {text}"))));
    }

    /// Ends the current text so that something else can be printed.
    fn end_text(&mut self) {
        if !matches!(self.format, OutputFormat::Rendered(_)) {
            return;
        }
        self.fold_thoughts();
        self.status.clear();
        if let Body::Rendered(renderer) = std::mem::replace(&mut self.body, Body::Empty) {
            print(&renderer.finish());
        }
    }

    fn show_status(&mut self, text: &str) {
        // A status line would interrupt the reply's text.
        if matches!(self.format, OutputFormat::Rendered(_)) && matches!(self.body, Body::Empty) {
            self.status.show(text);
        }
    }
}

/// The status before the first token: the stage, the progress in percent and the remaining time.
fn progress(stage: &str, done: u32, total: u32, seconds_left: Option<u32>) -> String {
    let what = match stage {
        "reading" => "Reading the conversation".to_owned(),
        other => tools::capital(other),
    };
    let percent = u64::from(done) * 100 / u64::from(total.max(1));
    let left = match seconds_left {
        None | Some(0) => String::new(),
        Some(seconds @ 1..90) => format!(", about {seconds} s left"),
        Some(seconds) => format!(", about {} min left", seconds.div_ceil(60)),
    };
    format!("{what} … {percent} %{left}")
}

fn last_line(text: &str) -> Option<&str> {
    text.lines().rev().find(|line| !line.trim().is_empty())
}

/// Formats an error as `src/main.rs:12: expected a comma`.
fn located(error: &VerifyError) -> String {
    match (&error.file, error.line) {
        (Some(file), Some(line)) => format!("{file}:{line}: {}", error.message),
        (Some(file), None) => format!("{file}: {}", error.message),
        (None, _) => error.message.clone(),
    }
}

/// Returns a remark about the end of a reply, or `None` if it ended normally.
pub fn end_remark(end: StopReason) -> Option<&'static str> {
    match end {
        StopReason::End | StopReason::ToolCalls => None,
        StopReason::Length => Some("The answer has reached its maximum length (llm.num_predict)."),
        StopReason::Stopped => Some("Stopped. The text so far is kept."),
        StopReason::Cut => Some("The answer was cut off. The text so far is kept."),
    }
}
