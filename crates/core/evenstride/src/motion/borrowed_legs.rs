//! The speed of built-in animations, for an entity whose own motion table is missing.
//!
//! The built-in table runs at the client's speed for people. A creature's own table may run at half
//! of that, so built-in legs would carry it too far, and each position would pull it back. Its
//! positions tell the right speed (deviation D20).

use evenstride_types::{CellId, Placement, Pose};

/// Shortest and longest way of an animation in metres that is compared with positions.
const MIN_WAY: f32 = 0.15;
const MAX_WAY: f32 = 12.0;

/// Number of steps in a row without motion between two positions that are compared. A keyframe may
/// skip a step, and an animation that stopped skips many.
const MAX_PAUSES: u8 = 2;

/// Weight that older positions keep with each new one. The sum over several of them evens out the
/// jitter of the network, because a position that is late makes the next one early.
const MEMORY: f32 = 0.8;

/// Part of what was learnt below which a position is doubted. An entity that stops between two
/// positions causes one such difference, and another speed causes two in a row.
const DOUBTFUL: f32 = 0.6;

/// Multiple of what was learnt beyond which a position is doubted too. An entity that leaps causes one
/// such difference.
const LEAPS: f32 = 1.8;

/// Factors at which the built-in speed is right. The difference is that of two clocks, of bends, and
/// of stops between positions.
const RIGHT: core::ops::RangeInclusive<f32> = 0.8..=1.25;

/// Smallest and largest factor that is believed.
const FACTORS: core::ops::RangeInclusive<f32> = 0.15..=3.0;

/// What positions tell about the speed of built-in animations.
///
/// Each step reads the fields before `seen`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct BorrowedLegs {
    /// Factor on root motion (0.15 to 3, default: 1).
    pub factor: f32,
    /// Way in metres that the unchanged animation has made since `mark`.
    pub way: f32,
    /// Whether `said` waits for a comparison.
    pub news: News,
    /// Number of steps in a row in which the animation moved nothing. It stays once it is too large.
    pub pauses: u8,
    /// Whether the animation moved the body when `mark` came.
    pub was_going: bool,
    /// Whether the last comparison was doubted.
    pub is_doubted: bool,
    /// Ways of the entity and of the unchanged animation between positions, in metres. Older ones
    /// count less. Both are 0 before the first comparison.
    pub seen: f32,
    pub played: f32,
    /// Last position that was compared.
    pub mark: Placement,
    /// Last position.
    pub said: Placement,
}

/// Whether a position waits for a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// There has been no position. Then nothing is measured.
    Never,
    /// No position does.
    None,
    /// One does that came while the animation moved the body.
    Going,
    /// One does that came while the animation stood.
    Standing,
}

/// A place before any position.
const NOWHERE: Placement = Placement::new(CellId::CORNER, Pose::IDENTITY);

impl BorrowedLegs {
    /// The speed of the animation itself, before anything was received.
    pub const UNCHANGED: Self = Self {
        factor: 1.0,
        seen: 0.0,
        played: 0.0,
        mark: NOWHERE,
        way: 0.0,
        was_going: false,
        pauses: 0,
        said: NOWHERE,
        news: News::Never,
        is_doubted: false,
    };

    /// Takes a position. `is_going` tells whether the animation still moves the body.
    pub fn hear(&mut self, place: &Placement, is_going: bool) {
        (self.said, self.news) = (*place, if is_going { News::Going } else { News::Standing });
    }

    /// Returns whether a position waits for a comparison, which the next step makes.
    #[inline]
    pub const fn has_news(&self) -> bool {
        matches!(self.news, News::Going | News::Standing)
    }

    /// Returns whether the ways of the animation are added up.
    #[inline]
    pub const fn is_measuring(&self) -> bool {
        !matches!(self.news, News::Never)
    }

    /// Adds a way that the animation has made in a step, in metres without the factor.
    #[inline]
    pub fn play(&mut self, way: f32) {
        match self.news {
            News::Never => return,
            News::None => {}
            News::Going | News::Standing => self.take_news(),
        }
        self.way = (self.way + way).min(2.0 * MAX_WAY);
        if way == 0.0 {
            self.pauses = self.pauses.saturating_add(1);
        } else if self.pauses <= MAX_PAUSES {
            self.pauses = 0;
        }
    }

    /// Notes that the animation has ended, so that the way is not whole.
    #[inline]
    pub fn pause(&mut self) {
        self.pauses = u8::MAX;
    }

    /// Compares the last position with the one before. Positions that arrive together count as one.
    fn take_news(&mut self) {
        let is_going = core::mem::replace(&mut self.news, News::None) == News::Going;
        if is_going && self.way > 0.0 && self.way < MIN_WAY {
            return;
        }
        // A start takes its own time, and so does a stop.
        let is_whole = is_going && self.was_going && self.pauses <= MAX_PAUSES;
        if is_whole && self.way <= MAX_WAY {
            self.compare(self.mark.distance_on_map(&self.said) as f32, self.way);
        }
        (self.mark, self.way, self.was_going, self.pauses) = (self.said, 0.0, is_going, 0);
    }

    /// Takes the ways of the entity and of the unchanged animation between two positions.
    fn compare(&mut self, seen: f32, played: f32) {
        let ratio = seen / played;
        // NaN is not in the range either.
        if !FACTORS.contains(&ratio) {
            return;
        }
        let is_known = self.played > 0.0;
        let is_far = (is_known && ratio < DOUBTFUL * self.factor) || ratio > LEAPS * self.factor;
        let is_new = is_far && self.is_doubted;
        self.is_doubted = is_far && !self.is_doubted;
        if is_far && !is_new {
            return;
        }
        let memory = if is_new { 0.0 } else { MEMORY };
        (self.seen, self.played) = (self.seen * memory + seen, self.played * memory + played);
        let factor = (self.seen / self.played).clamp(*FACTORS.start(), *FACTORS.end());
        self.factor = if RIGHT.contains(&factor) { 1.0 } else { factor };
    }

    /// Returns whether all values are within their bounds, as those that were computed are.
    pub fn is_sane(&self) -> bool {
        FACTORS.contains(&self.factor)
            && [self.seen, self.played, self.way].iter().all(|value| (0.0..=1e9).contains(value))
    }
}

impl Default for BorrowedLegs {
    fn default() -> Self {
        Self::UNCHANGED
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenstride_types::Rotation;

    fn at(y: f32) -> Placement {
        let pose = Pose::new([84.0, y, 10.0], Rotation::IDENTITY).expect("within bounds");
        Placement::new(CellId::new(0xA9B4_0001).expect("a cell"), pose)
    }

    /// An entity at `speed` metres per second on legs that run at 5.4, heard of every 0.2 s.
    fn run(legs: &mut BorrowedLegs, y: &mut f32, speed: f32, late: f32) {
        *y += speed * 0.2;
        legs.play(5.4 * (0.2 + late));
        legs.hear(&at(*y), true);
        legs.play(1e-6);
    }

    #[test]
    fn two_positions_tell_the_speed() {
        let (mut legs, mut y) = (BorrowedLegs::UNCHANGED, 10.0);
        legs.hear(&at(y), true);
        run(&mut legs, &mut y, 3.3, 0.0);
        assert!((legs.factor - 3.3 / 5.4).abs() < 0.01, "{legs:?}");
    }

    #[test]
    fn a_stop_between_two_positions_teaches_nothing() {
        let (mut legs, mut y) = (BorrowedLegs::UNCHANGED, 10.0);
        legs.hear(&at(y), true);
        (0..5).for_each(|_| run(&mut legs, &mut y, 3.3, 0.0));
        let before = legs.factor;
        run(&mut legs, &mut y, 1.0, 0.0);
        assert_eq!(legs.factor, before);
    }

    #[test]
    fn jitter_evens_out() {
        let (mut legs, mut y) = (BorrowedLegs::UNCHANGED, 10.0);
        legs.hear(&at(y), true);
        for _ in 0..10 {
            run(&mut legs, &mut y, 3.3, 0.05);
            run(&mut legs, &mut y, 3.3, -0.05);
        }
        assert!((legs.factor / (3.3 / 5.4) - 1.0).abs() < 0.05, "{legs:?}");
    }

    #[test]
    fn another_speed_is_learnt_from_two_comparisons() {
        let (mut legs, mut y) = (BorrowedLegs::UNCHANGED, 10.0);
        legs.hear(&at(y), true);
        (0..5).for_each(|_| run(&mut legs, &mut y, 3.3, 0.0));
        (0..2).for_each(|_| run(&mut legs, &mut y, 1.0, 0.0));
        assert!((legs.factor - 1.0 / 5.4).abs() < 0.02, "{legs:?}");
    }

    #[test]
    fn ended_animations_and_leaps_are_not_compared() {
        let mut legs = BorrowedLegs::UNCHANGED;
        for (y, is_going) in [(10.0, false), (10.5, false), (100.0, true)] {
            legs.hear(&at(y), is_going);
            legs.play(1.0);
        }
        assert_eq!(legs.factor, 1.0);
    }

    #[test]
    fn positions_that_arrive_together_count_as_one() {
        let mut legs = BorrowedLegs::UNCHANGED;
        legs.hear(&at(10.0), true);
        legs.play(5.4);
        for y in [11.0, 12.0, 13.0, 15.4] {
            legs.hear(&at(y), true);
        }
        legs.play(0.0);
        assert_eq!(legs.factor, 1.0);
    }
}
