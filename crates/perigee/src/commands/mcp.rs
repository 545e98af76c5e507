//! `perigee mcp`: management of MCP servers, and serving MCP.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use ::mcp::{Python, connect_runner};
use ::sandbox::Sandbox;
use anyhow::Context as _;
use clap::{Args, Subcommand};
use client::{Client, in_url};
use config::{Environment, Flags, Folders, LiveConfig, McpPackage};
use protocol::{
    MadeSource, McpAddRequest, McpApproveRequest, McpLog, McpServerInfo, McpServerList, McpSignIn,
    McpSignInStart, McpStanding, McpState, McpToolInfo,
};
use serde_json::{Map, Value, json};
use terminal::{AnsiColour, Screen, Table, TableCell, TextStyle, clean, clean_line, print_line};

use super::mcp_approval;
use super::sandbox::{NO_TIME_LIMIT, forward_output};
use super::{print_json, with_server};

/// The time limit for signing in in the browser.
const SIGN_IN_TIMEOUT: Duration = Duration::from_mins(15);

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee mcp list                                        the servers and their state
  perigee mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes
  perigee mcp add docs --url https://example.org/mcp --header 'Authorization: Bearer KEY'
  perigee mcp sign-in docs                                for a server that requires it
  perigee mcp approve files                               review a server, and approve it
  perigee mcp serve                                       in the settings of an agent that should know you
  perigee mcp run dice.py                                 in the settings of any MCP client: command \"perigee\", args [\"mcp\", \"run\", \"dice.py\"]")]
pub struct McpCommandOptions {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
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
        long_about = "Run a server that is one Python file, in the sandbox, on standard input and output. Its public functions \
        are its tools, or it uses FastMCP. It needs only Python. It can read its own folder and write its storage, and has \
        no network."
    )]
    Run {
        /// The Python file of the server.
        file: PathBuf,
        /// The folder that the server may write, passed in MCP_SANDBOX_DIR. By default a temporary one.
        #[arg(long, value_name = "DIR")]
        storage: Option<PathBuf>,
    },
}

pub async fn run(folders: &Folders, options: McpCommandOptions) -> anyhow::Result<ExitCode> {
    match options.action {
        Action::Run { file, storage } => run_file(folders, &file, storage).await,
        Action::Serve => with_server(folders, serve).await,
        action => with_server(folders, async |client| act(client, action).await).await,
    }
}

async fn serve(client: &Client) -> anyhow::Result<ExitCode> {
    let print = |line: &str| terminal::print(&format!("{line}\n"));
    client.relay_mcp("/mcp", terminal::input_lines(), print).await;
    Ok(ExitCode::SUCCESS)
}

async fn act(client: &Client, action: Action) -> anyhow::Result<ExitCode> {
    let nothing = json!({});
    match action {
        Action::List { json: true } => return print_json(&list(client).await?),
        Action::List { json: false } => show(&list(client).await?),
        Action::Add { name, url, header, env, command } => {
            let server = server_settings(url, &header, &env, &command)?;
            let request = McpAddRequest { name: name.clone(), server };
            let _: McpServerList = client.post("/api/mcp/servers", &request).await?;
            print_line!("{name} is added. `perigee mcp list` shows its state.");
        }
        Action::Approve { name, yes, hosts } => return approve(client, &name, yes, hosts).await,
        Action::SignIn { name } => return sign_in(client, &name).await,
        Action::SignOut { name } => {
            client.delete(&server_path(&name, "/sign-in")).await?;
            print_line!("You are signed out of {name}.");
        }
        Action::Remove { name } => {
            client.delete(&server_path(&name, "")).await?;
            print_line!("{name} is removed.");
        }
        Action::Restore { name, version: None } => {
            show(&client.post(&server_path(&name, "/restore"), &nothing).await?);
        }
        Action::Restore { name, version: Some(number) } => {
            let server = server(client, &name).await?;
            let versions = server.made.map(|made| made.versions).unwrap_or_default();
            let version = number.checked_sub(1).and_then(|at| versions.get(at));
            let version = version.with_context(|| {
                format!("{name} has {} versions, and none with the number {number}", versions.len())
            })?;
            let path = format!("/versions/{}/restore", in_url(&version.id));
            show(&client.post(&server_path(&name, &path), &nothing).await?);
        }
        Action::Start { name } => {
            let _: McpServerList = client.post(&server_path(&name, "/start"), &nothing).await?;
            print_line!("{name} is starting. `perigee mcp list` shows its state.");
        }
        Action::Stop { name } => {
            let _: McpServerList = client.post(&server_path(&name, "/stop"), &nothing).await?;
            print_line!("{name} is stopped. `perigee mcp start {name}` starts it again.");
        }
        Action::Logs { name } => {
            let log: McpLog = client.get(&server_path(&name, "/logs")).await?;
            for line in log.lines {
                print_line!("{} {}", line.at, clean_line(&line.text));
            }
        }
        Action::Serve | Action::Run { .. } => {}
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(client: &Client) -> anyhow::Result<McpServerList> {
    client.get("/api/mcp/servers").await
}

/// Builds the settings entry of a server.
fn server_settings(
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
        None if hosts.is_some() => {
            anyhow::bail!("{name} was not written by Luna, so its network access is not limited to hosts")
        }
        Some(made) if hosts.is_some() && !made.wants_network => {
            anyhow::bail!(
                "{name} does not ask for the network. To let it ask, set `allow_network` in manifest.json"
            )
        }
        _ => {}
    }
    // New hosts for an approved server need an approval of the same version.
    let same = server.made.as_ref().filter(|_| hosts.is_some()).map(|made| made.digest.clone());
    let Some(seen) = server.asks.clone().or(same.filter(|digest| !digest.is_empty())) else {
        print_line!("{name} does not need approval.");
        return Ok(ExitCode::SUCCESS);
    };
    let asked = match &server.made {
        Some(made) => {
            let source: MadeSource = client.get(&server_path(name, "/source")).await?;
            mcp_approval::describe(&server, made, &source, hosts.as_ref().unwrap_or(&made.hosts))
        }
        None => describe_request(&server),
    };
    print_line!("{}", clean(&asked));
    let agreed = yes || (terminal::is_interactive() && terminal::confirm("Approve it?"));
    if !agreed {
        match server.state {
            McpState::Asking => print_line!("{name} is not approved."),
            _ => print_line!("What is new or changed is not approved."),
        }
        return Ok(ExitCode::FAILURE);
    }
    let request = McpApproveRequest { seen, hosts };
    let list: McpServerList = client.post(&server_path(name, "/approve"), &request).await?;
    show(&list);
    Ok(ExitCode::SUCCESS)
}

/// Prints the sign-in address and waits until sign-in is complete.
async fn sign_in(client: &Client, name: &str) -> anyhow::Result<ExitCode> {
    let start: McpSignInStart = client.post(&server_path(name, "/sign-in"), &json!({})).await?;
    print_line!(
        "Open this in a browser on this machine, and sign in there:\n\n  {}\n",
        clean_line(&start.url)
    );
    let until = tokio::time::Instant::now() + SIGN_IN_TIMEOUT;
    while tokio::time::Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let server = server(client, name).await?;
        match (server.sign_in, server.state) {
            (Some(McpSignIn::Done), McpState::Ready) => {
                print_line!("You are signed in with {name}.");
                return Ok(ExitCode::SUCCESS);
            }
            (Some(McpSignIn::Done), McpState::Failing | McpState::Failed) => {
                anyhow::bail!("{name} does not work: {}", server.trouble.unwrap_or_default());
            }
            _ => {}
        }
    }
    anyhow::bail!("the sign-in was not completed in time. Start it again when you like")
}

/// Describes what the user is asked to approve.
fn describe_request(server: &McpServerInfo) -> String {
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
    format!("The tools of {} differ from those that you approved:\n{}", server.name, lines.join("\n"))
}

fn show(list: &McpServerList) {
    if list.servers.is_empty() {
        print_line!("There are no servers. `perigee mcp add` adds one.");
    } else {
        let mut table = Table::with_columns(&["server", "state", "tools", "about"]);
        for server in &list.servers {
            let (style, word) = state(server.state);
            let about = server.trouble.as_deref().unwrap_or(&server.reach);
            table.row([
                server.name.as_str().into(),
                TableCell::styled(style, word),
                server.tools.len().to_string().as_str().into(),
                clean_line(about).as_str().into(),
            ]);
        }
        terminal::print(&table.render(Screen::stdout()));
    }
    if let Some(trouble) = &list.trouble {
        print_line!("The servers that Luna wrote cannot be listed: {}", clean_line(trouble));
    }
    for deleted in &list.deleted {
        print_line!("{} was removed: `perigee mcp restore {0}` brings it back.", clean_line(&deleted.name));
    }
    print_line!("Sandbox: {}", list.sandbox.level);
}

fn state(state: McpState) -> (TextStyle, &'static str) {
    match state {
        McpState::Asking => (TextStyle::coloured(AnsiColour::Yellow), "needs your approval"),
        McpState::Disabled => (TextStyle::DIM, "off"),
        McpState::Resting => (TextStyle::DIM, "idle"),
        McpState::Starting => (TextStyle::default(), "starting"),
        McpState::Ready => (TextStyle::coloured(AnsiColour::Green), "ready"),
        McpState::Locked => (TextStyle::coloured(AnsiColour::Yellow), "needs you to sign in"),
        McpState::Failing => (TextStyle::coloured(AnsiColour::Red), "failed, retrying"),
        McpState::Failed => (TextStyle::coloured(AnsiColour::Red), "failed"),
    }
}

fn server_path(name: &str, rest: &str) -> String {
    format!("/api/mcp/servers/{}{rest}", in_url(name))
}

async fn run_file(folders: &Folders, file: &Path, storage: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    let file = file.canonicalize().with_context(|| format!("{} cannot be read", file.display()))?;
    let (sandbox, python) = tokio::join!(Sandbox::probe(), Python::find());
    let python = python?;
    let config = LiveConfig::open(folders.clone(), Environment::of_process(), Flags::default()).current();
    let wants_official = config.builtin_tools.mcp_servers_package == McpPackage::Official;
    let runner = python.runner(&folders.cache, wants_official).await?;
    let scratch = tempfile::tempdir().context("no temporary folder could be created")?;
    let storage = storage.unwrap_or_else(|| scratch.path().to_owned());
    let (policy, command) = python.sandboxed_command(&runner, &file, &storage)?;
    let policy = policy.hide(&folders.home);
    let mut program = sandbox.start(&policy, command, |program| {
        program.with_open_stdin().time_limit(NO_TIME_LIMIT).output_limit(usize::MAX)
    })?;
    let input = program.take_stdin().context("the program has no standard input")?;
    let (forwarded, output) = tokio::io::duplex(64 * 1024);
    let served = async {
        let client = (terminal::input_stream(), terminal::OutputStream);
        let (connected, code) =
            tokio::join!(connect_runner(output, input, client), forward_output(program, forwarded));
        connected.map_err(anyhow::Error::msg)?;
        code
    };
    tokio::select! {
        code = served => code,
        code = terminal::interrupted() => Ok(ExitCode::from(code)),
    }
}
