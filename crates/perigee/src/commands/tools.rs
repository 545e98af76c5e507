use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use client::{Client, in_url};
use protocol::{
    AllowCommandRequest, CommandRules, Permission, PermissionList, PermissionPatch, Risk, ToolInfo, ToolList,
};
use terminal::{AnsiColour, Screen, Table, TableCell, TextStyle, print_line};

use crate::commands::print_json;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee tools list                       the tools and their permissions
  perigee tools permit web_fetch allow     use it without asking
  perigee tools permit open confirm        ask each time
  perigee tools permit spotify block       never use it
  perigee tools permit open default        the default for its risk
  perigee tools rules                      the rules for shell commands
  perigee tools rules --allow 'cargo test' run commands like this one without asking
  perigee tools rules --remove 'allow cargo test ...'")]
pub struct ToolsCommandOptions {
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
        permission: PermissionChoice,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PermissionChoice {
    Allow,
    Confirm,
    Block,
    /// The default for the tool's risk.
    Default,
}

impl PermissionChoice {
    fn permission(self) -> Option<Permission> {
        match self {
            PermissionChoice::Allow => Some(Permission::Allow),
            PermissionChoice::Confirm => Some(Permission::Confirm),
            PermissionChoice::Block => Some(Permission::Block),
            PermissionChoice::Default => None,
        }
    }
}

pub async fn run(client: &Client, options: ToolsCommandOptions) -> anyhow::Result<ExitCode> {
    match options.action {
        Action::List { json: true } => print_json(&list(client).await?),
        Action::List { json: false } => {
            terminal::print(&table(&list(client).await?.tools).render(Screen::stdout()));
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
        client.delete(&format!("/api/commands/rules/{}", in_url(&id))).await?;
    }
    let rules: CommandRules = client.get("/api/commands/rules").await?;
    if json {
        return print_json(&rules);
    }
    if let Some(trouble) = &rules.trouble {
        print_line!("{trouble}");
    } else if rules.rules.is_empty() && rules.refused.is_empty() {
        print_line!("There are no rules. `perigee tools rules --allow 'ls'` adds one.");
    } else {
        let mut table = Table::with_columns(&["rule", "verdict", "commands", "about"]);
        for rule in &rules.rules {
            let about = rule.root.as_deref().unwrap_or(&rule.note);
            let cells = [&rule.id, &rule.verdict, &rule.pattern].map(|text| TableCell::from(text.as_str()));
            table.row(cells.into_iter().chain([about.into()]));
        }
        for refused in &rules.refused {
            let why = TableCell::styled(TextStyle::coloured(AnsiColour::Red), &refused.why);
            table.row([refused.id.as_str().into(), "not used".into(), "".into(), why]);
        }
        terminal::print(&table.render(Screen::stdout()));
    }
    Ok(ExitCode::SUCCESS)
}

async fn permit(client: &Client, name: &str, choice: PermissionChoice) -> anyhow::Result<ExitCode> {
    let patch = PermissionPatch(BTreeMap::from([(name.to_owned(), choice.permission())]));
    let _: PermissionList = client.put("/api/permissions", &patch).await?;
    let tools = list(client).await?.tools;
    if let Some(tool) = tools.iter().find(|tool| tool.name == name) {
        print_line!("{name}: {}", permission_name(tool.permission));
    }
    Ok(ExitCode::SUCCESS)
}

fn table(tools: &[ToolInfo]) -> Table {
    let mut table = Table::with_columns(&["tool", "permission", "risk", "effects", "about"]);
    for tool in tools {
        let permission = match (tool.on, tool.permission) {
            (false, _) => TableCell::styled(TextStyle::DIM, "off"),
            (true, Permission::Block) => TableCell::styled(TextStyle::coloured(AnsiColour::Red), "block"),
            (true, other) => TableCell::from(permission_name(other)),
        };
        table.row([
            tool.name.as_str().into(),
            permission,
            risk_name(tool.risk).into(),
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

fn permission_name(permission: Permission) -> &'static str {
    match permission {
        Permission::Allow => "allow",
        Permission::Confirm => "confirm",
        Permission::Block => "block",
    }
}

fn risk_name(risk: Risk) -> &'static str {
    match risk {
        Risk::Safe => "safe",
        Risk::Risky => "risky",
        Risk::Dangerous => "dangerous",
    }
}
