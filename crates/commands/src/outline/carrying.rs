//! Finds the commands that a command runs through its arguments: `sudo rm x` runs `rm x`.

use super::carriers::{
    BEFORE_SUBCOMMANDS, CARRIERS, Carrier, SCRIPT_LETTERS, SCRIPT_OPTIONS, SCRIPT_OPTIONS_OF,
};
use super::found::{Command, Found, Word};
use super::reader::read;
use crate::programs::barred;

/// Adds the commands that the found commands run, recursively.
pub fn follow(found: &mut Found) {
    let mut next = 0;
    let mut fed = false;
    loop {
        while let Some(command) = found.commands.get(next).cloned() {
            carried(&command, found);
            next += 1;
        }
        if std::mem::replace(&mut fed, true) {
            return;
        }
        feed(found);
    }
}

/// Adds the commands that a shell or an interpreter reads from output of the line: `echo 'rm x' | sh`.
fn feed(found: &mut Found) {
    let runs =
        |is: fn(&str) -> bool, found: &Found| found.commands.iter().filter_map(Command::program).any(is);
    if runs(barred::is_shell, found) {
        let printed =
            found.commands.iter().filter(|command| matches!(command.program(), Some("echo" | "printf")));
        let texts: Vec<String> =
            printed.flat_map(|command| command.words[1..].iter().map(|word| word.text.clone())).collect();
        for text in &texts {
            read(text, 1, found);
        }
        read(&texts.join(" "), 1, found);
    }
    if runs(barred::is_interpreter, found) {
        let inputs = std::mem::take(&mut found.inputs);
        for input in &inputs {
            read_strings(input, found);
        }
    }
}

fn carried(command: &Command, found: &mut Found) {
    let Some(program) = command.program().map(str::to_lowercase) else { return };
    let arguments = &command.words[1..];
    let second = arguments.first().map(|word| format!("{program}-{}", word.text));
    // `command -v rm` only looks up the name.
    let looks =
        program == "command" && arguments.first().is_some_and(|word| matches!(&*word.text, "-v" | "-V"));
    for carrier in CARRIERS.iter().filter(|_| !looks) {
        if has(carrier.names, &program) {
            rest(carrier, arguments, found);
        } else if second.as_deref().is_some_and(|name| has(carrier.names, name)) {
            rest(carrier, &arguments[1..], found);
        }
    }
    if barred::is_shell(&program) {
        shell(arguments, found);
    }
    if barred::is_interpreter(&program) {
        for word in arguments {
            read_strings(&word.text, found);
        }
    }
    if has("find gfind fd fdfind", &program) {
        finder(arguments, found);
    }
    options(&program, arguments, found);
    subcommand(&program, command, found);
}

fn has(names: &str, name: &str) -> bool {
    names.split(' ').any(|one| one == name)
}

fn rest(carrier: &Carrier, arguments: &[Word], found: &mut Found) {
    for place in places(carrier.valued, carrier.flags, carrier.operands, arguments) {
        if found.cut {
            return;
        }
        let words = &arguments[place..];
        if carrier.script {
            let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
            read(&texts.join(" "), 1, found);
        }
        found.add(words.to_vec());
    }
}

/// Returns the positions where a command may begin: after the options and `operands` other arguments.
fn places(valued: &str, flags: &str, mut operands: usize, arguments: &[Word]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut place = 0;
    // True if the previous word is an option that may or may not take this one as its value.
    let mut doubtful = false;
    while let Some(word) = arguments.get(place) {
        let text = word.text.as_str();
        let is_setting = text.split_once('=').is_some_and(|(name, _)| !name.contains(['/', ' ']));
        if text == "--" {
            doubtful = false;
        } else if text.starts_with('-') && text.len() > 1 {
            let known = text.contains('=') || text[1..].chars().all(|letter| flags.contains(letter));
            doubtful = !has(valued, text) && !known;
            place += usize::from(has(valued, text));
        } else if is_setting && places.is_empty() {
            doubtful = false;
        } else if operands > 0 && !doubtful {
            operands -= 1;
        } else {
            places.push(place);
            if !doubtful {
                return places;
            }
            doubtful = false;
        }
        place += 1;
    }
    places
}

/// Reads the script of `bash -lc 'script'`.
fn shell(arguments: &[Word], found: &mut Found) {
    let carries =
        |word: &Word| word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('c');
    let Some(place) = arguments.iter().position(carries) else { return };
    for word in &arguments[place + 1..] {
        read(&word.text, 1, found);
        if !word.text.starts_with(['-', '+']) {
            return;
        }
    }
}

/// Adds the commands of `find -exec rm {} +`.
fn finder(arguments: &[Word], found: &mut Found) {
    const STARTS: &[&str] = &["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"];
    for (place, word) in arguments.iter().enumerate() {
        // Each of these copies all following words, so a line made only of them is abandoned when the limit is reached.
        if STARTS.contains(&word.text.as_str()) && !found.cut {
            let words = arguments[place + 1..].iter().take_while(|word| word.text != ";" && word.text != "+");
            found.add(words.cloned().collect());
        }
    }
}

/// Reads the scripts in option values.
fn options(program: &str, arguments: &[Word], found: &mut Found) {
    let letters_of = |name: &str| {
        SCRIPT_LETTERS.iter().find(|(names, _)| has(names, name)).map_or("", |(_, letters)| *letters)
    };
    let own = letters_of(program);
    // `git -c x=y log -c`: a letter has different meanings before and after the subcommand.
    let until = BEFORE_SUBCOMMANDS
        .iter()
        .find(|(names, _)| has(names, program))
        .map(|(_, valued)| places(valued, "pP", 0, arguments).first().copied().unwrap_or(arguments.len()));
    let second = until.and_then(|place| arguments.get(place));
    let after = second.map_or("", |second| letters_of(&format!("{program}-{}", second.text)));
    for (place, word) in arguments.iter().enumerate() {
        let letters = if until.is_none_or(|until| place < until) { own } else { after };
        let text = word.text.as_str();
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let next = arguments.get(place + 1).map(|word| word.text.as_str());
        let is_own = SCRIPT_OPTIONS_OF.contains(&(program, name));
        if let Some(script) = value.or(next)
            && (is_own || SCRIPT_OPTIONS.contains(&name))
        {
            read_value(script, found);
        }
        // `vim +'!rm x'`
        if let Some(command) = text.strip_prefix('+').filter(|_| letters == "c") {
            read_value(command, found);
        }
        let Some(cluster) = text.strip_prefix('-').filter(|cluster| !cluster.starts_with('-')) else {
            continue;
        };
        if let Some((_, attached)) = cluster.split_once(|letter| letters.contains(letter)) {
            read_value(attached, found);
            if let Some(next) = next {
                read_value(next, found);
            }
        }
    }
}

/// Reads an option value as a script: `rm x`, `exec=rm x`, `ProxyCommand=rm x`, `alias.y=!rm x`, `:!rm x`.
fn read_value(value: &str, found: &mut Found) {
    let is_key = |key: &str| key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
    let script = value.split_once('=').filter(|(key, _)| is_key(key)).map_or(value, |(_, script)| script);
    for script in [value, script] {
        read(script.trim_start_matches(['!', ':', '|']), 1, found);
    }
}

/// Reads the quoted strings in program code as scripts, since the code may run them: `system("rm x")`.
fn read_strings(code: &str, found: &mut Found) {
    let mut rest = code;
    while let Some(place) = rest.find(['"', '\'', '`']) {
        let quote = &rest[place..=place];
        rest = &rest[place + 1..];
        let Some((inside, after)) = rest.split_once(quote) else { continue };
        read(inside, 1, found);
        rest = after;
    }
}

/// Adds the command without the options before its subcommand.
fn subcommand(program: &str, command: &Command, found: &mut Found) {
    let Some((_, valued)) = BEFORE_SUBCOMMANDS.iter().find(|(names, _)| has(names, program)) else { return };
    let arguments = &command.words[1..];
    // `cargo +nightly test`
    let chosen = usize::from(arguments.first().is_some_and(|word| word.text.starts_with('+')));
    for place in places(valued, "pP", 0, &arguments[chosen..]) {
        let words = command.words[..1].iter().chain(&arguments[chosen + place..]);
        found.add(words.cloned().collect());
    }
}
