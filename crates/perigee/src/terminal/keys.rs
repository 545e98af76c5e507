use std::io::stdin;

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// While this lives, keys that are pressed do not show: a `^C` in the middle of a reply belongs to nobody. They
/// are not lost; whoever reads next gets them.
pub struct QuietKeys {
    before: Option<Termios>,
}

impl QuietKeys {
    pub fn new() -> Self {
        // Where the input is no terminal, there is nothing to keep quiet.
        let before = tcgetattr(stdin()).ok();
        if let Some(mut quiet) = before.clone() {
            quiet.local_modes.remove(LocalModes::ECHO);
            tcsetattr(stdin(), OptionalActions::Now, &quiet).ok();
        }
        Self { before }
    }
}

impl Drop for QuietKeys {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            tcsetattr(stdin(), OptionalActions::Now, before).ok();
        }
    }
}
