//! The servers that she writes herself.
//!
//! Each is one Python file that runs in the sandbox. It is tried out before anybody is asked, without a network and in
//! an empty folder; what it turns out to offer is what the person sees and says yes to. From then on its source is held
//! against what was said yes to before every use.

mod approved;
mod draft;
mod running;
mod shelf;
mod shown;
mod tools;
mod workshop;

pub use shelf::{Trouble, trouble_in};
pub use tools::tools;
pub use workshop::{Workshop, WorkshopError, WorkshopParts};
