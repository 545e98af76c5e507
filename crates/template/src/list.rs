//! A list that a template can modify in place, like Python's.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use minijinja::value::{Enumerator, Object, ObjectRepr};
use minijinja::{Error, ErrorKind, State, Value};

/// The name of the function that creates a list.
pub const NAME: &str = "changeable_list";

/// The maximum number of elements; no conversation needs more.
const LONGEST: usize = 100_000;

#[derive(Debug, Default)]
struct List(Mutex<Vec<Value>>);

/// Creates an empty list.
pub fn new() -> Value {
    Value::from_object(List::default())
}

impl List {
    fn values(&self) -> MutexGuard<'_, Vec<Value>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Inserts a value. Lists are refused as elements, since a list that contains itself cannot be serialized.
    fn add(&self, place: usize, value: Value) -> Result<(), Error> {
        let mut values = self.values();
        if values.len() >= LONGEST || value.downcast_object_ref::<List>().is_some() {
            return Err(Error::new(ErrorKind::InvalidOperation, "this value cannot be added to a list"));
        }
        let place = place.min(values.len());
        values.insert(place, value);
        Ok(())
    }
}

impl Object for List {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.values().get(key.as_usize()?).cloned()
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.values().len())
    }

    fn call_method(
        self: &Arc<Self>,
        _state: &mut State<'_, '_>,
        method: &str,
        arguments: &[Value],
    ) -> Result<Value, Error> {
        let first = arguments.first().cloned();
        match (method, first) {
            ("append", Some(value)) => self.add(usize::MAX, value)?,
            ("extend", Some(values)) => {
                for value in values.try_iter()? {
                    self.add(usize::MAX, value)?;
                }
            }
            ("insert", Some(place)) => {
                let value = arguments.get(1).cloned().unwrap_or_default();
                self.add(place.as_usize().unwrap_or(0), value)?;
            }
            ("pop", place) => {
                let mut values = self.values();
                let place = place.and_then(|place| place.as_usize());
                let place = place.unwrap_or(values.len().saturating_sub(1));
                if place >= values.len() {
                    return Err(Error::new(ErrorKind::InvalidOperation, "the list is empty"));
                }
                return Ok(values.remove(place));
            }
            _ => return Err(Error::from(ErrorKind::UnknownMethod)),
        }
        Ok(Value::from(()))
    }
}
