use std::process::ExitCode;

use clap::Args;
use protocol::{SkillInfo, SkillList, SkillView};

use crate::client::Client;
use crate::commands::print_json;
use crate::terminal::{self, Cell, Colour, Screen, Style, Table, clean, say};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee skills                  what she knows how to do well
  perigee skills meeting-notes    one of them, in full")]
pub struct Options {
    /// Show this skill in full.
    name: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub async fn run(client: &Client, options: Options) -> anyhow::Result<ExitCode> {
    if let Some(name) = options.name {
        let view: SkillView = client.get(&format!("/api/skills/{}", in_path(&name))).await?;
        if options.json {
            return print_json(&view);
        }
        terminal::print(&format!("{}\n", clean(view.body.trim())));
        return Ok(ExitCode::SUCCESS);
    }
    let list: SkillList = client.get("/api/skills").await?;
    if options.json {
        return print_json(&list);
    }
    terminal::print(&table(&list.skills).show(Screen::stdout()));
    say!("Your own go into {}", list.folder);
    Ok(ExitCode::SUCCESS)
}

fn table(skills: &[SkillInfo]) -> Table {
    let mut table = Table::titled(&["skill", "from", "about"]);
    for skill in skills {
        let from = if skill.shipped { "Perigee" } else { "you" };
        let about = match &skill.trouble {
            Some(trouble) => Cell::styled(Style::coloured(Colour::Red), trouble),
            None => Cell::from(skill.description.as_str()),
        };
        table.row([skill.name.as_str().into(), from.into(), about]);
    }
    table
}

/// Returns a name for use in a path. Skill names contain only these characters; any other name matches no skill.
fn in_path(name: &str) -> String {
    name.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-').collect()
}
