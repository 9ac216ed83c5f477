//! Scenarios: what a server says in a few lines, and what a body does with it.

mod airborne;
mod appearing;
mod chasing;
mod deviations;
mod explaining;
mod facts;
mod flooding;
mod following;
mod gliding;
mod goals;
mod holding;
mod items;
mod legs;
mod local_player;
mod looking;
mod missing_tables;
mod moving_to;
mod own_saves;
mod owned;
mod parking;
mod plain;
mod safety;
mod saving;
mod sparse_updates;
mod spectating;
mod trouble;
