//! The adapters of the conformance kit, in all languages. Each needs its language, which is installed
//! with `apt-get` where it is missing.

mod common;
mod mutations;
mod scores;
