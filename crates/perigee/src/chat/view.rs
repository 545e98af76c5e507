use std::time::Instant;

use protocol::{
    CodeMeta, ConversationId, Event, PlanStep, RelevantFile, StepStatus, StopReason, ToolStatus, VerifyError,
    VerifyStage,
};

use crate::client::TurnEvent;
use crate::markdown::Renderer;
use crate::terminal::{self, Screen, StatusLine, clean, clean_line, duration};

/// Commands with visual results, which a terminal cannot show.
const SEEN_ONLY: [&str; 3] = ["widget", "map", "scene"];

/// The maximum number of build errors shown.
const SHOWN_ERRORS: usize = 3;

/// The output format of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Formatted, for a user at a terminal.
    Rendered(Screen),
    /// The plain text, for a file or another program.
    Plain,
    /// JSON events, one per line.
    Json,
}

impl Manner {
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
    manner: Manner,
    /// A hint on how to show the thoughts, appended when they are folded.
    unfolding: &'static str,
    status: StatusLine,
    body: Body,
    thoughts: Thoughts,
    told: Told,
    /// True if tool output is printed as it arrives.
    pub echoes: bool,
}

enum Body {
    Empty,
    Rendered(Renderer),
    Plain { ends_line: bool },
}

#[derive(Default)]
struct Thoughts {
    text: String,
    since: Option<Instant>,
}

/// The outcome of a turn.
#[derive(Debug, Default)]
pub struct Told {
    pub conversation: Option<ConversationId>,
    /// The steps of the plan, as of the last event.
    pub plan: Vec<PlanStep>,
    /// The result of a code request.
    pub meta: Option<CodeMeta>,
    pub thoughts: String,
    pub end: Option<End>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    Done(StopReason),
    Failed(String),
}

impl ReplyView {
    pub fn new(manner: Manner, unfolding: &'static str) -> Self {
        let mut status = StatusLine::new();
        if matches!(manner, Manner::Rendered(_)) {
            status.show("…");
        }
        Self {
            manner,
            unfolding,
            status,
            body: Body::Empty,
            thoughts: Thoughts::default(),
            told: Told::default(),
            echoes: false,
        }
    }

    pub fn show(&mut self, event: &TurnEvent) {
        if self.manner == Manner::Json {
            terminal::print(&format!("{}\n", event.json));
        }
        match &event.event {
            // By default, tool output is left out, as a build may print many lines. Proposals are reviewed at the end.
            Event::ToolOutput { text, .. } if self.echoes && self.manner != Manner::Json => {
                self.make_room();
                terminal::print(&clean(text));
            }
            Event::Memory { .. } | Event::ToolOutput { .. } | Event::Proposal { .. } | Event::Usage(_) => {}
            Event::Metadata { conversation_id, .. } => self.told.conversation = Some(*conversation_id),
            Event::Context { files, .. } => self.context(files),
            Event::Verify { stage, ok, output, errors } => self.verify(*stage, *ok, output, errors),
            Event::Meta(meta) => self.told.meta = Some(meta.clone()),
            Event::Progress { stage, done, total, seconds_left } => {
                self.say_status(&progress(stage, *done, *total, *seconds_left));
            }
            Event::Reasoning { content } => self.think(content),
            Event::Token { content } => self.text(content),
            Event::Tool { name, status, .. } => self.tool(name, *status),
            Event::Command { command, .. } => self.command(&command.action),
            // The question itself is printed by the code that answers it.
            Event::Confirmation(_) => self.make_room(),
            Event::Plan { steps } => {
                let running = steps.iter().find(|step| step.status == StepStatus::Running);
                if let Some(step) = running {
                    self.line(&clean_line(&step.title));
                }
                self.told.plan.clone_from(steps);
            }
            Event::Done { stop_reason, .. } => self.told.end = Some(End::Done(*stop_reason)),
            Event::Error { message, .. } => self.told.end = Some(End::Failed(message.clone())),
        }
    }

    /// Ends the output and returns the outcome.
    pub fn finish(mut self) -> Told {
        self.fold_thoughts();
        self.status.clear();
        match std::mem::replace(&mut self.body, Body::Empty) {
            Body::Rendered(renderer) => terminal::print(&renderer.finish()),
            Body::Plain { ends_line: false } => terminal::print("\n"),
            Body::Plain { .. } | Body::Empty => {}
        }
        self.told.thoughts = std::mem::take(&mut self.thoughts.text);
        self.told
    }

    fn text(&mut self, content: &str) {
        self.fold_thoughts();
        self.status.clear();
        match self.manner {
            Manner::Json => {}
            Manner::Plain => {
                let text = clean(content);
                terminal::print(&text);
                if !text.is_empty() {
                    self.body = Body::Plain { ends_line: text.ends_with('\n') };
                }
            }
            Manner::Rendered(screen) => {
                if !matches!(self.body, Body::Rendered(_)) {
                    self.body = Body::Rendered(Renderer::new(screen));
                }
                if let Body::Rendered(renderer) = &mut self.body {
                    terminal::print(&renderer.push(content));
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
        self.say_status(&format!("thinking … {last}"));
    }

    /// Replaces the thoughts by one dimmed line.
    fn fold_thoughts(&mut self) {
        let (Some(since), Manner::Rendered(screen)) = (self.thoughts.since.take(), self.manner) else {
            return;
        };
        // Thoughts in the middle of a reply must not interrupt its text.
        if !matches!(self.body, Body::Empty) {
            return;
        }
        self.status.clear();
        let line = format!("thought for {}{}", duration(since.elapsed().as_secs()), self.unfolding);
        terminal::print(&format!("{}\n\n", screen.paint.dim(&line)));
    }

    fn tool(&mut self, name: &str, status: ToolStatus) {
        let name = clean_line(name);
        match status {
            ToolStatus::Requested | ToolStatus::Running => self.say_status(&format!("{name} …")),
            ToolStatus::Waiting => {}
            ToolStatus::Done => self.line(&name),
            ToolStatus::Failed => self.line(&format!("{name} failed")),
            ToolStatus::Denied => self.line(&format!("{name} was not allowed")),
            ToolStatus::Blocked => self.line(&format!("{name} is blocked")),
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
            self.line(&clean_line(&format!("looks at {}{why}", file.path)));
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
                self.say_status(&clean_line(&format!("{stage} … {last}")));
            }
            Some(true) => self.result(&format!("{stage}: passed")),
            Some(false) => {
                self.result(&format!("{stage}: failed"));
                for error in errors.iter().take(SHOWN_ERRORS) {
                    self.result(&format!("  {}", clean_line(&placed(error))));
                }
                // Without a recognized error, the last line of the output is shown.
                if let (true, Some(last)) = (errors.is_empty(), last_line(output)) {
                    self.result(&format!("  {}", clean_line(last)));
                }
            }
        }
    }

    /// Names a visual command. Other commands are reported with their tool call.
    fn command(&mut self, action: &str) {
        if SEEN_ONLY.contains(&action) {
            self.line(&format!("shows a {action} in the web app"));
        }
    }

    /// Prints a result that is needed without a terminal too; plain output writes it to standard error.
    fn result(&mut self, text: &str) {
        match self.manner {
            Manner::Plain => eprintln!("{text}"),
            _ => self.line(text),
        }
    }

    /// Prints a dimmed line between the parts of the reply.
    fn line(&mut self, text: &str) {
        let Manner::Rendered(screen) = self.manner else { return };
        self.make_room();
        terminal::print(&format!("{}\n", screen.paint.dim(&format!("· {text}"))));
    }

    /// Ends the current text so that something else can be printed.
    fn make_room(&mut self) {
        if !matches!(self.manner, Manner::Rendered(_)) {
            return;
        }
        self.fold_thoughts();
        self.status.clear();
        if let Body::Rendered(renderer) = std::mem::replace(&mut self.body, Body::Empty) {
            terminal::print(&renderer.finish());
        }
    }

    fn say_status(&mut self, text: &str) {
        // A status line would interrupt the reply's text.
        if matches!(self.manner, Manner::Rendered(_)) && matches!(self.body, Body::Empty) {
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
pub fn placed(error: &VerifyError) -> String {
    match (&error.file, error.line) {
        (Some(file), Some(line)) => format!("{file}:{line}: {}", error.message),
        (Some(file), None) => format!("{file}: {}", error.message),
        (None, _) => error.message.clone(),
    }
}

/// Returns a remark about the end of a reply, or `None` if it ended normally.
pub fn remark(end: StopReason) -> Option<&'static str> {
    match end {
        StopReason::End | StopReason::ToolCalls => None,
        StopReason::Length => Some("The answer has reached its greatest length (llm.num_predict)."),
        StopReason::Stopped => Some("Stopped. What had come is kept."),
        StopReason::Cut => Some("The answer was cut off. What had come is kept."),
    }
}
