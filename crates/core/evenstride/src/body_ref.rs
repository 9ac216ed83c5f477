//! A read-only reference to one body, looked up once.

use evenstride_types::{EntityId, Placement, SimTime, Vec3};

use crate::{
    body_id::BodyId,
    explain::Explanation,
    storage::keys::BodyKey,
    view::{AnimationView, BodyView},
    world::MotionWorld,
};

/// A read-only reference to a body, from [`MotionWorld::get`].
///
/// ```
/// use evenstride::{BodySetup, Config, MotionWorld, types::{EntityId, SimTime, CellId, Placement, Pose}};
///
/// let place = Placement::new(CellId::new(0xA9B4_0001)?, Pose::IDENTITY);
/// let mut world = MotionWorld::new(Config::SMOOTH, SimTime::ZERO);
/// let drudge = EntityId::new(0x8000_0001);
/// let key = world.insert(SimTime::ZERO, drudge, &BodySetup::at(place))?;
///
/// let body = world.get(key).ok_or("gone")?;
/// assert_eq!((body.entity(), body.placement()), (drudge, Some(place)));
/// assert_eq!(body.drawn(SimTime::ZERO), Some(place));
/// assert!(world.get(EntityId::new(7)).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BodyRef<'a> {
    /// World that the body is in. The borrow keeps the row where it is.
    world: &'a MotionWorld,
    /// Row of the body.
    slot: usize,
}

impl MotionWorld {
    /// Returns a body by entity or key, or `None` if there is no such body.
    pub fn get(&self, body: impl Into<BodyId>) -> Option<BodyRef<'_>> {
        self.find_body(body.into()).ok().map(|slot| BodyRef { world: self, slot })
    }
}

impl<'a> BodyRef<'a> {
    /// Returns the entity of the body.
    pub fn entity(&self) -> EntityId {
        self.world.store.hot[self.slot].id
    }

    /// Returns the key of the body, which is valid until the body is removed.
    pub fn key(&self) -> BodyKey {
        self.world.store.cold[self.slot].key
    }

    /// Returns the place after the last step, or `None` while the body is outside the world.
    pub fn placement(&self) -> Option<Placement> {
        self.world.store.place_of(self.slot)
    }

    /// Returns the place to draw the body at. `None` while it, or its holder, is outside the world.
    pub fn drawn(&self, now: SimTime) -> Option<Placement> {
        self.world.drawn_slot(self.slot, now)
    }

    /// Returns everything needed to animate the body, with idle animations played up to `now`.
    ///
    /// Animations that move the body are as of its last step.
    ///
    /// ```
    /// use evenstride::{Config, Happening, MotionWorld, OpenField};
    /// use evenstride::types::{CellId, EntityId, Placement, Pose, SimTime};
    /// use evenstride::types::update::{InterpretedState, MotionCommand, ServerEntity};
    ///
    /// let mut world = MotionWorld::new(Config::SMOOTH, SimTime::ZERO);
    /// let mut drudge = ServerEntity::new(EntityId::new(0x8000_0001));
    /// let here = Placement::new(CellId::new(0xA9B4_0001)?, Pose::IDENTITY);
    /// let _ = world.handle(SimTime::ZERO, &drudge.create(drudge.description(&here)), &OpenField);
    ///
    /// // A blow: its frames while it plays, and an event when it is over.
    /// let blow = drudge.action(MotionCommand(0x1000_0058));
    /// let state = InterpretedState { actions: vec![blow], ..InterpretedState::default() };
    /// let _ = world.handle(SimTime::ZERO, &drudge.does(state), &OpenField);
    /// let mut is_over = false;
    /// for frame in 1..=300 {
    ///     let now = SimTime::from_secs(f64::from(frame) / 60.0)?;
    ///     world.advance(now, &OpenField);
    ///     let body = world.get(drudge.id).ok_or("gone")?;
    ///     let playing = body.animation(now).playing.ok_or("no animation")?;
    ///     assert!(playing.frame >= 0.0);
    ///     while let Some(event) = world.poll_event() {
    ///         is_over |= matches!(event.kind, Happening::ActionDone { is_complete: true, .. });
    ///     }
    /// }
    /// assert!(is_over);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn animation(&self, now: SimTime) -> AnimationView {
        self.world.animation_slot(self.slot, now)
    }

    /// Returns the velocity of the animation at the last step, in metres per second, world axes.
    ///
    /// It is zero for a body that stands, and for one in the air. While a route or a follow moves
    /// the body, its animation plays without effect on its place.
    pub fn root_velocity(&self) -> Vec3 {
        self.world.root_velocity(self.slot)
    }

    /// Returns the state of the body after its last step.
    pub fn view(&self) -> BodyView {
        self.world.view(self.slot)
    }

    /// Returns the places of the waypoints that are not yet reached, in the order of the route.
    #[doc(alias = "InterpolationManager")]
    pub fn waypoints(&self) -> impl Iterator<Item = Placement> + use<'a> {
        let (route, pool) = (&self.world.store.routes[self.slot], &self.world.store.waypoints.later);
        let oldest = route.oldest().map(|waypoint| waypoint.place);
        oldest.into_iter().chain(route.later.iter(pool).map(|later| later.waypoint.place))
    }

    /// Returns the target that the body follows, or `None` if it follows none.
    #[doc(alias = "StickyManager")]
    pub fn follows(&self) -> Option<EntityId> {
        let store = &self.world.store;
        store.follows.get(store.cold[self.slot].follow).map(|follow| follow.target)
    }

    /// Returns the used length and the total length of the tether in metres, or `None` while the
    /// tether is off.
    #[doc(alias = "ConstraintManager")]
    pub fn tether(&self) -> Option<[f32; 2]> {
        let tether = self.world.store.moving[self.slot].tether;
        tether.is_on.then_some([tether.travelled, tether.max])
    }

    /// Returns the decisions about the body, oldest first, if its entity is
    /// [traced](MotionWorld::trace).
    pub fn explain(&self) -> impl DoubleEndedIterator<Item = Explanation> + use<'a> {
        self.world.explain(self.entity())
    }
}
