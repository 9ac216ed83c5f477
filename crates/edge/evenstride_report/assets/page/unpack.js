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

// Decompresses bytes with the browser's own decoder, so that the page needs none.
export async function unpackBytes(bytes, format) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format));
  try {
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Error(UNPACK_DAMAGED);
  }
}
