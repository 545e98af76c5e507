use protocol::{AttachmentId, AttachmentInfo, MessageId, UserId};
use rusqlite::{Connection, Row, params};

use crate::error::{ObjectKind, OrNotFound, Result, StoreError};
use crate::store::{Store, WriteContext};

/// A file attached to a message. The caller has to limit its size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAttachment {
    pub name: String,
    pub mime: String,
    pub data: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    pub info: AttachmentInfo,
    pub data: Vec<u8>,
}

impl Store {
    pub async fn attachment(&self, user: UserId, id: AttachmentId) -> Result<Attachment> {
        self.home(id.get())
            .read(move |connection| {
                let sql = "SELECT a.id, a.name, a.mime, a.bytes, a.data FROM attachments a
                       JOIN messages m ON m.id = a.message JOIN conversations c ON c.id = m.conversation
                       WHERE a.id = ?1 AND a.user = ?2 AND c.deleted_at IS NULL";
                let mut statement = connection.prepare_cached(sql)?;
                let found = statement.query_row(params![id.get(), user.get()], |row| {
                    Ok(Attachment { info: read_info(row)?, data: row.get("data")? })
                });
                found.or_not_found(ObjectKind::Attachment)
            })
            .await
    }
}

pub(crate) fn insert(
    connection: &Connection,
    context: &WriteContext,
    user: UserId,
    message: MessageId,
    attachments: &[NewAttachment],
) -> Result<()> {
    let sql = "INSERT INTO attachments (id, user, message, name, mime, bytes, data) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    for NewAttachment { name, mime, data } in attachments {
        let bytes =
            u32::try_from(data.len()).map_err(|_| StoreError::Invalid(format!("{name} is too large")))?;
        let values = params![context.ids.next(), user.get(), message.get(), name, mime, bytes, data];
        connection.prepare_cached(sql)?.execute(values)?;
    }
    Ok(())
}

/// Returns the attachments of a message, without their data.
pub(crate) fn of_message(connection: &Connection, message: MessageId) -> Result<Vec<AttachmentInfo>> {
    let sql = "SELECT id, name, mime, bytes FROM attachments WHERE message = ?1 ORDER BY id";
    let mut statement = connection.prepare_cached(sql)?;
    let infos = statement.query_map([message.get()], read_info)?.collect::<rusqlite::Result<_>>()?;
    Ok(infos)
}

fn read_info(row: &Row<'_>) -> rusqlite::Result<AttachmentInfo> {
    Ok(AttachmentInfo {
        id: AttachmentId::new(row.get("id")?),
        name: row.get("name")?,
        mime: row.get("mime")?,
        bytes: row.get("bytes")?,
    })
}
