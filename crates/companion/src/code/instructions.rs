//! Instructions to the model for code requests, by mode, with shorter ones for small models.

use protocol::CodeMode;
use store::FormatRecord;
use workspace::EditFormat;

/// The way in which a model changes files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditMethod {
    /// Calls of editing tools.
    Tools,
    /// Whole files in fenced code blocks, for small models that cannot handle tool calls.
    Fences,
}

const TOOLS: &str = "You write code in the user's workspace. Paths begin at its root.\n\
    - Look before you change: grep, symbols and read_file show what is there. Do not guess at what you have not read.\n\
    - Change as little as does the job, in the style of what stands around it. Edit with search_replace or multi_edit, \
    quoting a few lines exactly; write whole files only where they are new or small.\n\
    - What you change is a proposal: the user sees the differences and decides. So do not ask whether you may, and do not \
    repeat the code in your answer.\n\
    - When you say that you are done, the project is built and tested. If that fails, you are told the first error: mend its \
    cause, not the test.\n\
    - End with two or three sentences: what you changed, and why.";

const FENCES: &str = "You are an expert programmer. You are shown a file, and told what is wanted of it. Answer with the whole \
    new file in one code block, without explanation. Where a second file is needed, write its path behind the fence of its \
    own block.";

const ASK: &str = "You answer questions about the code in the user's workspace. Paths begin at its root. Look things up with the \
    tools before you answer, and name files and lines. You cannot change anything here.";

const ASK_SMALL: &str =
    "You answer questions about the code that is shown. Be short. You cannot change anything here.";

const PLAN: &str = "You plan a change to the code in the user's workspace, and change nothing. Paths begin at its root. Look \
    things up with the tools first. End with the steps, each on a line of its own that begins with `- [ ] `, in the order \
    in which they are done, at most twelve. Each names the file and what changes there.";

const REPAIR: &str = "\n- A build or a test fails. Find the cause, mend it, and leave the rest alone. Never weaken a test to make it \
    pass.";

/// Returns the instructions for a mode, which replace the usual hints about tools.
pub fn instructions(mode: CodeMode, edit_method: EditMethod) -> String {
    match (mode, edit_method) {
        (CodeMode::Agent, EditMethod::Tools) => TOOLS.to_owned(),
        (CodeMode::Repair, EditMethod::Tools) => format!("{TOOLS}{REPAIR}"),
        (CodeMode::Agent | CodeMode::Repair, EditMethod::Fences) => FENCES.to_owned(),
        (CodeMode::Ask, EditMethod::Tools) => ASK.to_owned(),
        (CodeMode::Ask, EditMethod::Fences) => ASK_SMALL.to_owned(),
        (CodeMode::Plan, _) => PLAN.to_owned(),
    }
}

/// Returns the closing instruction for a small model, which follows the end of a prompt most closely.
pub fn closing(mode: CodeMode, target: Option<&str>) -> Option<String> {
    let does = matches!(mode, CodeMode::Agent | CodeMode::Repair);
    target.filter(|_| does).map(|path| {
        format!(
            "Change {path} so that it does what is asked. Answer with the whole new {path} in one code block, without \
             explanation."
        )
    })
}

/// Returns the reminder for a model that was asked for a change and made none. It is sent once.
pub fn reminder(edit_method: EditMethod) -> &'static str {
    match edit_method {
        EditMethod::Tools => {
            "Nothing is changed yet. If something should be, do it with the tools now. If not, say why in one sentence."
        }
        EditMethod::Fences => {
            "Nothing is changed yet. Write the whole changed file in one code block, with its path behind the fence."
        }
    }
}

/// Returns the message for a rewritten file that lacks parts of the old one.
pub fn incomplete(path: &str, missing: &[String]) -> String {
    format!("{path} came without {}. Write the whole file, with them.", missing.join(", "))
}

/// Returns true if a request may remove definitions.
pub fn wants_less(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|sign: char| !sign.is_alphanumeric());
    words.any(|word| REMOVING.contains(&word))
}

const REMOVING: [&str; 12] = [
    "remove", "delete", "drop", "rename", "move", "replace", "merge", "inline", "simplify", "rewrite",
    "clean", "unused",
];

/// Returns true if a request asks for a change.
pub fn wants_change(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words = lower.split(|sign: char| !sign.is_alphanumeric() && sign != '\'');
    let is_question = lower.trim_end().ends_with('?')
        && ["what", "why", "how", "where", "who", "when", "which", "is", "are", "does", "do"]
            .iter()
            .any(|word| lower.trim_start().starts_with(word));
    !is_question && words.into_iter().any(|word| CHANGING.contains(&word))
}

const CHANGING: [&str; 34] = [
    "add",
    "implement",
    "fix",
    "change",
    "rename",
    "remove",
    "delete",
    "refactor",
    "write",
    "create",
    "make",
    "update",
    "replace",
    "move",
    "extract",
    "split",
    "convert",
    "port",
    "rewrite",
    "use",
    "support",
    "handle",
    "mend",
    "repair",
    "improve",
    "optimise",
    "optimize",
    "migrate",
    "insert",
    "drop",
    "correct",
    "build",
    "extend",
    "speed",
];

/// Returns the steps of a plan: lines such as `- [ ] do this`.
pub fn checklist(reply: &str) -> Vec<String> {
    let step = |line: &str| {
        let line = line.trim();
        let line = line.strip_prefix(['-', '*', '+']).map(str::trim_start)?;
        let line = line
            .strip_prefix("[ ]")
            .or_else(|| line.strip_prefix("[x]"))
            .or_else(|| line.strip_prefix("[X]"))?;
        Some(line.trim().to_owned()).filter(|line| !line.is_empty())
    };
    reply.lines().filter_map(step).collect()
}

/// Returns the steps of a plan from the user: its checkboxes, otherwise its numbered lines, otherwise all lines.
pub fn given_steps(plan: &str) -> Vec<String> {
    let boxes = checklist(plan);
    if !boxes.is_empty() {
        return boxes;
    }
    let lines = || plan.lines().map(str::trim).filter(|line| !line.is_empty());
    let unnumbered = |line: &str| {
        let rest = line.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let rest = rest.strip_prefix(['.', ')']).filter(|_| rest.len() < line.len())?;
        Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty())
    };
    let numbered: Vec<String> = lines().filter_map(unnumbered).collect();
    if numbered.is_empty() {
        lines().map(|line| line.trim_start_matches(['-', '*', '+', ' ']).to_owned()).collect()
    } else {
        numbered
    }
}

/// The instruction for a model whose quoting edits are mostly refused and whose whole files succeed more often.
pub const WHOLE_FILES: &str = "\n- Your quotes are often not what stands in the file. Write the whole file with write_file instead, \
    where it has less than 300 lines.";

/// The number of tries from which the success rate of a format is taken into account.
const ENOUGH_TRIES: u32 = 6;

/// Returns true if a model succeeds more often with whole files than with quoting edits. False if it has made too few
/// edits.
pub fn prefers_whole_files(formats: &[FormatRecord]) -> bool {
    let risk = |name: &str| formats.iter().find(|record| record.format == name);
    let Some(quote) = risk(EditFormat::Quote.name()).filter(|record| record.tries >= ENOUGH_TRIES) else {
        return false;
    };
    let whole = risk(EditFormat::Whole.name()).map_or(0.5, FormatRecord::risk);
    quote.risk() > 0.5 && whole < quote.risk()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_wants_a_change_is_told_from_a_question() {
        for (text, wants) in [
            ("Fix the off-by-one in the parser", true),
            ("add a test for empty input.", true),
            ("The login is broken, please repair it", true),
            ("Can you rename Foo to Bar?", true),
            ("What does parse_date do?", false),
            ("How would I add a flag?", false),
            ("Where is the address used?", false),
            ("Thanks", false),
        ] {
            assert_eq!(wants_change(text), wants, "{text}");
        }
    }

    #[test]
    fn a_plan_is_its_boxes() {
        let reply = "I would do this:\n\n- [ ] Add `x` to a.rs\n  * [ ]   test it\n- not a step\n- [x] done\n- [ ]\n1. no";
        assert_eq!(checklist(reply), ["Add `x` to a.rs", "test it", "done"]);
    }

    #[test]
    fn a_plan_is_read_however_it_is_written() {
        for plan in [
            "- [ ] one\n- [x] two",
            "1. one\n2) two\n",
            "Do this:\n 1. one\n\n 2. two",
            "- one\n* two",
            "one\ntwo",
        ] {
            assert_eq!(given_steps(plan), ["one", "two"], "{plan}");
        }
        assert!(given_steps(" \n").is_empty());
    }

    #[test]
    fn a_model_that_misquotes_is_told_to_write_whole_files() {
        let record = |format: EditFormat, tries, failures| FormatRecord {
            format: format.name().to_owned(),
            tries,
            failures,
        };
        for (formats, expected) in [
            (vec![], false),
            (vec![record(EditFormat::Quote, 5, 5)], false),
            (vec![record(EditFormat::Quote, 6, 5)], true),
            (vec![record(EditFormat::Quote, 40, 4)], false),
            (vec![record(EditFormat::Quote, 6, 4), record(EditFormat::Whole, 8, 8)], false),
        ] {
            assert_eq!(prefers_whole_files(&formats), expected, "{formats:?}");
        }
    }

    #[test]
    fn every_mode_has_its_words() {
        for mode in [CodeMode::Agent, CodeMode::Ask, CodeMode::Plan, CodeMode::Repair] {
            let (long, short) =
                (instructions(mode, EditMethod::Tools), instructions(mode, EditMethod::Fences));
            assert!(short.len() <= long.len() && !short.is_empty(), "{mode:?}");
        }
        assert!(
            instructions(CodeMode::Agent, EditMethod::Fences).len() < 300,
            "a small model has little room"
        );
        assert_eq!(closing(CodeMode::Ask, Some("a.py")), None);
        assert!(closing(CodeMode::Agent, Some("a.py")).unwrap().starts_with("Change a.py so"));
    }
}
