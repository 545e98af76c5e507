use std::process::ExitCode;

use clap::{Args, Command};
use clap_complete::Shell;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee completions bash > ~/.local/share/bash-completion/completions/perigee
  perigee completions zsh > ~/.zfunc/_perigee
  perigee completions fish > ~/.config/fish/completions/perigee.fish")]
pub struct CompletionsCommandOptions {
    /// The shell to complete commands for.
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the completion script for `program`.
pub fn run(options: &CompletionsCommandOptions, program: &mut Command) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, program, "perigee", &mut script);
    terminal::print(&String::from_utf8_lossy(&script));
    ExitCode::SUCCESS
}
