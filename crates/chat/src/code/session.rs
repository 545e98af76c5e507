use std::path::Path;
use std::process::ExitCode;

use client::{Client, TurnStream, with_query};
use protocol::{
    ApplyMode, CodeMeta, CodeMode, CodeRequest, CodeRootList, CodeRootRequest, CodeRunRequest,
    ConversationId, FileDecision, PlanStep, Proposal, ProposalId, ProposalList, ProposalStatus,
    VerifyRequest,
};
use serde_json::json;
use terminal::{
    Screen, TERMINATED, TextStyle, clean, clean_line, is_interactive, print, print_error, print_paragraph,
};

use super::review::{ReviewOutcome, review};
use crate::confirmations::ConfirmationPolicy;
use crate::reply_view::OutputFormat;
use crate::show_turn::{ShownTurn, show_turn};

/// The options of a code request.
#[derive(Debug, Clone, Default)]
pub struct CodeOptions {
    pub mode: CodeMode,
    pub focus: Option<String>,
    pub apply: Option<ApplyMode>,
    pub conversation: Option<ConversationId>,
}

/// A series of code requests in one workspace.
pub struct CodeSession<'a> {
    pub client: &'a Client,
    pub options: CodeOptions,
    root: String,
    format: OutputFormat,
    policy: ConfirmationPolicy,
    /// True if the next request is typed at the session's own prompt.
    pub at_prompt: bool,
    /// The steps of the last plan.
    plan: Vec<PlanStep>,
}

impl<'a> CodeSession<'a> {
    /// Opens the folder as the workspace.
    pub async fn open(
        client: &'a Client,
        folder: &Path,
        options: CodeOptions,
        format: OutputFormat,
        policy: ConfirmationPolicy,
    ) -> anyhow::Result<Self> {
        let path = std::path::absolute(folder)?.to_string_lossy().into_owned();
        let roots: CodeRootList =
            client.post("/api/code/root", &CodeRootRequest { path: path.clone() }).await?;
        let root = roots.current.unwrap_or(path);
        Ok(Self { client, options, root, format, policy, at_prompt: false, plan: Vec::new() })
    }

    pub fn root(&self) -> &str {
        &self.root
    }

    /// Sends a request and shows the proposed changes.
    pub async fn ask(&mut self, text: String) -> anyhow::Result<ExitCode> {
        self.send(self.request(text)).await
    }

    /// Executes the last plan.
    pub async fn carry_out(&mut self) -> anyhow::Result<ExitCode> {
        anyhow::ensure!(
            !self.plan.is_empty(),
            "there is no plan yet: choose /mode plan, and say what you want"
        );
        let steps = self.plan.iter().enumerate();
        let steps: Vec<String> =
            steps.map(|(number, step)| format!("{}. {}", number + 1, step.title)).collect();
        let request = CodeRequest {
            mode: CodeMode::Agent,
            plan_context: Some(steps.join("\n")),
            ..self.request("Carry out the plan, step by step.".to_owned())
        };
        self.send(request).await
    }

    fn request(&self, text: String) -> CodeRequest {
        CodeRequest {
            mode: self.options.mode,
            text,
            conversation_id: self.options.conversation,
            root: Some(self.root.clone()),
            focus_file: self.options.focus.clone(),
            apply: self.options.apply,
            ..CodeRequest::default()
        }
    }

    async fn send(&mut self, mut request: CodeRequest) -> anyhow::Result<ExitCode> {
        let started = TurnStream::send_code_request(self.client, &mut request);
        let ShownTurn { code, outcome } = show_turn(self.client, started, self.format, self.policy).await;
        // The next request continues this conversation.
        self.options.conversation = outcome.conversation.or(self.options.conversation);
        if !outcome.plan.is_empty() && request.mode == CodeMode::Plan {
            self.plan = outcome.plan;
        }
        match &outcome.meta {
            Some(meta) if code == ExitCode::SUCCESS => self.report_changes(meta).await,
            Some(meta) if meta.requires_approval && self.format != OutputFormat::Json => {
                print_error(&format!(
                    "The changes made until then are not written. Review them with {}.",
                    self.command("review")
                ));
                Ok(code)
            }
            _ => Ok(code),
        }
    }

    /// Returns the command to tell the user: a slash command or a command line.
    fn command(&self, what: &str) -> String {
        if self.at_prompt { format!("`/{what}`") } else { format!("`perigee code --{what}`") }
    }

    /// Reports or reviews the changes of a finished request.
    async fn report_changes(&self, meta: &CodeMeta) -> anyhow::Result<ExitCode> {
        let code = if meta.ok { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        match (self.format, meta.proposal_id) {
            (OutputFormat::Json, _) | (_, None) => Ok(code),
            (_, Some(_)) if !meta.requires_approval => {
                let files: Vec<String> = meta.files.iter().map(|file| clean_line(file)).collect();
                print_paragraph(
                    TextStyle::DIM,
                    &format!("Written: {}. Undo it with {}.", files.join(", "), self.command("undo")),
                );
                Ok(code)
            }
            (OutputFormat::Rendered(_), Some(id)) if is_interactive() => {
                Ok(self.review_proposal(id).await?.unwrap_or(code))
            }
            (_, Some(_)) => {
                for file in &meta.diffs {
                    print(&clean(&file.diff));
                }
                print_error(&format!(
                    "Nothing is written yet. Review the changes with {}.",
                    self.command("review")
                ));
                Ok(code)
            }
        }
    }

    /// Reviews a proposal and returns the exit code if the program is to end.
    async fn review_proposal(&self, id: ProposalId) -> anyhow::Result<Option<ExitCode>> {
        let outcome = review(self.client, id, Screen::stdout()).await?;
        let message = match &outcome {
            ReviewOutcome::Applied(files) => {
                format!("Written: {}. Undo it with {}.", files.join(", "), self.command("undo"))
            }
            ReviewOutcome::Rejected => "Rejected: nothing is written.".to_owned(),
            ReviewOutcome::Later | ReviewOutcome::Interrupted(_) => {
                format!("Nothing is written yet. Review the changes again with {}.", self.command("review"))
            }
        };
        print_paragraph(TextStyle::DIM, &clean(&message));
        Ok(match outcome {
            // In a session, an interrupt ends only the review.
            ReviewOutcome::Interrupted(code) if !self.at_prompt || code == TERMINATED => {
                Some(ExitCode::from(code))
            }
            _ => None,
        })
    }

    /// Reviews an open proposal again.
    pub async fn review(&self) -> anyhow::Result<ExitCode> {
        anyhow::ensure!(is_interactive(), "a review needs a terminal");
        let open = self.proposals(|proposal| proposal.status == ProposalStatus::Open).await?;
        match open.first() {
            Some(proposal) => Ok(self.review_proposal(proposal.id).await?.unwrap_or(ExitCode::SUCCESS)),
            None => anyhow::bail!("there are no changes to review here"),
        }
    }

    pub async fn undo(&self) -> anyhow::Result<()> {
        // Undo applies to the change written last, whenever it was proposed.
        let written = self.proposals(|proposal| proposal.can_undo).await?;
        let Some(proposal) = written.iter().max_by_key(|proposal| proposal.changed_at) else {
            anyhow::bail!("there is nothing to undo here")
        };
        self.decide(proposal, "undo", "Undone").await
    }

    pub async fn redo(&self) -> anyhow::Result<()> {
        let undone = self.proposals(|proposal| proposal.can_redo).await?;
        let Some(proposal) = undone.iter().max_by_key(|proposal| proposal.changed_at) else {
            anyhow::bail!("there is nothing to redo here")
        };
        self.decide(proposal, "redo", "Redone").await
    }

    async fn decide(&self, proposal: &Proposal, what: &str, done: &str) -> anyhow::Result<()> {
        let path = format!("/api/code/proposals/{}/{what}", proposal.id);
        let _: Proposal = self.client.post(&path, &json!({})).await?;
        let written = proposal.files.iter().filter(|file| file.decision != FileDecision::None);
        let files: Vec<&str> = written.map(|file| file.path.as_str()).collect();
        print_paragraph(
            TextStyle::PLAIN,
            &clean(&format!("{done}: {} ({}).", proposal.title, files.join(", "))),
        );
        Ok(())
    }

    /// Returns the matching proposals of this workspace, newest first.
    async fn proposals(&self, fits: impl Fn(&Proposal) -> bool) -> anyhow::Result<Vec<Proposal>> {
        let path = with_query("/api/code/proposals", &[("root", &self.root)]);
        let list: ProposalList = self.client.get(&path).await?;
        Ok(list.proposals.into_iter().filter(fits).collect())
    }

    /// Builds and tests the files in their current state.
    pub async fn verify(&self) -> anyhow::Result<ExitCode> {
        let request = VerifyRequest { root: Some(self.root.clone()), ..VerifyRequest::default() };
        let started = TurnStream::start(self.client, "/api/code/verify", &request);
        Ok(Self::exit_code(show_turn(self.client, started, self.format, self.policy).await))
    }

    /// Runs a command in the sandbox.
    pub async fn run(&self, command: String) -> anyhow::Result<ExitCode> {
        let request = CodeRunRequest { command, root: Some(self.root.clone()) };
        let started = TurnStream::run_command(self.client, &request);
        let followed = show_turn(self.client, started, self.format, self.policy).await;
        if self.format != OutputFormat::Json
            && let Some(meta) = followed.outcome.meta.as_ref().filter(|meta| meta.requires_approval)
        {
            let files: Vec<String> = meta.files.iter().map(|file| clean_line(file)).collect();
            print_error(&format!(
                "The changes to {} are not written. Review them with {}.",
                files.join(", "),
                self.command("review")
            ));
        }
        Ok(Self::exit_code(followed))
    }

    /// Returns the exit code of a turn, which fails if its build, tests or command failed.
    fn exit_code(ShownTurn { code, outcome }: ShownTurn) -> ExitCode {
        let failed = outcome.meta.is_some_and(|meta| !meta.ok);
        if failed && code == ExitCode::SUCCESS { ExitCode::FAILURE } else { code }
    }
}
