//! Forgets code proposals.

use protocol::{MessageId, ProposalId};
use rusqlite::Connection;

use super::redacted::{Redacted, Sweep};
use crate::code::{drop_bytes, unpack};
use crate::error::Result;

/// Removes the content of proposals that contain the words in a file or in its name. Redacted content would differ from
/// what was written to disk, so all of it is removed. Files in the workspace itself are not touched.
pub fn drop_proposals(connection: &Connection, sweep: &Sweep<'_>, found: &mut Redacted) -> Result<()> {
    let sql =
        "SELECT p.id, p.message, f.path, f.before, f.after, f.written, f.found, f.made FROM code_proposals p
               JOIN code_proposal_files f ON f.proposal = p.id WHERE p.user = ?1 AND p.kept = 1";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([sweep.user.get()])?;
    let mut dropped: Vec<ProposalId> = Vec::new();
    while let Some(row) = rows.next()? {
        let id = ProposalId::new(row.get("id")?);
        let message = row.get::<_, Option<i64>>("message")?.map(MessageId::new);
        if dropped.last() == Some(&id) || sweep.is_later(message) {
            continue;
        }
        let mut texts = vec![row.get::<_, String>("path")?];
        for column in ["before", "after", "written", "found", "made"] {
            let packed = row.get_ref(column)?.as_blob_or_null().map_err(rusqlite::Error::from)?;
            // Content that cannot be decompressed is unusable, and is treated as empty.
            let bytes = packed.map(|packed| unpack(packed).unwrap_or_default());
            texts.extend(bytes.map(|bytes| decode(&bytes)));
        }
        let held = texts.iter().find_map(|text| Some((text, sweep.redact.redact(text)?)));
        let Some((text, after)) = held else { continue };
        if found.is_first("code", Some(id.get())) {
            found.count_change("code", text, &after);
        }
        dropped.push(id);
    }
    if sweep.change.is_some() {
        for id in dropped {
            drop_bytes(connection, id)?;
        }
    }
    Ok(())
}

/// Decodes bytes as text, including UTF-16.
fn decode(bytes: &[u8]) -> String {
    decode_utf16(bytes).unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned())
}

/// Decodes UTF-16 with a byte order mark.
pub(super) fn decode_utf16(bytes: &[u8]) -> Option<String> {
    let read = |order: fn([u8; 2]) -> u16, rest: &[u8]| {
        let units: Vec<u16> = rest.as_chunks::<2>().0.iter().map(|unit| order(*unit)).collect();
        Some(String::from_utf16_lossy(&units))
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => read(u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => read(u16::from_be_bytes, rest),
        _ => None,
    }
}
