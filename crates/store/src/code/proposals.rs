use protocol::{ConversationId, FileDecision, MessageId, ProposalId, ProposalStatus, TurnId, UserId};
use rusqlite::{Connection, Row, params};
use serde::Serialize;
use serde_json::Value;

use super::packing::{pack, unpack};
use super::{check_conversation, root_of};
use crate::error::{ObjectKind, OrNotFound, Result, StoreError};
use crate::store::{Store, WriteContext};
use crate::stored::{Keyword, RowExt, newest_first};
use crate::writer::Durability;

/// Proposed changes that are kept until the user accepts or rejects them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewProposal {
    /// The path of the workspace.
    pub root: String,
    pub conversation: Option<ConversationId>,
    pub message: Option<MessageId>,
    pub turn: Option<TurnId>,
    /// The proposal of which this is the part that was not accepted.
    pub rest_of: Option<ProposalId>,
    pub title: String,
    pub summary: String,
    pub files: Vec<StoredCodeFile>,
}

/// A file of a proposal with its content; `None` stands for a file that does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCodeFile {
    pub path: String,
    pub before: Option<Vec<u8>>,
    pub after: Option<Vec<u8>>,
    /// The content that was written if only a part was accepted.
    pub written: Option<Vec<u8>>,
    /// The content that the last transition found and the merge result, if it was merged with other changes.
    pub merged: Option<(Vec<u8>, Vec<u8>)>,
    pub before_mode: Option<u32>,
    pub after_mode: Option<u32>,
    pub added: u32,
    pub removed: u32,
    pub binary: bool,
    pub decision: FileDecision,
}

/// A file of a proposal without its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeFileInfo {
    pub path: String,
    pub was_there: bool,
    pub is_there: bool,
    pub added: u32,
    pub removed: u32,
    pub binary: bool,
    pub decision: FileDecision,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeProposal {
    pub id: ProposalId,
    pub root: String,
    pub conversation: Option<ConversationId>,
    pub message: Option<MessageId>,
    pub turn: Option<TurnId>,
    pub rest_of: Option<ProposalId>,
    pub status: ProposalStatus,
    pub created_at: String,
    pub changed_at: String,
    /// Incremented whenever its files are replaced.
    pub revision: u32,
    /// A number that increases with each transition across all proposals; `None` if there was none.
    #[serde(skip)]
    pub landed: Option<i64>,
    /// True if its content is still stored. Without it, the proposal can be neither applied nor undone.
    pub kept: bool,
    /// Folders that were created for it.
    #[serde(skip)]
    pub folders: Vec<String>,
    pub title: String,
    pub summary: String,
    pub verify: Option<Value>,
    pub files: Vec<CodeFileInfo>,
}

/// A filter for proposals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProposalQuery {
    /// Only of this workspace.
    pub root: Option<String>,
    pub status: Option<ProposalStatus>,
    pub conversation: Option<ConversationId>,
    /// Only proposals older than this one.
    pub before: Option<ProposalId>,
    pub limit: u32,
}

/// A file with its content compressed, ready to be stored in a row.
pub struct CompressedFile {
    file: StoredCodeFile,
    before: Option<Vec<u8>>,
    after: Option<Vec<u8>>,
}

impl CompressedFile {
    fn of(mut file: StoredCodeFile) -> Result<Self> {
        let packed = |bytes: Option<Vec<u8>>| bytes.as_deref().map(pack).transpose();
        let (before, after) = (packed(file.before.take())?, packed(file.after.take())?);
        Ok(Self { file, before, after })
    }

    /// Compresses files off the async threads and off the writer thread.
    pub async fn all(files: Vec<StoredCodeFile>) -> Result<Vec<Self>> {
        let packing = tokio::task::spawn_blocking(move || files.into_iter().map(Self::of).collect());
        packing.await.unwrap_or_else(|error| Err(StoreError::Internal(error.to_string())))
    }
}

impl Store {
    /// Stores changes that wait for the user's decision.
    pub async fn add_proposal(&self, user: UserId, mut new: NewProposal) -> Result<ProposalId> {
        let files = CompressedFile::all(std::mem::take(&mut new.files)).await?;
        let home = self.code_home(new.conversation);
        let context = home.context();
        home.write(Durability::Person, move |connection| {
            check_conversation(connection, user, new.conversation)?;
            insert(connection, &context, user, &new, &files)
        })
        .await
    }

    /// Returns proposals without their content, newest first, including those of incognito conversations while these
    /// exist.
    pub async fn proposals(&self, user: UserId, query: ProposalQuery) -> Result<Vec<CodeProposal>> {
        let mut found = Vec::new();
        let limit = query.limit as usize;
        for home in std::iter::once(self).chain(self.opened_incognito()) {
            let query = query.clone();
            found.extend(home.read(move |connection| list(connection, user, &query)).await?);
        }
        found.sort_by(|one, other| {
            newest_first(&one.created_at, &other.created_at).then(other.id.cmp(&one.id))
        });
        found.truncate(limit);
        Ok(found)
    }

    pub async fn proposal(&self, user: UserId, id: ProposalId) -> Result<CodeProposal> {
        self.home(id.get()).read(move |connection| find(connection, user, id)).await
    }

    /// Returns a proposal with the content of its files, ordered by name.
    pub async fn whole_proposal(
        &self,
        user: UserId,
        id: ProposalId,
    ) -> Result<(CodeProposal, Vec<StoredCodeFile>)> {
        self.home(id.get())
            .read(move |connection| {
                let proposal = find(connection, user, id)?;
                let sql = "SELECT * FROM code_proposal_files WHERE proposal = ?1 ORDER BY path";
                let mut statement = connection.prepare_cached(sql)?;
                let mut rows = statement.query([id.get()])?;
                let mut files = Vec::new();
                while let Some(row) = rows.next()? {
                    files.push(read_file(row)?);
                }
                Ok((proposal, files))
            })
            .await
    }
}

pub fn insert(
    connection: &Connection,
    context: &WriteContext,
    user: UserId,
    new: &NewProposal,
    files: &[CompressedFile],
) -> Result<ProposalId> {
    let root = root_of(connection, context, user, &new.root)?;
    let id = ProposalId::new(context.ids.next());
    let sql = "INSERT INTO code_proposals (id, user, root, conversation, message, turn, rest_of, status, created_at,
                                           changed_at, bytes, title, summary)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'open', ?8, ?8, 0, ?9, ?10)";
    connection.prepare_cached(sql)?.execute(params![
        id.get(),
        user.get(),
        root,
        new.conversation.map(ConversationId::get),
        new.message.map(MessageId::get),
        new.turn.map(TurnId::get),
        new.rest_of.map(ProposalId::get),
        context.now,
        new.title,
        new.summary,
    ])?;
    insert_files(connection, id, files)?;
    Ok(id)
}

pub fn insert_files(connection: &Connection, id: ProposalId, files: &[CompressedFile]) -> Result<()> {
    let sql = "INSERT INTO code_proposal_files (proposal, path, decision, added, removed, is_binary, was_there, is_there,
                                                before_mode, after_mode, before, after)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
    let mut statement = connection.prepare_cached(sql)?;
    for CompressedFile { file, before, after } in files {
        statement.execute(params![
            id.get(),
            file.path,
            file.decision.keyword(),
            file.added,
            file.removed,
            file.binary,
            before.is_some(),
            after.is_some(),
            file.before_mode,
            file.after_mode,
            before,
            after,
        ])?;
    }
    update_size(connection, id)
}

/// Updates the stored size of a proposal.
pub fn update_size(connection: &Connection, id: ProposalId) -> Result<()> {
    let sql = "UPDATE code_proposals SET bytes = (SELECT ifnull(sum(ifnull(length(before), 0) + ifnull(length(after), 0)
                   + ifnull(length(written), 0) + ifnull(length(found), 0) + ifnull(length(made), 0)), 0) FROM code_proposal_files WHERE proposal = ?1) WHERE id = ?1";
    connection.prepare_cached(sql)?.execute([id.get()])?;
    Ok(())
}

const SELECT: &str =
    "SELECT p.*, r.path AS root_path FROM code_proposals p JOIN code_roots r ON r.id = p.root";

pub fn find(connection: &Connection, user: UserId, id: ProposalId) -> Result<CodeProposal> {
    let mut statement = connection.prepare_cached(&format!("{SELECT} WHERE p.id = ?1 AND p.user = ?2"))?;
    let found = statement.query_row(params![id.get(), user.get()], read);
    with_files(connection, found.or_not_found(ObjectKind::Proposal)?)
}

fn list(connection: &Connection, user: UserId, query: &ProposalQuery) -> Result<Vec<CodeProposal>> {
    let sql = format!(
        "{SELECT} WHERE p.user = ?1 AND (?2 IS NULL OR r.path = ?2) AND (?3 IS NULL OR p.status = ?3)
             AND (?4 IS NULL OR p.id < ?4) AND (?5 IS NULL OR p.conversation = ?5) ORDER BY p.id DESC LIMIT ?6"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let values = params![
        user.get(),
        query.root,
        query.status.map(Keyword::keyword),
        query.before.map(ProposalId::get),
        query.conversation.map(ConversationId::get),
        query.limit
    ];
    let found = statement.query_map(values, read)?.collect::<rusqlite::Result<Vec<_>>>()?;
    found.into_iter().map(|proposal| with_files(connection, proposal)).collect()
}

fn with_files(connection: &Connection, mut proposal: CodeProposal) -> Result<CodeProposal> {
    let sql = "SELECT path, was_there, is_there, added, removed, is_binary, decision FROM code_proposal_files
               WHERE proposal = ?1 ORDER BY path";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([proposal.id.get()], |row| {
        Ok(CodeFileInfo {
            path: row.get("path")?,
            was_there: row.get("was_there")?,
            is_there: row.get("is_there")?,
            added: row.get("added")?,
            removed: row.get("removed")?,
            binary: row.get("is_binary")?,
            decision: row.keyword("decision")?,
        })
    })?;
    proposal.files = rows.collect::<rusqlite::Result<_>>()?;
    Ok(proposal)
}

fn read(row: &Row<'_>) -> rusqlite::Result<CodeProposal> {
    Ok(CodeProposal {
        id: ProposalId::new(row.get("id")?),
        root: row.get("root_path")?,
        conversation: row.get::<_, Option<i64>>("conversation")?.map(ConversationId::new),
        message: row.get::<_, Option<i64>>("message")?.map(MessageId::new),
        turn: row.get::<_, Option<i64>>("turn")?.map(TurnId::new),
        rest_of: row.get::<_, Option<i64>>("rest_of")?.map(ProposalId::new),
        status: row.keyword("status")?,
        created_at: row.time("created_at")?,
        changed_at: row.time("changed_at")?,
        revision: row.get("revision")?,
        landed: row.get("landed")?,
        kept: row.get("kept")?,
        folders: row.json("folders")?,
        title: row.get("title")?,
        summary: row.get("summary")?,
        verify: row.json_or_default("verify")?,
        files: Vec::new(),
    })
}

fn read_file(row: &Row<'_>) -> Result<StoredCodeFile> {
    let bytes = |column: &str| -> Result<Option<Vec<u8>>> {
        let packed = row.get_ref(column)?.as_blob_or_null().map_err(rusqlite::Error::from)?;
        packed.map(unpack).transpose()
    };
    Ok(StoredCodeFile {
        path: row.get("path")?,
        before: bytes("before")?,
        after: bytes("after")?,
        written: bytes("written")?,
        merged: bytes("found")?.zip(bytes("made")?),
        before_mode: row.get("before_mode")?,
        after_mode: row.get("after_mode")?,
        added: row.get("added")?,
        removed: row.get("removed")?,
        binary: row.get("is_binary")?,
        decision: row.keyword("decision")?,
    })
}
