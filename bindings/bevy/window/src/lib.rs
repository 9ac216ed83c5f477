//! Remotes in a window, in two and three dimensions.
//!
//! A *server* moves actors about and sends where they are over a bad link. The *client* draws each
//! actor four times: where it truly is, by Evenstride, by a snapshot buffer, and where it was last
//! heard. The two examples differ only in what they draw.

mod server;
mod stage;

pub use self::{
    server::{Actor, FLOOR, Line, Server},
    stage::{Method, Shown, StagePlugin, shoot},
};
