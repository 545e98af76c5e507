use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use agent_client_protocol_schema::ProtocolVersion;
use agent_client_protocol_schema::v1::{
    AGENT_METHOD_NAMES, AgentCapabilities, CLIENT_METHOD_NAMES, CancelNotification, ContentChunk, Error,
    Implementation, InitializeRequest, InitializeResponse, LoadSessionRequest, LoadSessionResponse,
    NewSessionRequest, NewSessionResponse, PermissionOption, PermissionOptionKind, PromptCapabilities,
    PromptRequest, PromptResponse, RequestId, RequestPermissionOutcome, RequestPermissionRequest,
    RequestPermissionResponse, SessionId, SessionMode, SessionModeState, SessionNotification, SessionUpdate,
    SetSessionModeRequest, SetSessionModeResponse, StopReason, ToolCallStatus, ToolCallUpdate,
    ToolCallUpdateFields,
};
use client::{Client, ErrorResponse, TurnStream};
use protocol::{
    ApplyRequest, ChatSummary, ChatView, CodeMeta, CodeMode, CodeRequest, CodeRootList, CodeRootRequest,
    ConfirmReply, ConfirmRequest, Confirmation, ConversationId, Event, FileChoice, LoadChatRequest,
    NewChatRequest, Proposal, ProposalId, Remember, Role,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::json_rpc::{EditorConnection, EditorMessage};
use crate::prompt::{self, EditorPrompt};
use crate::updates::{self, KnownCalls};

const MODES: [(CodeMode, &str, &str, &str); 4] = [
    (CodeMode::Agent, "agent", "Agent", "Changes files, and shows each change first"),
    (CodeMode::Ask, "ask", "Ask", "Answers, and changes nothing"),
    (CodeMode::Plan, "plan", "Plan", "Writes down the steps, and changes nothing"),
    (CodeMode::Repair, "repair", "Repair", "Fixes what an error is about"),
];

/// A session of the editor, which is a conversation in a workspace.
#[derive(Clone)]
struct Session {
    root: PathBuf,
    mode: CodeMode,
    /// Cancels the requests of this session.
    stop: CancellationToken,
}

struct Agent {
    client: Client,
    editor: EditorConnection,
    sessions: Mutex<HashMap<SessionId, Session>>,
}

/// Serves an editor until `input`, the lines that it sends, ends. `print` writes a line to it.
pub async fn serve(
    client: Client,
    mut input: mpsc::Receiver<String>,
    print: impl Fn(&str) + Send + 'static,
) -> anyhow::Result<()> {
    let (lines, mut sent) = mpsc::unbounded_channel::<String>();
    let writing = tokio::spawn(async move {
        while let Some(line) = sent.recv().await {
            print(&line);
        }
    });
    let agent = Arc::new(Agent { client, editor: EditorConnection::new(lines), sessions: Mutex::default() });
    let mut requests = tokio::task::JoinSet::new();
    while let Some(line) = input.recv().await {
        match agent.editor.read(&line) {
            Some(EditorMessage::Request { id, method, params }) => {
                let agent = Arc::clone(&agent);
                // Taken before the task starts: a cancel that is read next must stop this request even if it has not
                // begun.
                let stop = agent.cancellation(&params);
                requests.spawn(async move { agent.answer(id, &method, params, stop).await });
            }
            Some(EditorMessage::Notification { method, params }) => agent.notified(&method, params),
            None => {}
        }
        while requests.try_join_next().is_some() {}
    }
    // The editor has disconnected: the results of running requests have no receiver.
    agent.editor.disconnect();
    agent.stop_all();
    requests.join_all().await;
    if let Ok(agent) = Arc::try_unwrap(agent).map_err(drop) {
        drop(agent.editor);
        agent.client.close().await?;
    }
    writing.await.ok();
    Ok(())
}

impl Agent {
    async fn answer(&self, id: RequestId, method: &str, params: Value, stop: CancellationToken) {
        let names = AGENT_METHOD_NAMES;
        if method == names.initialize {
            self.reply(id, params, async |request: InitializeRequest| Ok(initialize(&request))).await;
        } else if method == names.authenticate {
            self.editor.answer(id, Ok(json!({})));
        } else if method == names.session_new {
            self.reply(id, params, async |request| self.new_session(request).await).await;
        } else if method == names.session_load {
            self.reply(id, params, async |request| self.load_session(request).await).await;
        } else if method == names.session_set_mode {
            self.reply(id, params, async |request| self.set_mode(&request)).await;
        } else if method == names.session_prompt {
            self.reply(id, params, async |request| self.prompt(request, stop).await).await;
        } else {
            self.editor.answer::<Value>(id, Err(Error::method_not_found()));
        }
    }

    async fn reply<P: DeserializeOwned, R: Serialize>(
        &self,
        id: RequestId,
        params: Value,
        work: impl AsyncFnOnce(P) -> Result<R, Error>,
    ) {
        let result = match serde_json::from_value(params) {
            Ok(params) => work(params).await,
            Err(error) => Err(Error::invalid_params().data(json!(error.to_string()))),
        };
        self.editor.answer(id, result);
    }

    fn notified(&self, method: &str, params: Value) {
        if method == AGENT_METHOD_NAMES.session_cancel
            && let Ok(cancel) = serde_json::from_value::<CancelNotification>(params)
            && let Some(session) = self.sessions().get_mut(&cancel.session_id)
        {
            std::mem::take(&mut session.stop).cancel();
        }
    }

    /// Returns the session's cancellation token, which the next cancel notification triggers.
    fn cancellation(&self, params: &Value) -> CancellationToken {
        let id = params.get("sessionId").and_then(Value::as_str).map(SessionId::new);
        id.and_then(|id| self.sessions().get(&id).map(|session| session.stop.clone())).unwrap_or_default()
    }

    fn stop_all(&self) {
        for session in self.sessions().values() {
            session.stop.cancel();
        }
    }

    fn sessions(&self) -> std::sync::MutexGuard<'_, HashMap<SessionId, Session>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn new_session(&self, request: NewSessionRequest) -> Result<NewSessionResponse, Error> {
        let root = self.open_root(&request.cwd).await?;
        let title = root.file_name().map(|name| name.to_string_lossy().into_owned());
        let chat = NewChatRequest { title, ..NewChatRequest::default() };
        let chat: ChatSummary = self.client.post("/api/chats/new", &chat).await.map_err(editor_error)?;
        let id = SessionId::new(chat.id.to_string());
        self.add_session(id.clone(), root);
        Ok(NewSessionResponse::new(id).modes(modes(CodeMode::Agent)))
    }

    /// Loads a conversation and sends its messages to the editor again.
    async fn load_session(&self, request: LoadSessionRequest) -> Result<LoadSessionResponse, Error> {
        let id = conversation_id(&request.session_id)?;
        let root = self.open_root(&request.cwd).await?;
        let view: ChatView =
            self.client.post("/api/chats/load", &LoadChatRequest { id }).await.map_err(editor_error)?;
        for message in view.messages {
            let chunk = ContentChunk::new(message.content.into());
            let update = match message.role {
                Role::User => SessionUpdate::UserMessageChunk(chunk),
                Role::Assistant => SessionUpdate::AgentMessageChunk(chunk),
            };
            self.send_update(&request.session_id, update);
        }
        self.add_session(request.session_id, root);
        Ok(LoadSessionResponse::new().modes(modes(CodeMode::Agent)))
    }

    async fn open_root(&self, folder: &Path) -> Result<PathBuf, Error> {
        // The server may have another working directory.
        if !folder.is_absolute() {
            let why = format!("{} cannot be a workspace: give its absolute path", folder.display());
            return Err(Error::new(Error::invalid_params().code.into(), why));
        }
        let path = folder.to_string_lossy().into_owned();
        let roots: CodeRootList =
            self.client.post("/api/code/root", &CodeRootRequest { path }).await.map_err(editor_error)?;
        Ok(roots.current.map_or_else(|| folder.to_owned(), PathBuf::from))
    }

    fn add_session(&self, id: SessionId, root: PathBuf) {
        self.sessions().insert(id, Session { root, mode: CodeMode::Agent, stop: CancellationToken::new() });
    }

    fn set_mode(&self, request: &SetSessionModeRequest) -> Result<SetSessionModeResponse, Error> {
        let mode = MODES.iter().find(|(_, id, ..)| *id == &*request.mode_id.0);
        let (mode, ..) = mode.ok_or_else(|| Error::invalid_params().data(json!("there is no such mode")))?;
        let mut sessions = self.sessions();
        sessions.get_mut(&request.session_id).ok_or_else(unknown_session)?.mode = *mode;
        Ok(SetSessionModeResponse::new())
    }

    async fn prompt(&self, request: PromptRequest, stop: CancellationToken) -> Result<PromptResponse, Error> {
        let PromptRequest { session_id, prompt, .. } = request;
        let session = self.sessions().get(&session_id).cloned().ok_or_else(unknown_session)?;
        let session = Session { stop, ..session };
        let EditorPrompt { text, files } = prompt::read(prompt, &session.root);
        let mut code_request = CodeRequest {
            mode: session.mode,
            text,
            conversation_id: Some(conversation_id(&session_id)?),
            root: Some(session.root.to_string_lossy().into_owned()),
            extra_read_files: files,
            ..CodeRequest::default()
        };
        let turn =
            TurnStream::send_code_request(&self.client, &mut code_request).await.map_err(editor_error)?;
        let meta = self.follow(&session_id, &session, turn).await?;
        let waits = meta.filter(|meta| meta.requires_approval).and_then(|meta| meta.proposal_id);
        if let Some(id) = waits.filter(|_| !session.stop.is_cancelled()) {
            self.review(&session_id, &session, id).await?;
        }
        let stopped = session.stop.is_cancelled();
        Ok(PromptResponse::new(if stopped { StopReason::Cancelled } else { StopReason::EndTurn }))
    }

    /// Forwards the events of a turn to the editor and returns the turn's result.
    async fn follow(
        &self,
        id: &SessionId,
        session: &Session,
        mut turn: TurnStream<'_>,
    ) -> Result<Option<CodeMeta>, Error> {
        let (mut known, mut meta, mut stopped) = (KnownCalls::default(), None, false);
        loop {
            // A turn can only be stopped once its id is known.
            let can_stop = !stopped && turn.can_stop();
            let next = tokio::select! {
                next = turn.next() => next.map_err(editor_error)?,
                () = session.stop.cancelled(), if can_stop => {
                    stopped = true;
                    turn.stop().await.ok();
                    continue;
                }
            };
            let Some(event) = next else { return Ok(meta) };
            if let Some(update) = updates::update(&event.event, &session.root, &mut known) {
                self.send_update(id, update);
            }
            match event.event {
                Event::Confirmation(question) => self.confirm(id, session, &question).await,
                Event::Meta(result) => meta = Some(result),
                Event::Error { message, .. } if !stopped => {
                    return Err(Error::internal_error().data(json!(message)));
                }
                _ => {}
            }
        }
    }

    /// Forwards a confirmation request to the editor, and the answer to the server.
    async fn confirm(&self, id: &SessionId, session: &Session, question: &Confirmation) {
        let chosen = self
            .ask(id, session, updates::permission_request(question), updates::permission_options(question))
            .await;
        // An editor cannot fill in a form, so a call with one is only approved if the form may be left as it is.
        let can_be_left = |form| tools::filled_in(form, serde_json::Map::new()).is_ok();
        let is_yes = matches!(chosen.as_deref(), Some("yes" | "always"));
        let request = ConfirmRequest {
            approved: is_yes && question.form.as_ref().is_none_or(can_be_left),
            remember: (chosen.as_deref() == Some("always")).then_some(Remember::Tool),
            filled: None,
        };
        let path = format!("/api/chat/confirm/{}", question.id);
        if let Err(error) = self.client.post::<ConfirmReply>(&path, &request).await {
            tracing::warn!("an answer to a confirmation request did not arrive: {error:#}");
        }
    }

    /// Shows each changed file of a proposal and writes those that the user allows.
    async fn review(&self, id: &SessionId, session: &Session, proposal: ProposalId) -> Result<(), Error> {
        let path = format!("/api/code/proposals/{proposal}");
        let shown: Proposal = self.client.get(&path).await.map_err(editor_error)?;
        let calls: Vec<String> =
            (0..shown.files.len()).map(|number| format!("change-{proposal}-{number}")).collect();
        let (mut accepted, mut all) = (Vec::new(), false);
        for (call, file) in calls.iter().zip(&shown.files) {
            self.send_update(id, SessionUpdate::ToolCall(updates::file_change(call, file, &session.root)));
            if !all {
                let options = vec![
                    PermissionOption::new("yes", "Write it", PermissionOptionKind::AllowOnce),
                    PermissionOption::new(
                        "all",
                        "Write this and the rest",
                        PermissionOptionKind::AllowAlways,
                    ),
                    PermissionOption::new("no", "Leave it out", PermissionOptionKind::RejectOnce),
                ];
                let asked = ToolCallUpdate::new(call.clone(), ToolCallUpdateFields::new());
                match self.ask(id, session, asked, options).await.as_deref() {
                    Some("all") => all = true,
                    Some("yes") => {}
                    // A cancelled request is no decision: the proposal stays open.
                    None => return Ok(()),
                    Some(_) => {
                        self.set_status(id, call, ToolCallStatus::Failed);
                        continue;
                    }
                }
            }
            accepted.push((call, FileChoice { path: file.path.clone(), hunks: None, edited: Vec::new() }));
        }
        let done: Result<Proposal, anyhow::Error> = if accepted.is_empty() {
            self.client.post(&format!("{path}/reject"), &json!({})).await
        } else {
            let files = Some(accepted.iter().map(|(_, file)| file.clone()).collect());
            self.client.post(&format!("{path}/apply"), &ApplyRequest { files }).await
        };
        let status = if done.is_ok() { ToolCallStatus::Completed } else { ToolCallStatus::Failed };
        for (call, _) in accepted {
            self.set_status(id, call, status);
        }
        done.map(drop).map_err(editor_error)
    }

    fn set_status(&self, id: &SessionId, call: &str, status: ToolCallStatus) {
        let fields = ToolCallUpdateFields::new().status(status);
        self.send_update(id, SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(call.to_owned(), fields)));
    }

    /// Returns the id of the chosen option, or `None` if the user cancelled or the editor has disconnected.
    async fn ask(
        &self,
        id: &SessionId,
        session: &Session,
        about: ToolCallUpdate,
        options: Vec<PermissionOption>,
    ) -> Option<String> {
        let request = RequestPermissionRequest::new(id.clone(), about, options);
        let asked = self
            .editor
            .ask::<RequestPermissionResponse>(CLIENT_METHOD_NAMES.session_request_permission, request);
        let answer = tokio::select! {
            answer = asked => answer.ok()?,
            () = session.stop.cancelled() => return None,
        };
        match answer.outcome {
            RequestPermissionOutcome::Selected(chosen) => Some(chosen.option_id.0.to_string()),
            _ => None,
        }
    }

    fn send_update(&self, id: &SessionId, update: SessionUpdate) {
        self.editor.notify(CLIENT_METHOD_NAMES.session_update, SessionNotification::new(id.clone(), update));
    }
}

fn initialize(_: &InitializeRequest) -> InitializeResponse {
    // If the editor asked for another version, it decides whether to go on with this one.
    let version = ProtocolVersion::V1;
    let capabilities = AgentCapabilities::new()
        .load_session(true)
        .prompt_capabilities(PromptCapabilities::new().embedded_context(true));
    let info = Implementation::new("perigee", env!("CARGO_PKG_VERSION")).title("Perigee".to_owned());
    InitializeResponse::new(version).agent_capabilities(capabilities).agent_info(info)
}

fn modes(current: CodeMode) -> SessionModeState {
    let modes = MODES
        .iter()
        .map(|(_, id, name, about)| SessionMode::new(*id, *name).description((*about).to_owned()));
    let current = MODES.iter().find(|(mode, ..)| *mode == current).map_or("agent", |(_, id, ..)| id);
    SessionModeState::new(current, modes.collect::<Vec<_>>())
}

fn conversation_id(id: &SessionId) -> Result<ConversationId, Error> {
    id.0.parse().map_err(|_| unknown_session())
}

fn unknown_session() -> Error {
    Error::new(Error::invalid_params().code.into(), "there is no such session".to_owned())
}

/// Converts an error of the server into one that the editor shows.
#[expect(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn editor_error(error: anyhow::Error) -> Error {
    match error.downcast_ref::<ErrorResponse>() {
        Some(response) => Error::new(Error::invalid_params().code.into(), response.message.clone()),
        None => Error::internal_error().data(json!(format!("{error:#}"))),
    }
}
