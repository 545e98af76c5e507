use std::process::ExitCode;

use clap::{Args, Subcommand};
use client::Client;
use protocol::{NewUserRequest, User};
use terminal::{Screen, Table, clean_line, print_line};

use crate::commands::print_json;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:
  perigee users                                           list the users
  perigee users add Ada                                   add a user
  perigee token new \"Ada's phone\" --user Ada --scope all  create a token for the user")]
pub struct UsersCommandOptions {
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

pub async fn run(client: &Client, options: UsersCommandOptions) -> anyhow::Result<ExitCode> {
    match options.action.unwrap_or(Action::List(options.list)) {
        Action::List(List { json }) => {
            let users: Vec<User> = client.get("/api/users").await?;
            if json {
                return print_json(&users);
            }
            let mut table = Table::with_columns(&["name", "id", ""]);
            for user in users {
                let role = if user.owner { "owner" } else { "" };
                table.row([user.name.into(), user.id.to_string().into(), role.into()]);
            }
            terminal::print(&table.render(Screen::stdout()));
        }
        Action::Add { name, json } => {
            let user: User = client.post("/api/users", &NewUserRequest { name }).await?;
            if json {
                return print_json(&user);
            }
            let name = clean_line(&user.name);
            print_line!("{name} is added. Give them a token of their own:");
            print_line!("  perigee token new \"{name}'s browser\" --user \"{name}\" --scope all");
        }
    }
    Ok(ExitCode::SUCCESS)
}
