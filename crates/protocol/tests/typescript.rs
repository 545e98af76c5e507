//! The TypeScript types of the web app are generated from this crate. This test fails when the file in
//! `web/` has drifted; `cargo xtask codegen` (which sets `PERIGEE_CODEGEN=write`) writes it anew.

// It writes the generated file itself.
#![allow(clippy::disallowed_methods)]

use std::fmt::Write as _;
use std::path::Path;

use protocol::*;
use ts_rs::{Config, TS};

macro_rules! declarations {
    ($($type:ty),* $(,)?) => {{
        let config = Config::new();
        let mut text = String::from(
            "// Generated from crates/protocol by `cargo xtask codegen`. Do not edit.\n",
        );
        $(
            if let Some(docs) = <$type as TS>::docs() {
                write!(text, "\n{}", docs.trim_start_matches('\n')).unwrap();
            } else {
                text.push('\n');
            }
            writeln!(text, "export {}", <$type as TS>::decl(&config)).unwrap();
        )*
        text
    }};
}

#[test]
fn the_typescript_types_are_current() {
    let generated = declarations![
        // ids
        UserId,
        ConversationId,
        MessageId,
        TurnId,
        AttachmentId,
        TokenId,
        GrantId,
        FactId,
        ProposalId,
        CheckpointId,
        NoteId,
        // a turn
        Event,
        ToolStatus,
        StopReason,
        Usage,
        ApiError,
        ErrorCode,
        ChatRequest,
        AttachmentUpload,
        AttachmentInfo,
        ChatReply,
        RegenerateRequest,
        StopRequest,
        StopReply,
        TurnInfo,
        TurnStatus,
        Why,
        Fragment,
        FragmentKind,
        Timings,
        // tools
        Risk,
        Permission,
        Origin,
        Command,
        Confirmation,
        WaitingConfirmation,
        Confirmations,
        ConfirmRequest,
        Remember,
        ConfirmReply,
        PlanStep,
        StepStatus,
        Act,
        PinnedAct,
        PinRequest,
        ToolInfo,
        ToolList,
        RunToolRequest,
        PermissionList,
        PermissionPatch,
        Grant,
        SkillInfo,
        SkillList,
        SkillView,
        SpotifyState,
        SpotifyStatus,
        SpotifyUrl,
        SpotifyCode,
        AuditEntry,
        AuditDecision,
        AuditPage,
        CommandRules,
        CommandRule,
        RefusedRule,
        AllowCommandRequest,
        TakenBack,
        // servers that bring tools
        McpServerList,
        SandboxInfo,
        McpServerInfo,
        McpKind,
        McpState,
        McpSignIn,
        McpSignInStart,
        McpToolInfo,
        McpStanding,
        MadeInfo,
        MadeVersion,
        McpAddRequest,
        McpApproveRequest,
        McpLog,
        McpLogLine,
        MadeSource,
        // conversations
        ChatSummary,
        ChatList,
        FolderCount,
        TagCount,
        NewChatRequest,
        LoadChatRequest,
        ChatPatch,
        ChatView,
        SummaryMark,
        Message,
        Role,
        MessageStatus,
        BranchRequest,
        SearchResults,
        SearchHit,
        // code
        ProposalStatus,
        FileDecision,
        CodeNoteKind,
        // models
        ModelsReport,
        ModelState,
        ModelKind,
        InstalledModel,
        CatalogueEntry,
        SourceKind,
        LocalServer,
        ServerKind,
        Machine,
        PullRequest,
        UseModelRequest,
        Download,
        DownloadState,
        // memory
        FactCategory,
        FactStatus,
        FactSource,
        Fact,
        FactList,
        CategoryCount,
        NewFactRequest,
        FactPatch,
        MergeFactsRequest,
        FactHistory,
        FactChange,
        FactChangeKind,
        FactDifference,
        FactDoubt,
        MemoryKind,
        MemoryItem,
        ScorePart,
        RecallReply,
        ForgetRequest,
        ForgetReport,
        ForgottenPlace,
        BackupCopy,
        OfferedWords,
        MemoryImportReply,
        MemoryDay,
        TimelineEntry,
        Timeline,
        MemoryFileList,
        MemoryFile,
        MemoryFileView,
        MemoryFileChange,
        RestoreMemoryFileRequest,
        WriteMemoryFileRequest,
        VectorEntry,
        VectorEntryList,
        SaveVectorRequest,
        Dimension,
        Personality,
        Trait,
        TraitMove,
        PersonalityPatch,
        TraitPatch,
        // service
        ConfigReport,
        ConfigSection,
        ConfigField,
        FieldKind,
        ConfigProblem,
        ConfigPatch,
        LoginRequest,
        AuthStatus,
        User,
        NewUserRequest,
        OpenCode,
        Scope,
        NewTokenRequest,
        TokenInfo,
        TokenSecret,
        SessionInfo,
        Health,
        ProcessInfo,
        ProcessState,
        ProcessOutcome,
        Push,
    ];
    let path = Path::new("../../web/src/api/protocol.gen.ts");
    if std::env::var_os("PERIGEE_CODEGEN").is_some_and(|mode| mode == "write") {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &generated).unwrap();
    }
    let current = std::fs::read_to_string(path).unwrap_or_default();
    assert!(current == generated, "web/src/api/protocol.gen.ts has drifted: run `cargo xtask codegen`");
}
