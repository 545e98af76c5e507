//! Information about generated servers for the user interface.

use protocol::{MadeInfo, MadeSource, McpKind, McpServerInfo, McpState};

use super::error::{GeneratedServerError, NOT_APPROVED};
use super::generated_servers::{GeneratedServer, GeneratedServers, GeneratedServersState};
use crate::supervisor::RunState;

impl GeneratedServers {
    pub fn list(&self) -> Vec<McpServerInfo> {
        let shared = &self.0;
        shared.lock().iter().map(|(name, server)| shared.info(name, server)).collect()
    }

    /// Returns the current source, with the last approved version for comparison.
    pub fn source(&self, name: &str) -> Result<MadeSource, GeneratedServerError> {
        let files = &self.0.files;
        let entry = files.entry(name).map_err(|_| GeneratedServerError::Unknown(name.to_owned()))?;
        let code = files.source(name)?;
        if let Some(approved_source) =
            self.0.lock().get(name).and_then(|server| server.approved_source.clone())
        {
            return Ok(MadeSource {
                described_before: (approved_source.description != entry.description)
                    .then_some(approved_source.description),
                wanted_network_before: (approved_source.allow_network != entry.allow_network)
                    .then_some(approved_source.allow_network),
                before: Some(approved_source.code),
                code,
            });
        }
        // The newest version that differs from the current source.
        let texts = entry.versions.iter().rev().filter_map(|version| files.version(name, &version.id).ok());
        let before = texts.into_iter().find(|text| *text != code);
        Ok(MadeSource { code, before, described_before: None, wanted_network_before: None })
    }
}

impl GeneratedServersState {
    fn info(&self, name: &str, server: &GeneratedServer) -> McpServerInfo {
        let GeneratedServer { entry, digest, problem, running, hosts, .. } = server;
        let state = running.as_ref().map(|(supervisor, _)| supervisor.state());
        McpServerInfo {
            name: name.to_owned(),
            kind: McpKind::Made,
            state: match &state {
                Some(state) => state.on_the_wire(),
                None if problem.is_some() => McpState::Disabled,
                None => McpState::Asking,
            },
            trouble: match &state {
                Some(state) => RunState::failure(state),
                None => {
                    Some(problem.clone().unwrap_or_else(|| format!("It cannot be used: {NOT_APPROVED}.")))
                }
            },
            reach: self.files.source_path(name).display().to_string(),
            description: Some(entry.description.clone()),
            version: None,
            tools: running.as_ref().map(|(_, review)| review.tools(name)).unwrap_or_default(),
            left_out: Vec::new(),
            has_resources: false,
            has_prompts: false,
            sign_in: None,
            asks: (state.is_none() && problem.is_none()).then(|| digest.clone()),
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
