//! What becomes of a proposal once somebody has decided.

use jiff::Timestamp;
use protocol::{FileDecision, ProposalId, ProposalStatus, UserId};
use rusqlite::{Connection, params};
use serde_json::Value;

use super::packing::pack;
use super::proposals::{CodeFile, NewProposal, Packed, find, insert, insert_files, weigh};
use crate::error::{Result, StoreError};
use crate::store::Store;
use crate::stored::{RowExt, Word, to_json};
use crate::writer::Durability;

/// What is on the disk, and shall count from here on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeLanding {
    /// What the proposal was, when the landing began. Where it is something else meanwhile, the landing does not count.
    pub from: ProposalStatus,
    pub revision: u32,
    pub to: ProposalStatus,
    /// The name of the landing in the journal.
    pub mark: String,
    /// Folders that were made for it.
    pub folders: Vec<String>,
    pub files: Vec<LandedFile>,
    /// What was not taken, as a proposal of its own.
    pub rest: Option<NewProposal>,
}

/// What a landing changes about a file of its proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LandedFile {
    pub path: String,
    pub decision: FileDecision,
    /// What was written where only some was taken. Where it is absent, it stays as it was.
    pub written: Option<Vec<u8>>,
    /// What was found and what was made of it, where it was laid beside changes of others.
    pub merged: Option<(Vec<u8>, Vec<u8>)>,
}

/// What was let go of, to make room.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pruned {
    pub proposals: u32,
    pub bytes: i64,
}

const MEANWHILE: StoreError =
    StoreError::Conflict("the proposal has become another meanwhile. Nothing was changed. Look at it again");

impl Store {
    /// Makes a landing count: status, files and what is left over, at once. Returns the proposal of what is left over.
    pub async fn land_proposal(
        &self,
        user: UserId,
        id: ProposalId,
        mut landing: CodeLanding,
    ) -> Result<Option<ProposalId>> {
        let rest = match &mut landing.rest {
            Some(rest) => Packed::all(std::mem::take(&mut rest.files)).await?,
            None => Vec::new(),
        };
        let home = self.home(id.get());
        let desk = home.desk();
        home.write(Durability::Person, move |connection| {
            let sql =
                "UPDATE code_proposals SET status = ?3, landed = ?4, mark = ?5, folders = ?6, changed_at = ?7
                       WHERE id = ?1 AND user = ?2 AND status = ?8 AND revision = ?9 AND kept = 1";
            let changed = connection.prepare_cached(sql)?.execute(params![
                id.get(),
                user.get(),
                landing.to.word(),
                desk.ids.next(),
                landing.mark,
                to_json(&landing.folders)?,
                desk.now,
                landing.from.word(),
                landing.revision,
            ])?;
            if changed == 0 {
                find(connection, user, id)?;
                return Err(MEANWHILE);
            }
            change_files(connection, id, &landing.files)?;
            landing.rest.map(|new| insert(connection, &desk, user, &new, &rest)).transpose()
        })
        .await
    }

    /// Whether a landing counts: it does from the moment on at which its mark stands beside the status.
    pub async fn is_landed(&self, id: ProposalId, mark: &str) -> Result<bool> {
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
        let now = home.desk().now;
        home.write(Durability::Person, move |connection| {
            let sql = "UPDATE code_proposals SET status = 'rejected', changed_at = ?3
                       WHERE id = ?1 AND user = ?2 AND status = 'open'";
            let changed = connection.prepare_cached(sql)?.execute(params![id.get(), user.get(), now])?;
            if changed == 0 {
                find(connection, user, id)?;
                return Err(MEANWHILE);
            }
            let sql = "UPDATE code_proposal_files SET decision = 'none' WHERE proposal = ?1";
            connection.prepare_cached(sql)?.execute([id.get()])?;
            Ok(())
        })
        .await
    }

    /// Gives an open proposal other files. What was said of the old ones does not hold for them.
    pub async fn relay_proposal(
        &self,
        user: UserId,
        id: ProposalId,
        revision: u32,
        files: Vec<CodeFile>,
    ) -> Result<()> {
        let files = Packed::all(files).await?;
        let home = self.home(id.get());
        let now = home.desk().now;
        home.write(Durability::Person, move |connection| {
            let sql = "UPDATE code_proposals SET revision = revision + 1, verify = NULL, changed_at = ?4
                       WHERE id = ?1 AND user = ?2 AND status = 'open' AND revision = ?3 AND kept = 1";
            let values = params![id.get(), user.get(), revision, now];
            if connection.prepare_cached(sql)?.execute(values)? == 0 {
                find(connection, user, id)?;
                return Err(MEANWHILE);
            }
            let sql = "DELETE FROM code_proposal_files WHERE proposal = ?1";
            connection.prepare_cached(sql)?.execute([id.get()])?;
            insert_files(connection, id, &files)
        })
        .await
    }

    /// Notes how a proposal was checked, unless its files are others by now.
    pub async fn note_verified(
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
                    return Err(MEANWHILE);
                }
                Ok(())
            })
            .await
    }

    /// Proposals that landed in the same workspace later than this one, in one of these files: title and status, newest
    /// first.
    pub async fn landed_since(
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
                    Ok((ProposalId::new(row.get("id")?), row.get("title")?, row.word("status")?))
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    /// Lets go of the bytes of proposals that were settled before that time, and of each person's oldest beyond so many
    /// bytes. What was proposed and what became of it stays to be read. The last that was settled keeps its bytes.
    pub async fn prune_proposals(&self, before: Timestamp, most_bytes: u64) -> Result<Pruned> {
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
            let mut pruned = Pruned::default();
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

fn change_files(connection: &Connection, id: ProposalId, files: &[LandedFile]) -> Result<()> {
    let sql =
        "UPDATE code_proposal_files SET decision = ?3, written = ifnull(?4, written), found = ?5, made = ?6
               WHERE proposal = ?1 AND path = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    for LandedFile { path, decision, written, merged } in files {
        let packed = |bytes: Option<&Vec<u8>>| bytes.map(|bytes| pack(bytes)).transpose();
        let written = packed(written.as_ref())?;
        let (found, made) = merged.as_ref().map(|(found, made)| (found, made)).unzip();
        let values = params![id.get(), path, decision.word(), written, packed(found)?, packed(made)?];
        statement.execute(values)?;
    }
    weigh(connection, id)
}

/// Lets go of a proposal's bytes. One that was open can be taken no more.
pub(crate) fn drop_bytes(connection: &Connection, id: ProposalId) -> Result<()> {
    for sql in [
        "UPDATE code_proposal_files SET before = NULL, after = NULL, written = NULL, found = NULL, made = NULL WHERE proposal = ?1",
        "UPDATE code_proposals SET kept = 0, bytes = 0, status = iif(status = 'open', 'rejected', status) WHERE id = ?1",
    ] {
        connection.prepare_cached(sql)?.execute([id.get()])?;
    }
    Ok(())
}
