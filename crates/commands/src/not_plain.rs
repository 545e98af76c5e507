//! Reasons why a line is not a single command of plain words.

/// A construct that a shell would treat specially. Each message is a clause: "It has a pipe".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotPlain {
    #[error("It is empty")]
    Empty,
    #[error("It is very long")]
    TooLong,
    #[error("It has a pipe")]
    Pipe,
    #[error("It joins commands with `&&`")]
    And,
    #[error("It joins commands with `||`")]
    Or,
    #[error("It has more than one command, with `;` between them")]
    Semicolon,
    #[error("It runs something in the background with `&`")]
    Background,
    #[error("It has more than one line")]
    Newline,
    #[error("It redirects what a command reads or writes")]
    Redirection,
    #[error("It has a here-document")]
    HereDocument,
    #[error("It passes text to a command with `<<<`")]
    HereString,
    #[error("It uses the output or input of a command as a file")]
    ProcessSubstitution,
    #[error("It has a `$` that the shell would replace")]
    Variable,
    #[error("It runs a command inside another one")]
    CommandSubstitution,
    #[error("It has text quoted as `$'…'` or `$\"…\"`")]
    DollarQuote,
    #[error("It has a pattern that the shell would replace with the names of files")]
    Glob,
    #[error("It has braces that the shell may expand")]
    Brace,
    #[error("It has a `~` that the shell may replace with a folder")]
    Tilde,
    #[error("It has a comment")]
    Comment,
    #[error("It sets a variable for the command")]
    Assignment,
    #[error("It begins with a reserved word of the shell")]
    Reserved,
    #[error("It has parentheses")]
    Parenthesis,
    #[error("It continues after a backslash at the end of a line")]
    LineContinuation,
    #[error("It has a control character")]
    Control,
    #[error("It has characters that cannot be seen or that look like a space")]
    Hidden,
    #[error("It has letters beyond ASCII outside quotes")]
    UnquotedUnicode,
    #[error("It has a quote that is never closed")]
    Unbalanced,
    #[error("The name of its command is quoted or unusual")]
    Name,
}
