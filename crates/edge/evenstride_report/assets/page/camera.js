// The camera that all panes share, so that two contestants are always seen from the same place. It looks at one point of
// the ground from a yaw, a pitch and a span (metres across the smaller side of a pane). The map uses the same point and
// span, seen from above. Positions are handed to the graphics card relative to that point: 32 bits are too few for
// centimetres at the far end of a world.

import { clamp } from "./format.js";

const CAMERA_FIELD = (36 * Math.PI) / 180;
const CAMERA_GLIDE_MS = 200;
const CAMERA_SPAN = [1.5, 4000];
const CAMERA_PITCH = [0.06, 1.5];
// The map shows a little more than the stage, which sees far into the distance anyway.
const CAMERA_MAP_SPAN = 1.3;
// The point of interest lies below the middle of the stage, where the plates leave more room.
const CAMERA_SINK = 0.09;
// The camera looks at the middle of a body, not at its feet.
const CAMERA_LIFT = 0.8;

export function createCamera() {
  // The last three are the map's own: from above, the whole scene has another middle and another size than from the side.
  const pose = { x: 0, y: 0, z: 0, yaw: 0.6, pitch: 0.52, span: 10, mapX: 0, mapY: 0, mapSpan: 1 };
  return { wanted: { ...pose }, shown: { ...pose }, from: { ...pose }, since: -Infinity, follow: true, isTouched: false };
}

// Starts a short move from the picture of now to whatever is wanted, unless the reader has asked for less motion.
export function cameraGlide(camera, now) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  Object.assign(camera.from, camera.shown);
  camera.since = now;
}

// Ends a move at once, because a hand has taken the camera.
export function cameraGrab(camera) {
  camera.since = -Infinity;
  Object.assign(camera.wanted, camera.shown);
}

// Moves the shown picture towards the wanted one. Returns whether it still moves.
export function cameraAdvance(camera, now) {
  const { wanted, shown, from } = camera;
  const part = (now - camera.since) / CAMERA_GLIDE_MS;
  if (!(part < 1)) {
    Object.assign(shown, wanted);
    return false;
  }
  const eased = 1 - (1 - clamp(part, 0, 1)) ** 3;
  for (const key of ["x", "y", "z", "pitch", "mapX", "mapY", "mapSpan"]) shown[key] = from[key] + (wanted[key] - from[key]) * eased;
  const turn = Math.atan2(Math.sin(wanted.yaw - from.yaw), Math.cos(wanted.yaw - from.yaw));
  shown.yaw = from.yaw + turn * eased;
  shown.span = from.span * (wanted.span / from.span) ** eased;
  return true;
}

export function cameraOrbit(camera, right, down) {
  cameraGrab(camera);
  camera.isTouched = true;
  camera.wanted.yaw -= right * 0.006;
  camera.wanted.pitch = clamp(camera.wanted.pitch + down * 0.005, CAMERA_PITCH[0], CAMERA_PITCH[1]);
  Object.assign(camera.shown, camera.wanted);
}

// Moves the camera over the ground so that the picture follows the pointer.
export function cameraPan(camera, lens, right, down) {
  cameraGrab(camera);
  camera.follow = false;
  const pose = camera.wanted;
  if (lens.isMap) {
    pose.x -= right / lens.scale;
    pose.y += down / lens.scale;
  } else {
    const [sin, cos] = [Math.sin(pose.yaw), Math.cos(pose.yaw)];
    const sideways = right / lens.scale;
    const away = down / lens.scale / Math.max(Math.sin(pose.pitch), 0.25);
    pose.x += -sideways * cos + away * sin;
    pose.y += sideways * sin + away * cos;
  }
  Object.assign(camera.shown, pose);
}

// Zooms. On the map the place under the pointer stays, unless the camera follows an entity.
export function cameraZoom(camera, factor, lens, at) {
  cameraGrab(camera);
  const pose = camera.wanted;
  const before = pose.span;
  pose.span = clamp(before * factor, CAMERA_SPAN[0], CAMERA_SPAN[1]);
  if (lens?.isMap && at && !camera.follow) {
    const part = 1 - pose.span / before;
    pose.x += ((at[0] - lens.width / 2) / lens.scale) * part;
    pose.y -= ((at[1] - lens.height / 2) / lens.scale) * part;
  }
  Object.assign(camera.shown, pose);
}

export function createLens(isMap) {
  return { isMap, width: 1, height: 1, scale: 1, x: 0, y: 0, z: 0, focal: 1, distance: 1, matrix: new Float32Array(16), right: [1, 0, 0], up: [0, 0, 1], ahead: [0, 1, 0] };
}

// Computes the projection of one pane in CSS pixels. `scale` is the number of pixels per metre at the point of interest.
export function cameraAim(lens, pose, width, height) {
  const side = Math.min(width, height * 1.15);
  Object.assign(lens, { width, height, x: pose.x, y: pose.y, z: pose.z + CAMERA_LIFT });
  if (lens.isMap) {
    lens.x += pose.mapX;
    lens.y += pose.mapY;
    lens.scale = side / (pose.span * pose.mapSpan * CAMERA_MAP_SPAN);
    return lens;
  }
  const [sinYaw, cosYaw, sinPitch, cosPitch] = [Math.sin(pose.yaw), Math.cos(pose.yaw), Math.sin(pose.pitch), Math.cos(pose.pitch)];
  const { right, up, ahead, matrix: m } = lens;
  [right[0], right[1], right[2]] = [cosYaw, -sinYaw, 0];
  [up[0], up[1], up[2]] = [sinYaw * sinPitch, cosYaw * sinPitch, cosPitch];
  [ahead[0], ahead[1], ahead[2]] = [sinYaw * cosPitch, cosYaw * cosPitch, -sinPitch];
  lens.scale = side / pose.span;
  lens.focal = height / 2 / Math.tan(CAMERA_FIELD / 2);
  lens.distance = lens.focal / lens.scale;
  const [wide, high] = [(lens.focal * 2) / width, (lens.focal * 2) / height];
  const [near, far] = [Math.max(lens.distance * 0.02, 0.05), lens.distance * 60 + 400];
  const [deep, deeper] = [(far + near) / (far - near), (-2 * far * near) / (far - near)];
  for (let axis = 0; axis < 3; axis += 1) {
    m[axis * 4] = wide * right[axis];
    m[axis * 4 + 1] = high * up[axis] - 2 * CAMERA_SINK * ahead[axis];
    m[axis * 4 + 2] = deep * ahead[axis];
    m[axis * 4 + 3] = ahead[axis];
  }
  m[12] = 0;
  m[13] = -2 * CAMERA_SINK * lens.distance;
  m[14] = deep * lens.distance + deeper;
  m[15] = lens.distance;
  return lens;
}

// Projects a place into `out`: pixels from the left and the top, pixels per metre there. Returns whether it lies before
// the camera.
export function cameraProject(lens, x, y, z, out) {
  const [east, north, up] = [x - lens.x, y - lens.y, z - lens.z];
  if (lens.isMap) {
    out[0] = lens.width / 2 + east * lens.scale;
    out[1] = lens.height / 2 - north * lens.scale;
    out[2] = lens.scale;
    return true;
  }
  const m = lens.matrix;
  const depth = m[3] * east + m[7] * north + m[11] * up + m[15];
  const safe = Math.max(depth, 0.02);
  out[0] = (0.5 + (m[0] * east + m[4] * north + m[8] * up + m[12]) / safe / 2) * lens.width;
  out[1] = (0.5 - (m[1] * east + m[5] * north + m[9] * up + m[13]) / safe / 2) * lens.height;
  out[2] = lens.focal / safe;
  return depth > lens.distance * 0.02;
}

// Lets the map show all given places too, without moving the stage.
export function cameraFitMap(camera, places, lens) {
  const pose = camera.wanted;
  Object.assign(pose, { mapX: 0, mapY: 0, mapSpan: 1 });
  const map = { wanted: { ...pose } };
  cameraFit(map, places, lens);
  Object.assign(pose, { mapX: map.wanted.x - pose.x, mapY: map.wanted.y - pose.y, mapSpan: map.wanted.span / pose.span });
}

// Lets map and stage look at the same place again.
export function cameraJoin(camera) {
  Object.assign(camera.wanted, { mapX: 0, mapY: 0, mapSpan: 1 });
}

// Frames all given places (x, y, z after each other) between the plates at the top and the scale at the bottom, from as
// near as possible.
export function cameraFit(camera, places, lens) {
  if (places.length === 0 || lens.width < 2) return;
  // A narrow pane has no buttons at its side.
  const [side, top, bottom] = [lens.width < 260 ? 16 : 46, lens.isMap ? 48 : 64, 44];
  const room = { left: side, right: Math.max(lens.width - side, side + 60), top, bottom: Math.max(lens.height - bottom, top + 60) };
  const trial = cameraAim(createLens(lens.isMap), camera.wanted, lens.width, lens.height);
  if (lens.isMap) cameraFitFromAbove(camera.wanted, places, trial, room);
  else cameraFitFromSide(camera.wanted, places, trial, room);
}

function cameraFitFromAbove(pose, places, lens, room) {
  const [west, east] = cameraRange(places, (x) => x);
  const [south, north] = cameraRange(places, (x, y) => y);
  const scale = Math.min((room.right - room.left) / Math.max(east - west, 0.1), (room.bottom - room.top) / Math.max(north - south, 0.1));
  pose.span = clamp((pose.span * lens.scale) / scale, 8, CAMERA_SPAN[1]);
  const shown = cameraAim(createLens(true), pose, lens.width, lens.height).scale;
  pose.x = (west + east) / 2 + (lens.width / 2 - (room.left + room.right) / 2) / shown;
  pose.y = (south + north) / 2 - (lens.height / 2 - (room.top + room.bottom) / 2) / shown;
  pose.z = cameraRange(places, (x, y, z) => z)[0];
}

// Each edge of the room is a plane through the eye that no place may lie beyond. Two opposite planes decide how far back
// the eye must be, and the nearer pair then has room to spare, which is shared between its sides.
function cameraFitFromSide(pose, places, lens, room) {
  const { right, up, ahead, focal } = lens;
  const along = (axis) => (x, y, z) => axis[0] * x + axis[1] * y + axis[2] * z;
  const depth = along(ahead);
  const fit = (axis, least, most) => {
    const place = along(axis);
    const above = cameraRange(places, (x, y, z) => place(x, y, z) - most * depth(x, y, z))[1];
    const below = cameraRange(places, (x, y, z) => least * depth(x, y, z) - place(x, y, z))[1];
    return { least, most, above, below, back: -(above + below) / (most - least) };
  };
  const middle = lens.height * (0.5 + CAMERA_SINK);
  const wide = fit(right, (room.left - lens.width / 2) / focal, (room.right - lens.width / 2) / focal);
  const high = fit(up, (middle - room.bottom) / focal, (middle - room.top) / focal);
  const back = Math.min(wide.back, high.back);
  const across = ({ least, most, above, below }) => (above + most * back + least * back - below) / 2;
  const [sideways, upwards] = [across(wide), across(high)];
  const eye = [0, 1, 2].map((axis) => right[axis] * sideways + up[axis] * upwards + ahead[axis] * back);
  pose.z = cameraRange(places, (x, y, z) => z)[0];
  const distance = (eye[2] - pose.z - CAMERA_LIFT) / -ahead[2];
  pose.x = eye[0] + ahead[0] * distance;
  pose.y = eye[1] + ahead[1] * distance;
  pose.span = clamp((pose.span * distance) / lens.distance, 8, CAMERA_SPAN[1]);
}

function cameraRange(places, of) {
  const range = [Infinity, -Infinity];
  for (let at = 0; at < places.length; at += 3) {
    const value = of(places[at], places[at + 1], places[at + 2]);
    range[0] = Math.min(range[0], value);
    range[1] = Math.max(range[1], value);
  }
  return range;
}
