use terminal::{Screen, StyledText, TextStyle, WordWrapper};

/// One line of `/help`.
pub struct CommandHelp {
    /// The names without the slash; the first is the one displayed.
    pub names: &'static [&'static str],
    pub arguments: &'static str,
    pub about: &'static str,
}

/// Creates a line of `/help`.
pub const fn help(
    names: &'static [&'static str],
    arguments: &'static str,
    about: &'static str,
) -> CommandHelp {
    CommandHelp { names, arguments, about }
}

/// Formats the list of commands, with `footer` below it.
pub fn format_help(screen: Screen, commands: &[CommandHelp], footer: &str) -> String {
    /// The narrowest terminal, in columns, with descriptions beside the names.
    const NARROWEST_WITH_COLUMNS: usize = 60;
    let usage =
        |command: &CommandHelp| format!("/{} {}", command.names[0], command.arguments).trim_end().to_owned();
    let column = commands.iter().map(|command| usage(command).len()).max().unwrap_or(0) + 2;
    let width = screen.text_width();
    let mut wrapper = WordWrapper::new(screen.painter, width);
    for command in commands {
        let usage = usage(command);
        if width < NARROWEST_WITH_COLUMNS {
            wrapper.begin(&[], &[]);
            wrapper.text(TextStyle::PLAIN, &usage);
            wrapper.end_line();
            let indent = [StyledText::new(TextStyle::PLAIN, "    ")];
            wrapper.begin(&indent, &indent);
        } else {
            let usage = StyledText::new(TextStyle::PLAIN, format!("{usage:column$}"));
            wrapper.begin(&[usage], &[StyledText::new(TextStyle::PLAIN, " ".repeat(column))]);
        }
        wrapper.text(TextStyle::DIM, command.about);
        wrapper.end_line();
    }
    wrapper.begin(&[], &[]);
    wrapper.end_line();
    wrapper.text(TextStyle::PLAIN, footer);
    wrapper.end_line();
    wrapper.take()
}
