use std::path::Path;

use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::Value;

use crate::error::Result;
use crate::store::Store;
use crate::stored::{RowExt, to_json};
use crate::writer::Durability;

/// The user's approval of an MCP server.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct McpApproval {
    /// The hash of what would be started.
    pub launch: String,
    /// The tools as the server described them; `None` until it has run once.
    pub tools: Option<Value>,
    pub hosts: Vec<String>,
}

impl Store {
    pub async fn mcp_approval(&self, server: &str) -> Result<Option<McpApproval>> {
        let server = server.to_owned();
        self.read(move |connection| {
            let sql = "SELECT launch, tools, hosts FROM mcp_approvals WHERE server = ?1";
            let row = connection.prepare_cached(sql)?.query_row([server], |row| {
                let tools: Option<String> = row.get("tools")?;
                Ok(McpApproval {
                    launch: row.get("launch")?,
                    // Tools that cannot be read count as not approved.
                    tools: tools
                        .map(|tools| serde_json::from_str(&tools).unwrap_or(Value::Array(Vec::new()))),
                    hosts: row.json("hosts")?,
                })
            });
            Ok(row.optional()?)
        })
        .await
    }

    /// Approves a server in its current form, replacing an earlier approval.
    pub async fn approve_mcp(&self, server: &str, approval: McpApproval) -> Result<()> {
        let (server, context) = (server.to_owned(), self.context());
        self.write(Durability::Person, move |connection| {
            let McpApproval { launch, tools, hosts } = approval;
            let tools = tools.map(|tools| to_json(&tools)).transpose()?;
            let sql = "INSERT OR REPLACE INTO mcp_approvals (server, launch, tools, hosts, approved_at)
                       VALUES (?1, ?2, ?3, ?4, ?5)";
            connection.execute(sql, params![server, launch, tools, to_json(&hosts)?, context.now])?;
            Ok(())
        })
        .await
    }

    /// Removes all approvals of servers from a database that is not in use. A user who restores a backup has not reviewed
    /// the programs that it would start.
    pub fn withdraw_mcp_approvals(file: &Path) -> Result<()> {
        let connection = Connection::open(file)?;
        let sql = "SELECT 1 FROM sqlite_schema WHERE name = 'mcp_approvals'";
        if connection.prepare(sql)?.exists([])? {
            connection.execute("DELETE FROM mcp_approvals", [])?;
        }
        Ok(())
    }

    /// Removes the approval of the server with this name.
    pub async fn disapprove_mcp(&self, server: &str) -> Result<()> {
        let server = server.to_owned();
        self.write(Durability::Person, move |connection| {
            connection.execute("DELETE FROM mcp_approvals WHERE server = ?1", [server])?;
            Ok(())
        })
        .await
    }
}
