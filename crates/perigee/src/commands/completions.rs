use std::process::ExitCode;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::terminal;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee completions bash > ~/.local/share/bash-completion/completions/perigee
  perigee completions zsh > ~/.zfunc/_perigee
  perigee completions fish > ~/.config/fish/completions/perigee.fish")]
pub struct Options {
    /// The shell to complete commands for.
    #[arg(value_enum)]
    shell: Shell,
}

pub fn run(options: &Options) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Cli::command(), "perigee", &mut script);
    terminal::print(&String::from_utf8_lossy(&script));
    ExitCode::SUCCESS
}
