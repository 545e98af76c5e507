use crate::table::fields;

/// Returns the setting that an unknown key was probably meant to be.
pub(crate) fn suggestion(key: &str) -> Option<&'static str> {
    if key.len() > 64 {
        return None;
    }
    let key = key.to_lowercase().replace('-', "_");
    // Handles a key in the wrong table, such as `model` outside of `[llm]`.
    let last = key.rsplit('.').next().unwrap_or(&key);
    let mut same_name = fields().filter(|field| field.path().next_back() == Some(last));
    if let (Some(only), None) = (same_name.next(), same_name.next()) {
        return Some(only.key);
    }
    let nearest = fields().map(|field| (distance(&key, &field.key.to_lowercase()), field.key)).min()?;
    (nearest.0 <= 1 + key.len() / 6).then_some(nearest.1)
}

/// Computes the edit distance, where inserting, deleting, replacing and swapping adjacent letters each cost one.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let mut cost = (row[j] + usize::from(a != b)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b {
                cost = cost.min(before[j - 1] + 1);
            }
            next.push(cost);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_understood() {
        let cases = [
            ("llm.modle", Some("llm.model")),
            ("llm.base-url", Some("llm.base_url")),
            ("llm.baseurl", Some("llm.base_url")),
            ("LLM.temperature", Some("llm.temperature")),
            ("temperature", Some("llm.temperature")),
            ("server.prot", Some("server.port")),
            ("port", Some("server.port")),
            ("mcpservers", Some("mcpServers")),
            ("weather.city", None),
            ("x", None),
            ("", None),
        ];
        for (key, meant) in cases {
            assert_eq!(suggestion(key), meant, "{key}");
        }
    }

    #[test]
    fn a_huge_key_costs_little() {
        assert_eq!(suggestion(&"k".repeat(1 << 20)), None);
    }
}
