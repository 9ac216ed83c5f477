//! What playing a sequence costs by itself. `cargo bench -p evenstride_conformance`

use std::hint::black_box;

use divan::{Bencher, counter::ItemsCount};
use evenstride::{
    animation::{Animation, Clip, MotionLibrary},
    probe::{Node, Passed, Pool, Sequence},
};
use evenstride_types::{Pose, Rotation, Vec3};

const STEPS: usize = 10_000;

fn main() {
    divan::main();
}

/// A run of 30 keyframes a second that goes round.
struct Runner {
    library: MotionLibrary,
    nodes: Pool<Node>,
    sequence: Sequence,
}

impl Runner {
    fn new() -> Self {
        let mut library = MotionLibrary::default();
        let stride = Pose::new(Vec3::new(0.0, 4.0 / 30.0, 0.0), Rotation::IDENTITY).expect("finite");
        library.add_animation(1, Animation::new(20, vec![stride; 20]).expect("keyframes"));
        let (mut nodes, mut sequence) = (Pool::new(), Sequence::default());
        sequence.append(&mut nodes, &library, &Clip { animation: 1, low: 0, high: -1, rate: 30.0 }, 1.0);
        Self { library, nodes, sequence }
    }

    fn play(&mut self, secs: f32) -> (Pose, u32) {
        let (mut way, mut keyframes) = (Pose::IDENTITY, 0);
        self.sequence.play(&mut self.nodes, &self.library, secs, &mut way, &mut |passed| {
            if let Passed::Keyframe { .. } = passed {
                keyframes += 1;
            }
        });
        (way, keyframes)
    }
}

/// One keyframe in every step.
#[divan::bench]
fn with_a_keyframe(bencher: Bencher<'_, '_>) {
    let mut runner = Runner::new();
    bencher.counter(ItemsCount::new(STEPS)).bench_local(|| {
        for _ in 0..STEPS {
            black_box(runner.play(black_box(1.0 / 30.0)));
        }
    });
}

/// One keyframe in a thousand steps.
#[divan::bench]
fn without_a_keyframe(bencher: Bencher<'_, '_>) {
    let mut runner = Runner::new();
    bencher.counter(ItemsCount::new(STEPS)).bench_local(|| {
        for _ in 0..STEPS {
            black_box(runner.play(black_box(1.0 / 30_000.0)));
        }
    });
}
