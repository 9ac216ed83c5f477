//! temporary
use evenstride_damage::{Choice, Dice};
fn main() {
    let name = std::env::args().nth(1).unwrap();
    let count: u64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let target = evenstride_fuzz_targets::TARGETS.iter().find(|(n, _)| *n == name).unwrap().1;
    for number in 0..count {
        let mut dice = Dice::new(99, number);
        let length = 40 + dice.below(900);
        let bytes: Vec<u8> = (0..length).map(|_| dice.garbage()).collect();
        if std::panic::catch_unwind(|| target(&bytes)).is_err() {
            println!("number {number}");
        }
    }
}
