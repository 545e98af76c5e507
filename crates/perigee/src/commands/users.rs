use std::process::ExitCode;

use clap::{Args, Subcommand};
use protocol::{NewUserRequest, User};

use crate::client::Client;
use crate::commands::print_json;
use crate::terminal::{self, Screen, Table, clean_line, say};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:
  perigee users                                           who uses this Perigee
  perigee users add Ada                                   add somebody
  perigee token new \"Ada's phone\" --user Ada --scope all  let her in")]
pub struct Options {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    list: List,
}

#[derive(Debug, Args)]
struct List {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show the users of this Perigee.
    List(List),
    /// Add a user, with separate conversations.
    Add {
        name: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

pub async fn run(client: &Client, options: Options) -> anyhow::Result<ExitCode> {
    match options.action.unwrap_or(Action::List(options.list)) {
        Action::List(List { json }) => {
            let users: Vec<User> = client.get("/api/users").await?;
            if json {
                return print_json(&users);
            }
            let mut table = Table::titled(&["name", "id", ""]);
            for user in users {
                let role = if user.owner { "owner" } else { "" };
                table.row([user.name.into(), user.id.to_string().into(), role.into()]);
            }
            terminal::print(&table.show(Screen::stdout()));
        }
        Action::Add { name, json } => {
            let user: User = client.post("/api/users", &NewUserRequest { name }).await?;
            if json {
                return print_json(&user);
            }
            let name = clean_line(&user.name);
            say!("{name} is here. Let them in with a token of their own:");
            say!("  perigee token new \"{name}'s browser\" --user \"{name}\" --scope all");
        }
    }
    Ok(ExitCode::SUCCESS)
}
