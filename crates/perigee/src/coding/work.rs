use std::path::Path;
use std::process::ExitCode;

use protocol::{
    ApplyMode, CodeMeta, CodeMode, CodeRequest, CodeRootList, CodeRootRequest, CodeRunRequest,
    ConversationId, FileDecision, PlanStep, Proposal, ProposalId, ProposalList, ProposalStatus,
    VerifyRequest,
};
use serde_json::json;

use super::review::{Reviewed, review};
use crate::chat::{self, Answering, Followed, Manner, Turn};
use crate::client::Client;
use crate::commands::{TERMINATED, in_path};
use crate::terminal::{self, Style, clean, clean_line, tell};

/// The options of a code request.
#[derive(Debug, Clone, Default)]
pub struct Asking {
    pub mode: CodeMode,
    pub focus: Option<String>,
    pub apply: Option<ApplyMode>,
    pub conversation: Option<ConversationId>,
}

/// The active work in one workspace.
pub struct Work<'a> {
    pub client: &'a Client,
    pub asking: Asking,
    root: String,
    manner: Manner,
    answering: Answering,
    /// True if the next request is typed at the session's own prompt.
    pub at_prompt: bool,
    /// The steps of the last plan.
    plan: Vec<PlanStep>,
}

impl<'a> Work<'a> {
    /// Opens the folder as the workspace.
    pub async fn begin(
        client: &'a Client,
        folder: &Path,
        asking: Asking,
        manner: Manner,
        answering: Answering,
    ) -> anyhow::Result<Self> {
        let path = std::path::absolute(folder)?.to_string_lossy().into_owned();
        let roots: CodeRootList =
            client.post("/api/code/root", &CodeRootRequest { path: path.clone() }).await?;
        let root = roots.current.unwrap_or(path);
        Ok(Self { client, asking, root, manner, answering, at_prompt: false, plan: Vec::new() })
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
        anyhow::ensure!(!self.plan.is_empty(), "there is no plan yet: /mode plan, and say what you want");
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
            mode: self.asking.mode,
            text,
            conversation_id: self.asking.conversation,
            root: Some(self.root.clone()),
            focus_file: self.asking.focus.clone(),
            apply: self.asking.apply,
            ..CodeRequest::default()
        }
    }

    async fn send(&mut self, mut request: CodeRequest) -> anyhow::Result<ExitCode> {
        let begun = Turn::work(self.client, &mut request);
        let Followed { code, told } = chat::follow(self.client, begun, self.manner, self.answering).await;
        // The next request continues this conversation.
        self.asking.conversation = told.conversation.or(self.asking.conversation);
        if !told.plan.is_empty() && request.mode == CodeMode::Plan {
            self.plan = told.plan;
        }
        match &told.meta {
            Some(meta) if code == ExitCode::SUCCESS => self.conclude(meta).await,
            Some(meta) if meta.requires_approval && self.manner != Manner::Json => {
                eprintln!(
                    "What she changed until then is not written: {} looks at it.",
                    self.command("review")
                );
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
    async fn conclude(&self, meta: &CodeMeta) -> anyhow::Result<ExitCode> {
        let code = if meta.ok { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        match (self.manner, meta.proposal_id) {
            (Manner::Json, _) | (_, None) => Ok(code),
            (_, Some(_)) if !meta.requires_approval => {
                let files: Vec<String> = meta.files.iter().map(|file| clean_line(file)).collect();
                tell(
                    Style::DIM,
                    &format!("Written: {}. {} takes it back.", files.join(", "), self.command("undo")),
                );
                Ok(code)
            }
            (Manner::Rendered(_), Some(id)) if terminal::is_interactive() => {
                Ok(self.look_at(id).await?.unwrap_or(code))
            }
            (_, Some(_)) => {
                for file in &meta.diffs {
                    terminal::print(&clean(&file.diff));
                }
                eprintln!("Nothing is written yet: {} looks at it.", self.command("review"));
                Ok(code)
            }
        }
    }

    /// Reviews a proposal and returns the exit code if the program is to end.
    async fn look_at(&self, id: ProposalId) -> anyhow::Result<Option<ExitCode>> {
        let reviewed = review(self.client, id, terminal::Screen::stdout()).await?;
        let said = match &reviewed {
            Reviewed::Applied(files) => {
                format!("Written: {}. {} takes it back.", files.join(", "), self.command("undo"))
            }
            Reviewed::Rejected => "Put aside: nothing is written.".to_owned(),
            Reviewed::Later | Reviewed::BrokenOff(_) => {
                format!("Nothing is written yet: {} looks at it again.", self.command("review"))
            }
        };
        tell(Style::DIM, &clean(&said));
        Ok(match reviewed {
            // In a session, an interrupt ends only the review.
            Reviewed::BrokenOff(code) if !self.at_prompt || code == TERMINATED => Some(ExitCode::from(code)),
            _ => None,
        })
    }

    /// Reviews an open proposal again.
    pub async fn review(&self) -> anyhow::Result<ExitCode> {
        anyhow::ensure!(terminal::is_interactive(), "a review needs a terminal");
        let open = self.proposals(|proposal| proposal.status == ProposalStatus::Open).await?;
        match open.first() {
            Some(proposal) => Ok(self.look_at(proposal.id).await?.unwrap_or(ExitCode::SUCCESS)),
            None => anyhow::bail!("nothing is waiting here"),
        }
    }

    pub async fn undo(&self) -> anyhow::Result<()> {
        // Undo applies to the change written last, whenever it was proposed.
        let written = self.proposals(|proposal| proposal.can_undo).await?;
        let Some(proposal) = written.iter().max_by_key(|proposal| proposal.changed_at) else {
            anyhow::bail!("there is nothing to take back here")
        };
        self.decide(proposal, "undo", "Taken back").await
    }

    pub async fn redo(&self) -> anyhow::Result<()> {
        let undone = self.proposals(|proposal| proposal.can_redo).await?;
        let Some(proposal) = undone.iter().max_by_key(|proposal| proposal.changed_at) else {
            anyhow::bail!("there is nothing to do once more here")
        };
        self.decide(proposal, "redo", "Done once more").await
    }

    async fn decide(&self, proposal: &Proposal, what: &str, done: &str) -> anyhow::Result<()> {
        let path = format!("/api/code/proposals/{}/{what}", proposal.id);
        let _: Proposal = self.client.post(&path, &json!({})).await?;
        let landed = proposal.files.iter().filter(|file| file.decision != FileDecision::None);
        let files: Vec<&str> = landed.map(|file| file.path.as_str()).collect();
        tell(Style::PLAIN, &clean(&format!("{done}: {} ({}).", proposal.title, files.join(", "))));
        Ok(())
    }

    /// Returns the matching proposals of this workspace, newest first.
    async fn proposals(&self, fits: impl Fn(&Proposal) -> bool) -> anyhow::Result<Vec<Proposal>> {
        let door = format!("/api/code/proposals?root={}", in_path(&self.root));
        let list: ProposalList = self.client.get(&door).await?;
        Ok(list.proposals.into_iter().filter(fits).collect())
    }

    /// Builds and tests the files in their current state.
    pub async fn verify(&self) -> anyhow::Result<ExitCode> {
        let request = VerifyRequest { root: Some(self.root.clone()), ..VerifyRequest::default() };
        let begun = Turn::run(self.client, "/api/code/verify", &request);
        Ok(Self::ended(chat::follow(self.client, begun, self.manner, self.answering).await))
    }

    /// Runs a command in the sandbox.
    pub async fn run(&self, command: String) -> anyhow::Result<ExitCode> {
        let request = CodeRunRequest { command, root: Some(self.root.clone()) };
        let begun = Turn::command(self.client, &request);
        let followed = chat::follow(self.client, begun, self.manner, self.answering).await;
        if self.manner != Manner::Json
            && let Some(meta) = followed.told.meta.as_ref().filter(|meta| meta.requires_approval)
        {
            let files: Vec<String> = meta.files.iter().map(|file| clean_line(file)).collect();
            eprintln!(
                "What it changed is not written: {}. {} looks at it.",
                files.join(", "),
                self.command("review")
            );
        }
        Ok(Self::ended(followed))
    }

    /// Returns the exit code of a turn, which fails if its build, tests or command failed.
    fn ended(Followed { code, told }: Followed) -> ExitCode {
        let failed = told.meta.is_some_and(|meta| !meta.ok);
        if failed && code == ExitCode::SUCCESS { ExitCode::FAILURE } else { code }
    }
}
