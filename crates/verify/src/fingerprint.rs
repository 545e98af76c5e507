//! Fingerprints of errors that are stable between runs.

/// Returns the same number for the same error, even if its line has changed.
pub fn of<'a>(parts: impl IntoIterator<Item = &'a str>) -> u64 {
    // FNV-1a is the same in every build. Resistance to collision attacks is not needed.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    for part in parts {
        plain(part).bytes().for_each(&mut take);
        take(0);
    }
    hash
}

const TEMPORARY: [&str; 5] = ["/tmp/", "/var/tmp/", "/var/folders/", "/private/", "/dev/shm/"];
const UNITS: [&str; 12] =
    ["ns", "us", "µs", "μs", "ms", "s", "sec", "secs", "second", "seconds", "min", "minutes"];
/// Words before a number that is a position or an id.
const COUNTED: [&str; 7] = ["line ", "lines ", "column ", "goroutine ", "pid ", "thread ", "process "];

/// Returns the text without line numbers, addresses, temporary paths, durations and hashes.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let before = out.chars().next_back();
        let is_inside = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let taken = if c == '/' && TEMPORARY.iter().any(|start| rest.starts_with(start)) {
            out.push('~');
            rest.find(|c: char| c.is_whitespace() || "'\"`)>,;:".contains(c)).unwrap_or(rest.len())
        } else if c.is_whitespace() {
            if before != Some(' ') {
                out.push(' ');
            }
            c.len_utf8()
        } else if c.is_ascii_alphanumeric() && !is_inside {
            word(rest, &mut out)
        } else {
            out.push(c);
            c.len_utf8()
        };
        rest = &rest[taken..];
    }
    out
}

/// Appends a word or its placeholder, and returns the number of bytes read.
fn word(text: &str, out: &mut String) -> usize {
    let run = |text: &str| text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let end = run(text);
    let token = &text[..end];
    let digits = token.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        // An optional fraction and unit: `1.95ms`, `0.3 s`.
        let fraction = text[digits..].strip_prefix('.').map_or(0, |rest| {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            if digits == 0 { 0 } else { digits + 1 }
        });
        let tail = &text[digits + fraction..];
        let gap = usize::from(tail.starts_with(' '));
        let unit = &tail[gap..gap + run(&tail[gap..])];
        if UNITS.contains(&unit) && (gap == 0 || unit != "s" || fraction > 0) {
            out.push('#');
            return digits + fraction + gap + unit.len();
        }
    }
    let is_hex = token.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_hash =
        is_hex && token.len() >= 7 && digits < token.len() && token.bytes().any(|byte| byte.is_ascii_digit());
    let is_address = token
        .strip_prefix("0x")
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_hexdigit()));
    if is_hash || is_address || (digits == token.len() && is_place(out, &text[end..])) {
        out.push('#');
    } else {
        out.push_str(token);
    }
    end
}

/// Returns true if the next number is a position, as in `a.rs:3:4`, `a.ts(3,4)` or `line 3`.
fn is_place(before: &str, after: &str) -> bool {
    let pair = |after: &str| {
        let mut chars = after.chars();
        matches!(chars.next(), Some(',' | ':')) && chars.next().is_some_and(|c| c.is_ascii_digit())
    };
    let mut back = before.chars().rev();
    match back.next() {
        Some(':') => {
            back.next().is_some_and(|c| c.is_alphanumeric() || matches!(c, ')' | ']' | '#' | '~' | '.'))
        }
        Some('(' | '[') => pair(after),
        Some(',') => back.next() == Some('#'),
        _ => COUNTED.iter().any(|word| before.ends_with(word)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_from_run_to_run_is_left_out() {
        for (one, other) in [
            ("src/lib.rs:15:9: no", "src/lib.rs:3:10: no"),
            ("a.ts(3,4): no", "a.ts(13,40): no"),
            ("File \"a.py\", line 3", "File \"a.py\", line 30"),
            ("at 0x7f3a22 in f", "at 0x1 in f"),
            ("/tmp/rustdoctest62hP86/x.rs:6 failed", "/tmp/rustdoctestQQ/y.rs:9 failed"),
            ("took 1.951449ms", "took 20ms"),
            ("finished in 0.30 s", "finished in 12.1 s"),
            ("timeout after 5 seconds", "timeout after 6 seconds"),
            ("sums-ecd90ae6b2807d0f", "sums-06abba1606ef473b"),
            ("goroutine 18 [running]", "goroutine 1 [running]"),
            ("a   b\n c", "a b c"),
            ("127.0.0.1:5050 refused", "127.0.0.1:41234 refused"),
        ] {
            assert_eq!(of([one]), of([other]), "{} and {}", plain(one), plain(other));
        }
    }

    #[test]
    fn what_is_meant_is_kept() {
        for (one, other) in [
            ("left: 2", "left: 3"),
            ("expected 5, got -1", "expected 5, got 4"),
            ("E0308", "E0309"),
            ("cannot find `a`", "cannot find `b`"),
            ("index 3", "index 4"),
            ("{\"a\":5}", "{\"a\":6}"),
            ("[1, 2]", "[1, 3]"),
            ("version 1.2", "version 1.3"),
            ("has 2 items", "has 3 items"),
            ("decade", "facade"),
        ] {
            assert_ne!(of([one]), of([other]), "{} and {}", plain(one), plain(other));
        }
        assert_ne!(of(["ab", "c"]), of(["a", "bc"]));
    }
}
