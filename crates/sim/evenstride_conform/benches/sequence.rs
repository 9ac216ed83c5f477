//! What playing a sequence costs by itself. `cargo bench -p evenstride_conform`

use std::hint::black_box;

use divan::{Bencher, counter::ItemsCount};
use evenstride::{
    Animation, MotionLibrary,
    probe::{LegsProbe, ProbeBeing},
};
use evenstride_types::{Pose, Rotation, Vec3};

const STEPS: usize = 10_000;

fn main() {
    divan::main();
}

fn runner() -> LegsProbe {
    let mut library = MotionLibrary::default();
    let stride = Pose::new(Vec3::new(0.0, 4.0 / 30.0, 0.0), Rotation::IDENTITY).expect("finite");
    library.add_animation(1, Animation::new(20, vec![stride; 20]).expect("keyframes"));
    let mut legs = LegsProbe::new(library, None, &ProbeBeing::STANDING);
    legs.append(1, 0, -1, 30.0);
    legs
}

/// One keyframe in every step.
#[divan::bench]
fn with_a_keyframe(bencher: Bencher<'_, '_>) {
    let mut legs = runner();
    bencher.counter(ItemsCount::new(STEPS)).bench_local(|| {
        for _ in 0..STEPS {
            black_box(legs.play(black_box(1.0 / 30.0)));
        }
    });
}

/// One keyframe in a thousand steps.
#[divan::bench]
fn without_a_keyframe(bencher: Bencher<'_, '_>) {
    let mut legs = runner();
    bencher.counter(ItemsCount::new(STEPS)).bench_local(|| {
        for _ in 0..STEPS {
            black_box(legs.play(black_box(1.0 / 30_000.0)));
        }
    });
}
