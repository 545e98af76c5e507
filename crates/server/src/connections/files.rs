use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The maximum to ask for. Child processes inherit the limit, and some of them iterate over all possible descriptors.
const MOST_FILES: u64 = 8192;

/// Raises the soft limit of open files to the hard limit, and returns the limit in effect. Systems start programs with
/// less for the sake of old ones.
pub fn raise_file_limit() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.map_or(MOST_FILES, |most| most.min(MOST_FILES));
    let has = limit.current.unwrap_or(MOST_FILES);
    let raised = has < wanted
        && setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum: limit.maximum }).is_ok();
    usize::try_from(if raised { wanted } else { has }).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_files_as_there_may_be() {
        let before = getrlimit(Resource::Nofile);
        let wanted = before.maximum.map_or(MOST_FILES, |most| most.min(MOST_FILES));
        setrlimit(Resource::Nofile, Rlimit { current: Some(wanted / 2), ..before }).unwrap();
        assert_eq!(raise_file_limit() as u64, wanted);
        assert_eq!(getrlimit(Resource::Nofile).current, Some(wanted));
        assert_eq!(raise_file_limit() as u64, wanted, "a second time changes nothing");
        setrlimit(Resource::Nofile, before).unwrap();
    }
}
