//! The command line of `cargo xtask`.

use std::path::Path;

use crate::failure::{Failure, TaskResult};

pub const HELP: &str = "\
cargo xtask COMMAND

  run [ARGS]      install what is missing, build, start, and open the page; ARGS go to `perigee serve`
  test            install what is missing, build, and run all tests
                    --tier NAME     run only this tier (pure, program, real, interop, web, browser); can be repeated
                    --filter TEXT   run only the tests whose name contains TEXT
                    --keep-going    continue after a tier has failed
  dev [ARGS]      start the page and the server, and reload them on changes; ARGS go to `perigee serve`
  codegen         write the generated files again
  tidy [PART]     check rules, format, types and lints, or only one of them; `tidy circles` lists the files that
                  depend on each other in a circle, `tidy names` the type names that are used more than once,
                  `tidy words` the comments that break a rule
  bench [NAME]    run the benchmarks, with --data FILE, --seed N, --wordings FILE and --json
  soak [ARGS]     run the long tests under load
";

/// A command with its arguments.
#[derive(Debug, PartialEq, Eq)]
pub enum XtaskCommand {
    Run { serve: Vec<String> },
    Test(Selection),
    Dev { serve: Vec<String> },
    Codegen,
    Tidy(TidyPart),
    Bench { arguments: Vec<String> },
    Help,
}

/// The part of `tidy` to run: a check or a list.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum TidyPart {
    #[default]
    All,
    Rules,
    Format,
    Types,
    Lints,
    /// The list of circles of files.
    Circles,
    /// The list of type names that are used more than once.
    Names,
    /// The list of comments that break a rule.
    Words,
}

impl TidyPart {
    const NAMED: [(&'static str, Self); 7] = [
        ("rules", Self::Rules),
        ("format", Self::Format),
        ("types", Self::Types),
        ("lints", Self::Lints),
        ("circles", Self::Circles),
        ("names", Self::Names),
        ("words", Self::Words),
    ];

    fn parse(arguments: &[String]) -> TaskResult<Self> {
        let Some(name) = arguments.first() else { return Ok(Self::All) };
        let named = Self::NAMED.into_iter().find(|(known, _)| known == name).map(|(_, part)| part);
        let unknown = if named.is_some() { arguments.get(1) } else { Some(name) };
        named.filter(|_| unknown.is_none()).ok_or_else(|| not_understood(unknown.unwrap_or(name)))
    }
}

/// The selection of tests to run.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The tiers to run; empty means all of them.
    pub tiers: Vec<String>,
    pub filter: Option<String>,
    pub after_failure: AfterFailure,
}

/// The action after a failed tier.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum AfterFailure {
    #[default]
    Stop,
    GoOn,
}

impl XtaskCommand {
    /// The names of all commands, for the rule that the README mentions only existing ones.
    pub const NAMES: [&'static str; 7] = ["run", "test", "dev", "codegen", "tidy", "bench", "soak"];

    pub fn parse(arguments: impl IntoIterator<Item = String>) -> TaskResult<Self> {
        let mut arguments = arguments.into_iter();
        let name = arguments.next();
        let rest: Vec<String> = arguments.collect();
        match name.as_deref() {
            Some("run") => Ok(Self::Run { serve: rest }),
            Some("test") => selection(rest).map(Self::Test),
            Some("dev") => Ok(Self::Dev { serve: rest }),
            Some("codegen") => alone(&rest, Self::Codegen),
            Some("tidy") => TidyPart::parse(&rest).map(Self::Tidy),
            Some("bench") => Ok(Self::Bench { arguments: rest }),
            Some("soak") => {
                Ok(Self::Bench { arguments: std::iter::once("soak".to_owned()).chain(rest).collect() })
            }
            None | Some("help" | "--help" | "-h") => Ok(Self::Help),
            Some(other) => Err(Failure::new(format!("there is no command `{other}`\n\n{HELP}"))),
        }
    }
}

fn alone(rest: &[String], task: XtaskCommand) -> TaskResult<XtaskCommand> {
    match rest.first() {
        None => Ok(task),
        Some(extra) => Err(not_understood(extra)),
    }
}

fn not_understood(argument: &str) -> Failure {
    Failure::new(format!("`{argument}` is not understood here\n\n{HELP}"))
}

fn selection(arguments: Vec<String>) -> TaskResult<Selection> {
    let mut selection = Selection::default();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let (name, inline) = match argument.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (argument, None),
        };
        let mut value = || {
            inline
                .clone()
                .or_else(|| arguments.next())
                .ok_or_else(|| Failure::new(format!("{name} needs a value")))
        };
        match name.as_str() {
            "--tier" => selection.tiers.push(value()?),
            "--filter" => selection.filter = Some(value()?),
            "--keep-going" => selection.after_failure = AfterFailure::GoOn,
            other => return Err(not_understood(other)),
        }
    }
    Ok(selection)
}

/// Makes the path after `--data` absolute. It is relative to the user's working directory, while programs run in the
/// root of the repository.
pub fn with_absolute_data(arguments: Vec<String>, here: &Path) -> Vec<String> {
    let mut after_data = false;
    let absolute = |path: &str| here.join(path).to_string_lossy().into_owned();
    arguments
        .into_iter()
        .map(|argument| {
            let is_value = std::mem::replace(&mut after_data, argument == "--data");
            match argument.strip_prefix("--data=") {
                Some(path) => format!("--data={}", absolute(path)),
                None if is_value => absolute(&argument),
                None => argument,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn commands_are_understood() {
        let test = |tiers: &[&str], filter: Option<&str>, after_failure| {
            let tiers = tiers.iter().map(ToString::to_string).collect();
            XtaskCommand::Test(Selection { tiers, filter: filter.map(str::to_owned), after_failure })
        };
        for (line, task) in [
            ("", XtaskCommand::Help),
            ("--help", XtaskCommand::Help),
            ("run", XtaskCommand::Run { serve: vec![] }),
            ("run --port 0 --help", XtaskCommand::Run { serve: words("--port 0 --help") }),
            ("test", test(&[], None, AfterFailure::Stop)),
            (
                "test --tier pure --tier=web --filter sse",
                test(&["pure", "web"], Some("sse"), AfterFailure::Stop),
            ),
            ("test --keep-going", test(&[], None, AfterFailure::GoOn)),
            ("dev", XtaskCommand::Dev { serve: vec![] }),
            ("codegen", XtaskCommand::Codegen),
            ("tidy", XtaskCommand::Tidy(TidyPart::All)),
            ("tidy rules", XtaskCommand::Tidy(TidyPart::Rules)),
            ("tidy circles", XtaskCommand::Tidy(TidyPart::Circles)),
            ("bench ttft --json", XtaskCommand::Bench { arguments: words("ttft --json") }),
            ("soak --minutes 5", XtaskCommand::Bench { arguments: words("soak --minutes 5") }),
        ] {
            assert_eq!(XtaskCommand::parse(words(line)).unwrap(), task, "{line}");
        }
    }

    #[test]
    fn what_is_not_understood_is_named_and_help_follows() {
        for (line, named) in [
            ("rum", "`rum`"),
            ("test --teir pure", "`--teir`"),
            ("tidy now", "`now`"),
            ("tidy names now", "`now`"),
        ] {
            let error = XtaskCommand::parse(words(line)).unwrap_err().to_string();
            assert!(error.contains(named) && error.contains("cargo xtask COMMAND"), "{error}");
        }
        assert_eq!(
            XtaskCommand::parse(words("test --tier")).unwrap_err().to_string(),
            "--tier needs a value"
        );
    }

    #[test]
    fn every_name_is_a_command_and_in_the_help() {
        for name in XtaskCommand::NAMES {
            assert!(XtaskCommand::parse([name.to_owned()]).is_ok(), "{name}");
            assert!(HELP.contains(&format!("\n  {name} ")), "{name}");
        }
    }

    #[test]
    fn a_data_file_is_found_from_anywhere() {
        let here = Path::new("/here");
        let made = |line: &str| with_absolute_data(words(line), here).join(" ");
        assert_eq!(made("recall --data a.json --json"), "recall --data /here/a.json --json");
        assert_eq!(made("recall --data=/b/a.json"), "recall --data=/b/a.json");
        assert_eq!(made("recall --data"), "recall --data");
    }
}
