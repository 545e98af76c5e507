//! Whether a project still stands after a change, and if not, why.
//!
//! [`plan`] looks at a project and says what has to be run; [`verify`] runs it, stage after stage; [`problems`] reads
//! what was printed, and [`first_real`] says what of it has to be put right first. [`Repair`] decides whether a model
//! is asked to. Only [`Runner`] runs anything, and that is somebody else's; all the rest are values.

mod clean;
mod fingerprint;
mod hint;
mod look;
mod parse;
mod plan;
mod problem;
mod repair;
mod report;
mod run;

pub use look::Look;
pub use parse::problems;
pub use plan::{Configured, Kind, Scope, Stage, Toolchain, plan};
pub use problem::{Ground, Problem, Severity, Standing};
pub use repair::{Ask, Next, Repair};
pub use report::{Report, first_real};
pub use run::{Ended, Out, Outcome, Runner, Told, Verdict, verify};
