//! The transitions of a proposal from one status to another, after the user's decision.

use jiff::Timestamp;
use protocol::{FileDecision, ProposalId, ProposalStatus, UserId};
use rusqlite::{Connection, params};
use serde_json::Value;

use super::packing::pack;
use super::proposals::{
    CompressedFile, NewProposal, StoredCodeFile, find, insert, insert_files, update_size,
};
use crate::error::{Result, StoreError};
use crate::store::Store;
use crate::stored::{Keyword, RowExt, to_json};
use crate::writer::Durability;

/// A change of a proposal's status whose files have been written to disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalTransition {
    /// The status of the proposal when the transition began. If it is another one by now, nothing is recorded.
    pub from: ProposalStatus,
    pub revision: u32,
    pub to: ProposalStatus,
    /// The identifier of the transition in the journal.
    pub mark: String,
    /// Folders that were created for it.
    pub folders: Vec<String>,
    pub files: Vec<WrittenFile>,
    /// The part that was not accepted, as a proposal of its own.
    pub rest: Option<NewProposal>,
}

/// A file of a proposal as a transition has written it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFile {
    pub path: String,
    pub decision: FileDecision,
    /// The content that was written if only a part was accepted. If absent, the stored content is kept.
    pub written: Option<Vec<u8>>,
    /// The content that was found and the merge result, if it was merged with other changes.
    pub merged: Option<(Vec<u8>, Vec<u8>)>,
}

/// The amount of data that was removed to free space.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PruneResult {
    pub proposals: u32,
    pub bytes: i64,
}

const CHANGED_MEANWHILE: StoreError =
    StoreError::Conflict("the proposal has changed in the meantime. Nothing was written. Look at it again");

impl Store {
    /// Records a transition in one transaction: status, files and the remaining part. Returns the proposal of the
    /// remaining part.
    pub async fn record_transition(
        &self,
        user: UserId,
        id: ProposalId,
        mut transition: ProposalTransition,
    ) -> Result<Option<ProposalId>> {
        let rest = match &mut transition.rest {
            Some(rest) => CompressedFile::all(std::mem::take(&mut rest.files)).await?,
            None => Vec::new(),
        };
        let home = self.home(id.get());
        let context = home.context();
        home.write(Durability::Person, move |connection| {
            let sql =
                "UPDATE code_proposals SET status = ?3, landed = ?4, mark = ?5, folders = ?6, changed_at = ?7
                       WHERE id = ?1 AND user = ?2 AND status = ?8 AND revision = ?9 AND kept = 1";
            let changed = connection.prepare_cached(sql)?.execute(params![
                id.get(),
                user.get(),
                transition.to.keyword(),
                context.ids.next(),
                transition.mark,
                to_json(&transition.folders)?,
                context.now,
                transition.from.keyword(),
                transition.revision,
            ])?;
            if changed == 0 {
                find(connection, user, id)?;
                return Err(CHANGED_MEANWHILE);
            }
            change_files(connection, id, &transition.files)?;
            transition.rest.map(|new| insert(connection, &context, user, &new, &rest)).transpose()
        })
        .await
    }

    /// Returns true if a transition has been recorded, that is, if its mark is stored with the status.
    pub async fn is_recorded(&self, id: ProposalId, mark: &str) -> Result<bool> {
        let mark = mark.to_owned();
        self.home(id.get())
            .read(move |connection| {
                let sql = "SELECT 1 FROM code_proposals WHERE id = ?1 AND mark = ?2";
                Ok(connection.prepare_cached(sql)?.exists(params![id.get(), mark])?)
            })
            .await
    }

    pub async fn reject_proposal(&self, user: UserId, id: ProposalId) -> Result<()> {
        let home = self.home(id.get());
        let now = home.context().now;
        home.write(Durability::Person, move |connection| {
            let sql = "UPDATE code_proposals SET status = 'rejected', changed_at = ?3
                       WHERE id = ?1 AND user = ?2 AND status = 'open'";
            let changed = connection.prepare_cached(sql)?.execute(params![id.get(), user.get(), now])?;
            if changed == 0 {
                find(connection, user, id)?;
                return Err(CHANGED_MEANWHILE);
            }
            let sql = "UPDATE code_proposal_files SET decision = 'none' WHERE proposal = ?1";
            connection.prepare_cached(sql)?.execute([id.get()])?;
            Ok(())
        })
        .await
    }

    /// Replaces the files of an open proposal. Check results of the old files do not apply to them.
    pub async fn replace_proposal_files(
        &self,
        user: UserId,
        id: ProposalId,
        revision: u32,
        files: Vec<StoredCodeFile>,
    ) -> Result<()> {
        let files = CompressedFile::all(files).await?;
        let home = self.home(id.get());
        let now = home.context().now;
        home.write(Durability::Person, move |connection| {
            let sql = "UPDATE code_proposals SET revision = revision + 1, verify = NULL, changed_at = ?4
                       WHERE id = ?1 AND user = ?2 AND status = 'open' AND revision = ?3 AND kept = 1";
            let values = params![id.get(), user.get(), revision, now];
            if connection.prepare_cached(sql)?.execute(values)? == 0 {
                find(connection, user, id)?;
                return Err(CHANGED_MEANWHILE);
            }
            let sql = "DELETE FROM code_proposal_files WHERE proposal = ?1";
            connection.prepare_cached(sql)?.execute([id.get()])?;
            insert_files(connection, id, &files)
        })
        .await
    }

    /// Records the check result of a proposal, unless its files have been replaced since.
    pub async fn record_verification(
        &self,
        user: UserId,
        id: ProposalId,
        revision: u32,
        verify: &Value,
    ) -> Result<()> {
        let verify = to_json(verify)?;
        self.home(id.get())
            .write(Durability::Log, move |connection| {
                let sql =
                    "UPDATE code_proposals SET verify = ?4 WHERE id = ?1 AND user = ?2 AND revision = ?3";
                let values = params![id.get(), user.get(), revision, verify];
                if connection.prepare_cached(sql)?.execute(values)? == 0 {
                    find(connection, user, id)?;
                    return Err(CHANGED_MEANWHILE);
                }
                Ok(())
            })
            .await
    }

    /// Returns the proposals in the same workspace that were applied or undone after this one and changed one of these
    /// files, with title and status, newest first.
    pub async fn applied_since(
        &self,
        user: UserId,
        id: ProposalId,
        paths: &[String],
    ) -> Result<Vec<(ProposalId, String, ProposalStatus)>> {
        let paths = to_json(paths)?;
        self.home(id.get())
            .read(move |connection| {
                let sql =
                    "SELECT p.id, p.title, p.status FROM code_proposals p JOIN code_proposals o ON o.id = ?1
                           WHERE o.user = ?2 AND p.user = ?2 AND p.root = o.root AND p.id <> o.id
                             AND p.landed > o.landed
                             AND EXISTS (SELECT 1 FROM code_proposal_files f WHERE f.proposal = p.id
                                         AND f.decision IN ('all', 'some')
                                         AND f.path IN (SELECT value FROM json_each(?3)))
                           ORDER BY p.landed DESC";
                let mut statement = connection.prepare_cached(sql)?;
                let rows = statement.query_map(params![id.get(), user.get(), paths], |row| {
                    Ok((ProposalId::new(row.get("id")?), row.get("title")?, row.keyword("status")?))
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    /// Removes the file contents of proposals that were decided before that time, and of each user's oldest ones beyond
    /// this many bytes. The descriptions and outcomes remain readable. Each user's most recently decided proposal is exempt
    /// from the size limit.
    pub async fn prune_proposals(&self, before: Timestamp, most_bytes: u64) -> Result<PruneResult> {
        let most = i64::try_from(most_bytes).unwrap_or(i64::MAX);
        self.write(Durability::Log, move |connection| {
            let sql = "SELECT id, bytes FROM (
                           SELECT id, bytes, changed_at, sum(bytes) OVER newest AS total, row_number() OVER newest AS place
                           FROM code_proposals WHERE kept = 1 AND status <> 'open'
                           WINDOW newest AS (PARTITION BY user ORDER BY changed_at DESC, id DESC))
                       WHERE changed_at < ?1 OR (total > ?2 AND place > 1)";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map(params![before.as_millisecond(), most], |row| {
                Ok((ProposalId::new(row.get("id")?), row.get::<_, i64>("bytes")?))
            })?;
            let mut pruned = PruneResult::default();
            for row in rows.collect::<rusqlite::Result<Vec<_>>>()? {
                drop_bytes(connection, row.0)?;
                pruned.proposals += 1;
                pruned.bytes += row.1;
            }
            Ok(pruned)
        })
        .await
    }
}

fn change_files(connection: &Connection, id: ProposalId, files: &[WrittenFile]) -> Result<()> {
    let sql =
        "UPDATE code_proposal_files SET decision = ?3, written = ifnull(?4, written), found = ?5, made = ?6
               WHERE proposal = ?1 AND path = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    for WrittenFile { path, decision, written, merged } in files {
        let packed = |bytes: Option<&Vec<u8>>| bytes.map(|bytes| pack(bytes)).transpose();
        let written = packed(written.as_ref())?;
        let (found, made) = merged.as_ref().map(|(found, made)| (found, made)).unzip();
        let values = params![id.get(), path, decision.keyword(), written, packed(found)?, packed(made)?];
        statement.execute(values)?;
    }
    update_size(connection, id)
}

/// Removes the file contents of a proposal. An open one can no longer be accepted and becomes rejected.
pub(crate) fn drop_bytes(connection: &Connection, id: ProposalId) -> Result<()> {
    for sql in [
        "UPDATE code_proposal_files SET before = NULL, after = NULL, written = NULL, found = NULL, made = NULL WHERE proposal = ?1",
        "UPDATE code_proposals SET kept = 0, bytes = 0, status = iif(status = 'open', 'rejected', status) WHERE id = ?1",
    ] {
        connection.prepare_cached(sql)?.execute([id.get()])?;
    }
    Ok(())
}
