//! Storage for coding: workspaces, proposed changes, notes, checkpoints, and the success rate of edit formats per
//! model.

mod checkpoints;
mod formats;
mod notes;
mod packing;
mod proposals;
mod roots;
mod transition;

use protocol::{ConversationId, UserId};
use rusqlite::{Connection, OptionalExtension as _, params};

pub use self::checkpoints::{NewCheckpoint, StoredCheckpoint};
pub use self::formats::FormatRecord;
pub use self::notes::{NewCodeNote, StoredCodeNote};
pub(crate) use self::packing::unpack;
pub use self::proposals::{CodeFileInfo, CodeProposal, NewProposal, ProposalQuery, StoredCodeFile};
pub use self::roots::StoredCodeRoot;
pub(crate) use self::transition::drop_bytes;
pub use self::transition::{ProposalTransition, PruneResult, WrittenFile};
use crate::conversations::VisibleConversation;
use crate::error::Result;
use crate::store::{Store, WriteContext};

impl Store {
    /// Returns the database for coding data of a conversation: data of incognito conversations is never written to
    /// disk.
    fn code_home(&self, conversation: Option<ConversationId>) -> &Store {
        conversation.map_or(self, |conversation| self.home(conversation.get()))
    }
}

fn find_root(connection: &Connection, user: UserId, path: &str) -> Result<Option<i64>> {
    let sql = "SELECT id FROM code_roots WHERE user = ?1 AND path = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row(params![user.get(), path], |row| row.get(0)).optional()?)
}

/// Returns the row of a workspace, creating it if necessary.
fn root_of(connection: &Connection, context: &WriteContext, user: UserId, path: &str) -> Result<i64> {
    if let Some(found) = find_root(connection, user, path)? {
        return Ok(found);
    }
    crate::accounts::user_exists(connection, user)?;
    let id = context.ids.next();
    let sql = "INSERT INTO code_roots (id, user, path, last_used_at) VALUES (?1, ?2, ?3, ?4)";
    connection.prepare_cached(sql)?.execute(params![id, user.get(), path, context.now])?;
    Ok(id)
}

/// Checks that a conversation, if given, exists and belongs to the user.
fn check_conversation(connection: &Connection, user: UserId, id: Option<ConversationId>) -> Result<()> {
    id.map_or(Ok(()), |id| VisibleConversation::find(connection, user, id).map(drop))
}
