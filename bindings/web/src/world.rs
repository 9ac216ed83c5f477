//! `World`, the motion core of a client.

use evenstride::{Drawn, FlatGround, MotionWorld, surroundings::Heightfield};
use evenstride_moments::{typed_decision, typed_event};
use evenstride_types::{Placement, Pose, Vec3, update::Update};
use evenstride_wire::decode;
use js_sys::{Float32Array, Uint8Array, Uint32Array};
use serde_json::Value;
use wasm_bindgen::prelude::*;

use crate::{
    call::{Sentence, call, sentence},
    drawn::DrawnArrays,
    ground::Ground,
    hex, input, to_js,
};

/// All bodies of a world. Messages and time go in, and poses come out. In each frame call `advance`, then
/// `handle` for each message, then `draw`.
#[wasm_bindgen]
#[derive(Debug)]
pub struct World {
    world: MotionWorld,
    ground: Ground,
    drawn: DrawnArrays,
    /// Memory for changed bodies, kept from call to call.
    changed: Vec<Drawn>,
}

#[wasm_bindgen]
impl World {
    /// Makes an empty world whose time starts at `time`, in seconds. `profile` is `RETAIL`, `ACDREAM`,
    /// `SMOOTH`, `GLIDE` or `SPECTATOR`.
    #[wasm_bindgen(constructor)]
    pub fn new(profile: &str, time: f64) -> Result<Self, JsError> {
        call(|| {
            let world = MotionWorld::new(input::profile(profile)?, input::time(time)?);
            Ok(Self { world, ground: Ground::Open, drawn: DrawnArrays::default(), changed: Vec::new() })
        })
    }

    /// Restores a world from the bytes of `save`, and its poses from those of `saveDrawing` if given.
    pub fn restore(saved: &Uint8Array, drawing: Option<Uint8Array>) -> Result<Self, JsError> {
        call(|| {
            let mut world = MotionWorld::restore(&input::bytes("saved", saved)?).map_err(sentence)?;
            if let Some(drawing) = drawing {
                world.restore_drawing(&input::bytes("drawing", &drawing)?).map_err(sentence)?;
            }
            Ok(Self { world, ground: Ground::Open, drawn: DrawnArrays::default(), changed: Vec::new() })
        })
    }

    /// Moves time to `time` seconds and steps bodies.
    pub fn advance(&mut self, time: f64) -> Result<(), JsError> {
        call(|| {
            let _ = self.world.advance(input::time(time)?, &self.ground);
            Ok(())
        })
    }

    /// Handles one message of the server, from its opcode to its last byte. Returns what became of it as
    /// a sentence, or `undefined` for a message that is not about motion.
    pub fn handle(&mut self, time: f64, message: &Uint8Array) -> Result<Option<String>, JsError> {
        call(|| {
            let now = input::time(time)?;
            let Some(update) = update_of(&input::bytes("message", message)?)? else { return Ok(None) };
            Ok(Some(self.world.handle(now, &update, &self.ground).to_string()))
        })
    }

    /// Handles messages that lie one after the other in `messages`. `ends` has the offset at which each
    /// one ends. Returns the number of those about motion. If one is damaged, none is handled.
    #[wasm_bindgen(js_name = handleMany)]
    pub fn handle_many(
        &mut self,
        time: f64,
        messages: &Uint8Array,
        ends: &Uint32Array,
    ) -> Result<u32, JsError> {
        call(|| {
            let now = input::time(time)?;
            let (messages, ends) = (input::bytes("messages", messages)?, input::words("ends", ends)?);
            let updates = updates_of(&messages, &ends)?;
            self.world.handle_all(now, &updates, &self.ground, |_, _| {});
            Ok(updates.len() as u32)
        })
    }

    /// Writes every body to be drawn at `time` into the arrays `ids`, `poses` and `hidden`, and returns
    /// their number. Poses are in metres from the south-west corner of the landblock `origin`, such as
    /// 0xA9B4.
    pub fn draw(&mut self, time: f64, origin: u32) -> Result<u32, JsError> {
        call(|| {
            let (now, origin) = (input::time(time)?, input::landblock(origin)?);
            self.drawn.clear(self.world.len());
            self.world.drawn_each(now, |body| self.drawn.push(&body, origin));
            Ok(self.drawn.len())
        })
    }

    /// Does what `draw` does, only for bodies that may look different since the last call of it. Events
    /// tell of bodies that left the world.
    #[wasm_bindgen(js_name = drawChanged)]
    pub fn draw_changed(&mut self, time: f64, origin: u32) -> Result<u32, JsError> {
        call(|| {
            let (now, origin) = (input::time(time)?, input::landblock(origin)?);
            self.changed.resize(self.world.len(), Drawn::EMPTY);
            let written = self.world.changed_into(now, &mut self.changed);
            self.world.forget_changed();
            self.drawn.clear(written);
            self.changed[..written].iter().for_each(|body| self.drawn.push(body, origin));
            Ok(self.drawn.len())
        })
    }

    /// Returns the entities that `draw` wrote. The array is a view, which is valid until the next call of
    /// anything in this package.
    pub fn ids(&self) -> Result<Uint32Array, JsError> {
        call(|| Ok(self.drawn.ids()))
    }

    /// Returns the poses that `draw` wrote, as x, y, z, qw, qx, qy and qz for each entity. The array is a
    /// view, which is valid until the next call of anything in this package.
    pub fn poses(&self) -> Result<Float32Array, JsError> {
        call(|| Ok(self.drawn.poses()))
    }

    /// Returns 1 for each entity that `draw` wrote and that is invisible, and 0 for the others. The array
    /// is a view, which is valid until the next call of anything in this package.
    pub fn hidden(&self) -> Result<Uint8Array, JsError> {
        call(|| Ok(self.drawn.hidden()))
    }

    /// Removes and returns all events, oldest first.
    #[wasm_bindgen(unchecked_return_type = "WorldEvent[]")]
    pub fn events(&mut self) -> Result<JsValue, JsError> {
        call(|| {
            let events = core::iter::from_fn(|| self.world.poll_event());
            to_js(&Value::Array(events.map(|event| typed_event(&event)).collect()))
        })
    }

    /// Starts to keep the decisions about an entity.
    pub fn trace(&mut self, entity: u32) -> Result<(), JsError> {
        call(|| {
            self.world.trace(input::entity(entity));
            Ok(())
        })
    }

    /// Stops keeping the decisions about an entity.
    pub fn untrace(&mut self, entity: u32) -> Result<(), JsError> {
        call(|| {
            self.world.untrace(input::entity(entity));
            Ok(())
        })
    }

    /// Returns the decisions about a traced entity, oldest first.
    #[wasm_bindgen(unchecked_return_type = "Decision[]")]
    pub fn explain(&self, entity: u32) -> Result<JsValue, JsError> {
        call(|| {
            let decisions = self.world.explain(input::entity(entity));
            to_js(&Value::Array(decisions.map(|decision| typed_decision(&decision)).collect()))
        })
    }

    /// Sets the place from which distances are measured, such as the camera. Bodies more than 96 m away
    /// are not stepped.
    #[wasm_bindgen(js_name = setViewpoint)]
    pub fn set_viewpoint(&mut self, cell: u32, x: f32, y: f32, z: f32) -> Result<(), JsError> {
        call(|| {
            let pose = Pose::IDENTITY.with_origin(Vec3::new(x, y, z)).map_err(sentence)?;
            self.world.set_viewpoint(Some(Placement::new(input::cell(cell)?, pose)));
            Ok(())
        })
    }

    /// Removes the viewpoint.
    #[wasm_bindgen(js_name = clearViewpoint)]
    pub fn clear_viewpoint(&mut self) -> Result<(), JsError> {
        call(|| {
            self.world.set_viewpoint(None);
            Ok(())
        })
    }

    /// Makes the ground flat, at a height of `z` metres.
    #[wasm_bindgen(js_name = setFlatGround)]
    pub fn set_flat_ground(&mut self, z: f32) -> Result<(), JsError> {
        call(|| {
            if !z.is_finite() {
                return Err(format!("z: {z} is not a height in metres"));
            }
            self.ground = Ground::Flat(FlatGround { z });
            Ok(())
        })
    }

    /// Sets terrain. The first height lies on the south-west corner of `landblock`, rows run from west to
    /// east with `columns` heights each, and the first row is the southernmost. `spacing` is in metres.
    #[wasm_bindgen(js_name = setHeightfield)]
    pub fn set_heightfield(
        &mut self,
        landblock: u32,
        spacing: f32,
        columns: u32,
        heights: &Float32Array,
    ) -> Result<(), JsError> {
        call(|| {
            let (corner, heights) = (input::landblock(landblock)?, input::floats("heights", heights)?);
            let field = Heightfield::new(corner, spacing, columns as usize, heights).map_err(sentence)?;
            self.ground = Ground::Heights(Box::new(field));
            Ok(())
        })
    }

    /// Removes the ground, so that only messages tell of it.
    #[wasm_bindgen(js_name = setOpenField)]
    pub fn set_open_field(&mut self) -> Result<(), JsError> {
        call(|| {
            self.ground = Ground::Open;
            Ok(())
        })
    }

    /// Returns the world as bytes. Events, decisions, ground and poses are left out.
    pub fn save(&self) -> Result<Uint8Array, JsError> {
        call(|| Ok(Uint8Array::from(self.world.save().as_slice())))
    }

    /// Returns the poses of the profile `GLIDE` as bytes.
    #[wasm_bindgen(js_name = saveDrawing)]
    pub fn save_drawing(&self) -> Result<Uint8Array, JsError> {
        call(|| Ok(Uint8Array::from(self.world.save_drawing().as_slice())))
    }

    /// Returns the hash of everything that further motion depends on, in hexadecimal.
    #[wasm_bindgen(js_name = stateHash)]
    pub fn state_hash(&self) -> Result<String, JsError> {
        call(|| Ok(hex(self.world.state_hash())))
    }

    /// Returns the hash of all poses of the profile `GLIDE`, in hexadecimal.
    #[wasm_bindgen(js_name = drawingHash)]
    pub fn drawing_hash(&self) -> Result<String, JsError> {
        call(|| Ok(hex(self.world.drawing_hash())))
    }

    /// Number of bodies, including those outside the world.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> Result<u32, JsError> {
        call(|| Ok(self.world.len() as u32))
    }

    /// Latest time given to the world, in seconds.
    #[wasm_bindgen(getter)]
    pub fn time(&self) -> Result<f64, JsError> {
        call(|| Ok(self.world.now().as_secs()))
    }
}

fn update_of(message: &[u8]) -> Result<Option<Update>, Sentence> {
    Ok(decode(message).map_err(sentence)?.message.into_update())
}

fn updates_of(messages: &[u8], ends: &[u32]) -> Result<Vec<Update>, Sentence> {
    let mut updates = Vec::new();
    let mut start = 0;
    for (index, &end) in ends.iter().enumerate() {
        let end = end as usize;
        let message = messages.get(start..end).ok_or_else(|| {
            format!("ends: message {index} is from byte {start} to {end}, of {}", messages.len())
        })?;
        updates.extend(update_of(message).map_err(|error| format!("message {index}: {error}"))?);
        start = end;
    }
    if start != messages.len() {
        return Err(format!("ends: {} bytes after the last message", messages.len() - start));
    }
    Ok(updates)
}
