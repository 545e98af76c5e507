//! The types of the wire protocol: events of a turn, requests and responses of all routes, ids and errors.
//!
//! There is no logic here beyond encoding an id. The server, the command line and the tests share these types, and
//! `web/src/api/protocol.gen.ts` is generated from them (`cargo xtask codegen`).
//!
//! Start with [`Event`]: a turn is a stream of events, and every client shows what the turn emitted.

mod auth;
mod body;
mod chat;
mod chats;
mod code;
mod config;
mod error;
mod event;
mod ids;
mod lan;
mod mcp;
mod memory;
mod models;
mod processes;
mod push;
mod tools;

pub use auth::{
    AuthStatus, LoginRequest, NewTokenRequest, NewUserRequest, OpenCode, Scope, SessionInfo, TokenInfo,
    TokenSecret, User,
};
pub use body::{
    AnimationFormat, AnimationInfo, AnimationList, AssetKind, BackgroundChoice, BackgroundInfo,
    BackgroundKind, BackgroundList, BodyChoice, BodyReport, BodyState, Expression, ModelFile, MouthShape,
    PaletteInfo, Viseme,
};
pub use chat::{
    AttachmentInfo, AttachmentUpload, ChatReply, ChatRequest, Fragment, FragmentKind, MAX_ATTACHMENT_BYTES,
    MAX_ATTACHMENTS, MAX_MESSAGE_BYTES, RegenerateRequest, StopReply, StopRequest, Timings, TurnInfo,
    TurnStatus, Why,
};
pub use chats::{
    BranchRequest, ChatList, ChatPatch, ChatSummary, ChatView, FolderCount, LoadChatRequest, Message,
    MessageStatus, NewChatRequest, Role, SearchHit, SearchResults, SummaryMark, TagCount,
};
pub use code::{
    ApplyMode, ApplyRequest, Checkpoint, CodeAction, CodeDiff, CodeFile, CodeFileList, CodeFileView,
    CodeHistory, CodeMeta, CodeMode, CodeNote, CodeNoteKind, CodeRequest, CodeRoot, CodeRootList,
    CodeRootRequest, CodeRunRequest, CodeSymbol, ContextPart, DiffHunk, DiffLine, DiffLineKind, EditedHunk,
    FileChangeKind, FileChoice, FileDecision, Folder, FolderList, IncludeRequest, IndexState, Proposal,
    ProposalFile, ProposalList, ProposalStatus, RelevantFile, SaveFileRequest, VerifyError, VerifyOutcome,
    VerifyReport, VerifyRequest, VerifyStage, VerifyStep,
};
pub use config::{ConfigField, ConfigPatch, ConfigProblem, ConfigReport, ConfigSection, FieldKind};
pub use error::{ApiError, ErrorCode};
pub use event::{Event, EventId, StopReason, Usage};
pub use ids::{
    AttachmentId, CheckpointId, ConversationId, FactId, GrantId, IdError, MessageId, NoteId, ProposalId,
    TokenId, TurnId, UserId,
};
pub use lan::{LanCode, LanReport};
pub use mcp::{
    MadeDeleted, MadeInfo, MadeSource, MadeVersion, McpAddRequest, McpApproveRequest, McpKind, McpLog,
    McpLogLine, McpServerInfo, McpServerList, McpSignIn, McpSignInStart, McpStanding, McpState, McpToolInfo,
    SandboxInfo,
};
pub use memory::{
    BackupCopy, CategoryCount, Dimension, Fact, FactCategory, FactChange, FactChangeKind, FactDifference,
    FactDoubt, FactHistory, FactList, FactPatch, FactSource, FactStatus, ForgetReport, ForgetRequest,
    ForgottenPlace, MemoryDay, MemoryFile, MemoryFileChange, MemoryFileList, MemoryFileView,
    MemoryImportReply, MemoryItem, MemoryKind, MergeFactsRequest, NewFactRequest, OfferedWords, Personality,
    PersonalityPatch, ReadingProgress, RecallReply, RestoreMemoryFileRequest, SaveVectorRequest, ScorePart,
    Timeline, TimelineEntry, Trait, TraitMove, TraitPatch, VectorEntry, VectorEntryList,
    WriteMemoryFileRequest,
};
pub use models::{
    CatalogueEntry, Download, DownloadState, InstalledModel, LocalServer, Machine, ModelKind, ModelState,
    ModelsReport, PullRequest, ServerKind, SourceKind, UseModelRequest,
};
pub use processes::{Health, ProcessInfo, ProcessOutcome, ProcessState};
pub use push::{ClientMessage, Push};
pub use tools::{
    Act, AllowCommandRequest, AuditDecision, AuditEntry, AuditPage, Command, CommandRule, CommandRules,
    ConfirmReply, ConfirmRequest, Confirmation, Confirmations, Grant, Origin, Permission, PermissionList,
    PermissionPatch, PinRequest, PinnedAct, PlanStep, RefusedRule, Remember, Risk, RunToolRequest, SkillInfo,
    SkillList, SkillView, SpotifyCode, SpotifyState, SpotifyStatus, SpotifyUrl, StepStatus, TakenBack,
    ToolInfo, ToolList, ToolStatus, WaitingConfirmation,
};
