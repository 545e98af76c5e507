//! Information about generated servers for the user interface.

use protocol::{MadeInfo, MadeSource, McpKind, McpServerInfo, McpState};

use super::workshop::{Inner, Made, NOT_APPROVED, Workshop, WorkshopError};
use crate::servers::{why, wire};

impl Workshop {
    pub fn list(&self) -> Vec<McpServerInfo> {
        let inner = &self.0;
        inner.lock().iter().map(|(name, made)| inner.info(name, made)).collect()
    }

    /// Returns the current source, with the last approved version for comparison.
    pub fn source(&self, name: &str) -> Result<MadeSource, WorkshopError> {
        let files = &self.0.shelf;
        let entry = files.entry(name).map_err(|_| WorkshopError::Unknown(name.to_owned()))?;
        let code = files.source(name)?;
        if let Some(seen) = self.0.lock().get(name).and_then(|made| made.seen.clone()) {
            return Ok(MadeSource {
                described_before: (seen.description != entry.description).then_some(seen.description),
                wanted_network_before: (seen.allow_network != entry.allow_network)
                    .then_some(seen.allow_network),
                before: Some(seen.code),
                code,
            });
        }
        // The newest version that differs from the current source.
        let texts = entry.versions.iter().rev().filter_map(|version| files.version(name, &version.id).ok());
        let before = texts.into_iter().find(|text| *text != code);
        Ok(MadeSource { code, before, described_before: None, wanted_network_before: None })
    }
}

impl Inner {
    fn info(&self, name: &str, made: &Made) -> McpServerInfo {
        let Made { entry, digest, off, running, hosts, .. } = made;
        let state = running.as_ref().map(|(keeper, _)| keeper.state());
        McpServerInfo {
            name: name.to_owned(),
            kind: McpKind::Made,
            state: match &state {
                Some(state) => wire(state),
                None if off.is_some() => McpState::Disabled,
                None => McpState::Asking,
            },
            trouble: match &state {
                Some(state) => why(state),
                None => Some(off.clone().unwrap_or_else(|| format!("It cannot be used: {NOT_APPROVED}."))),
            },
            reach: self.shelf.source_path(name).display().to_string(),
            description: Some(entry.description.clone()),
            version: None,
            tools: running.as_ref().map(|(_, review)| review.tools(name)).unwrap_or_default(),
            left_out: Vec::new(),
            has_resources: false,
            has_prompts: false,
            sign_in: None,
            asks: (state.is_none() && off.is_none()).then(|| digest.clone()),
            made: Some(MadeInfo {
                digest: digest.clone(),
                auto_start: entry.auto_start,
                wants_network: entry.allow_network,
                hosts: hosts.clone(),
                created_at: entry.created_at.clone(),
                changed_at: entry.changed_at.clone(),
                versions: entry.versions(),
            }),
        }
    }
}
