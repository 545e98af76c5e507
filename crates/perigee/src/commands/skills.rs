use std::process::ExitCode;

use clap::Args;
use client::{Client, in_url};
use protocol::{SkillInfo, SkillList, SkillView};
use terminal::{AnsiColour, Screen, Table, TableCell, TextStyle, clean, print_line};

use crate::commands::print_json;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee skills                  the list of skills
  perigee skills meeting-notes    one skill in full")]
pub struct SkillsCommandOptions {
    /// Show this skill in full.
    name: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub async fn run(client: &Client, options: SkillsCommandOptions) -> anyhow::Result<ExitCode> {
    if let Some(name) = options.name {
        let view: SkillView = client.get(&format!("/api/skills/{}", in_url(&name))).await?;
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
    terminal::print(&table(&list.skills).render(Screen::stdout()));
    print_line!("Your own skills go into {}", list.folder);
    Ok(ExitCode::SUCCESS)
}

fn table(skills: &[SkillInfo]) -> Table {
    let mut table = Table::with_columns(&["skill", "from", "about"]);
    for skill in skills {
        let from = if skill.shipped { "Perigee" } else { "you" };
        let about = match &skill.trouble {
            Some(trouble) => TableCell::styled(TextStyle::coloured(AnsiColour::Red), trouble),
            None => TableCell::from(skill.description.as_str()),
        };
        table.row([skill.name.as_str().into(), from.into(), about]);
    }
    table
}
