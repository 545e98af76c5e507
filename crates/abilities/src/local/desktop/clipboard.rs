use tools::ToolError;

use super::environment::{DesktopEnvironment, Platform, ProgramCall};

/// The programs that read and write the clipboard on this machine, preferred ones first.
pub struct Clipboard {
    pub read: ProgramCall,
    pub write: ProgramCall,
}

impl Clipboard {
    pub fn find(desktop: &dyn DesktopEnvironment) -> Result<Self, ToolError> {
        let unavailable = |why: &str| Err(ToolError::Unavailable(why.to_owned()));
        match desktop.platform() {
            Platform::Mac => return Ok(Self { read: bare("pbpaste"), write: bare("pbcopy") }),
            Platform::Windows => {
                return Ok(Self {
                    read: ProgramCall::powershell(READ),
                    write: ProgramCall::powershell(WRITE),
                });
            }
            Platform::Unix if !desktop.has_display() => {
                return unavailable("There is no desktop here, so there is no clipboard.");
            }
            Platform::Unix => {}
        }
        let wayland = desktop.variable("WAYLAND_DISPLAY").is_some();
        if wayland && desktop.has("wl-paste") && desktop.has("wl-copy") {
            return Ok(Self {
                read: ProgramCall::new("wl-paste", ["--no-newline", "--type", "text"]),
                write: ProgramCall::new("wl-copy", ["--type", "text/plain"]),
            });
        }
        if desktop.has("xclip") {
            return Ok(Self {
                read: ProgramCall::new("xclip", ["-selection", "clipboard", "-out"]),
                write: ProgramCall::new("xclip", ["-selection", "clipboard", "-in"]),
            });
        }
        if desktop.has("xsel") {
            return Ok(Self {
                read: ProgramCall::new("xsel", ["--clipboard", "--output"]),
                write: ProgramCall::new("xsel", ["--clipboard", "--input"]),
            });
        }
        unavailable(if wayland {
            "The clipboard cannot be reached. Install the package wl-clipboard."
        } else {
            "The clipboard cannot be reached. Install the package xclip."
        })
    }
}

const READ: &str = "[Console]::OutputEncoding = [Text.Encoding]::UTF8; Get-Clipboard -Raw";
const WRITE: &str =
    "[Console]::InputEncoding = [Text.Encoding]::UTF8; Set-Clipboard -Value ([Console]::In.ReadToEnd())";

fn bare(program: &str) -> ProgramCall {
    ProgramCall { program: program.into(), ..ProgramCall::default() }
}
