use std::io::IsTerminal as _;

use crate::output::print;

/// Returns true if standard input and output are a terminal, so that the user can be asked.
pub fn is_interactive() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Reads the lines of standard input on a separate thread, which ends with the program.
pub fn input_lines() -> tokio::sync::mpsc::Receiver<String> {
    let (sender, lines) = tokio::sync::mpsc::channel(16);
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// Asks a yes-or-no question. An empty answer or the end of input is a no.
pub fn confirm(question: &str) -> bool {
    print(&format!("{question} [y/N] "));
    let mut answer = String::new();
    let read = std::io::stdin().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}
