//! The examples run, and print what they printed when they were last reviewed.

#[path = "../examples/client.rs"]
#[allow(dead_code, clippy::allow_attributes, reason = "a program of its own, with a main")]
mod client;
#[path = "../examples/plain_game.rs"]
#[allow(dead_code, clippy::allow_attributes, reason = "a program of its own, with a main")]
mod plain_game;
#[path = "../examples/spectator.rs"]
#[allow(dead_code, clippy::allow_attributes, reason = "a program of its own, with a main")]
mod spectator;

macro_rules! says {
    ($example:ident) => {
        #[test]
        fn $example() {
            let mut out = Vec::new();
            $example::run(&mut out).unwrap();
            insta::assert_snapshot!(stringify!($example), String::from_utf8(out).unwrap());
        }
    };
}

mod examples {
    use super::{client, plain_game, spectator};

    says!(client);
    says!(spectator);
    says!(plain_game);
}
