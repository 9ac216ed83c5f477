// The graphics card by hand: one context per stage, four programs, and batches of instances that are refilled in place, so
// that a frame of two hundred bodies takes a handful of calls and allocates nothing.

import { SHADER_BODY, SHADER_GROUND, SHADER_LINE, SHADER_MARK } from "./stage_shaders.js";

const GL_QUAD = [-1, -1, 1, -1, -1, 1, 1, 1];
const GL_STRIP = [0, -1, 1, -1, 0, 1, 1, 1];

// Instances of one sort, as floats after each other.
export class StageBatch {
  constructor(width) {
    this.width = width;
    this.count = 0;
    this.floats = new Float32Array(width * 64);
  }

  // Returns the place of the next instance in `floats`.
  next() {
    const at = this.count * this.width;
    if (at + this.width > this.floats.length) {
      const grown = new Float32Array(this.floats.length * 2);
      grown.set(this.floats);
      this.floats = grown;
    }
    this.count += 1;
    return at;
  }
}

export const STAGE_BODY_FLOATS = 10;
export const STAGE_MARK_FLOATS = 11;
export const STAGE_LINE_FLOATS = 14;

// Returns whether this browser can draw the stage. It is asked once, with a canvas that is never shown.
export function stageIsPossible() {
  try {
    const gl = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: false });
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return gl !== null;
  } catch {
    return false;
  }
}

// Builds everything that lives on the graphics card. Throws if a program is refused, with the driver's words.
export function createStageCard(canvas) {
  const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, depth: true, powerPreference: "high-performance" });
  if (!gl) throw new Error("WebGL2 is missing");
  const sphere = glSphere();
  const card = {
    gl,
    calls: 0,
    instances: 0,
    ground: glProgram(gl, SHADER_GROUND, ["uView", "uScreen", "uLevel", "uReach", "uOffset", "uCells", "uGround", "uGrid", "uSky", "uFade", "uLine"]),
    body: glProgram(gl, SHADER_BODY, ["uView", "uScreen", "uEye", "uLight", "uVisor", "uGlow"]),
    mark: glProgram(gl, SHADER_MARK, ["uView", "uScreen", "uRight", "uUp"]),
    line: glProgram(gl, SHADER_LINE, ["uView", "uScreen"]),
    groundShape: glShape(gl, new Float32Array(GL_QUAD), 2, null, []),
    bodyShape: glShape(gl, sphere.points, 4, sphere.indices, [3, 3, 4]),
    markShape: glShape(gl, new Float32Array(GL_QUAD), 2, null, [3, 4, 4]),
    lineShape: glShape(gl, new Float32Array(GL_STRIP), 2, null, [3, 3, 4, 4]),
  };
  gl.depthFunc(gl.LEQUAL);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  return card;
}

// Makes a program current and sets what all programs need.
export function cardUse(card, program, lens, ratio) {
  const { gl } = card;
  gl.useProgram(program.program);
  gl.uniformMatrix4fv(program.at.uView, false, lens.matrix);
  gl.uniform3f(program.at.uScreen, lens.width * ratio, lens.height * ratio, lens.focal * ratio);
}

// Draws all instances of a batch.
export function cardDraw(card, shape, batch) {
  if (batch.count === 0) return;
  const { gl } = card;
  gl.bindVertexArray(shape.array);
  gl.bindBuffer(gl.ARRAY_BUFFER, shape.instances);
  const floats = batch.count * batch.width;
  if (shape.room < floats) {
    shape.room = batch.floats.length;
    gl.bufferData(gl.ARRAY_BUFFER, shape.room * 4, gl.DYNAMIC_DRAW);
  }
  gl.bufferSubData(gl.ARRAY_BUFFER, 0, batch.floats, 0, floats);
  if (shape.indices) gl.drawElementsInstanced(gl.TRIANGLES, shape.count, gl.UNSIGNED_SHORT, 0, batch.count);
  else gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, batch.count);
  card.calls += 1;
  card.instances += batch.count;
}

// Draws a shape once, without instances.
export function cardDrawOnce(card, shape) {
  card.gl.bindVertexArray(shape.array);
  card.gl.drawArrays(card.gl.TRIANGLE_STRIP, 0, 4);
  card.calls += 1;
}

function glProgram(gl, source, uniforms) {
  const program = gl.createProgram();
  for (const [type, text] of [[gl.VERTEX_SHADER, source.vertex], [gl.FRAGMENT_SHADER, source.fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(gl.getShaderInfoLog(shader) ?? "shader");
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(program) ?? "program");
  const at = {};
  for (const name of uniforms) at[name] = gl.getUniformLocation(program, name);
  return { program, at };
}

// Binds a shape to location 0 and its instances to the locations after it, with as many floats as listed.
function glShape(gl, points, size, indices, parts) {
  const shape = { array: gl.createVertexArray(), instances: gl.createBuffer(), room: 0, indices: indices !== null, count: indices?.length ?? 4 };
  gl.bindVertexArray(shape.array);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, points, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, size, gl.FLOAT, false, 0, 0);
  if (indices) {
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, shape.instances);
  const stride = parts.reduce((sum, part) => sum + part, 0) * 4;
  let offset = 0;
  parts.forEach((part, index) => {
    gl.enableVertexAttribArray(index + 1);
    gl.vertexAttribPointer(index + 1, part, gl.FLOAT, false, stride, offset);
    gl.vertexAttribDivisor(index + 1, 1);
    offset += part * 4;
  });
  gl.bindVertexArray(null);
  return shape;
}

// Builds a sphere from rings. The equator is there twice: once for each half of a capsule.
function glSphere() {
  const [around, halves] = [24, 6];
  const points = [];
  const indices = [];
  for (let ring = 0; ring <= halves * 2 + 1; ring += 1) {
    const isUpper = ring > halves;
    const step = isUpper ? ring - 1 : ring;
    const tilt = (step / (halves * 2) - 0.5) * Math.PI;
    for (let part = 0; part <= around; part += 1) {
      const turn = (part / around) * Math.PI * 2;
      points.push(Math.cos(tilt) * Math.sin(turn), Math.cos(tilt) * Math.cos(turn), Math.sin(tilt), isUpper ? 1 : 0);
      if (ring === 0 || part === 0) continue;
      const [now, below] = [ring * (around + 1) + part, (ring - 1) * (around + 1) + part];
      indices.push(below - 1, now, below, below - 1, now - 1, now);
    }
  }
  return { points: new Float32Array(points), indices: new Uint16Array(indices) };
}
