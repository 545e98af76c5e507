use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use protocol::{
    AllowCommandRequest, CommandRules, Permission, PermissionList, PermissionPatch, Risk, ToolInfo, ToolList,
};

use crate::client::Client;
use crate::commands::{in_path, print_json};
use crate::terminal::{self, Cell, Colour, Screen, Style, Table, say};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee tools list                       what she can do, and what you permit
  perigee tools permit web_fetch allow     without asking
  perigee tools permit open confirm        ask each time
  perigee tools permit spotify block       never
  perigee tools permit open default        as the risk has it
  perigee tools rules                      which shell commands need no question
  perigee tools rules --allow 'cargo test' let commands like this one run without a question
  perigee tools rules --remove 'allow cargo test ...'")]
pub struct Options {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show the tools.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show the rules for shell commands, add one, or remove one.
    Rules {
        /// Run commands like this one without asking.
        #[arg(long, value_name = "LINE", conflicts_with = "remove")]
        allow: Option<String>,
        /// Remove the rule with this id.
        #[arg(long, value_name = "ID")]
        remove: Option<String>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Allow, ask about or block a tool.
    Permit {
        name: String,
        #[arg(value_enum)]
        permission: Said,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Said {
    Allow,
    Confirm,
    Block,
    /// The default for the tool's risk.
    Default,
}

impl Said {
    fn permission(self) -> Option<Permission> {
        match self {
            Said::Allow => Some(Permission::Allow),
            Said::Confirm => Some(Permission::Confirm),
            Said::Block => Some(Permission::Block),
            Said::Default => None,
        }
    }
}

pub async fn run(client: &Client, options: Options) -> anyhow::Result<ExitCode> {
    match options.action {
        Action::List { json: true } => print_json(&list(client).await?),
        Action::List { json: false } => {
            terminal::print(&table(&list(client).await?.tools).show(Screen::stdout()));
            Ok(ExitCode::SUCCESS)
        }
        Action::Rules { allow, remove, json } => rules(client, allow, remove, json).await,
        Action::Permit { name, permission } => permit(client, &name, permission).await,
    }
}

async fn list(client: &Client) -> anyhow::Result<ToolList> {
    client.get("/api/tools").await
}

async fn rules(
    client: &Client,
    allow: Option<String>,
    remove: Option<String>,
    json: bool,
) -> anyhow::Result<ExitCode> {
    if allow.is_some() {
        let request = AllowCommandRequest { line: allow, rule: None };
        let _: CommandRules = client.post("/api/commands/rules", &request).await?;
    }
    if let Some(id) = remove {
        client.delete(&format!("/api/commands/rules/{}", in_path(&id))).await?;
    }
    let rules: CommandRules = client.get("/api/commands/rules").await?;
    if json {
        return print_json(&rules);
    }
    if let Some(trouble) = &rules.trouble {
        say!("{trouble}");
    } else if rules.rules.is_empty() && rules.refused.is_empty() {
        say!("There are no rules. `perigee tools rules --allow 'ls'` adds one.");
    } else {
        let mut table = Table::titled(&["rule", "verdict", "commands", "about"]);
        for rule in &rules.rules {
            let about = rule.root.as_deref().unwrap_or(&rule.note);
            let cells = [&rule.id, &rule.verdict, &rule.pattern].map(|text| Cell::from(text.as_str()));
            table.row(cells.into_iter().chain([about.into()]));
        }
        for refused in &rules.refused {
            let why = Cell::styled(Style::coloured(Colour::Red), &refused.why);
            table.row([refused.id.as_str().into(), "not used".into(), "".into(), why]);
        }
        terminal::print(&table.show(Screen::stdout()));
    }
    Ok(ExitCode::SUCCESS)
}

async fn permit(client: &Client, name: &str, said: Said) -> anyhow::Result<ExitCode> {
    let patch = PermissionPatch(BTreeMap::from([(name.to_owned(), said.permission())]));
    let _: PermissionList = client.put("/api/permissions", &patch).await?;
    let tools = list(client).await?.tools;
    if let Some(tool) = tools.iter().find(|tool| tool.name == name) {
        say!("{name}: {}", permission(tool.permission));
    }
    Ok(ExitCode::SUCCESS)
}

fn table(tools: &[ToolInfo]) -> Table {
    let mut table = Table::titled(&["tool", "permission", "risk", "it", "about"]);
    for tool in tools {
        let held = match (tool.on, tool.permission) {
            (false, _) => Cell::styled(Style::DIM, "off"),
            (true, Permission::Block) => Cell::styled(Style::coloured(Colour::Red), "block"),
            (true, other) => Cell::from(permission(other)),
        };
        table.row([
            tool.name.as_str().into(),
            held,
            risk(tool.risk).into(),
            effects(tool).into(),
            tool.description.as_str().into(),
        ]);
    }
    table
}

fn effects(tool: &ToolInfo) -> String {
    let effects = [
        (tool.reads_private, "reads private"),
        (tool.brings_untrusted, "reads outside text"),
        (tool.sends_out, "sends out"),
        (tool.changes, "changes"),
    ];
    effects.iter().filter(|(has, _)| *has).map(|(_, what)| *what).collect::<Vec<_>>().join(", ")
}

fn permission(permission: Permission) -> &'static str {
    match permission {
        Permission::Allow => "allow",
        Permission::Confirm => "confirm",
        Permission::Block => "block",
    }
}

fn risk(risk: Risk) -> &'static str {
    match risk {
        Risk::Safe => "safe",
        Risk::Risky => "risky",
        Risk::Dangerous => "dangerous",
    }
}
