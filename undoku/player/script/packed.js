// Unpacks the events of searches: the format is described in undoku/solver/trace/packing.py.

import { ELIMINATE, RESTORE, UNDO } from "./operations.js";

/** @typedef {{events: number, undoCells: boolean, restoreCells: boolean}} Packing */

/**
 * The bytes of a block in base64.
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function bytesOf(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

/**
 * Inflate a block. Rejects if it is damaged.
 * @param {Uint8Array<ArrayBuffer>} block
 * @returns {Promise<Uint8Array>}
 */
export async function inflated(block) {
  const stream = new Blob([block]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * The events of each search as whole numbers: op | value << 8 | cell << 16.
 * @param {Uint8Array} bytes
 * @param {Packing[]} searches
 * @param {number[]} cells how many cells the board of each has
 * @returns {Uint32Array[]}
 */
export function unpacked(bytes, searches, cells) {
  let at = 0;
  return searches.map((search, number) => {
    const wide = cells[number] > 256 ? 2 : 1;
    const ops = bytes.subarray(at, at + search.events);
    at += search.events;
    let withCell = 0;
    let withValue = 0;
    for (const op of ops) {
      const placed = op !== UNDO && op !== RESTORE;
      if (placed || (op === RESTORE ? search.restoreCells : search.undoCells)) withCell += 1;
      if (placed || (op === RESTORE && search.restoreCells)) withValue += 1;
    }
    const places = bytes.subarray(at, at + withCell * wide);
    at += withCell * wide;
    const values = bytes.subarray(at, at + withValue);
    at += withValue;
    if (values.length < withValue) throw new Error("the events are incomplete");
    return joined(ops, places, values, search, wide);
  });
}

/**
 * @param {Uint8Array} ops
 * @param {Uint8Array} places
 * @param {Uint8Array} values
 * @param {Packing} search
 * @param {number} wide bytes of a cell
 */
function joined(ops, places, values, search, wide) {
  const events = new Uint32Array(ops.length);
  /** @type {number[]} */
  const standing = [];
  /** @type {number[]} */
  const removed = [];
  /** @type {Map<number, number>} */
  const valueOf = new Map();
  let cellAt = 0;
  let valueAt = 0;
  const nextCell = () => {
    const cell = wide === 2 ? places[cellAt] | (places[cellAt + 1] << 8) : places[cellAt];
    cellAt += wide;
    return cell;
  };
  for (let at = 0; at < ops.length; at += 1) {
    const op = ops[at];
    let what;
    if (op !== UNDO && op !== RESTORE) {
      const cell = nextCell();
      what = (cell << 16) | (values[valueAt] << 8);
      valueAt += 1;
      if (op === ELIMINATE) {
        if (!search.restoreCells) removed.push(what);
      } else if (op > RESTORE) {
        // A restart, a nogood or a probe: these have no undo.
      } else if (search.undoCells) valueOf.set(cell, what);
      else standing.push(what);
    } else if (op === UNDO) {
      what = (search.undoCells ? valueOf.get(nextCell()) : standing.pop()) ?? 0;
    } else if (search.restoreCells) {
      const cell = nextCell();
      what = (cell << 16) | (values[valueAt] << 8);
      valueAt += 1;
    } else what = removed.pop() ?? 0;
    events[at] = what | op;
  }
  return events;
}
