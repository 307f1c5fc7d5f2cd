// A backtracking solver that prints its trace: node emitter.js 53..7… | undoku render - -o film.mp4
// The calls of emit are all that a trace needs; docs/trace-format.md describes the format.
"use strict";
const { writeSync } = require("node:fs");

let pending = "";
function emit(line) {
  pending += JSON.stringify(line) + "\n";
  if (pending.length > 65536) flush();
}
function flush() {
  writeSync(1, pending);
  pending = "";
}

function fits(board, cell, value) {
  const row = Math.floor(cell / 9), column = cell % 9;
  const corner = Math.floor(row / 3) * 27 + Math.floor(column / 3) * 3;
  for (let k = 0; k < 9; k++) {
    const inBox = corner + Math.floor(k / 3) * 9 + (k % 3);
    if ([board[row * 9 + k], board[k * 9 + column], board[inBox]].includes(value)) return false;
  }
  return true;
}

function solve(board, cell) {
  while (cell < 81 && board[cell]) cell++;
  if (cell === 81) return true;
  for (let value = 1; value <= 9; value++) {
    if (!fits(board, cell, value)) continue;
    board[cell] = value;
    emit(["place", cell, value]);
    if (solve(board, cell + 1)) return true;
    board[cell] = 0;
    emit(["undo", cell]);
  }
  return false;
}

if (process.argv[2]?.length !== 81) {
  console.error("give the 81 cells of a puzzle");
  process.exit(2);
}
const givens = process.argv[2].replaceAll("0", ".");
emit({ undoku: 1, size: 9, givens, title: "JavaScript program" });
emit({ outcome: solve([...givens].map((mark) => Number(mark) || 0), 0) ? "solved" : "exhausted" });
flush();
