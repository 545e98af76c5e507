//! Checks whether a project still builds and passes its tests after a change, and finds the reason if not.
//!
//! [`plan`] inspects a project and returns the stages to run; [`verify`] runs them one after the other; [`problems`]
//! parses their output, and [`first_real`] picks the problem to fix first. [`Repair`] decides whether a model is asked
//! to fix it. Only [`Runner`] runs commands, and the caller provides it; everything else is pure.

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
