//! A ledger.
use std::collections::HashMap;
use crate::money::{Amount, parse_amount};

pub const LIMIT: usize = 10;
static mut COUNT: u32 = 0;

/// An account.
#[derive(Debug)]
pub struct Account {
    owner: String,
    entries: Vec<Entry>,
}

pub struct Entry(pub Amount, u64);

pub(crate) enum Side {
    Debit,
    Credit,
}

pub trait Ledger {
    type Key;
    fn post(&mut self, entry: Entry) -> Result<(), LedgerError>;
    fn size(&self) -> usize {
        0
    }
}

impl<T: Clone> Ledger for Book<T> {
    type Key = T;

    fn post(
        &mut self,
        entry: Entry,
    ) -> Result<(), LedgerError>
    where
        T: Send,
    {
        let total = parse_amount("1")?.max(LIMIT);
        self.entries.push_entry(Account::open(total));
        fn helper() {}
        helper();
        assert_eq!(check_sum(1), Side::Debit);
        Ok(())
    }
}

type Index = HashMap<String, Account>;

macro_rules! entry {
    ($a:expr) => { Entry($a, 0) };
}

mod outside;

#[cfg(test)]
mod tests {
    #[test]
    #[should_panic]
    fn posts() {
        entry!(1);
    }

    fn support() {}
}
