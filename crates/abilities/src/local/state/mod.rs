//! Named values that the companion keeps, such as the time of an event.

mod check_time;
mod get;
mod list;
mod set;
mod values;

use std::sync::Arc;

use host::Clock;
use tools::{Tool, ValueOrigins, tool};

pub fn tools(clock: &Arc<dyn Clock>, origins: Arc<dyn ValueOrigins>) -> Result<Vec<Arc<dyn Tool>>, String> {
    let values = values::StoredValues::new(Arc::clone(clock), origins);
    Ok(vec![
        Arc::new(tool(set::StateSet(Arc::clone(&values)))?),
        Arc::new(tool(get::StateGet(Arc::clone(&values)))?),
        Arc::new(tool(list::StateList(Arc::clone(&values)))?),
        Arc::new(tool(check_time::StateCheckTime(values))?),
    ])
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
