//! `perigee mcp`: management of MCP servers, and serving MCP.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use ::mcp::{Python, StandIn};
use ::sandbox::Sandbox;
use anyhow::Context as _;
use clap::{Args, Subcommand};
use config::Folders;
use protocol::{
    MadeSource, McpAddRequest, McpApproveRequest, McpLog, McpServerInfo, McpServerList, McpSignIn,
    McpSignInStart, McpStanding, McpState, McpToolInfo,
};
use serde_json::{Map, Value, json};

use super::mcp_made;
use super::sandbox::{FOR_EVER, passed_on};
use super::{in_path, interrupted, print_json, with_server};
use crate::client::Client;
use crate::terminal::{self, Cell, Colour, Screen, Style, Table, clean, clean_line, say};

/// The time limit for signing in in the browser.
const SIGNING_IN: Duration = Duration::from_mins(15);

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee mcp list                                        the servers, and how they are
  perigee mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes
  perigee mcp add docs --url https://example.org/mcp --header 'Authorization: Bearer KEY'
  perigee mcp sign-in docs                                where it lets nobody else in
  perigee mcp approve files                               look at it, and let it in
  perigee mcp serve                                       in the settings of an agent that should know you
  perigee mcp run dice.py                                 in the settings of any MCP client: command \"perigee\", args [\"mcp\", \"run\", \"dice.py\"]")]
pub struct Options {
    #[command(subcommand)]
    command: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Show the MCP servers that provide Luna's tools.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Add a server to the settings and approve it.
    Add {
        name: String,
        /// The address of a server that uses streamable HTTP.
        #[arg(long, conflicts_with = "command", required_unless_present = "command")]
        url: Option<String>,
        /// A header for that address, as `Name: value`.
        #[arg(long, value_name = "HEADER", requires = "url")]
        header: Vec<String>,
        /// An environment variable of the program, as `NAME=value`.
        #[arg(long, value_name = "VARIABLE", requires = "command")]
        env: Vec<String>,
        /// The program and its arguments, after `--`.
        #[arg(last = true)]
        command: Vec<String>,
    },
    /// Show what needs approval, and approve it.
    Approve {
        name: String,
        /// Approve without asking.
        #[arg(long)]
        yes: bool,
        /// The hosts that a server written by Luna may reach, separated by commas; `*` for every public host, an empty
        /// string for none. By default the hosts approved before.
        #[arg(long, value_delimiter = ',')]
        hosts: Option<Vec<String>>,
    },
    /// Sign in to a server that requires it, in a browser.
    SignIn { name: String },
    /// Sign out of a server.
    SignOut { name: String },
    /// Remove a server. One written by Luna can be brought back with `restore`.
    Remove { name: String },
    /// Restore a removed server that Luna wrote, or an earlier version of one.
    #[command(disable_version_flag = true)]
    Restore {
        name: String,
        /// The version, counted from the first. It needs your approval.
        #[arg(long, value_name = "NUMBER")]
        version: Option<usize>,
    },
    /// Start a server, even if it has failed.
    Start { name: String },
    /// Stop a server.
    Stop { name: String },
    /// Show a server's log output.
    Logs { name: String },
    /// Serve Luna's memory and answers to other agents, on standard input and output.
    Serve,
    /// Run an MCP server written as one Python file, in the sandbox, on standard input and output.
    #[command(
        long_about = "Run a server that is one Python file in the style of FastMCP, in the sandbox. It speaks on \
        standard input and output. It needs Python and nothing else, reads its own folder, writes its storage alone, and \
        reaches nobody."
    )]
    Run {
        /// The Python file of the server.
        file: PathBuf,
        /// The folder that the server may write, passed in MCP_SANDBOX_DIR. By default a temporary one.
        #[arg(long, value_name = "DIR")]
        storage: Option<PathBuf>,
    },
}

pub async fn run(folders: &Folders, options: Options) -> anyhow::Result<ExitCode> {
    match options.command {
        What::Run { file, storage } => run_file(folders, &file, storage).await,
        What::Serve => with_server(folders, async |client| client.relay("/mcp").await).await,
        command => with_server(folders, async |client| with(client, command).await).await,
    }
}

async fn with(client: &Client, command: What) -> anyhow::Result<ExitCode> {
    let nothing = json!({});
    match command {
        What::List { json: true } => return print_json(&list(client).await?),
        What::List { json: false } => show(&list(client).await?),
        What::Add { name, url, header, env, command } => {
            let server = described(url, &header, &env, &command)?;
            let request = McpAddRequest { name: name.clone(), server };
            let _: McpServerList = client.post("/api/mcp/servers", &request).await?;
            say!("{name} is added. `perigee mcp list` shows how it does.");
        }
        What::Approve { name, yes, hosts } => return approve(client, &name, yes, hosts).await,
        What::SignIn { name } => return sign_in(client, &name).await,
        What::SignOut { name } => {
            client.delete(&door(&name, "/sign-in")).await?;
            say!("You are signed out of {name}.");
        }
        What::Remove { name } => {
            client.delete(&door(&name, "")).await?;
            say!("{name} is gone.");
        }
        What::Restore { name, version: None } => {
            show(&client.post(&door(&name, "/restore"), &nothing).await?);
        }
        What::Restore { name, version: Some(number) } => {
            let server = server(client, &name).await?;
            let versions = server.made.map(|made| made.versions).unwrap_or_default();
            let version = number.checked_sub(1).and_then(|at| versions.get(at));
            let version = version
                .with_context(|| format!("{name} has {} versions, and no number {number}", versions.len()))?;
            let path = format!("/versions/{}/restore", in_path(&version.id));
            show(&client.post(&door(&name, &path), &nothing).await?);
        }
        What::Start { name } => {
            let _: McpServerList = client.post(&door(&name, "/start"), &nothing).await?;
            say!("{name} is starting. `perigee mcp list` shows how it does.");
        }
        What::Stop { name } => {
            let _: McpServerList = client.post(&door(&name, "/stop"), &nothing).await?;
            say!("{name} is stopped. `perigee mcp start {name}` starts it again.");
        }
        What::Logs { name } => {
            let log: McpLog = client.get(&door(&name, "/logs")).await?;
            for line in log.lines {
                say!("{} {}", line.at, clean_line(&line.text));
            }
        }
        What::Serve | What::Run { .. } => {}
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(client: &Client) -> anyhow::Result<McpServerList> {
    client.get("/api/mcp/servers").await
}

/// Builds the settings entry of a server.
fn described(
    url: Option<String>,
    headers: &[String],
    variables: &[String],
    command: &[String],
) -> anyhow::Result<Map<String, Value>> {
    let pairs = |texts: &[String], between: char| -> anyhow::Result<Map<String, Value>> {
        let pair = |text: &String| {
            let (name, value) =
                text.split_once(between).with_context(|| format!("{text:?} should be NAME{between}value"))?;
            Ok((name.trim().to_owned(), Value::from(value.trim())))
        };
        texts.iter().map(pair).collect()
    };
    let mut server = Map::new();
    if let Some(url) = url {
        server.insert("url".into(), url.into());
        server.insert("headers".into(), Value::Object(pairs(headers, ':')?));
    } else if let Some((program, rest)) = command.split_first() {
        server.insert("command".into(), program.as_str().into());
        server.insert("args".into(), rest.to_vec().into());
        server.insert("env".into(), Value::Object(pairs(variables, '=')?));
    }
    Ok(server)
}

async fn server(client: &Client, name: &str) -> anyhow::Result<McpServerInfo> {
    let servers = list(client).await?.servers;
    let server = servers.into_iter().find(|server| server.name == name);
    server.with_context(|| format!("there is no server named {name}"))
}

async fn approve(
    client: &Client,
    name: &str,
    yes: bool,
    hosts: Option<Vec<String>>,
) -> anyhow::Result<ExitCode> {
    let server = server(client, name).await?;
    let hosts = hosts.map(|hosts| hosts.into_iter().filter(|host| !host.is_empty()).collect::<Vec<_>>());
    match &server.made {
        None if hosts.is_some() => anyhow::bail!("{name} is not one of hers, so it is not held to any hosts"),
        Some(made) if hosts.is_some() && !made.wants_network => {
            anyhow::bail!("{name} does not ask for the network. Its `allow_network` in manifest.json does")
        }
        _ => {}
    }
    // New hosts for an approved server need an approval of the same version.
    let same = server.made.as_ref().filter(|_| hosts.is_some()).map(|made| made.digest.clone());
    let Some(seen) = server.asks.clone().or(same.filter(|digest| !digest.is_empty())) else {
        say!("{name} does not wait for anything.");
        return Ok(ExitCode::SUCCESS);
    };
    let asked = match &server.made {
        Some(made) => {
            let source: MadeSource = client.get(&door(name, "/source")).await?;
            mcp_made::asked(&server, made, &source, hosts.as_ref().unwrap_or(&made.hosts))
        }
        None => asked(&server),
    };
    say!("{}", clean(&asked));
    let agreed = yes || (terminal::is_interactive() && terminal::confirm("Let it in?"));
    if !agreed {
        match server.state {
            McpState::Asking => say!("{name} stays out."),
            _ => say!("What is new or changed stays out."),
        }
        return Ok(ExitCode::FAILURE);
    }
    let request = McpApproveRequest { seen, hosts };
    let list: McpServerList = client.post(&door(name, "/approve"), &request).await?;
    show(&list);
    Ok(ExitCode::SUCCESS)
}

/// Prints the sign-in address and waits until sign-in is complete.
async fn sign_in(client: &Client, name: &str) -> anyhow::Result<ExitCode> {
    let start: McpSignInStart = client.post(&door(name, "/sign-in"), &json!({})).await?;
    say!("Open this in a browser on this machine, and sign in there:\n\n  {}\n", clean_line(&start.url));
    let until = tokio::time::Instant::now() + SIGNING_IN;
    while tokio::time::Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let server = server(client, name).await?;
        match (server.sign_in, server.state) {
            (Some(McpSignIn::Done), McpState::Ready) => {
                say!("You are signed in with {name}.");
                return Ok(ExitCode::SUCCESS);
            }
            (Some(McpSignIn::Done), McpState::Failing | McpState::Failed) => {
                anyhow::bail!("{name} does not work: {}", server.trouble.unwrap_or_default());
            }
            _ => {}
        }
    }
    anyhow::bail!("nobody signed in. Begin again when you like")
}

/// Describes what the user is asked to approve.
fn asked(server: &McpServerInfo) -> String {
    if server.tools.is_empty() {
        return format!("{} would start or reach this:\n  {}", server.name, server.reach);
    }
    let line = |tool: &McpToolInfo| match (&tool.standing, &tool.was) {
        (McpStanding::New, _) => format!("  new      {}: {}", tool.name, tool.description),
        (_, Some(was)) => {
            format!("  changed  {}: {}\n           it said: {was}", tool.name, tool.description)
        }
        _ => format!("           {}", tool.name),
    };
    let lines: Vec<String> = server.tools.iter().map(line).collect();
    format!("{} offers something other than what you approved:\n{}", server.name, lines.join("\n"))
}

fn show(list: &McpServerList) {
    if list.servers.is_empty() {
        say!("There are no servers. `perigee mcp add` adds one.");
    } else {
        let mut table = Table::titled(&["server", "state", "tools", "what"]);
        for server in &list.servers {
            let (style, word) = state(server.state);
            let about = server.trouble.as_deref().unwrap_or(&server.reach);
            table.row([
                server.name.as_str().into(),
                Cell::styled(style, word),
                server.tools.len().to_string().as_str().into(),
                clean_line(about).as_str().into(),
            ]);
        }
        terminal::print(&table.show(Screen::stdout()));
    }
    if let Some(trouble) = &list.trouble {
        say!("Those that she wrote cannot be listed: {}", clean_line(trouble));
    }
    for deleted in &list.deleted {
        say!("{} was removed: `perigee mcp restore {0}` brings it back.", clean_line(&deleted.name));
    }
    say!("Sandbox: {}", list.sandbox.level);
}

fn state(state: McpState) -> (Style, &'static str) {
    match state {
        McpState::Asking => (Style::coloured(Colour::Yellow), "needs your approval"),
        McpState::Disabled => (Style::DIM, "off"),
        McpState::Resting => (Style::DIM, "rests"),
        McpState::Starting => (Style::default(), "starts"),
        McpState::Ready => (Style::coloured(Colour::Green), "ready"),
        McpState::Locked => (Style::coloured(Colour::Yellow), "wants you to sign in"),
        McpState::Failing => (Style::coloured(Colour::Red), "failed, tries again"),
        McpState::Failed => (Style::coloured(Colour::Red), "failed"),
    }
}

fn door(name: &str, rest: &str) -> String {
    format!("/api/mcp/servers/{}{rest}", in_path(name))
}

async fn run_file(folders: &Folders, file: &Path, storage: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    let file = file.canonicalize().with_context(|| format!("{} cannot be read", file.display()))?;
    let (sandbox, python) = tokio::join!(Sandbox::probe(), Python::find());
    let (python, stand_in) = (python?, StandIn::lay_out(&folders.cache)?);
    python.compile(&stand_in).await;
    let scratch = tempfile::tempdir().context("no folder for it could be made")?;
    let storage = storage.unwrap_or_else(|| scratch.path().to_owned());
    let (policy, command) = python.held(&stand_in, &file, &storage)?;
    let policy = policy.hide(&folders.home);
    let cell = sandbox.start(&policy, command, |program| {
        program.sharing_input().time_limit(FOR_EVER).output_limit(usize::MAX)
    })?;
    tokio::select! {
        code = passed_on(cell) => code,
        code = interrupted() => Ok(ExitCode::from(code)),
    }
}
