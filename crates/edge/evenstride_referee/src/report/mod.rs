//! Reports of a score, for programs and for people.

mod html;
mod json;
mod junit;
mod words;

pub use html::html;
pub use json::{of_trace, summary};
pub use junit::junit;
pub use words::{Explanation, PAGE, explain, reason, see};
