use tools::ToolError;

use super::machine::{Call, Machine, Platform};

/// The programs that read and write the clipboard on this machine, preferred ones first.
pub struct Clipboard {
    pub read: Call,
    pub write: Call,
}

impl Clipboard {
    pub fn find(machine: &dyn Machine) -> Result<Self, ToolError> {
        let unavailable = |why: &str| Err(ToolError::Unavailable(why.to_owned()));
        match machine.platform() {
            Platform::Mac => return Ok(Self { read: bare("pbpaste"), write: bare("pbcopy") }),
            Platform::Windows => {
                return Ok(Self { read: Call::powershell(READ), write: Call::powershell(WRITE) });
            }
            Platform::Unix if !machine.has_desktop() => {
                return unavailable("There is no desktop here, so there is no clipboard.");
            }
            Platform::Unix => {}
        }
        let wayland = machine.variable("WAYLAND_DISPLAY").is_some();
        if wayland && machine.has("wl-paste") && machine.has("wl-copy") {
            return Ok(Self {
                read: Call::new("wl-paste", ["--no-newline", "--type", "text"]),
                write: Call::new("wl-copy", ["--type", "text/plain"]),
            });
        }
        if machine.has("xclip") {
            return Ok(Self {
                read: Call::new("xclip", ["-selection", "clipboard", "-out"]),
                write: Call::new("xclip", ["-selection", "clipboard", "-in"]),
            });
        }
        if machine.has("xsel") {
            return Ok(Self {
                read: Call::new("xsel", ["--clipboard", "--output"]),
                write: Call::new("xsel", ["--clipboard", "--input"]),
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

fn bare(program: &str) -> Call {
    Call { program: program.into(), ..Call::default() }
}
