/**
 * A fast, stable hash for spreading keys over backends. Not for secrets.
 *
 * @module
 */

/** 32-bit FNV-1a over the UTF-16 code units. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Mixes two hashes so that each bit of the result depends on all of both (MurmurHash3's finaliser). */
export function mixHashes(a: number, b: number): number {
  let hash = a ^ Math.imul(b, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
