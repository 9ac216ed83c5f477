// Bytes that are embedded in the page, or dropped on it.

const UNPACK_DAMAGED = "its data in this file are damaged. Copy the file again, or write it again";

// Decodes base 64.
export function unpackBase64(text) {
  try {
    return unpackLetters(text);
  } catch {
    throw new Error(UNPACK_DAMAGED);
  }
}

function unpackLetters(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const packed = atob(text);
  const bytes = new Uint8Array(packed.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = packed.charCodeAt(index);
  return bytes;
}

const UNPACK_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#%()*+,./:;=?@[]^_{|}~";

// Decodes base 85, in which the program writes the core. A letter that is none makes the bytes useless, which shows when
// they are decompressed.
export function unpackBase85(text) {
  const values = new Uint8Array(128);
  for (let value = 0; value < 85; value += 1) values[UNPACK_LETTERS.charCodeAt(value)] = value;
  const words = new DataView(new ArrayBuffer(Math.ceil(text.length / 5) * 4));
  for (let at = 0; at < text.length; at += 5) {
    let word = 0;
    for (let place = at; place < at + 5; place += 1) word = word * 85 + (place < text.length ? values[text.charCodeAt(place)] : 84);
    words.setUint32((at / 5) * 4, word);
  }
  return new Uint8Array(words.buffer, 0, Math.floor((text.length * 4) / 5));
}

// Decompresses bytes with the browser's own decoder, so that the page needs none.
export async function unpackBytes(bytes, format) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format));
  try {
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Error(UNPACK_DAMAGED);
  }
}
