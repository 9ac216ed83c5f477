// The programs of the graphics card. Four are enough for the whole stage: the ground with its grid, bodies, marks that lie
// on the ground or face the viewer, and lines of even width. Colours are premultiplied by their alpha throughout.

const SHADER_HEAD = `#version 300 es
precision highp float;
uniform mat4 uView;
uniform vec3 uScreen; // width, height and focal length in pixels
`;

// The ground reaches to the horizon. Lines keep the width of a pixel and vanish before they would flicker.
export const SHADER_GROUND = {
  vertex: `${SHADER_HEAD}
layout(location=0) in vec2 corner;
uniform float uLevel, uReach;
out vec2 vPlace;
void main() {
  vPlace = corner * uReach;
  gl_Position = uView * vec4(vPlace, uLevel, 1.0);
}`,
  fragment: `${SHADER_HEAD}
in vec2 vPlace;
uniform vec2 uOffset, uCells;
uniform vec3 uGround, uGrid, uSky;
uniform float uFade, uLine;
out vec4 oColour;
float lines(vec2 place, float cell, float width) {
  vec2 at = place / cell;
  vec2 pixel = vec2(length(vec2(dFdx(at.x), dFdy(at.x))), length(vec2(dFdx(at.y), dFdy(at.y))));
  vec2 near = abs(fract(at - 0.5) - 0.5) / max(pixel, vec2(1e-6));
  vec2 line = clamp(width * 0.5 + 0.5 - near, 0.0, 1.0) * (1.0 - smoothstep(0.06, 0.3, pixel));
  return max(line.x, line.y);
}
void main() {
  float away = length(vPlace) / uFade;
  float haze = smoothstep(0.35, 2.6, away);
  vec3 colour = mix(uGround, uSky, haze);
  float fine = lines(vPlace + uOffset, uCells.x, uLine) * 0.7 * (1.0 - smoothstep(0.4, 1.5, away));
  float coarse = lines(vPlace + uOffset, uCells.y, uLine * 1.5) * (1.0 - smoothstep(0.8, 3.0, away));
  oColour = vec4(mix(colour, uGrid, max(fine, coarse)), 1.0);
}`,
};

// A capsule is a sphere whose upper half is lifted. Its visor is painted, not built.
export const SHADER_BODY = {
  vertex: `${SHADER_HEAD}
layout(location=0) in vec4 mesh; // point of the unit sphere; 1 for the upper half
layout(location=1) in vec3 at;
layout(location=2) in vec3 shape; // radius, height, heading
layout(location=3) in vec4 tone;
out vec3 vNormal;
out vec3 vLocal;
out vec3 vPlace;
out vec4 vTone;
void main() {
  float radius = shape.x, height = shape.y;
  float dome = min(radius, height * 0.5);
  vec3 local = vec3(mesh.xy * radius, mesh.z * dome + mix(dome, height - dome, mesh.w));
  float s = sin(shape.z), c = cos(shape.z);
  vec3 place = at + vec3(local.x * c + local.y * s, local.y * c - local.x * s, local.z);
  vec3 normal = normalize(vec3(mesh.xy / radius, mesh.z / dome));
  vNormal = vec3(normal.x * c + normal.y * s, normal.y * c - normal.x * s, normal.z);
  vLocal = vec3(mesh.xy, local.z / height);
  vPlace = place;
  vTone = tone;
  gl_Position = uView * vec4(place, 1.0);
}`,
  fragment: `${SHADER_HEAD}
in vec3 vNormal;
in vec3 vLocal;
in vec3 vPlace;
in vec4 vTone;
uniform vec3 uEye, uLight, uVisor;
uniform float uGlow;
out vec4 oColour;
void main() {
  vec3 normal = normalize(vNormal);
  vec3 gaze = normalize(uEye - vPlace);
  float facing = clamp(dot(normal, gaze), 0.0, 1.0);
  float turn = abs(atan(vLocal.x, vLocal.y));
  vec2 edge = vec2(fwidth(turn), fwidth(vLocal.z)) + 1e-4;
  float visor = (1.0 - smoothstep(-edge.x, edge.x, turn - 0.95)) * (1.0 - smoothstep(-edge.y, edge.y, abs(vLocal.z - 0.81) - 0.052));
  // What was captured is an outline to look through. An alpha of 1 may arrive a little smaller.
  if (vTone.a < 0.99) {
    float rim = smoothstep(0.62, 0.05, facing);
    float alpha = vTone.a * clamp(0.1 + rim * 0.8 + visor * 0.25, 0.0, 1.0);
    oColour = vec4(vTone.rgb * alpha, alpha);
    return;
  }
  float light = dot(normal, uLight) * 0.5 + 0.5;
  vec3 colour = vTone.rgb * mix(0.62, 1.06, light);
  colour = mix(colour, vec3(1.0), uGlow * smoothstep(0.72, 1.0, light) * 0.55 + uGlow * pow(1.0 - facing, 3.0) * 0.22);
  colour *= mix(0.8, 1.0, smoothstep(0.0, 0.16, vLocal.z)); // the ground takes light away
  colour = mix(colour, uVisor * mix(0.88, 1.0, light), visor);
  oColour = vec4(colour, 1.0);
}`,
};

// Kinds of marks: 0 shadow, 1 disc, 2 ring, 3 dashed ring, 4 chevron, 5 square, 6 bead (faces the viewer).
export const SHADER_MARK = {
  vertex: `${SHADER_HEAD}
layout(location=0) in vec2 corner;
layout(location=1) in vec3 at;
layout(location=2) in vec4 shape; // size in metres, heading, kind, least size in pixels
layout(location=3) in vec4 tone;
uniform vec3 uRight, uUp;
out vec2 vLocal;
flat out float vKind;
out vec4 vTone;
void main() {
  float deep = (uView * vec4(at, 1.0)).w;
  float size = max(shape.x, shape.w * max(deep, 0.0) / uScreen.z);
  vLocal = corner * 1.25;
  vec2 flatly = vLocal * size;
  float s = sin(shape.y), c = cos(shape.y);
  vec3 offset = shape.z > 5.5
    ? uRight * flatly.x + uUp * flatly.y
    : vec3(flatly.x * c + flatly.y * s, flatly.y * c - flatly.x * s, 0.0);
  vKind = shape.z;
  vTone = tone;
  gl_Position = uView * vec4(at + offset, 1.0);
}`,
  fragment: `${SHADER_HEAD}
in vec2 vLocal;
flat in float vKind;
in vec4 vTone;
out vec4 oColour;
void main() {
  float far = length(vLocal);
  float pixel = max(fwidth(far), 1e-5);
  float alpha = 0.0;
  if (vKind < 0.5) alpha = 1.0 - smoothstep(0.35, 1.15, far);
  else if (vKind < 1.5 || vKind > 5.5) alpha = clamp((1.0 - far) / pixel + 0.5, 0.0, 1.0);
  else if (vKind < 3.5) {
    alpha = clamp(1.6 - abs(far - 1.0) / pixel, 0.0, 1.0);
    if (vKind > 2.5) alpha *= step(0.42, fract(atan(vLocal.y, vLocal.x) * 1.2732395 + 0.2));
    else alpha = max(alpha, 0.13 * step(far, 1.0));
  } else if (vKind < 4.5) {
    vec2 side = vec2(abs(vLocal.x), vLocal.y);
    float edge = max(dot(side - vec2(0.0, 1.0), normalize(vec2(1.9, 0.95))), -vLocal.y - 0.75);
    alpha = clamp(0.5 - edge / max(fwidth(edge), 1e-5), 0.0, 1.0);
  } else {
    vec2 side = abs(vLocal);
    float edge = abs(max(side.x, side.y) - 0.9);
    alpha = clamp(1.4 - edge / max(fwidth(max(side.x, side.y)), 1e-5), 0.0, 1.0);
  }
  alpha *= vTone.a;
  if (alpha < 0.004) discard;
  oColour = vec4(vTone.rgb * alpha, alpha);
}`,
};

// A line is a strip that faces the viewer. A part behind the camera is cut off before it is divided by its depth.
export const SHADER_LINE = {
  vertex: `${SHADER_HEAD}
layout(location=0) in vec2 corner; // which end, which side
layout(location=1) in vec3 start;
layout(location=2) in vec3 end;
layout(location=3) in vec4 tone;
layout(location=4) in vec4 shape; // width in pixels, dash in metres, alpha of the end, way up to the start in metres
out vec4 vTone;
out vec3 vAlong; // metres, half a width in pixels, pixels from the middle
void main() {
  vec4 a = uView * vec4(start, 1.0), b = uView * vec4(end, 1.0);
  float near = 0.05;
  float from = 0.0, to = 1.0;
  if (a.w < near && b.w > near) from = (near - a.w) / (b.w - a.w);
  if (b.w < near && a.w > near) to = (near - a.w) / (b.w - a.w);
  vec4 head = mix(a, b, from), tail = mix(a, b, to);
  vec2 way = (tail.xy / tail.w - head.xy / head.w) * uScreen.xy;
  float size = length(way);
  vec2 across = size > 1e-4 ? vec2(-way.y, way.x) / size : vec2(1.0, 0.0);
  float part = corner.x > 0.5 ? to : from;
  vec4 place = corner.x > 0.5 ? tail : head;
  float half_width = shape.x * 0.5 + 0.75;
  place.xy += across * corner.y * half_width * 2.0 / uScreen.xy * place.w;
  if (a.w < near && b.w < near) place = vec4(2.0, 2.0, 2.0, 1.0);
  vTone = vec4(tone.rgb, mix(tone.a, shape.z, part));
  vAlong = vec3(shape.w + distance(start, end) * part, shape.x * 0.5, corner.y * half_width);
  if (shape.y <= 0.0) vAlong.x = -1.0;
  else vAlong.x /= shape.y;
  gl_Position = place;
}`,
  fragment: `${SHADER_HEAD}
in vec4 vTone;
in vec3 vAlong;
out vec4 oColour;
void main() {
  float alpha = clamp(vAlong.y - abs(vAlong.z) + 0.5, 0.0, 1.0) * vTone.a;
  if (vAlong.x >= 0.0) {
    float wave = abs(fract(vAlong.x) - 0.5);
    alpha *= clamp((0.28 - wave) / max(fwidth(vAlong.x), 1e-4) + 0.5, 0.0, 1.0);
  }
  if (alpha < 0.004) discard;
  oColour = vec4(vTone.rgb * alpha, alpha);
}`,
};
