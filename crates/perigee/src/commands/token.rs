use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Subcommand, ValueEnum};
use client::Client;
use config::{Environment, Flags, Folders, LiveConfig};
use host::{HomeLock, RunInfo, Secret};
use jiff::Timestamp;
use protocol::{NewTokenRequest, Scope, TokenId, TokenInfo, TokenSecret, User, UserId};
use terminal::{Screen, Table, ago, clean_line, print_line};

use crate::commands::{print_json, with_server};
use crate::token::TokenFile;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee token                                print the owner's token, which allows everything
  perigee token new phone --scope chat         create a token that may only chat
  perigee token list                           list the limited tokens
  perigee token revoke 0c1vh4t2m8q5e           revoke one
  perigee token rotate                         replace the owner's token
  curl -H \"Authorization: Bearer $(perigee token)\" http://127.0.0.1:8899/v1/models")]
pub struct TokenCommandOptions {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Create a limited token. Its secret is shown once.
    New {
        /// A name for its purpose.
        name: String,
        /// A scope of the token; may be repeated.
        #[arg(long, value_enum, required = true, value_delimiter = ',')]
        scope: Vec<ScopeName>,
        /// The user that the token is for; by default you.
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show the limited tokens.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Revoke a token, sign out the browsers that used it, and close their connections.
    Revoke { id: TokenId },
    /// Replace the owner's token. The old one is invalid from then on.
    Rotate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ScopeName {
    Chat,
    #[value(name = "memory.read")]
    MemoryRead,
    #[value(name = "memory.write")]
    MemoryWrite,
    Voice,
    /// Everything that a user other than the owner may do.
    All,
}

impl From<ScopeName> for Scope {
    fn from(name: ScopeName) -> Self {
        match name {
            ScopeName::Chat => Scope::Chat,
            ScopeName::MemoryRead => Scope::MemoryRead,
            ScopeName::MemoryWrite => Scope::MemoryWrite,
            ScopeName::Voice => Scope::Voice,
            ScopeName::All => Scope::All,
        }
    }
}

pub async fn run(folders: &Folders, options: TokenCommandOptions) -> anyhow::Result<ExitCode> {
    let Some(action) = options.action else {
        terminal::print(&format!("{}\n", token(folders)?.expose()));
        return Ok(ExitCode::SUCCESS);
    };
    with_server(folders, async |client| act(client, action).await).await
}

/// Returns the owner's token, from a file and thus without a server.
fn token(folders: &Folders) -> anyhow::Result<Secret> {
    if let Some(info) = RunInfo::running(&folders.home) {
        return Ok(info.token);
    }
    host::private_dir(&folders.home)?;
    let config = LiveConfig::open(folders.clone(), Environment::of_process(), Flags::default()).current();
    let file = TokenFile::new(&folders.home);
    if let Some(token) = file.read(&config)? {
        return Ok(token);
    }
    // A server that is starting creates a token too, and there must be only one.
    let _lock = HomeLock::acquire(&folders.home)?;
    file.read_or_create(&config)
}

async fn act(client: &Client, action: Action) -> anyhow::Result<ExitCode> {
    match action {
        Action::New { name, scope, user, json } => {
            let user = match user {
                Some(name) => Some(user_named(client, &name).await?),
                None => None,
            };
            let scopes = scope.into_iter().map(Scope::from).collect();
            let made: TokenSecret =
                client.post("/api/tokens", &NewTokenRequest { name, scopes, user }).await?;
            if json {
                return print_json(&made);
            }
            terminal::print(&format!("{}\n", made.secret));
            eprintln!(
                "Save it now: it is not shown again. Revoke it with: perigee token revoke {}",
                made.token.id
            );
        }
        Action::List { json } => {
            let tokens: Vec<TokenInfo> = client.get("/api/tokens").await?;
            if json {
                return print_json(&tokens);
            }
            list(client, tokens).await?;
        }
        Action::Revoke { id } => {
            client.delete(&format!("/api/tokens/{id}")).await?;
            print_line!("The token is revoked. Browsers that used it are signed out.");
        }
        Action::Rotate => {
            let token: String = client.post("/api/tokens/rotate", &()).await?;
            terminal::print(&format!("{token}\n"));
            eprintln!("The old token is invalid. Browsers stay signed in.");
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn user_named(client: &Client, name: &str) -> anyhow::Result<UserId> {
    let users: Vec<User> = client.get("/api/users").await?;
    let known = users.iter().find(|user| user.name == name || user.id.to_string() == name);
    let known =
        known.with_context(|| format!("there is no user named {name}: add one with `perigee users add`"))?;
    Ok(known.id)
}

async fn list(client: &Client, tokens: Vec<TokenInfo>) -> anyhow::Result<()> {
    if tokens.is_empty() {
        print_line!("There are no limited tokens. Create one with: perigee token new NAME --scope chat");
        return Ok(());
    }
    let users: Vec<User> = client.get("/api/users").await?;
    let mut table = Table::with_columns(&["name", "id", "scopes", "user", "created", "last used"]);
    let now = Timestamp::now();
    for token in tokens {
        let scopes: Vec<String> = token.scopes.iter().map(|scope| scope_name(*scope)).collect();
        let user = users.iter().find(|user| user.id == token.user);
        table.row([
            token.name.into(),
            token.id.to_string().into(),
            scopes.join(", ").into(),
            user.map_or_else(|| token.user.to_string(), |user| clean_line(&user.name)).into(),
            ago(now, &token.created_at).into(),
            token.last_used_at.map_or_else(|| "never".to_owned(), |time| ago(now, &time)).into(),
        ]);
    }
    terminal::print(&table.render(Screen::stdout()));
    Ok(())
}

fn scope_name(scope: Scope) -> String {
    let known = ScopeName::value_variants().iter().find(|name| Scope::from(**name) == scope);
    known.and_then(ValueEnum::to_possible_value).map(|value| value.get_name().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_have_the_names_of_the_wire() {
        for name in ScopeName::value_variants() {
            let scope = Scope::from(*name);
            assert_eq!(serde_json::to_value(scope).unwrap(), scope_name(scope));
        }
    }
}
