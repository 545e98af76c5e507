//! Finds the commands that a command runs through its arguments: `sudo rm x` runs `rm x`.

use super::collector::Collector;
use super::command::{CommandWord, FoundCommand};
use super::parser::read;
use super::wrappers::{
    BEFORE_SUBCOMMANDS, SCRIPT_LETTERS, SCRIPT_OPTIONS, SCRIPT_OPTIONS_OF, WRAPPERS, Wrapper,
};
use crate::programs::barred;

/// Adds the commands that the found commands run, recursively.
pub fn follow(collector: &mut Collector) {
    let mut next = 0;
    let mut has_read_piped = false;
    loop {
        while let Some(command) = collector.commands.get(next).cloned() {
            commands_of(&command, collector);
            next += 1;
        }
        if std::mem::replace(&mut has_read_piped, true) {
            return;
        }
        read_piped(collector);
    }
}

/// Adds the commands that a shell or an interpreter reads from output of the line: `echo 'rm x' | sh`.
fn read_piped(collector: &mut Collector) {
    let runs = |is: fn(&str) -> bool, collector: &Collector| {
        collector.commands.iter().filter_map(FoundCommand::program).any(is)
    };
    if runs(barred::is_shell, collector) {
        let printed =
            collector.commands.iter().filter(|command| matches!(command.program(), Some("echo" | "printf")));
        let texts: Vec<String> =
            printed.flat_map(|command| command.words[1..].iter().map(|word| word.text.clone())).collect();
        for text in &texts {
            read(text, 1, collector);
        }
        read(&texts.join(" "), 1, collector);
    }
    if runs(barred::is_interpreter, collector) {
        let inputs = std::mem::take(&mut collector.inputs);
        for input in &inputs {
            read_strings(input, collector);
        }
    }
}

fn commands_of(command: &FoundCommand, collector: &mut Collector) {
    let Some(program) = command.program().map(str::to_lowercase) else { return };
    let arguments = &command.words[1..];
    let second = arguments.first().map(|word| format!("{program}-{}", word.text));
    // `command -v rm` only looks up the name.
    let only_looks_up =
        program == "command" && arguments.first().is_some_and(|word| matches!(&*word.text, "-v" | "-V"));
    for wrapper in WRAPPERS.iter().filter(|_| !only_looks_up) {
        if has(wrapper.names, &program) {
            wrapped(wrapper, arguments, collector);
        } else if second.as_deref().is_some_and(|name| has(wrapper.names, name)) {
            wrapped(wrapper, &arguments[1..], collector);
        }
    }
    if barred::is_shell(&program) {
        shell_script(arguments, collector);
    }
    if barred::is_interpreter(&program) {
        for word in arguments {
            read_strings(&word.text, collector);
        }
    }
    if has("find gfind fd fdfind", &program) {
        find_actions(arguments, collector);
    }
    option_scripts(&program, arguments, collector);
    without_global_options(&program, command, collector);
}

fn has(names: &str, name: &str) -> bool {
    names.split(' ').any(|one| one == name)
}

fn wrapped(wrapper: &Wrapper, arguments: &[CommandWord], collector: &mut Collector) {
    for position in command_positions(wrapper.valued, wrapper.flags, wrapper.operands, arguments) {
        if collector.cut {
            return;
        }
        let words = &arguments[position..];
        if wrapper.script {
            let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
            read(&texts.join(" "), 1, collector);
        }
        collector.add(words.to_vec());
    }
}

/// Returns the positions where a command may begin: after the options and `operands` other arguments.
fn command_positions(
    valued: &str,
    flags: &str,
    mut operands: usize,
    arguments: &[CommandWord],
) -> Vec<usize> {
    let mut positions = Vec::new();
    let mut position = 0;
    // True if the previous word is an option that may or may not take this one as its value.
    let mut may_be_value = false;
    while let Some(word) = arguments.get(position) {
        let text = word.text.as_str();
        let is_setting = text.split_once('=').is_some_and(|(name, _)| !name.contains(['/', ' ']));
        if text == "--" {
            may_be_value = false;
        } else if text.starts_with('-') && text.len() > 1 {
            let known = text.contains('=') || text[1..].chars().all(|letter| flags.contains(letter));
            may_be_value = !has(valued, text) && !known;
            position += usize::from(has(valued, text));
        } else if is_setting && positions.is_empty() {
            may_be_value = false;
        } else if operands > 0 && !may_be_value {
            operands -= 1;
        } else {
            positions.push(position);
            if !may_be_value {
                return positions;
            }
            may_be_value = false;
        }
        position += 1;
    }
    positions
}

/// Reads the script of `bash -lc 'script'`.
fn shell_script(arguments: &[CommandWord], collector: &mut Collector) {
    let has_script = |word: &CommandWord| {
        word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('c')
    };
    let Some(position) = arguments.iter().position(has_script) else { return };
    for word in &arguments[position + 1..] {
        read(&word.text, 1, collector);
        if !word.text.starts_with(['-', '+']) {
            return;
        }
    }
}

/// Adds the commands of `find -exec rm {} +`.
fn find_actions(arguments: &[CommandWord], collector: &mut Collector) {
    const STARTS: &[&str] = &["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"];
    for (position, word) in arguments.iter().enumerate() {
        // Each of these copies all following words, so a line made only of them is abandoned when the limit is reached.
        if STARTS.contains(&word.text.as_str()) && !collector.cut {
            let words =
                arguments[position + 1..].iter().take_while(|word| word.text != ";" && word.text != "+");
            collector.add(words.cloned().collect());
        }
    }
}

/// Reads the scripts in option values.
fn option_scripts(program: &str, arguments: &[CommandWord], collector: &mut Collector) {
    let letters_of = |name: &str| {
        SCRIPT_LETTERS.iter().find(|(names, _)| has(names, name)).map_or("", |(_, letters)| *letters)
    };
    let own = letters_of(program);
    // `git -c x=y log -c`: a letter has different meanings before and after the subcommand.
    let until = BEFORE_SUBCOMMANDS.iter().find(|(names, _)| has(names, program)).map(|(_, valued)| {
        command_positions(valued, "pP", 0, arguments).first().copied().unwrap_or(arguments.len())
    });
    let second = until.and_then(|position| arguments.get(position));
    let after = second.map_or("", |second| letters_of(&format!("{program}-{}", second.text)));
    for (position, word) in arguments.iter().enumerate() {
        let letters = if until.is_none_or(|until| position < until) { own } else { after };
        let text = word.text.as_str();
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let next = arguments.get(position + 1).map(|word| word.text.as_str());
        let is_own = SCRIPT_OPTIONS_OF.contains(&(program, name));
        if let Some(script) = value.or(next)
            && (is_own || SCRIPT_OPTIONS.contains(&name))
        {
            read_value(script, collector);
        }
        // `vim +'!rm x'`
        if let Some(command) = text.strip_prefix('+').filter(|_| letters == "c") {
            read_value(command, collector);
        }
        let Some(cluster) = text.strip_prefix('-').filter(|cluster| !cluster.starts_with('-')) else {
            continue;
        };
        if let Some((_, attached)) = cluster.split_once(|letter| letters.contains(letter)) {
            read_value(attached, collector);
            if let Some(next) = next {
                read_value(next, collector);
            }
        }
    }
}

/// Reads an option value as a script: `rm x`, `exec=rm x`, `ProxyCommand=rm x`, `alias.y=!rm x`, `:!rm x`.
fn read_value(value: &str, collector: &mut Collector) {
    let is_key = |key: &str| key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
    let script = value.split_once('=').filter(|(key, _)| is_key(key)).map_or(value, |(_, script)| script);
    for script in [value, script] {
        read(script.trim_start_matches(['!', ':', '|']), 1, collector);
    }
}

/// Reads the quoted strings in program code as scripts, since the code may run them: `system("rm x")`.
fn read_strings(code: &str, collector: &mut Collector) {
    let mut rest = code;
    while let Some(position) = rest.find(['"', '\'', '`']) {
        let quote = &rest[position..=position];
        rest = &rest[position + 1..];
        let Some((inside, after)) = rest.split_once(quote) else { continue };
        read(inside, 1, collector);
        rest = after;
    }
}

/// Adds the command without the options before its subcommand.
fn without_global_options(program: &str, command: &FoundCommand, collector: &mut Collector) {
    let Some((_, valued)) = BEFORE_SUBCOMMANDS.iter().find(|(names, _)| has(names, program)) else { return };
    let arguments = &command.words[1..];
    // `cargo +nightly test`
    let chosen = usize::from(arguments.first().is_some_and(|word| word.text.starts_with('+')));
    for position in command_positions(valued, "pP", 0, &arguments[chosen..]) {
        let words = command.words[..1].iter().chain(&arguments[chosen + position..]);
        collector.add(words.cloned().collect());
    }
}
