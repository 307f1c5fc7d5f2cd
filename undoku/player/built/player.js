"use strict";(() => {
function readAddress(hash) {
const found = new URLSearchParams(hash.replace(/^#/, ""));
const step = found.get("step");
const panels = found.get("panels");
return {
step: step !== null && /^\d+$/.test(step) ? Number(step) : null,
theme: found.get("theme") ?? "",
panels: panels === null ? null : panels.split(",").filter(Boolean),
play: found.has("play"),
};
}
function writeAddress({ step, theme, panels, play }) {
const parts = [`step=${step}`];
if (play) parts.push("play");
if (theme) parts.push(`theme=${theme}`);
if (panels) parts.push(`panels=${panels.join(",")}`);
return `#${parts.join("&")}`;
}
const SVG = "http://www.w3.org/2000/svg";
function element(name, attributes = {}, ...children) {
const made = document.createElement(name);
for (const [key, value] of Object.entries(attributes)) {
if (value === true) made.setAttribute(key, "");
else if (value !== false) made.setAttribute(key, String(value));
}
made.append(...children);
return made;
}
function shape(name, attributes = {}, ...children) {
const made = document.createElementNS(SVG, name);
for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
made.append(...children);
return made;
}
const ICONS = {
play: "M7 4.5v15l12.5-7.5z",
pause: "M6 4.5h4.2v15H6zM13.8 4.5H18v15h-4.2z",
again: "M12 5a7.5 7.5 0 1 1-7.2 5.4l2 .6A5.4 5.4 0 1 0 12 7.1V10L7.2 6 12 2z",
back: "M15.5 5v14L5.5 12z M4 5h2v14H4z",
on: "M8.5 5v14l10-7z M18 5h2v14h-2z",
backtrackBack: "M12.5 5v14L3 12z M21.5 5v14L12 12z",
backtrackOn: "M11.5 5v14l9.5-7z M2.5 5v14l9.5-7z",
highlightBack: "M13 3.6l2 4.7 5.1.4-3.9 3.3 1.2 5-4.4-2.7L8.6 17l1.2-5-3.9-3.3L11 8.3z M2 11h4v2H2z",
highlightOn: "M11 3.6l2 4.7 5.1.4-3.9 3.3 1.2 5-4.4-2.7L6.6 17l1.2-5-3.9-3.3L9 8.3z M18 11h4v2h-4z",
panels: "M4 4h7v7H4zM13 4h7v4h-7zM13 10h7v10h-7zM4 13h7v7H4z",
theme: "M12 3a9 9 0 1 0 0 18zM12 3v2a7 7 0 0 1 0 14v2a9 9 0 0 0 0-18z",
share: "M14 4h6v6h-2V7.4l-7.3 7.3-1.4-1.4L16.6 6H14zM5 6h6v2H7v9h9v-4h2v6H5z",
keys: "M12 3.5c3 0 5 1.8 5 4.4 0 2-1.2 3.1-2.4 4-1.1.8-1.5 1.2-1.5 2.3v.6h-2.3v-.8c0-2 1-3 2.2-3.9 1-.7 1.6-1.2 1.6-2.2 0-1.3-1-2.2-2.6-2.2-1.6 0-2.6 1-2.8 2.6L6.900 8C7.200 5.300 9.200 3.500 12 3.500zM10.700 17h2.500v2.700h-2.500z",
enlarge: "M4 4h7v2H6v5H4zM20 20h-7v-2h5v-5h2z",
};
function icon(name) {
const path = shape("path", { d: ICONS[name] });
return shape("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, path);
}
function iconButton(picture, label, press, keys = "") {
const button = element("button", { type: "button", "aria-label": label, title: label });
if (keys) button.setAttribute("aria-keyshortcuts", keys);
button.append(icon(picture));
button.addEventListener("click", press);
return button;
}
function relabel(button, picture, label) {
if (button.dataset.picture === picture) return;
button.dataset.picture = picture;
button.setAttribute("aria-label", label);
button.title = label;
button.replaceChildren(icon(picture));
}
function put(where, text) {
if (where.textContent !== text) where.textContent = text;
}
const BETWEEN = 20;
const MARGIN = 12;
const MIN_SIDE = 132;
const SMALL_SHARE = 0.42;
const WORTH = 1.06;
const ROUNDS = 3;
function arranged(count, width, height, { below, headOf, beside }) {
let best = { side: 0, columns: Math.min(2, count), beside: null };
for (let columns = 1; columns <= count; columns += 1) {
const rows = Math.ceil(count / columns);
const room = (width - BETWEEN * (columns - 1)) / columns;
const high = height / rows - below - MARGIN;
for (const column of beside) {
const side = column.high <= high ? Math.floor(Math.min(room - column.wide, high)) : 0;
if (side > best.side * (best.beside && columns === best.columns ? WORTH : 1)) {
best = { side, columns, beside: column };
}
}
const above = belowItsHead(Math.min(room, high), high, headOf);
if (above > best.side * (best.beside ? WORTH : 1)) {
best = { side: above, columns, beside: null };
}
}
if (best.side >= MIN_SIDE) return { ...best, tight: false };
const columns = Math.max(1, Math.min(2, count, Math.floor((width + BETWEEN) / MIN_SIDE)));
const side = Math.floor((width - BETWEEN * (columns - 1)) / columns);
return { side, columns, beside: null, tight: true };
}
function belowItsHead(most, high, headOf) {
let side = Math.floor(most);
for (let round = 0; round < ROUNDS && side >= MIN_SIDE; round += 1) {
const next = Math.floor(Math.min(side, high - headOf(side)));
if (next === side) return side;
side = next;
}
return side >= MIN_SIDE && headOf(side) + side <= high ? side : 0;
}
function spotlit(count, width, height, { head, below, wide }) {
const others = count - 1;
const room = width - BETWEEN * others - wide;
const large = Math.floor(
Math.min(height - MARGIN - below - head, room / (1 + SMALL_SHARE * others)),
);
const side = Math.max(MIN_SIDE, large);
return { large: side, small: Math.floor(side * SMALL_SHARE) };
}
const BESIDE = [152, 210, 280, 340];
const SIDE_GAP = 16;
const NARROW = 560;
const MANY = 3;
function arrange(root, boards, views, large) {
root.classList.remove("tight");
const { clientWidth, clientHeight } = boards;
if (!clientWidth) return;
const count = views.length;
const many = count > MANY;
root.classList.toggle("many", many);
boards.classList.remove("spotlit");
for (const view of views) view.root.classList.remove("small");
const code = Math.max(...views.map((view) => view.code?.root.offsetHeight ?? 0));
const textHeight = many ? 30 : root.classList.contains("with-why") ? 66 : 34;
const below = textHeight + (code && code + 6);
const measure = new Measure(root, views);
const columns = innerWidth < NARROW ? [] : measure.columns();
const headOf = (side) => measure.head(side) + SIDE_GAP / 2;
const found = arranged(count, clientWidth, clientHeight,
{ below, headOf, beside: columns });
root.classList.toggle("beside", found.beside !== null);
root.classList.toggle("dense", found.beside?.dense === true);
root.classList.toggle("tight", found.tight);
boards.style.setProperty("--columns", String(found.columns));
boards.classList.toggle("spotlit", large !== null);
const wide = found.beside?.wide ?? 0;
boards.style.setProperty("--wide", `${wide - SIDE_GAP}px`);
const head = found.beside ? 0 : headOf(found.side);
const lit = large === null ? { large: 0, small: 0 }
: spotlit(count, clientWidth, clientHeight, { head, below, wide });
measure.end();
views.forEach((view, number) => {
const side = large === null ? found.side : number === large ? lit.large : lit.small;
view.root.classList.toggle("small", large !== null && number !== large);
view.root.style.setProperty("--side", `${side}px`);
view.enlarge?.setAttribute("aria-pressed", String(number === large));
});
}
class Measure {
constructor(root, views) {
this.kind = [...root.classList].filter((name) => !["beside", "dense"].includes(name)).join(" ");
this.views = views;
this.place = element("div", { class: "measure", "aria-hidden": "true" });
this.above = this.copies("");
document.body.append(this.place);
}
copies(kind) {
const made = this.views.map((view) => {
const search = element("div", { class: "search" }, view.side.cloneNode(true));
search.style.display = "block";
return search;
});
this.place.append(element("div", { class: `${this.kind} ${kind}` }, ...made));
return made;
}
head(side) {
for (const copy of this.above) copy.style.width = `${side}px`;
return Math.max(...this.above.map((copy) => copy.offsetHeight));
}
columns() {
const wanted = ["beside", "beside dense"].flatMap((kind) =>
BESIDE.map((wide) => {
const copies = this.copies(kind);
for (const copy of copies) copy.style.width = `${wide}px`;
return { wide: wide + SIDE_GAP, copies, dense: kind !== "beside" };
}));
return wanted.map(({ wide, copies, dense }) =>
({ wide, dense, high: Math.max(...copies.map((copy) => copy.offsetHeight)) }));
}
end() {
this.place.remove();
}
}
function followPointer(canvas, player, stepAt) {
let home = null;
const go = (event) => {
const box = canvas.getBoundingClientRect();
const step = stepAt(event.clientX - box.left, event.clientY - box.top);
if (step >= 0) player.seek(step);
};
canvas.addEventListener("pointerdown", (event) => {
canvas.setPointerCapture(event.pointerId);
go(event);
home = null;
});
canvas.addEventListener("pointermove", (event) => {
if (event.buttons) {
go(event);
home = null;
} else if (event.pointerType === "mouse" && !player.playing) {
home ??= player.step;
go(event);
}
});
canvas.addEventListener("pointerleave", () => {
if (home !== null && !player.playing) player.seek(home);
home = null;
});
}
const FIRST_END = 32;
function axisEnd(count, whole) {
let end = FIRST_END;
while (end <= count) end *= 2;
return count >= whole ? Math.max(1, whole) : end;
}
class Chart {
constructor(label) {
this.canvas = element("canvas", { role: "img", "aria-label": label });
this.context = (this.canvas.getContext("2d"));
this.width = 0;
this.height = 0;
}
begin() {
const { clientWidth, clientHeight } = this.canvas;
const scale = Math.min(3, window.devicePixelRatio || 1);
const wide = Math.round(clientWidth * scale);
const high = Math.round(clientHeight * scale);
if (this.canvas.width !== wide || this.canvas.height !== high) {
this.canvas.width = wide;
this.canvas.height = high;
}
this.width = clientWidth;
this.height = clientHeight;
this.context.setTransform(scale, 0, 0, scale, 0, 0);
this.context.clearRect(0, 0, clientWidth, clientHeight);
return clientWidth > 0 && clientHeight > 0;
}
}
class Columns {
constructor(state) {
this.state = state;
this.end = 0;
this.low = new Uint16Array(0);
this.high = new Uint16Array(0);
this.done = 0;
}
fill(end, count, until) {
if (end !== this.end || count !== this.low.length) {
this.end = end;
this.low = new Uint16Array(count).fill(65535);
this.high = new Uint16Array(count);
this.done = 0;
}
const { items } = this.state.history.depthAfter;
const last = Math.min(until, this.state.total);
for (let step = this.done; step <= last; step += 1) {
const column = Math.min(count - 1, Math.floor((step * count) / end));
if (items[step] < this.low[column]) this.low[column] = items[step];
if (items[step] > this.high[column]) this.high[column] = items[step];
}
this.done = Math.max(this.done, last + 1);
}
}
class DepthChart extends Chart {
constructor(states, label) {
super(label);
this.columns = states.map((state) => new Columns(state));
this.end = FIRST_END;
}
draw(palette, steps, seen, longest) {
if (!this.begin()) return;
const { context, width, height } = this;
const end = axisEnd(seen, longest);
this.end = end;
const count = Math.max(1, Math.round(width));
const states = this.columns.map((one) => one.state);
const deepest = Math.max(1, ...states.map((state) => state.deepest));
const top = 3;
const scale = (height - top - 1) / deepest;
for (let number = this.columns.length - 1; number >= 0; number -= 1) {
const columns = this.columns[number];
const state = columns.state;
columns.fill(end, count, seen);
const colour = palette[`search-${number}`];
const until = Math.min(seen, state.total);
const now = Math.min(width, (steps[number] / end) * width);
const drawn = Math.min(count, Math.ceil((until / end) * count) + 1);
context.fillStyle = colour;
context.globalAlpha = 0.16;
this.area(columns.high, drawn, scale);
context.globalAlpha = 1;
context.strokeStyle = colour;
context.lineWidth = 1.4;
context.lineJoin = "round";
this.line(columns, Math.min(drawn, Math.ceil(now) + 1), scale, 0);
context.globalAlpha = 0.35;
this.line(columns, drawn, scale, Math.ceil(now));
context.globalAlpha = 1;
const y = height - 1 - state.depth * scale;
context.beginPath();
context.arc(Math.max(3, Math.min(width - 3, now)), Math.max(4, y), 3.2, 0, 7);
context.fill();
}
}
area(high, drawn, scale) {
const { context, height } = this;
context.beginPath();
context.moveTo(0, height);
let before = 0;
for (let x = 0; x < drawn; x += 1) {
before = high[x] || before;
context.lineTo(x, height - 1 - before * scale);
}
context.lineTo(drawn, height);
context.fill();
}
line(columns, drawn, scale, from) {
const { context, height } = this;
context.beginPath();
for (let x = from; x < drawn; x += 1) {
if (columns.low[x] > columns.high[x]) continue;
context.lineTo(x, height - 1 - columns.low[x] * scale);
context.lineTo(x, height - 1 - columns.high[x] * scale);
}
context.stroke();
}
stepAt(x) {
return Math.round((Math.max(0, Math.min(this.width, x)) / Math.max(1, this.width)) * this.end);
}
}
function failedUnit(geometry, board, open) {
for (let number = 0; number < geometry.units.length; number += 1) {
const cells = geometry.units[number];
let reach = 0;
for (const cell of cells) reach |= board[cell] ? 1 << (board[cell] - 1) : open[cell];
if (bitCount(reach) < cells.length) return { number, reach };
}
return null;
}
function bitCount(mask) {
let count = 0;
for (let left = mask; left; left &= left - 1) count += 1;
return count;
}
function outlineOf(geometry, unit) {
const { size } = geometry;
const cells = new Set(geometry.units[unit]);
const found = new Map();
for (const cell of cells) {
const [row, column] = geometry.position(cell);
const sides = [
["left", column > 0, cell - 1],
["top", row > 0, cell - size],
["right", column < size - 1, cell + 1],
["bottom", row < size - 1, cell + size],
];
const ends = sides.filter(([, inside, other]) => !(inside && cells.has(other)));
found.set(cell, ["failed", ...ends.map(([name]) => `failed-${name}`)].join(" "));
}
return found;
}
const GUESS = 0;
const FORCED = 1;
const UNDO = 2;
const ELIMINATE = 3;
const RESTORE = 4;
const RESTART = 5;
const LEARN = 6;
const PROBE = 7;
const TINTS = 4;
const SHADES = 7;
const TURN = 0.2;
const MIN_SHARE = 8;
const STRONG = 32;
const WARM = [9, 24, 40];
const SLACK = 3;
const BLANK = "\u00a0";
const STRUCK_OUT = "~";
const NOTHING = { kind: "empty", text: "", marks: "" };
class CellLooks {
constructor(state) {
this.state = state;
const { cells, size } = state.geometry;
this.looks = Array.from({ length: cells }, () => NOTHING);
this.turns = new Int32Array(cells).fill(-1);
this.shown = new Uint8Array(cells);
this.warmth = new Uint8Array(cells);
this.blurred = false;
this.open = new Uint32Array(cells);
this.dead = false;
this.failed = -1;
this.stood = new Array(size + 1).fill(0);
this.columns = Math.ceil(Math.sqrt(size));
}
update(settings) {
const { state } = this;
const begins = settings.blurred && !this.blurred;
if (begins) state.forget();
this.blurred = settings.blurred;
this.dead = false;
const { givens } = state.geometry;
for (let cell = 0; cell < givens.length; cell += 1) {
if (givens[cell]) this.looks[cell] = this.digit("given", givens[cell]);
else if (settings.blurred) this.blur(cell, settings, begins);
else this.looks[cell] = this.plain(cell, settings);
}
this.failed = settings.blurred ? -1 : this.failedNow();
return this.looks;
}
failedNow() {
const { state } = this;
if (this.dead || state.over || !state.last || state.last.op === UNDO) return -1;
return failedUnit(state.geometry, state.board, this.open)?.number ?? -1;
}
glows(cell, { glowing }) {
return glowing !== null && this.state.changed[cell] > glowing;
}
digit(kind, value) {
return { kind, text: value ? this.state.geometry.symbols[value - 1] : "", marks: "" };
}
plain(cell, settings) {
const { state } = this;
const last = state.over ? null : state.last;
const value = state.shown[cell];
const shade = this.shade(cell, settings);
this.shown[cell] = value;
this.warmth[cell] = 0;
if (last && last.cell === cell && last.op === UNDO) {
return this.digit(`undoing${shade}`, last.value);
}
if (value) {
const forced = state.kinds[cell] === FORCED ? " forced" : "";
if (last && last.cell === cell) return this.digit(`trying${forced}`, value);
if (shade) return this.digit(`held${forced}${shade}`, value);
return this.digit(`held${forced} ${this.tint(cell, settings)}`, value);
}
const open = state.candidates(cell);
this.open[cell] = open;
if (!open) this.dead = true;
if (!open) return { kind: `dead${shade}`, text: "×", marks: "" };
if (!settings.pencils) return shade ? { kind: `empty${shade}`, text: "", marks: "" } : NOTHING;
return { kind: `pencil${shade}`, text: "", marks: this.pencils(open, state.free(cell)) };
}
tint(cell, settings) {
const depth = this.state.depths[cell] - 1;
const tint = Math.floor((depth * TINTS) / Math.max(1, settings.deepest));
return `tint-${Math.min(TINTS - 1, Math.max(0, tint))}`;
}
shade(cell, settings) {
if (!settings.most) return "";
const tries = this.state.tries[cell];
if (!tries) return " shade-0";
const share = settings.most > 1 ? Math.log(tries) / Math.log(settings.most) : 0;
return ` shade-${Math.min(SHADES - 1, 1 + Math.floor(share * (SHADES - 1)))}`;
}
pencils(open, free) {
const { symbols } = this.state.geometry;
let text = "";
for (let value = 0; value < symbols.length; value += 1) {
if (value && value % this.columns === 0) text += "\n";
if ((open >>> value) & 1) text += symbols[value];
else text += (free >>> value) & 1 ? STRUCK_OUT + symbols[value] : BLANK;
}
return text;
}
blur(cell, settings, begins) {
const length = Math.max(1, Math.round(TURN * settings.rate));
const offset = ((Math.imul(cell, 0x9e3779b1) >>> 16) & 0xffff) % length;
const turn = Math.floor((settings.frame + offset) / length);
if (!begins && turn === this.turns[cell]) return;
this.turns[cell] = turn;
this.state.takeStood(cell, this.stood);
const { warm, value, strong } = this.ghost(cell);
this.shown[cell] = value;
this.warmth[cell] = warm;
const shade = this.shade(cell, settings);
if (warm) this.looks[cell] = this.digit(shade ? `ghost${shade}` : `ghost warm-${warm} ${strong}`, value);
else if (!value) this.looks[cell] = shade ? { kind: `empty${shade}`, text: "", marks: "" } : NOTHING;
else if (shade) this.looks[cell] = this.digit(`held${shade}`, value);
else this.looks[cell] = this.digit(`held ${this.tint(cell, settings)}`, value);
}
ghost(cell) {
const { stood } = this;
let whole = stood[0];
let longest = 0;
let most = 0;
for (let value = 1; value < stood.length; value += 1) {
whole += stood[value];
if (stood[value] > most) {
longest = value;
most = stood[value];
}
}
if (!whole) return { warm: 0, value: this.state.board[cell], strong: "" };
const shown = this.shown[cell];
const kept = shown > 0 && stood[shown] > 0 && stood[shown] * 5 >= most * 4;
if (kept) longest = shown;
const churn = 64 - Math.floor((Math.max(most, stood[0]) * 64) / whole);
const before = this.warmth[cell];
const warm = WARM.filter((bound, at) => churn >= (before > at ? bound - SLACK : bound)).length;
if (!warm) return { warm, value: most > stood[0] ? longest : 0, strong: "" };
const share = longest ? Math.floor((stood[longest] * 64) / whole) : 0;
if (share < (kept ? MIN_SHARE - SLACK : MIN_SHARE)) return { warm, value: 0, strong: "" };
return { warm, value: longest, strong: share >= STRONG ? "strong" : "faint" };
}
}
const BOARDS_APART = 8;
const READABLE = 8;
class SolutionsChart extends Chart {
constructor(state, texts, label) {
super(label);
this.state = state;
this.texts = texts;
this.pitch = 1;
this.shown = 0;
this.before = "";
}
draw(palette) {
const { state } = this;
const found = state.solutions;
const key = [found, this.canvas.clientWidth, this.canvas.clientHeight, palette["ground"],
state.deepest].join();
if (key === this.before || !this.begin()) return;
this.before = key;
const { context, width, height } = this;
const side = Math.floor(height);
this.pitch = side + BOARDS_APART;
context.font = "13px system-ui, sans-serif";
context.textBaseline = "middle";
const rest = (count) => `+${this.texts.number(count)}`;
const room = Math.floor((width - context.measureText(rest(found)).width) / this.pitch);
const { solutions } = state.history;
this.shown = Math.max(0, Math.min(found, solutions.length, room));
for (let number = 0; number < this.shown; number += 1) {
this.board(palette, solutions[number], number * this.pitch, side);
}
if (found > this.shown) {
context.fillStyle = palette["muted"];
context.textAlign = "left";
context.fillText(rest(found - this.shown), this.shown * this.pitch, height / 2);
}
}
board(palette, { board, depths, kinds }, left, side) {
const { context, state } = this;
const { size, givens, symbols, regions } = state.geometry;
const cell = side / size;
context.textAlign = "center";
for (let at = 0; at < board.length; at += 1) {
const x = left + (at % size) * cell;
const y = Math.floor(at / size) * cell;
const deep = Math.floor(((depths[at] - 1) * TINTS) / Math.max(1, state.deepest));
const tint = Math.min(TINTS - 1, Math.max(0, deep));
context.fillStyle = palette[givens[at] ? "given-cell" : `tint-cell-${tint}`];
context.fillRect(x, y, cell + 0.3, cell + 0.3);
if (cell < READABLE) continue;
const style = givens[at] ? "bold" : kinds[at] === FORCED ? "italic" : "";
context.font = `${style} ${cell * 0.7}px system-ui, sans-serif`;
context.fillStyle = palette[givens[at] ? "given" : `tint-${tint}`];
context.fillText(symbols[board[at] - 1], x + cell / 2, y + cell * 0.54);
}
context.fillStyle = palette["strong-line"];
for (let at = 0; at < board.length; at += 1) {
const x = left + (at % size) * cell;
const y = Math.floor(at / size) * cell;
if (!(at % size) || regions[at] !== regions[at - 1]) context.fillRect(x, y, 1, cell);
if (at < size || regions[at] !== regions[at - size]) context.fillRect(x, y, cell, 1);
}
context.fillRect(left + side - 1, 0, 1, side);
context.fillRect(left, side - 1, side, 1);
}
stepAt(x) {
const number = Math.floor(x / this.pitch);
if (number < 0 || number >= this.shown) return -1;
return this.state.history.solutionSteps.items[number];
}
}
const LEFT_TO_RIGHT = "\u200e";
const RIGHT_TO_LEFT = "\u200f";
const LETTERS = /\p{L}/gu;
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const JOINERS = "\u200c\u200d";
const MARKS = LEFT_TO_RIGHT + RIGHT_TO_LEFT;
class Texts {
constructor(content) {
this.content = content;
this.language = content.language;
this.rightToLeft = content.rightToLeft;
}
say(key, values = {}) {
const forms = this.content.wordings[key];
if (!forms) throw new Error(`there is no text ${key}`);
const count = values.count;
const form = typeof count === "number" && Number.isInteger(count) ? this.form(count) : "other";
const wording = forms[form] ?? forms.other;
const filled = wording.replace(/\{(\w+)\}|\{\{|\}\}/g, (found, name) =>
name ? this.written(values[name] ?? "") : found[0],
);
return this.directed(filled);
}
directed(text) {
const letters = (text.match(LETTERS) ?? []).map((letter) => FROM_THE_RIGHT.test(letter));
if (!letters.length || letters[0] === this.rightToLeft) return text;
if (this.rightToLeft) return RIGHT_TO_LEFT + text;
return letters.includes(false) ? LEFT_TO_RIGHT + text : text;
}
form(count) {
const { plurals } = this.content;
return plurals[count < plurals.length ? count : 100 + (count % 100)];
}
written(value) {
return typeof value === "number" ? this.number(value) : value;
}
number(value) {
const [whole, rest] = (Number.isInteger(value) ? String(value) : value.toFixed(1)).split(".");
const grouped = whole.replace(/\B(?=(\d{3})+$)/g, this.content.thousands);
return rest && rest !== "0" ? grouped + this.content.decimals + rest : grouped;
}
ratio(value) {
return Math.min(9.99, value).toFixed(2).replace(".", this.content.decimals);
}
listed(names) {
return names.reduce((first, rest) => this.say("list-middle", { first, rest }));
}
cellName(cell, size) {
return this.say("cell", { row: Math.floor(cell / size) + 1, column: (cell % size) + 1 });
}
}
function capitalised(text) {
const [first = "", ...rest] = text;
return first.toUpperCase() + rest.join("");
}
function visible(text) {
return text.replace(HIDDEN, (mark) =>
(JOINERS + MARKS).includes(mark)
? mark
: `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
);
}
function treePlaces(state) {
const count = state.history.nodeSteps.length;
const parents = state.history.nodeParents.items;
const children = Array.from({ length: count }, () => []);
for (let node = 1; node < count; node += 1) children[parents[node]].push(node);
const places = new Array(count).fill(0);
let free = 0;
const path = [[0, 0]];
while (path.length) {
const top = path[path.length - 1];
const [node, at] = top;
if (at < children[node].length) {
top[1] += 1;
path.push([children[node][at], 0]);
continue;
}
const own = children[node];
places[node] = own.length ? (places[own[0]] + places[own[own.length - 1]]) / 2 : free++;
path.pop();
}
return places;
}
function currentPath(state, now, step) {
const depth = state.history.depthAfter.items[Math.min(step, state.total)];
const { nodeDepths, nodeParents } = state.history;
let node = now - 1;
while (node > 0 && nodeDepths.items[node] > depth) node = nodeParents.items[node];
const found = new Set([0]);
for (; node > 0; node = nodeParents.items[node]) found.add(node);
return found;
}
const MAX_LINKED = 400;
class TreeChart extends Chart {
constructor(state, number, label) {
super(label);
this.state = state;
this.number = number;
this.end = FIRST_END;
this.places = [];
this.dots = [];
this.counted = 0;
this.shares = new Uint32Array(0);
this.columns = 0;
}
get linked() {
return this.state.history.nodeSteps.length <= MAX_LINKED;
}
nodesAt(step) {
const { items, length } = this.state.history.nodeSteps;
let low = 0;
let high = length;
while (low < high) {
const middle = (low + high) >> 1;
if (items[middle] <= step) low = middle + 1;
else high = middle;
}
return low;
}
draw(palette, step, seen) {
if (!this.begin()) return;
if (this.linked) this.drawLinks(palette, step, seen);
else this.drawIcicle(palette, step, seen);
}
drawLinks(palette, step, seen) {
const { context, width, height, state } = this;
const parents = state.history.nodeParents.items;
const depths = state.history.nodeDepths.items;
if (this.places.length !== state.history.nodeSteps.length) this.places = treePlaces(state);
const widest = Math.max(1, ...this.places);
const pad = 6;
const across = Math.min(16, (width - 2 * pad) / widest);
const down = Math.min(22, (height - 2 * pad) / Math.max(1, state.deepest));
const left = (width - across * widest) / 2;
const x = (node) => left + this.places[node] * across;
const y = (node) => pad + depths[node] * down;
const now = this.nodesAt(step);
const known = this.nodesAt(Math.min(seen, state.total));
const path = currentPath(state, now, step);
context.lineWidth = 1.2;
for (let node = 1; node < known; node += 1) {
const onPath = path.has(node);
context.strokeStyle = onPath ? palette[`search-${this.number}`] : palette["muted"];
context.globalAlpha = node < now ? (onPath ? 1 : 0.55) : 0.18;
context.beginPath();
context.moveTo(x(parents[node]), y(parents[node]));
context.lineTo(x(node), y(node));
context.stroke();
}
this.dots = [];
const radius = Math.max(1.4, Math.min(4, across * 0.36, down * 0.36));
for (let node = 0; node < known; node += 1) {
const onPath = path.has(node);
context.globalAlpha = node < now ? 1 : 0.25;
context.fillStyle = onPath ? palette[`search-${this.number}`] : palette["muted"];
context.beginPath();
context.arc(x(node), y(node), onPath ? radius + 0.8 : radius, 0, 7);
context.fill();
this.dots.push({ x: x(node), y: y(node), node });
}
context.globalAlpha = 1;
}
drawIcicle(palette, step, seen) {
const { context, width, height, state } = this;
const known = this.nodesAt(Math.min(seen, state.total));
const end = axisEnd(known, state.history.nodeSteps.length);
const columns = Math.max(1, Math.min(Math.round(width), end));
const rows = state.deepest + 1;
if (end !== this.end || columns !== this.columns || this.shares.length !== columns * rows) {
this.end = end;
this.columns = columns;
this.counted = 0;
this.shares = new Uint32Array(columns * rows);
}
const depths = state.history.nodeDepths.items;
for (; this.counted < known; this.counted += 1) {
const column = Math.min(columns - 1, Math.floor((this.counted * columns) / end));
this.shares[column * rows + depths[this.counted]] += 1;
}
const now = this.nodesAt(step);
const nowColumn = (now / end) * columns;
const high = height / rows;
const wide = width / columns;
const each = end / columns;
context.fillStyle = palette[`search-${this.number}`];
const last = Math.min(columns, Math.ceil((known / end) * columns));
for (let column = 0; column < last; column += 1) {
let below = 0;
const strength = column <= nowColumn ? 1 : 0.3;
for (let row = rows - 1; row >= 0; row -= 1) {
below += this.shares[column * rows + row];
if (!below) continue;
context.globalAlpha = strength * Math.min(1, 0.15 + (0.85 * below) / each);
context.fillRect(column * wide, row * high, wide + 0.3, Math.max(1, high - 0.3));
}
}
context.globalAlpha = 1;
context.fillStyle = palette["text"];
context.fillRect(Math.min(width - 1.5, nowColumn * wide), 0, 1.5, height);
}
stepAt(x, y) {
if (!this.linked) {
const node = Math.floor((x / Math.max(1, this.width)) * this.end);
const last = this.counted - 1;
return this.state.history.nodeSteps.items[Math.max(0, Math.min(node, last))];
}
let nearest = -1;
let least = 18 ** 2;
for (const dot of this.dots) {
const far = (dot.x - x) ** 2 + (dot.y - y) ** 2;
if (far < least) {
least = far;
nearest = dot.node;
}
}
return nearest < 0 ? -1 : this.state.history.nodeSteps.items[nearest];
}
}
const PAUSE = 66;
class ChartsView {
constructor(content, player, texts) {
this.player = player;
this.texts = texts;
this.drawn = 0;
const { states } = player;
const labels = content.searches.map((search) => visible(search.label));
this.depth = new DepthChart(states, texts.say("player-depth-of-all"));
this.depthEnd = element("span", { class: "axis-end" });
const depth = element("figure", { class: "depth" },
element("figcaption", {}, element("span", {}, texts.say("depth")), ...legend(labels),
this.depthEnd),
this.depth.canvas);
this.trees = states.map((state, number) =>
new TreeChart(state, number, texts.say("player-tree-of", { label: labels[number] })));
const trees = element("div", { class: "trees" }, ...this.trees.map((tree, number) =>
captioned(tree.canvas, `${texts.say("tree")} · ${labels[number]}`)));
const goesOn = content.searches.some((search) => search.exhaustive);
this.solutions = (goesOn ? states : []).map((state, number) =>
new SolutionsChart(state, texts, texts.say("player-solutions-of", { label: labels[number] })));
this.counts = this.solutions.map(() => element("span", { class: "found", dir: "auto" }));
const solutions = element("div", { class: "solutions" },
...this.solutions.map((chart, number) =>
captioned(chart.canvas, labels.length > 1 ? `${labels[number]} · ` : "",
this.counts[number])));
this.root = element("div", { class: "charts" }, solutions, depth, trees);
followPointer(this.depth.canvas, player, (x) => this.depth.stepAt(x));
this.trees.forEach((tree, number) =>
followPointer(tree.canvas, player, (x, y) => player.common(number, tree.stepAt(x, y))));
this.solutions.forEach((chart, number) =>
followPointer(chart.canvas, player, (x) => player.common(number, chart.stepAt(x))));
}
draw(palette, shown) {
const { player, texts } = this;
const now = performance.now();
if (player.blurred && now - this.drawn < PAUSE) return;
this.drawn = now;
const { steps, seen, longest, timeline } = player;
if (shown.has("depth")) {
this.depth.draw(palette, steps, seen, longest);
put(this.depthEnd, texts.say("steps", { count: this.depth.end }));
}
if (shown.has("tree")) {
const known = timeline.stepsOf(seen);
this.trees.forEach((tree, number) => tree.draw(palette, steps[number], known[number]));
}
if (shown.has("solutions")) {
this.solutions.forEach((chart, number) => {
chart.draw(palette);
put(this.counts[number], texts.say("solutions-found", { count: chart.state.solutions }));
});
}
}
}
function legend(labels) {
if (labels.length < 2) return [];
return labels.map((label, number) => {
const key = element("i", {});
key.style.backgroundColor = `var(--search-${number})`;
return element("span", { class: "key" }, key, element("bdi", {}, label));
});
}
function captioned(canvas, ...caption) {
return element("figure", {},
element("figcaption", { dir: "auto" }, element("span", {}, ...caption)), canvas);
}
class GrowingArray {
constructor(kind, room = 1024) {
this.kind = kind;
this.length = 0;
this.items = new kind(room);
}
add(items) {
const length = this.length + items.length;
if (length > this.items.length) {
const more = new this.kind(Math.max(length, this.items.length * 2));
more.set(this.items.subarray(0, this.length));
this.items = more;
}
this.items.set(items, this.length);
this.length = length;
}
push(item) {
if (this.length === this.items.length) {
const more = new this.kind(this.length * 2);
more.set(this.items);
this.items = more;
}
this.items[this.length] = item;
this.length += 1;
}
}
const IS_UNDO = 1;
const IS_BACKTRACK = 2;
const IS_DEAD_END = 4;
const MAX_SOLUTIONS = 64;
class SearchHistory {
constructor(steps) {
const room = Math.max(1024, steps + 1);
this.depthAfter = new GrowingArray(Uint16Array, room);
this.flags = new GrowingArray(Uint8Array, room);
this.nodeSteps = new GrowingArray(Uint32Array);
this.nodeDepths = new GrowingArray(Uint16Array);
this.nodeParents = new GrowingArray(Uint32Array);
this.solutionSteps = new GrowingArray(Uint32Array);
this.solutions = [];
this.lastSolution = null;
this.deepest = 0;
this.node = 0;
for (const list of [this.depthAfter, this.flags, this.nodeSteps, this.nodeDepths,
this.nodeParents]) list.push(0);
}
begin(state, op, closes) {
if (op === GUESS) {
this.nodeParents.push(this.node);
this.node = this.nodeSteps.length;
this.nodeSteps.push(state.steps + 1);
this.nodeDepths.push(state.depth + 1);
} else if (closes) {
this.node = this.nodeParents.items[this.node];
}
}
end(state, op, flags) {
const { depth } = state;
this.depthAfter.push(depth);
this.flags.push((op === UNDO ? IS_UNDO : 0) | flags);
if (depth > this.deepest) this.deepest = depth;
if (op !== UNDO && state.solvedHere) this.keep(state);
}
keep({ steps, board, depths, kinds }) {
this.solutionSteps.push(steps);
this.lastSolution = { board: board.slice(), depths: depths.slice(), kinds: kinds.slice() };
if (this.solutions.length < MAX_SOLUTIONS) this.solutions.push(this.lastSolution);
}
}
class Timeline {
constructor(content) {
Object.assign(this, content);
this.content = content;
this.rate = content.fps[0] / content.fps[1];
this.frames = content.frames;
this.totals = content.totals;
this.longest = Math.max(0, ...content.totals);
this.scales = content.scales.map(([part, whole]) =>
part === "1" && whole === "1" ? null : [BigInt(part), BigInt(whole)],
);
}
get cardStart() {
return this.frames - this.content.card;
}
stretchAt(elapsed) {
const { stretches } = this.content;
let low = 0;
let high = stretches.length;
while (low < high) {
const middle = (low + high) >> 1;
if (stretches[middle][0] <= elapsed) low = middle + 1;
else high = middle;
}
return stretches[Math.max(0, low - 1)];
}
reached(elapsed) {
const { race, first, last } = this.content;
if (elapsed >= race) return [last, 1];
if (elapsed <= 0) return [first, 1];
const [start, , step, steps, frames] = this.stretchAt(elapsed);
const part = step * frames + (elapsed - start) * steps;
return part > last * frames ? [last, 1] : [part, frames];
}
stepsAt(elapsed) {
const [part, whole] = this.reached(elapsed);
return this.totals.map((total, number) => this.scaled(part, whole, total, number));
}
scaled(part, whole, total, number) {
const scale = this.scales[number];
if (!scale) return Math.min(total, Math.floor(part / whole));
return Math.min(total, Number((BigInt(part) * scale[0]) / (BigInt(whole) * scale[1])));
}
stepsOf(step) {
return this.totals.map((total, number) => this.scaled(step, 1, total, number));
}
stepAt(frame) {
const [part, whole] = this.reached(this.elapsed(frame));
return Math.floor(part / whole);
}
elapsed(frame) {
return frame < this.content.intro ? 0 : Math.floor(frame) - this.content.intro + 1;
}
frameOf(step) {
const { intro, race, first } = this.content;
if (step <= first) return Math.max(0, intro - 1);
let low = 0;
let high = race;
while (low < high) {
const middle = (low + high) >> 1;
const [part, whole] = this.reached(middle);
if (Math.floor(part / whole) >= step) high = middle;
else low = middle + 1;
}
return intro + Math.max(0, low - 1);
}
beatAt(frame) {
let found = "";
for (const [kind, start] of this.content.beats) if (start <= frame) found = kind;
return found;
}
speedAt(frame) {
const elapsed = Math.floor(frame) - this.content.intro;
if (elapsed < 0 || elapsed >= this.content.race) return 0;
const [, , , steps, frames] = this.stretchAt(elapsed);
return (steps / frames) * this.rate;
}
grown(frame) {
const { growth } = this.content;
return growth ? Math.min(1, Math.max(0, (frame - this.cardStart + 1) / growth)) : 1;
}
clock(frame) {
const seconds = Math.floor(frame / this.rate);
return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
}
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8];
const BLURRED_FROM = 60;
class Player extends EventTarget {
constructor(content, states) {
super();
this.content = content;
this.states = states;
this.timeline = new Timeline(content.timeline);
this.frame = 0;
this.exact = null;
this.playing = false;
this.speed = 1;
this.before = 0;
this.seen = 0;
this.ended = false;
this.sync();
}
replan(timeline) {
this.content.timeline = timeline;
this.timeline = new Timeline(timeline);
this.frame = Math.min(this.frame, timeline.frames - 1);
}
get step() {
return this.exact ?? this.timeline.stepAt(this.frame);
}
get longest() {
return this.timeline.longest;
}
get steps() {
return this.exact === null
? this.timeline.stepsAt(this.timeline.elapsed(this.frame))
: this.timeline.stepsOf(this.exact);
}
get onCard() {
return this.exact === null && this.frame >= this.timeline.cardStart;
}
get blurred() {
return this.playing && this.timeline.speedAt(this.frame) * this.speed > BLURRED_FROM;
}
sync() {
this.steps.forEach((step, number) => this.states[number].seek(step));
this.seen = Math.max(this.seen, this.step);
}
changed() {
this.sync();
this.dispatchEvent(new Event("change"));
}
seek(step) {
const wanted = Math.max(0, Math.min(Math.round(step) || 0, this.longest));
this.pause();
this.exact = wanted;
this.frame = this.timeline.frameOf(wanted);
this.changed();
}
seekFrame(frame) {
this.exact = null;
this.ended = false;
this.frame = Math.max(0, Math.min(frame, this.timeline.frames - 1));
this.changed();
}
play() {
if (this.playing) return;
if (this.frame >= this.timeline.frames - 1) this.frame = 0;
this.exact = null;
this.ended = false;
this.playing = true;
this.before = 0;
for (const state of this.states) state.forget();
this.dispatchEvent(new Event("play"));
this.changed();
}
pause() {
if (!this.playing) return;
this.playing = false;
this.dispatchEvent(new Event("pause"));
this.changed();
}
toggle() {
if (this.playing) this.pause();
else this.play();
}
setSpeed(speed) {
this.speed = speed;
this.dispatchEvent(new Event("speed"));
}
changeSpeed(direction) {
const at = SPEEDS.indexOf(this.speed) + direction;
if (SPEEDS[at]) this.setSpeed(SPEEDS[at]);
}
tick(now) {
if (!this.playing) return;
const passed = this.before ? Math.min(now - this.before, 250) : 0;
this.before = now;
const last = this.timeline.frames - 1;
const from = this.frame;
this.frame = Math.min(last, from + (passed / 1000) * this.timeline.rate * this.speed);
for (const one of this.content.highlights) {
if (from < one.frame && one.frame <= this.frame) this.tell(one);
}
if (this.frame >= last) {
this.playing = false;
this.ended = true;
this.dispatchEvent(new Event("pause"));
this.dispatchEvent(new Event("end"));
}
this.changed();
}
tell(highlight) {
this.dispatchEvent(new CustomEvent("highlight", { detail: highlight }));
}
stepBy(count) {
this.seek(this.step + count);
}
toBacktrack(direction) {
const found = this.states
.map((state, number) => this.common(number, nextBacktrack(state, direction)))
.filter((step) => step >= 0);
if (direction > 0) this.seek(found.length ? Math.min(...found) : this.longest);
else this.seek(found.length ? Math.max(...found) : 0);
}
common(number, step) {
if (step < 0 || !this.timeline.scales[number]) return step;
let low = 0;
let high = this.longest;
while (low < high) {
const middle = (low + high) >> 1;
if (this.timeline.stepsOf(middle)[number] >= step) high = middle;
else low = middle + 1;
}
return low;
}
toHighlight(direction) {
const places = this.content.highlights.map((one) => ({
one,
step: this.common(one.search, one.step),
}));
const rest = places.filter(({ step }) => (direction > 0 ? step > this.step : step < this.step));
const steps = rest.map(({ step }) => step);
if (!steps.length) {
this.seek(direction > 0 ? this.longest : 0);
return;
}
const wanted = direction > 0 ? Math.min(...steps) : Math.max(...steps);
this.seek(wanted);
for (const { one, step } of rest) if (step === wanted) this.tell(one);
}
}
function nextBacktrack(state, direction) {
const { items, length } = state.history.flags;
for (let step = state.steps + direction; step > 0 && step < length; step += direction) {
if (items[step] & IS_BACKTRACK) return step;
}
return -1;
}
const ENDED = 0.5;
class Controls {
constructor(player, texts, tools) {
this.player = player;
this.texts = texts;
const say = (key) => texts.say(`player-${key}`);
this.playButton = element("button", { type: "button", class: "play",
"aria-keyshortcuts": "Space" });
this.playButton.addEventListener("click", () => player.toggle());
this.bar = element("input", { type: "range", class: "bar", min: 0, step: 1, value: 0,
"aria-label": say("position") });
this.bar.addEventListener("input", () => player.seekFrame(Number(this.bar.value)));
this.ticks = element("div", { class: "ticks" });
this.stepField = element("input", { type: "text", inputmode: "numeric", class: "step",
"aria-label": say("go-to-step"), title: say("go-to-step"), autocomplete: "off" });
this.stepField.addEventListener("change", () => {
const wanted = Number(this.stepField.value.replace(/\D/g, ""));
player.seek(wanted);
});
this.stepField.addEventListener("focus", () => this.stepField.select());
this.total = element("span", { class: "total" });
this.time = element("bdi", { class: "time", dir: "ltr" });
this.notice = element("span", { class: "notice", dir: "auto" });
this.pace = element("span", { class: "pace", dir: "auto" });
this.speed = element("select", { class: "speed", "aria-label": say("speed"),
title: say("speed") });
for (const speed of SPEEDS) {
const label = texts.say("times", { factor: speedText(speed, texts) });
this.speed.append(element("option", { value: speed, selected: speed === 1 }, label));
}
this.speed.addEventListener("change", () => player.setSpeed(Number(this.speed.value)));
const steps = element("div", { class: "steps", role: "group" },
iconButton("highlightBack", say("highlight-back"), () => player.toHighlight(-1), "PageUp"),
iconButton("backtrackBack", say("backtrack-back"), () => player.toBacktrack(-1),
"Shift+ArrowLeft"),
iconButton("back", say("step-back"), () => player.stepBy(-1), "ArrowLeft"),
this.playButton,
iconButton("on", say("step-on"), () => player.stepBy(1), "ArrowRight"),
iconButton("backtrackOn", say("backtrack-on"), () => player.toBacktrack(1),
"Shift+ArrowRight"),
iconButton("highlightOn", say("highlight-on"), () => player.toHighlight(1), "PageDown"));
const where = element("div", { class: "where" }, this.stepField, this.total);
this.root = element("footer", { class: "controls" },
element("div", { class: "clock" }, this.time, this.notice, this.pace),
element("div", { class: "bar-line" }, this.bar, this.ticks),
element("div", { class: "buttons" }, where, steps,
element("div", { class: "tools" }, this.speed, ...tools)));
for (const type of ["play", "pause", "end", "speed"]) {
player.addEventListener(type, () => this.update());
}
player.addEventListener("change", () => {
if (!player.playing) this.update();
});
this.renew();
}
renew() {
const { player } = this;
const { timeline } = player;
this.bar.max = String(timeline.frames - 1);
const last = Math.max(1, timeline.frames - 1);
this.ticks.replaceChildren(
...player.content.highlights.map((one) => {
const tick = element("span", { title: visible(one.sentence) });
tick.style.insetInlineStart = `${(one.frame / last) * 100}%`;
tick.style.backgroundColor = `var(--search-${one.search})`;
return tick;
}),
);
this.update();
}
update() {
const { player, texts, bar } = this;
const { timeline } = player;
const frame = Math.floor(player.frame);
const over = !player.playing && player.frame >= timeline.frames - 1 - ENDED;
if (player.playing) relabel(this.playButton, "pause", texts.say("player-pause"));
else if (over) relabel(this.playButton, "again", texts.say("player-again"));
else relabel(this.playButton, "play", texts.say("player-play"));
bar.value = String(frame);
bar.style.setProperty("--done", `${(frame / Math.max(1, timeline.frames - 1)) * 100}%`);
const time = `${timeline.clock(frame)} / ${timeline.clock(timeline.frames)}`;
const place = { step: player.step, steps: player.longest, time };
bar.setAttribute("aria-valuetext", texts.say("player-step-and-time", place));
if (document.activeElement !== this.stepField || player.playing) {
this.stepField.value = texts.number(player.step);
}
const wide = `${Math.max(4, texts.number(player.longest).length) + 1}ch`;
if (this.stepField.style.inlineSize !== wide) this.stepField.style.inlineSize = wide;
put(this.total, texts.say("counter-steps"));
put(this.time, time);
put(this.pace, this.paceText());
this.speed.value = String(player.speed);
}
paceText() {
const { player, texts } = this;
const { timeline } = player;
if (player.onCard) return "";
const beat = timeline.beatAt(player.frame);
if ((beat === "opening" || beat === "rules") && !player.step) return texts.say("a-step");
const speed = timeline.speedAt(player.frame) * player.speed;
if (!player.playing || !speed || beat === "first step") return "";
const count = speed >= 1.5 ? Math.round(speed) : Math.round(speed * 10) / 10;
const rate = texts.say("rate-second", { count });
const { steps } = player;
const running = timeline.totals.filter((total, number) => total > steps[number]).length;
if (timeline.totals.length < 2 || running < 2) return rate;
const key = timeline.totals.length === 2 ? "on-both-boards" : "on-all-boards";
return texts.say(key, { speed: rate });
}
}
function speedText(speed, texts) {
return String(speed).replace(".", texts.content.decimals);
}
const FAR_APART = 1000;
const ORDERED_FROM = 3;
const MARK_GAP = 8;
class EndCard {
constructor(content, texts, again) {
const { verdict, searches } = content;
const totals = searches.map((search) => search.steps);
this.longest = Math.max(1, ...totals);
const fewest = Math.max(1, Math.min(...totals));
this.powers = this.longest > FAR_APART * fewest ? Math.ceil(Math.log10(this.longest)) : 0;
this.totals = totals;
this.bars = [];
this.ends = [];
const rows = searches.map((search, number) => {
const bar = element("span", { class: this.powers ? "dot" : "bar" });
bar.style.backgroundColor = `var(--search-${number})`;
const stopped = search.outcome === "capped";
const label = texts.say(stopped ? "bar-stopped" : "steps", { count: search.steps });
const deadEnds = search.dead_ends
? texts.say("dead-ends", { count: search.dead_ends }) : texts.say("no-dead-end", {});
const end = element("span", { class: "number" }, element("strong", {}, label),
" ", element("small", {}, deadEnds));
this.bars.push(bar);
this.ends.push(end);
return element("div", { class: "bar-row" },
element("div", { class: "bar-name" }, element("b", { dir: "auto" }, visible(search.label)),
end),
element("div", { class: this.powers ? "axis" : "bar-room", "aria-hidden": "true" }, bar));
});
if (searches.length >= ORDERED_FROM) {
const order = totals.map((_, number) => number).sort((a, b) => totals[b] - totals[a]);
rows.splice(0, rows.length, ...order.map((number) => rows[number]));
}
if (searches.length < 2) rows.length = 0;
this.marks = [];
if (this.powers) rows.push(this.scale(texts));
const note = this.powers ? texts.say("note-marks") : "";
const button = iconButton("again", texts.say("player-again"), again);
button.className = "again";
button.append(texts.say("player-again"));
this.root = element("section", { class: "end-card", hidden: true },
element("h2", { dir: "auto" }, visible(verdict.headline)),
element("p", { class: "verdict", dir: "auto" }, visible(verdict.sentence)),
...rows,
element("p", { class: "reason", dir: "auto" }, visible(verdict.reason)),
element("p", { class: "note" }, `${texts.say("note-step")} ${note}`),
button);
}
scale(texts) {
const marks = element("div", { class: "powers", "aria-hidden": "true" });
for (let power = 0; power <= this.powers; power += 1) {
const mark = element("span", {}, texts.number(10 ** power));
mark.style.insetInlineStart = `${(power / this.powers) * 100}%`;
marks.append(mark);
this.marks.push(mark);
}
new ResizeObserver(() => this.thinOut()).observe(marks);
return marks;
}
thinOut() {
if (!this.marks.length) return;
const last = this.marks[this.powers];
const apart = (last.offsetParent?.clientWidth ?? 0) / this.powers;
const every = Math.max(1, Math.ceil((last.offsetWidth + MARK_GAP) / Math.max(1, apart)));
this.marks.forEach((mark, power) => {
mark.style.visibility = power % every ? "hidden" : "visible";
});
}
show(shown, part) {
this.root.hidden = !shown;
if (!shown) return;
this.totals.forEach((total, number) => {
if (!this.bars[number]) return;
const share = this.powers
? Math.log10(Math.max(1, total)) / this.powers
: total / this.longest;
const length = Math.min(share, part) * 100;
if (this.powers) this.bars[number].style.insetInlineStart = `${length}%`;
else this.bars[number].style.inlineSize = `${length}%`;
this.ends[number].classList.toggle("there", part >= share);
});
}
}
const MAX_NAMED = 3;
function aboutCell(state, cell, texts) {
const { geometry } = state;
const lines = [capitalised(texts.cellName(cell, geometry.size))];
const symbol = (value) => geometry.symbols[value - 1];
if (geometry.givens[cell]) {
lines.push(texts.say("player-cell-given", { value: symbol(geometry.givens[cell]) }));
return { lines, excluding: [] };
}
const value = state.board[cell];
if (value) lines.push(texts.say("player-cell-holds", { value: symbol(value) }));
const left = geometry.symbolsOf(state.candidates(cell));
lines.push(
left.length
? texts.say("player-cell-candidates", { values: texts.listed(left) })
: texts.say("player-cell-no-candidate"),
);
const excluding = [];
for (const [excluded, cells] of state.excluders(cell)) {
excluding.push(...cells);
const name = symbol(excluded);
if (!cells.length) lines.push(texts.say("player-cell-removed", { value: name }));
else {
const names = cells.slice(0, MAX_NAMED).map((one) => texts.cellName(one, geometry.size));
if (cells.length > MAX_NAMED) names.push("…");
lines.push(texts.say("player-cell-excluded", { value: name, cells: names.join("; ") }));
}
}
const tries = state.tries[cell];
lines.push(tries ? texts.say("player-cell-tried", { count: tries })
: texts.say("player-cell-never-tried"));
if (state.changed[cell]) {
lines.push(texts.say("player-cell-changed", { step: state.changed[cell] }));
}
return { lines, excluding };
}
class CellCard {
constructor() {
this.root = element("div", { class: "cell-card", role: "tooltip", id: "cell-card",
hidden: true });
}
show(lines, cell) {
const [first, ...rest] = lines;
this.root.replaceChildren(element("b", {}, first),
...rest.map((line) => element("div", { dir: "auto" }, line)));
this.root.hidden = false;
const place = cell.getBoundingClientRect();
const { offsetWidth, offsetHeight } = this.root;
const right = place.right + 8 + offsetWidth < innerWidth;
const left = right ? place.right + 8 : Math.max(4, place.left - offsetWidth - 8);
const top = Math.max(4, Math.min(place.top - 4, innerHeight - offsetHeight - 4));
this.root.style.left = `${left}px`;
this.root.style.top = `${top}px`;
}
hide() {
this.root.hidden = true;
}
}
class Inspector extends EventTarget {
constructor(views, texts) {
super();
this.texts = texts;
this.card = new CellCard();
this.at = null;
for (const view of views) {
view.board.addEventListener("inspect", (event) =>
this.inspect(view, (event).detail));
}
document.addEventListener("keydown", (event) => {
if (event.key === "Escape" && this.at) this.inspect(this.at.view, -1);
});
}
inspect(view, cell) {
if (this.at && this.at.view !== view) this.at.view.board.markExcluding([]);
this.at = cell < 0 ? null : { view, cell };
if (cell < 0) {
view.board.markExcluding([]);
this.card.hide();
}
this.dispatchEvent(new Event("change"));
}
show(slow) {
if (!this.at) return "";
const { view, cell } = this.at;
if (!slow) {
this.card.hide();
view.board.markExcluding([]);
return "";
}
const { lines, excluding } = aboutCell(view.state, cell, this.texts);
const before = [...view.board.excluding].join();
view.board.markExcluding(excluding);
if (before !== [...view.board.excluding].join()) this.dispatchEvent(new Event("change"));
const place = view.board.cells[cell];
this.card.show(lines, place);
return document.activeElement === place ? lines.join(". ") : "";
}
}
const KEYS = [
[["space-bar", "K"], "key-play"],
[["←", "→"], "key-step"],
[["⇧ ←", "⇧ →"], "key-backtrack"],
[["Page ↑", "Page ↓"], "key-highlight"],
[["Home", "End"], "key-ends"],
[["−", "+"], "key-speed"],
[["C"], "key-link"],
[["← ↑ → ↓"], "key-cells"],
[["?"], "key-help"],
[["Esc"], "key-leave"],
];
function listenToKeys(player, { help, copyLink }) {
const plain = {
" ": () => player.toggle(),
k: () => player.toggle(),
ArrowLeft: () => player.stepBy(-1),
ArrowRight: () => player.stepBy(1),
PageUp: () => player.toHighlight(-1),
PageDown: () => player.toHighlight(1),
Home: () => player.seek(0),
End: () => player.seek(player.longest),
"+": () => player.changeSpeed(1),
"=": () => player.changeSpeed(1),
"-": () => player.changeSpeed(-1),
"−": () => player.changeSpeed(-1),
"?": help,
c: copyLink,
};
const shifted = {
ArrowLeft: () => player.toBacktrack(-1),
ArrowRight: () => player.toBacktrack(1),
"+": plain["+"],
"?": help,
};
document.addEventListener("keydown", (event) => {
if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
const { target } = event;
if (!(target instanceof Element) || target.closest("dialog[open]")) return;
if (takesKeys(target, event.key)) return;
const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
const action = (event.shiftKey ? shifted : plain)[name];
if (!action) return;
event.preventDefault();
action();
});
}
function takesKeys(target, key) {
if (target.closest("select, input[type=text], textarea")) return true;
return key === " " && target.closest("button, label, input[type=checkbox], input[type=radio]") !== null;
}
const PANELS = ["solutions", "depth", "tree", "why", "code", "candidates", "counters", "heat"];
const SMALL_TREE = 120;
class PanelChoice extends EventTarget {
constructor(content) {
super();
const missing = new Set([
...(content.searches.some((search) => search.exhaustive) ? [] : ["solutions"]),
...(content.code.length ? [] : ["code"]),
]);
this.names = PANELS.filter((name) => !missing.has(name));
this.shown = new Set(this.names.filter((name) => usual(content).includes(name)));
this.usual = [...this.shown].join();
}
get addressNames() {
const names = this.names.filter((name) => this.shown.has(name));
return names.join() === this.usual ? null : names;
}
has(name) {
return this.shown.has(name);
}
choose(name, shown) {
if (shown) this.shown.add(name);
else this.shown.delete(name);
this.dispatchEvent(new Event("change"));
}
replace(names) {
this.shown = new Set(names.filter((name) => this.names.includes(name)));
this.dispatchEvent(new Event("change"));
}
}
function usual({ panels, heat, searches }) {
const small = searches.every((search) => search.nodes <= SMALL_TREE);
const asked = panels.length ? panels
: ["solutions", "depth", "why", ...(small ? ["tree"] : [])];
return [...asked, "candidates", ...(heat ? ["heat"] : [])];
}
const SIDE = 450;
const GAP = 40;
const HEAD = 96;
const FOOT = 70;
const FONT = "system-ui, 'DejaVu Sans', sans-serif";
function pictureOf(views, title, foot, palette) {
const columns = Math.min(views.length, 3);
const rows = Math.ceil(views.length / columns);
const width = columns * SIDE + (columns + 1) * GAP;
const high = HEAD + SIDE + FOOT;
const height = 80 + rows * high + 20;
const drawing = shape("svg", { xmlns: "http://www.w3.org/2000/svg", width, height,
viewBox: `0 0 ${width} ${height}`, "font-family": FONT });
drawing.append(
shape("rect", { width, height, fill: palette["ground"] }),
text(title, width / 2, 52, 28, palette["text"], { "text-anchor": "middle",
"font-weight": 700 }),
);
views.forEach((view, number) => {
const x = GAP + (number % columns) * (SIDE + GAP);
const y = 80 + Math.floor(number / columns) * high;
const group = shape("g", { transform: `translate(${x} ${y})` });
group.append(...heading(view, number, palette), ...boardShapes(view, palette));
drawing.append(group);
});
drawing.append(text(foot, width / 2, height - 14, 15, palette["muted"],
{ "text-anchor": "middle" }));
return new XMLSerializer().serializeToString(drawing);
}
function text(content, x, y, size, fill, more = {}) {
return shape("text", { x, y, "font-size": size, fill, ...more }, content);
}
function heading(view, number, palette) {
const { counters } = view;
const counts = [...counters.querySelectorAll(".usual")]
.map((one) => `${one.querySelector("dt")?.textContent} ${one.querySelector("dd")?.textContent}`)
.join("   ");
return [
shape("rect", { x: 0, y: 8, width: 6, height: 70, fill: palette[`search-${number}`] }),
text(view.label, 18, 30, 22, palette["text"], { "font-weight": 700 }),
text(view.status.textContent ?? "", 18, 54, 15, palette["muted"]),
text(counts, 18, 78, 16, palette["text"]),
text(view.callout.textContent ?? "", 0, HEAD + SIDE + 28, 18,
palette[{ wrong: "undoing", result: "accent" }[view.callout.dataset.tone ?? ""] ?? "text"],
{ "font-weight": 700 }),
text(view.why.textContent ?? "", 0, HEAD + SIDE + 52, 15, palette["muted"]),
];
}
function boardShapes(view, palette) {
const { board } = view;
const { size } = board;
const cell = SIDE / size;
const made = [];
board.cells.forEach((one, number) => {
const style = getComputedStyle(one);
const [x, y] = [(number % size) * cell, HEAD + Math.floor(number / size) * cell];
made.push(shape("rect", { x, y, width: cell, height: cell, fill: style.backgroundColor,
stroke: palette["line"], "stroke-width": 1 }));
const digit = board.digits[number].textContent ?? "";
if (digit) {
made.push(text(digit, x + cell / 2, y + cell * 0.72, cell * 0.6, style.color, {
"text-anchor": "middle", "font-weight": one.classList.contains("given") ? 700 : 400,
"font-style": one.classList.contains("forced") ? "italic" : "normal" }));
}
if (one.classList.contains("undoing")) {
made.push(shape("line", { x1: x + cell * 0.2, y1: y + cell * 0.8, x2: x + cell * 0.8,
y2: y + cell * 0.2, stroke: style.color, "stroke-width": 2 }));
}
pencilShapes(board.marks[number], x, y, cell, palette, made);
for (const side of SIDES) {
if (one.classList.contains(`failed-${side}`)) {
made.push(edge(side, x, y, cell, palette["undoing"]));
}
}
if (one.classList.contains("trying") || one.classList.contains("ring")) {
made.push(shape("rect", { x: x + 2, y: y + 2, width: cell - 4, height: cell - 4,
fill: "none", stroke: palette["given"], "stroke-width": 2 }));
}
});
for (let at = 0; at < board.cells.length; at += 1) {
const kinds = board.cells[at].classList;
const [x, y] = [(at % size) * cell, HEAD + Math.floor(at / size) * cell];
const strong = { stroke: palette["strong-line"], "stroke-width": 3 };
if (kinds.contains("strong-left")) {
made.push(shape("line", { x1: x, y1: y, x2: x, y2: y + cell, ...strong }));
}
if (kinds.contains("strong-top")) {
made.push(shape("line", { x1: x, y1: y, x2: x + cell, y2: y, ...strong }));
}
}
made.push(shape("rect", { x: 0, y: HEAD, width: SIDE, height: SIDE, fill: "none",
stroke: palette["strong-line"], "stroke-width": 3 }));
return made;
}
const SIDES = ["left", "top", "right", "bottom"];
const EDGE = 4;
function edge(side, x, y, cell, fill) {
const flat = side === "top" || side === "bottom";
return shape("rect", {
x: side === "right" ? x + cell - EDGE : x,
y: side === "bottom" ? y + cell - EDGE : y,
width: flat ? cell : EDGE,
height: flat ? EDGE : cell,
fill,
});
}
function pencilShapes(marks, x, y, cell, palette, made) {
if (!marks.trim()) return;
const lines = marks.split("\n").map((line) => line.match(/~?./gsu) ?? []);
const pitch = cell / lines.length;
const wide = cell / lines[0].length;
lines.forEach((line, row) => {
line.forEach((mark, column) => {
if (!mark.trim()) return;
const gone = mark.startsWith(STRUCK_OUT);
made.push(text(mark.replace(STRUCK_OUT, ""), x + (column + 0.5) * wide, y + (row + 0.75) * pitch,
pitch * 0.7, palette[gone ? "undoing" : "muted"],
{ "text-anchor": "middle", ...(gone ? { "text-decoration": "line-through" } : {}) }));
});
});
}
async function pngOf(drawing) {
const picture = new Image();
const address = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
try {
picture.src = address;
await picture.decode();
const canvas = document.createElement("canvas");
canvas.width = picture.naturalWidth * 2;
canvas.height = picture.naturalHeight * 2;
const context = (canvas.getContext("2d"));
context.drawImage(picture, 0, 0, canvas.width, canvas.height);
return await new Promise((resolve, reject) => {
canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))));
});
} finally {
URL.revokeObjectURL(address);
}
}
function reason(state, texts, given = null) {
const { last, geometry } = state;
if (!last) return "";
const { op, cell, value } = last;
if (op === UNDO) return takenBack(state, texts, cell, value);
const name = texts.cellName(cell, geometry.size);
const symbol = geometry.symbols[value - 1];
const sentence = (key, more = {}) =>
capitalised(texts.say(key, { cell: name, value: symbol, ...more }));
if (given) return byGiven(state, given, op === FORCED, sentence);
const left = geometry.symbolsOf(state.candidates(cell));
if (op === FORCED) {
if (left.length === 1 && left[0] === symbol) return sentence("step-naked-single");
const unit = onlyPlace(state, cell, value);
if (unit >= 0) return sentence("step-hidden-single", { unit: geometry.unitNames[unit] });
return sentence("step-must-be");
}
if (!left.includes(symbol)) return sentence("step-tries");
if (left.length === 1) return sentence("step-only-option");
return sentence("step-tries-of", { values: texts.listed(left) });
}
function byGiven(state, given, forced, sentence) {
const { geometry } = state;
const unit = geometry.unitKeys.indexOf(given.unit.toLowerCase());
const where = unit >= 0 ? geometry.unitNames[unit] : given.unit;
const known = given.rule.toLowerCase().replaceAll(" ", "-").replace(/s$/, "");
if (forced && known === "naked-single") return sentence("step-naked-single");
if (forced && known === "hidden-single" && where) {
return sentence("step-hidden-single", { unit: where });
}
const key = forced ? "step-must-be-by" : "step-tries-by";
if (where) return sentence(`${key}-in`, { rule: given.rule, unit: where });
return sentence(key, { rule: given.rule });
}
function onlyPlace(state, cell, value) {
const { geometry } = state;
const before = state.board.slice();
before[cell] = 0;
const bit = 1 << (value - 1);
const alone = (unit) => {
const cells = geometry.units[unit];
return (
cells.length === geometry.size &&
!cells.some(
(other) =>
other !== cell &&
(before[other] === value || (!before[other] && state.free(other, before) & bit)),
)
);
};
return geometry.unitsOf[cell].find(alone) ?? -1;
}
function takenBack(state, texts, cell, value) {
if (state.restarting) {
return capitalised(texts.say("step-begins-again", { number: state.restarts }));
}
const { size } = state.geometry;
const guess = guessBelow(state, cell);
const { cause, nowhere } = failure(state, texts, cell, value);
if (guess < 0) return capitalised(texts.say("step-back-to-start", { cause }));
if (nowhere && guess === cell) return capitalised(cause);
return capitalised(texts.say("step-back-to", { cause, cell: texts.cellName(guess, size) }));
}
function guessBelow(state, undone) {
if (state.depths[undone] > state.depth) return undone;
return state.kinds.findIndex(
(kind, cell) => kind === GUESS && state.depths[cell] === state.depth,
);
}
function failure(state, texts, cell, value) {
const { geometry } = state;
const tried = state.board.slice();
tried[cell] = value;
const open = new Uint32Array(geometry.cells);
for (let empty = 0; empty < tried.length; empty += 1) {
if (tried[empty]) continue;
open[empty] = state.candidates(empty, tried);
if (!open[empty]) {
const name = texts.cellName(empty, geometry.size);
return { cause: texts.say("step-no-option", { cell: name }), nowhere: false };
}
}
const failed = failedUnit(geometry, tried, open);
if (failed) return { cause: tooFew(geometry, texts, failed), nowhere: false };
const name = texts.cellName(cell, geometry.size);
const symbol = geometry.symbols[value - 1];
return { cause: texts.say("step-led-nowhere", { cell: name, value: symbol }), nowhere: true };
}
function tooFew(geometry, texts, { number, reach }) {
const unit = geometry.unitNames[number];
const cells = geometry.units[number].length;
if (cells < geometry.size) {
return texts.say("step-too-few", { unit, cells, count: bitCount(reach) });
}
const [wanted] = geometry.symbolsOf(geometry.full & ~reach);
return texts.say("step-no-place", { unit, value: wanted });
}
function givenReason(reasons, step) {
let at = 0;
for (const [number, gap] of reasons.steps.entries()) {
at += gap;
if (at === step) {
const [rule, unit] = reasons.kinds[reasons.numbers[number]];
return { rule, unit };
}
if (at > step) break;
}
return null;
}
const MAX_FAILURES = 8;
class BoardView extends EventTarget {
constructor(state, label) {
super();
this.state = state;
this.looks = new CellLooks(state);
const { geometry } = state;
const { size } = geometry;
this.size = size;
this.root = element("div", { class: "board", role: "grid", "aria-label": label });
this.root.style.setProperty("--cells", String(size));
const { columns } = this.looks;
this.root.style.setProperty("--pencils", String(columns));
this.root.style.setProperty("--lines", String(Math.ceil(size / columns)));
this.cells = [];
this.digits = [];
this.pencils = [];
for (let row = 0; row < size; row += 1) {
const line = element("div", { role: "row", class: "row" });
for (let column = 0; column < size; column += 1) {
const cell = row * size + column;
const digit = element("span", { class: "digit" });
const pencil = element("span", {});
const one = element("div", { role: "gridcell", tabindex: cell ? -1 : 0 }, digit,
element("span", { class: "marks", "aria-hidden": "true" }, pencil));
one.dataset.cell = String(cell);
this.cells.push(one);
this.digits.push(digit);
this.pencils.push(pencil);
line.append(one);
}
this.root.append(line);
}
this.fixed = this.cells.map((_, cell) => fixedClasses(geometry, cell));
this.shown = this.cells.map(() => "?");
this.texts = this.cells.map(() => "");
this.marks = this.cells.map(() => "");
this.focused = 0;
this.weighed = false;
this.swept = "";
this.excluding = new Set();
this.listen();
}
listen() {
this.root.addEventListener("pointerover", (event) => {
if (event.pointerType !== "touch") this.inspect(cellOf(event.target));
});
this.root.addEventListener("pointerleave", (event) => {
if (event.pointerType !== "touch") this.inspect(-1);
});
this.root.addEventListener("click", (event) => {
const cell = cellOf(event.target);
if (cell >= 0) this.focus(cell);
});
this.root.addEventListener("focusin", (event) => this.inspect(cellOf(event.target)));
this.root.addEventListener("focusout", () => this.inspect(-1));
this.root.addEventListener("keydown", (event) => this.walk(event));
}
inspect(cell) {
this.dispatchEvent(new CustomEvent("inspect", { detail: cell }));
}
walk(event) {
if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
const { size } = this;
const [row, column] = this.state.geometry.position(this.focused);
const leftwards = getComputedStyle(this.root).direction === "rtl" ? 1 : -1;
const moves = {
ArrowUp: [-1, 0],
ArrowDown: [1, 0],
ArrowLeft: [0, leftwards],
ArrowRight: [0, -leftwards],
Home: [0, -column],
End: [0, size - 1 - column],
};
const move = moves[event.key];
if (!move) return;
event.preventDefault();
event.stopPropagation();
const to = [row + move[0], column + move[1]];
if (to.every((place) => place >= 0 && place < size)) this.focus(to[0] * size + to[1]);
}
focus(cell) {
this.cells[this.focused].tabIndex = -1;
this.focused = cell;
this.cells[cell].tabIndex = 0;
this.cells[cell].focus({ preventScroll: true });
}
markExcluding(cells) {
this.excluding = new Set(cells);
}
show(settings, callout, rule) {
const looks = this.looks.update(settings);
const rings = callout && settings.frame < callout.rings && !settings.blurred ? callout : null;
const ruled = rule ? ruleLooks(rule, this.cells.length, this.state.geometry.symbols) : null;
const failed = this.looks.failed < 0 ? null
: outlineOf(this.state.geometry, this.looks.failed);
this.weigh(settings);
for (let cell = 0; cell < looks.length; cell += 1) {
const look = looks[cell];
let kind = this.fixed[cell] + look.kind;
let { text, marks } = look;
if (ruled && (look.kind === "empty" || look.kind === "pencil")) {
kind = this.fixed[cell] + ruled.kinds[cell];
text = "";
marks = "";
this.cells[cell].dataset.rule = ruled.texts[cell];
}
if (rings?.placed === cell) kind += ` ring ${rings.tone}`;
else if (rings?.shown.includes(cell)) kind += ` ringed ${rings.tone}`;
else if (rings?.mistakes.includes(cell)) kind += " mistake";
else if (rings?.lit.includes(cell)) kind += " lit";
else if (this.looks.glows(cell, settings)) kind += " glow";
if (failed?.has(cell)) kind += ` ${failed.get(cell)}`;
if (this.excluding.has(cell)) kind += " excluding";
this.put(cell, kind, text, marks);
}
}
weigh({ failures, blurred }) {
const { state } = this;
const counts = blurred ? undefined : failures[state.steps];
if (!counts && !this.weighed) return;
this.weighed = counts !== undefined;
this.root.classList.toggle("weighed", this.weighed);
this.cells.forEach((one, cell) => {
const count = counts && !state.board[cell] ? Math.min(counts[cell], MAX_FAILURES) : 0;
one.style.setProperty("--failures", String(count / MAX_FAILURES));
});
}
frame(part, found) {
const sweep = part < 1 ? String(4 * eased(part)) : "";
if (this.swept !== sweep) {
this.swept = sweep;
this.root.classList.toggle("sweeping", sweep !== "");
this.root.style.setProperty("--sweep", sweep || "0");
}
this.root.classList.toggle("just-found", found);
}
put(cell, kind, text, marks) {
if (kind !== this.shown[cell]) {
this.shown[cell] = kind;
this.cells[cell].className = kind;
}
if (text !== this.texts[cell]) {
this.texts[cell] = text;
this.digits[cell].textContent = text;
}
if (marks !== this.marks[cell]) {
this.marks[cell] = marks;
if (marks.includes(STRUCK_OUT)) this.pencils[cell].replaceChildren(...struck(marks));
else this.pencils[cell].textContent = marks;
}
}
}
function cellOf(target) {
const found = target instanceof Element ? target.closest("[data-cell]") : null;
return found instanceof HTMLElement ? Number(found.dataset.cell) : -1;
}
function fixedClasses(geometry, cell) {
const [row, column] = geometry.position(cell);
const { regions, size } = geometry;
let kind = "cell ";
if (column && regions[cell] !== regions[cell - 1]) kind += "strong-left ";
if (row && regions[cell] !== regions[cell - size]) kind += "strong-top ";
if (geometry.extra.has(cell)) kind += "extra ";
return kind;
}
function ruleLooks({ rule, part }, count, symbols) {
const kinds = new Array(count).fill("empty");
const texts = new Array(count).fill("");
if (rule.order.length) {
const swept = Math.floor(part * (rule.order.length + 1));
rule.order.forEach((cell, at) => {
if (at < swept) kinds[cell] = at === swept - 1 ? "rule-dot" : "rule-swept";
});
return { kinds, texts };
}
const forced = new Map(rule.forced);
for (const [cell, options] of rule.options) {
kinds[cell] = part > 0.4 && rule.best.includes(cell) ? "rule-best" : "rule-options";
const value = forced.get(cell);
if (value) kinds[cell] += " rule-forced";
texts[cell] = value ? symbols[value - 1] : String(options);
}
return { kinds, texts };
}
function eased(part) {
return part < 0.5 ? 4 * part ** 3 : 1 - 4 * (1 - part) ** 3;
}
function struck(marks) {
const [first, ...rest] = marks.split(STRUCK_OUT);
return [first, ...rest.flatMap((part) => [element("s", {}, part[0]), part.slice(1)])];
}
const NEAREST = { "dead-end": "undo", infer: "place" };
class CodeView {
constructor({ lines, own }, state, texts) {
this.state = state;
this.texts = texts;
this.roles = lines.map(([, , role]) => role);
this.counts = lines.map(() => element("span", { class: "runs" }));
this.lines = lines.map(([text, indent], at) => {
const line = element("code", {}, visible(text));
line.style.paddingInlineStart = `${1.2 * indent}em`;
return element("li", {}, line, this.counts[at]);
});
this.root = element("ol", { class: "code", ...(own ? { dir: "ltr" } : {}) }, ...this.lines);
this.root.setAttribute("aria-label", texts.say("code"));
}
show(slow) {
const lit = slow ? shownRole(running(this.state), this.roles) : "";
const runs = runsOf(this.state, this.roles.includes("infer"));
this.roles.forEach((role, at) => {
const count = runs[role];
this.lines[at].classList.toggle("running", role === lit && role !== "other");
put(this.counts[at], count === undefined ? "" : this.texts.number(count));
});
}
}
function shownRole(role, roles) {
return roles.includes(role) ? role : NEAREST[role] ?? role;
}
function running(state) {
const { last, steps, history } = state;
if (!last) return "node";
if (last.op === UNDO) return history.flags.items[steps] & IS_DEAD_END ? "dead-end" : "undo";
if (state.over && state.solutions) return "full";
return last.op === FORCED ? "infer" : "place";
}
function runsOf(state, forcedApart) {
const { guesses, steps, undos, solutions, depth, deadEnds, restarts } = state;
const places = steps - undos;
const nodes = guesses + 1 + restarts; // the root is entered again
return {
node: nodes,
full: solutions,
cell: nodes - solutions,
guess: guesses,
place: forcedApart ? guesses : places,
infer: places - guesses,
undo: forcedApart ? guesses - depth : undos,
restart: restarts,
"dead-end": deadEnds,
};
}
const COUNTERS = {
"steps": (state) => state.steps,
"taken-back": (state) => state.undos,
"solutions": (state) => state.solutions,
"depth": (state) => state.depth,
"dead-ends": (state) => state.deadEnds,
"backtracks": (state) => state.backtracks,
"restarts": (state) => state.restarts,
"nogoods": (state) => state.nogoods,
"probes": (state) => state.probes,
"branching": (state) => state.branching,
};
const COMMON = ["steps", "taken-back", "depth", "dead-ends", "backtracks", "branching"];
const FEW = 3;
const LONG = 36;
class SearchView extends EventTarget {
constructor(film, number, state, texts) {
super();
const { searches, counters, code } = film;
const content = searches[number];
this.content = content;
this.state = state;
this.texts = texts;
const label = visible(content.label);
this.label = label;
this.board = new BoardView(state, texts.say("player-board-of", { label }));
this.name = element("h2", { dir: "auto", class: label.length > LONG ? "long" : "" }, label);
this.spec = element("span", { class: "spec", dir: "auto" }, ...breakable(content.spec));
this.status = element("span", { class: "status", dir: "auto" });
this.callout = element("p", { class: "callout", dir: "auto" });
this.why = element("p", { class: "why", dir: "auto" });
this.numbers = new Map();
this.counters = element("dl", { class: counters.length > FEW ? "counters many" : "counters" });
for (const name of new Set([...counters, ...COMMON])) {
const value = element("dd", {}, "0");
const one = element("div", { class: counters.includes(name) ? "usual" : "extra" },
element("dt", {}, texts.say(`counter-${name}`)), value);
this.numbers.set(name, value);
this.counters.append(one);
}
const heading = element("header", {}, this.name, this.spec, this.status);
if (searches.length > 1) {
const enlarge = iconButton("enlarge", texts.say("player-enlarge", { label }), () =>
this.dispatchEvent(new Event("enlarge")),
);
enlarge.className = "enlarge";
enlarge.setAttribute("aria-pressed", "false");
heading.append(enlarge);
this.enlarge = enlarge;
}
this.side = element("div", { class: "side" }, heading, this.counters);
this.code = code.length ? new CodeView(code[number], state, texts) : null;
const below = element("div", { class: "below" }, this.callout, this.why,
...(this.code ? [this.code.root] : []));
this.root = element("section", { class: "search", "aria-label": label }, this.side,
this.board.root, below);
this.root.style.setProperty("--search", `var(--search-${number})`);
this.shownTexts = new Map();
}
tell(where, text) {
if (this.shownTexts.get(where) === text) return;
this.shownTexts.set(where, text);
where.textContent = text;
}
show(callout, why) {
const { content, state, texts } = this;
const done = state.steps >= content.steps && content.steps > 0;
const found = content.outcome === "solved" || (state.proved && state.solutions > 0);
this.tell(this.status, done ? visible(content.status) : texts.say("searching"));
this.root.classList.toggle("done", done);
this.root.classList.toggle("solved", done && found);
this.root.classList.toggle("given-up", done && !found);
this.tell(this.callout, callout ? visible(callout.sentence) : "");
this.callout.dataset.tone = callout?.tone ?? "";
this.tell(this.why, why);
for (const [name, where] of this.numbers) {
const count = COUNTERS[name](state);
this.tell(where, name === "branching" ? texts.ratio(count) : texts.number(count));
}
}
}
function breakable(spec) {
return visible(spec).split(/(?=[+/])/).flatMap((part, at) =>
at ? [element("wbr"), part] : [part]);
}
function menu(picture, label, content) {
const id = `menu-${picture}`;
const panel = element("div", { class: "menu", id, hidden: true, role: "group",
"aria-label": label }, ...content);
const button = element("button", { type: "button", title: label, "aria-label": label,
"aria-expanded": "false", "aria-controls": id }, icon(picture));
const root = element("div", { class: "menu-root" }, button, panel);
const open = (shown) => {
panel.hidden = !shown;
button.setAttribute("aria-expanded", String(shown));
};
button.addEventListener("click", () => open(panel.hidden));
root.addEventListener("keydown", (event) => {
if (event.key !== "Escape" || panel.hidden) return;
event.stopPropagation();
open(false);
button.focus();
});
document.addEventListener("pointerdown", (event) => {
if (event.target instanceof Node && !root.contains(event.target)) open(false);
});
root.addEventListener("focusout", (event) => {
if (event.relatedTarget instanceof Node && !root.contains(event.relatedTarget)) open(false);
});
return { root, close: () => open(false) };
}
function item(label, press) {
const button = element("button", { type: "button", class: "item" }, label);
button.addEventListener("click", press);
return button;
}
function dialog(title, close) {
const body = element("div", { class: "dialog-body" });
const root = element("dialog", { "aria-label": title });
const button = element("button", { type: "button", class: "close" }, close);
button.addEventListener("click", () => root.close());
root.append(element("h2", {}, title), body, button);
root.addEventListener("click", (event) => {
if (event.target === root) root.close();
});
return {
root,
show(...content) {
body.replaceChildren(...content);
if (!root.open) root.showModal();
},
close: () => root.close(),
};
}
const HAS_ADDRESS = /^(https?|file):/.test(location.protocol);
class Sharing {
constructor(say) {
this.say = say;
this.window = dialog(say("share"), say("close"));
this.toast = element("div", { class: "toast", role: "status", "aria-live": "polite" });
this.timer = undefined;
}
async copy(text) {
if (await copied(text)) {
this.tell(this.say("copied"));
return;
}
const field = element("input", { type: "text", readonly: true, value: text,
class: "copy-this", "aria-label": this.say("copy-this") });
this.window.show(element("p", {}, this.say("copy-this")), field);
field.select();
}
tell(text, time = 1800) {
this.toast.textContent = text;
this.toast.classList.add("shown");
clearTimeout(this.timer);
this.timer = setTimeout(() => this.toast.classList.remove("shown"), time);
}
save(picture, name) {
const address = URL.createObjectURL(picture);
if (mayDownload()) {
element("a", { href: address, download: name }).click();
setTimeout(() => URL.revokeObjectURL(address), 60_000);
return;
}
const shown = element("img", { src: address, alt: name, class: "saved" });
this.window.show(element("p", {}, this.say("save-by-menu")), shown);
}
}
function mayDownload() {
return origin !== "null" || (location.protocol === "file:" && parent === window);
}
async function copied(text) {
try {
await navigator.clipboard.writeText(text);
return true;
} catch {
return copiedBySelection(text);
}
}
function copiedBySelection(text) {
const field = document.createElement("textarea");
field.value = text;
field.setAttribute("readonly", "");
field.className = "out-of-sight";
document.body.append(field);
field.select();
try {
return document.execCommand("copy");
} catch {
return false;
} finally {
field.remove();
}
}
const SHOWN_BY = 0.85;
const SWEEP = 0.4;
const FLASH = 0.35;
const GLOW = 0.4;
const GLOWING_UP_TO = 40;
class Story {
constructor(content, player) {
this.content = content;
this.player = player;
this.calm = matchMedia("(prefers-reduced-motion: reduce)");
}
get frame() {
return Math.floor(this.player.frame);
}
get filmed() {
return this.player.exact === null;
}
get onTitle() {
const { titleCard } = this.content;
return titleCard !== null && this.filmed && this.frame < titleCard.frames;
}
get ruled() {
const { timeline, step } = this.player;
const beats = timeline.content.beats.filter(([kind, , , first]) => kind === "rules" && !first);
if (!beats.length || step || !this.filmed) return null;
const start = beats[0][1];
const [, last, frames] = beats[beats.length - 1];
if (this.frame < start || this.frame >= last + frames) return null;
const whole = (last + frames - start) * SHOWN_BY;
return this.calm.matches ? 1 : Math.min(1, (this.frame - start) / whole);
}
calloutOf(number) {
const found = this.content.callouts.filter((one) =>
one.search === number && one.start <= this.frame && this.frame < one.end);
return found[found.length - 1] ?? null;
}
get title() {
const { title, explanation } = this.content;
if (!explanation || !this.filmed) return visible(title);
const [start, end, sentence] = explanation;
return visible(start <= this.frame && this.frame < end ? sentence : title);
}
get notice() {
const found = this.content.notices.filter(([start, end]) =>
start <= this.frame && this.frame < end);
return visible(found[found.length - 1]?.[2] ?? "");
}
swept(number) {
const { player } = this;
const { timeline } = player;
const total = timeline.totals[number];
const { outcome } = this.content.searches[number];
if (!timeline.content.beats.length || this.calm.matches || !this.filmed || !total) return 1;
if (outcome !== "solved" || player.states[number].steps < total) return 1;
const begun = timeline.frameOf(player.common(number, total));
return Math.min(1, (this.frame - begun + 1) / Math.max(1, SWEEP * timeline.rate));
}
found(number) {
const state = this.player.states[number];
if (!this.content.searches[number].exhaustive || state.over || !state.solutions) return false;
const step = state.history.solutionSteps.items[state.solutions - 1];
if (!this.player.playing) return step === state.steps;
return step > this.stepsBefore(FLASH)[number];
}
get glowing() {
const { player } = this;
const speed = player.timeline.speedAt(this.frame) * player.speed;
if (!player.playing || !player.timeline.content.beats.length || this.calm.matches) return null;
return speed > 0 && speed <= GLOWING_UP_TO ? this.stepsBefore(GLOW) : null;
}
stepsBefore(seconds) {
const { timeline, speed } = this.player;
const elapsed = timeline.elapsed(this.frame) - seconds * timeline.rate * Math.max(1, speed);
return timeline.stepsAt(Math.max(0, Math.floor(elapsed)));
}
}
const CHOICES = ["system", "dark", "light", "contrast", "film"];
class Themes extends EventTarget {
constructor(content, root) {
super();
this.content = content;
this.root = root;
this.choice = content.system ? "system" : "film";
this.usual = this.choice;
this.printing = false;
this.queries = ["(prefers-color-scheme: light)", "(prefers-contrast: more)", "print"].map(
(query) => matchMedia(query),
);
for (const query of this.queries) query.addEventListener("change", () => this.apply());
addEventListener("beforeprint", () => this.print(true));
addEventListener("afterprint", () => this.print(false));
this.apply();
}
get choices() {
return this.content.system ? CHOICES.slice(0, -1) : CHOICES;
}
get name() {
const [light, contrast, print] = this.queries.map((query) => query.matches);
if (this.printing || print) return "light";
if (this.choice !== "system") return this.choice;
if (light) return "light";
return contrast ? "contrast" : "dark";
}
get palette() {
return this.content.colours[this.name];
}
print(printing) {
this.printing = printing;
this.apply();
}
choose(choice) {
if (this.choices.includes(choice)) this.choice = choice;
this.apply();
}
apply() {
for (const [name, colour] of Object.entries(this.palette)) {
this.root.style.setProperty(`--${name}`, colour);
}
this.root.style.colorScheme = this.content.schemes[this.name];
this.dispatchEvent(new Event("change"));
}
}
class TitleCard {
constructor({ title, titleCard }) {
const line = (kind, text) =>
element("p", { class: kind, dir: "auto", hidden: !text }, visible(text));
const rows = (titleCard?.searches ?? []).map(([label, sentence], number) => {
const row = element("div", { class: "title-row" }, line("name", label),
line("sentence", sentence));
row.style.setProperty("--search", `var(--search-${number})`);
return row;
});
this.root = element("section", { class: "title-card", hidden: true },
line("puzzle", titleCard?.puzzle ?? ""),
element("h2", { dir: "auto" }, visible(title)),
...rows,
line("clock-text", titleCard?.clock ?? ""));
}
show(shown) {
this.root.hidden = !shown;
}
}
function panelMenu(panels, say) {
const boxes = panels.names.map((name) => {
const box = element("input", { type: "checkbox", value: name });
box.addEventListener("change", () => panels.choose(name, box.checked));
return box;
});
const renew = () => {
for (const box of boxes) box.checked = panels.has(box.value);
};
panels.addEventListener("change", renew);
renew();
return menu("panels", say("panels"), boxes.map((box) => label(box, say(`panel-${box.value}`))));
}
function themeMenu(themes, say) {
const boxes = themes.choices.map((name) => {
const box = element("input", { type: "radio", name: "theme", value: name });
box.addEventListener("change", () => themes.choose(name));
return box;
});
const renew = () => {
for (const box of boxes) box.checked = themes.choice === box.value;
};
themes.addEventListener("change", renew);
renew();
return menu("theme", say("theme"), boxes.map((box) => label(box, say(`theme-${box.value}`))));
}
function shareMenu(say, actions, commands) {
return menu("share", say("share"), [
...(HAS_ADDRESS ? [item(say("copy-link"), actions.link)] : []),
item(say("save-picture"), actions.picture),
...(commands
? [item(say("command-film"), actions.commandOfFilm),
item(say("command-picture"), actions.commandOfPicture)]
: []),
]);
}
function keyHelp(say) {
const window = dialog(say("keys"), say("close"));
const open = () => {
const rows = KEYS.map(([keys, does]) =>
element("div", { class: "key-row" },
element("dt", {}, ...keys.flatMap((key, at) => {
const name = key === "space-bar" ? say(key) : key;
return at ? [" ", element("kbd", {}, name)] : [element("kbd", {}, name)];
})),
element("dd", {}, say(does))));
window.show(element("dl", { class: "key-list" }, ...rows));
};
const button = element("button", { type: "button", class: "keys", title: say("keys"),
"aria-label": say("keys"), "aria-keyshortcuts": "?" }, "?");
button.addEventListener("click", open);
return { root: window.root, button, open };
}
function label(box, words) {
return element("label", { class: "item" }, box, words);
}
const ADDRESS_PAUSE = 250;
const FOLLOWED = 8;
class App {
constructor(content, states, texts, root) {
this.content = content;
this.texts = texts;
this.root = root;
this.player = new Player(content, states);
this.story = new Story(content, this.player);
this.themes = new Themes(content.themes, document.documentElement);
this.panels = new PanelChoice(content);
this.enlarged = undefined;
this.addressTimer = undefined;
this.due = true;
this.arrangedIn = "";
this.views = content.searches.map((_, number) =>
new SearchView(content, number, states[number], texts));
this.boards = element("div", { class: "boards" }, ...this.views.map((view) => view.root));
this.charts = new ChartsView(content, this.player, texts);
this.titleCard = new TitleCard(content);
this.endCard = new EndCard(content, texts, () => this.again());
this.inspector = new Inspector(this.views, texts);
this.live = element("div", { class: "out-of-sight", role: "status", "aria-live": "polite" });
this.sharing = new Sharing((key) => this.say(key));
this.help = keyHelp((key) => this.say(key));
this.controls = new Controls(this.player, texts, this.tools());
const films = this.filmChoice();
this.heading = element("h1", { dir: "auto" }, this.story.title);
this.root.replaceChildren(
element("header", { class: "title", hidden: !content.title && !films.length },
this.heading, ...films),
element("main", {},
element("div", { class: "stage" }, this.boards, this.titleCard.root, this.endCard.root),
this.charts.root),
this.controls.root, this.inspector.card.root, this.live, this.sharing.toast,
this.help.root, this.sharing.window.root);
this.showPanels();
this.listen();
this.open(readAddress(location.hash));
this.render();
this.loop = this.loop.bind(this);
requestAnimationFrame(this.loop);
}
say(key, values = {}) {
return this.texts.say(`player-${key}`, values);
}
filmChoice() {
const { films, film } = this.content;
if (!films) return [];
const choice = element("select", { class: "films", "aria-label": this.say("film") });
films.forEach((name, number) => {
choice.append(element("option", { value: number, selected: number === film }, visible(name)));
});
choice.addEventListener("change", () => {
location.search = `?film=${choice.value}`;
});
return [choice];
}
tools() {
const say = (key) => this.say(key);
const { command } = this.content;
const share = shareMenu(say, {
link: () => this.copyLink(),
picture: () => this.savePicture(),
commandOfFilm: () => this.sharing.copy(`${command} -o race.html`),
commandOfPicture: () => {
const { step } = this.player;
this.sharing.copy(`${command} --at-step ${step} -o step${step}.png`);
},
}, command !== "");
return [panelMenu(this.panels, say).root, themeMenu(this.themes, say).root, share.root,
this.help.button];
}
listen() {
const { player } = this;
player.addEventListener("change", () => {
this.due = true;
clearTimeout(this.addressTimer);
if (!player.playing) {
this.addressTimer = setTimeout(() => this.writeAddress(), ADDRESS_PAUSE);
}
});
player.addEventListener("highlight", (event) => {
this.live.textContent = visible((event).detail.sentence);
});
this.panels.addEventListener("change", () => {
this.showPanels();
this.writeAddress();
});
this.themes.addEventListener("change", () => {
this.due = true;
this.writeAddress();
});
this.inspector.addEventListener("change", () => {
this.due = true;
});
this.story.calm.addEventListener("change", () => this.arrange());
addEventListener("hashchange", (event) => this.open(readAddress(new URL(event.newURL).hash)));
addEventListener("beforeprint", () => this.render());
new ResizeObserver(() => this.arrange()).observe(this.boards);
this.views.forEach((view, number) => {
view.addEventListener("enlarge", () => {
this.enlarged = this.large === number ? null : number;
this.arrange();
});
});
listenToKeys(player, { help: this.help.open, copyLink: () => this.copyLink() });
}
open(address) {
if (address.theme) this.themes.choose(address.theme);
if (address.panels) this.panels.replace(address.panels);
if (address.step !== null) this.player.seek(address.step);
if (address.play) this.player.play();
this.due = true;
}
writeAddress() {
if (this.player.playing || !HAS_ADDRESS) return;
const address = this.address();
if (!location.hash && !this.player.step && address === "#step=0") return;
try {
if (address !== location.hash) history.replaceState(null, "", address);
} catch {
}
}
address(play = false) {
return writeAddress({
step: this.player.step,
play,
theme: this.themes.choice === this.themes.usual ? "" : this.themes.choice,
panels: this.panels.addressNames,
});
}
again() {
this.player.pause();
this.player.seekFrame(0);
this.player.play();
}
showPanels() {
for (const name of this.panels.names) {
this.root.classList.toggle(`with-${name}`, this.panels.has(name));
}
this.arrange();
}
get large() {
if (this.views.length < 2) return null;
if (this.enlarged !== undefined) return this.enlarged;
const { spotlight } = this.player.timeline.content;
return spotlight && this.player.frame >= spotlight[0] && this.player.step ? spotlight[1] : null;
}
arrange() {
this.arrangedFor = this.large;
this.due = true;
const { clientWidth, clientHeight } = document.documentElement;
const room = [clientWidth, clientHeight, this.large, ...this.panels.shown].join();
if (room === this.arrangedIn || !this.boards.clientWidth) return;
this.arrangedIn = room;
arrange(this.root, this.boards, this.views, this.large);
}
loop(now) {
this.player.tick(now);
if (this.due) this.render();
else this.root.classList.add("settled");
requestAnimationFrame(this.loop);
}
get slow() {
const { player } = this;
return !player.playing || player.timeline.speedAt(player.frame) * player.speed <= FOLLOWED;
}
render() {
this.due = false;
const { player, story } = this;
if (this.large !== this.arrangedFor) this.arrange();
this.due = false;
const said = this.showSearches();
this.charts.draw(this.themes.palette, this.panels.shown);
const covered = player.onCard || story.onTitle;
put(this.heading, story.title);
this.titleCard.show(story.onTitle);
this.endCard.show(player.onCard, player.timeline.grown(player.frame));
this.boards.toggleAttribute("inert", covered);
this.root.classList.toggle("card", covered);
this.root.classList.toggle("on-title", story.onTitle);
const { notice } = story;
put(this.controls.notice, notice);
if (player.playing) this.controls.update();
else this.announce([notice, ...said]);
const announcement = this.inspector.show(this.slow);
if (announcement) this.live.textContent = announcement;
}
showSearches() {
const { player, content, story } = this;
const { blurred } = player;
const { ruled, glowing } = story;
const deepest = Math.max(1, ...content.searches.map((search) => search.deepest));
const most = this.panels.has("heat") ? mostTries(player.states) : 0;
const pencils = this.panels.has("candidates") && this.slow;
const said = [];
this.views.forEach((view, number) => {
const callout = story.calloutOf(number);
const why = this.panels.has("why") && !blurred ? this.why(number) : "";
const rule = content.rules[number];
const glance = { deepest, blurred, pencils, frame: story.frame, rate: player.timeline.rate,
most, glowing: glowing?.[number] ?? null, failures: rule?.failures ?? [] };
view.board.show(glance, callout, ruled !== null && rule ? { rule, part: ruled } : null);
view.board.frame(story.swept(number), story.found(number));
view.show(callout, why);
if (this.panels.has("code")) view.code?.show(this.slow);
if (why) said.push(`${view.label}: ${why}`);
if (callout) said.unshift(`${view.label}: ${visible(callout.sentence)}`);
});
return said;
}
why(number) {
const state = this.player.states[number];
const { reasons, steps } = this.content.searches[number];
if (state.steps >= steps && this.player.playing) return "";
return visible(reason(state, this.texts, reasons ? givenReason(reasons, state.steps) : null));
}
announce(said) {
const place = this.texts.say("step-number", { step: this.player.step });
put(this.live, [place, ...said.filter(Boolean)].join(". "));
}
link() {
return location.href.replace(/#.*$/, "") + this.address();
}
copyLink() {
if (HAS_ADDRESS) this.sharing.copy(this.link());
}
picture() {
const { player, texts } = this;
this.render();
const place = texts.say("step-of", { step: player.step, steps: player.longest });
return pictureOf(this.views, this.story.title, place, this.themes.palette);
}
async savePicture() {
const name = `undoku-step${this.player.step}.png`;
this.sharing.save(await pngOf(this.picture()), name);
}
}
function mostTries(states) {
let most = 1;
for (const { tries } of states) for (const count of tries) if (count > most) most = count;
return most;
}
class Geometry {
constructor(board) {
this.size = board.size;
this.cells = board.size * board.size;
this.symbols = board.symbols;
this.units = board.units.map((unit) => unit.cells);
this.unitNames = board.units.map((unit) => unit.name);
this.unitKeys = board.units.map((unit) => unit.key.toLowerCase());
this.regions = board.regions;
this.extra = new Set(board.extra);
this.full = 2 ** board.size - 1;
this.givens = new Uint8Array(this.cells);
for (let cell = 0; cell < this.cells; cell += 1) {
this.givens[cell] = board.symbols.indexOf(board.givens[cell]) + 1;
}
this.unitsOf = Array.from({ length: this.cells }, () => []);
const together = Array.from({ length: this.cells }, () => new Set());
this.units.forEach((cells, number) => {
for (const cell of cells) {
this.unitsOf[cell].push(number);
for (const other of cells) if (other !== cell) together[cell].add(other);
}
});
this.peers = together.map((cells) => [...cells].sort((a, b) => a - b));
}
position(cell) {
return [Math.floor(cell / this.size), cell % this.size];
}
symbolsOf(mask) {
return [...this.symbols].filter((_, number) => (mask >>> number) & 1);
}
conflicts(board) {
return this.units.some((cells) => {
let seen = 0;
return cells.some((cell) => {
const bit = 1 << board[cell];
const twice = (seen & bit) !== 0;
seen |= bit;
return twice;
});
});
}
}
class Interface extends EventTarget {
#player;
#picture;
constructor(player, picture) {
super();
this.#player = player;
this.#picture = picture;
let before = -1;
player.addEventListener("change", () => {
if (player.step === before) return;
before = player.step;
this.#announce("step", { step: player.step, steps: player.steps });
});
player.addEventListener("highlight", (event) => {
const { step, search, sentence } = (event).detail;
this.#announce("highlight", { step, search, sentence });
});
for (const type of ["play", "pause", "end"]) {
player.addEventListener(type, () => this.#announce(type, { step: player.step }));
}
addEventListener("message", (event) => this.#obey(event));
}
get step() {
return this.#player.step;
}
get steps() {
return this.#player.steps;
}
get length() {
return this.#player.longest;
}
get playing() {
return this.#player.playing;
}
get labels() {
return this.#player.content.searches.map((search) => search.label);
}
seek(step) {
this.#player.seek(Number(step));
}
play() {
this.#player.play();
}
pause() {
this.#player.pause();
}
board(search = 0) {
const state = this.#player.states[search];
if (!state) throw new RangeError(`there is no search ${search}`);
return [...state.shown].map((value) => state.geometry.symbols[value - 1] ?? ".").join("");
}
picture() {
return this.#picture();
}
#announce(type, detail) {
this.dispatchEvent(new CustomEvent(type, { detail }));
if (parent !== window) parent.postMessage({ undoku: type, ...detail }, "*");
}
#obey(event) {
const { data, source } = event;
if (source !== parent || parent === window || typeof data !== "object" || !data) return;
if (data.undoku === "seek" && Number.isFinite(data.step)) this.seek(data.step);
else if (data.undoku === "play") this.play();
else if (data.undoku === "pause") this.pause();
}
}
const FRAMES = 900;
function follow(app) {
const { live, version } = app.content;
const stream = new EventSource(`changes?version=${version ?? 0}${live ? "&live" : ""}`);
stream.addEventListener("changed", () => {
history.replaceState(null, "", app.address(app.player.playing));
location.reload();
});
stream.addEventListener("failed", (event) => app.sharing.tell(event.data, 60_000));
stream.addEventListener("more", (event) => grow(app, JSON.parse(event.data)));
stream.addEventListener("error", () => {
if (stream.readyState === EventSource.CLOSED) {
app.sharing.tell(app.say("live-lost"), 3_600_000);
}
});
}
function grow(app, { search, events }) {
const { player, content } = app;
const letters = atob(events);
const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
const more = new Uint32Array(bytes.buffer);
const atEnd = player.step >= player.longest;
const { step, playing } = player;
player.states[search].append(more);
const totals = player.states.map((state) => state.total);
const last = Math.max(...totals);
const race = Math.max(1, Math.min(last, FRAMES));
content.searches[search].events += more.length;
content.searches[search].deepest = player.states[search].deepest;
content.searches[search].nodes += more.filter((event) => (event & 0xff) < UNDO).length;
player.replan({
...content.timeline,
frames: race + 1,
intro: 1,
race,
card: 0,
first: 0,
last,
totals,
scales: totals.map(() => ["1", "1"]),
beats: [],
stretches: [[0, race, 0, last, race]],
spotlight: null,
});
player.seek(atEnd ? last : step);
if (playing && !atEnd) player.play();
app.controls.renew();
app.sharing.tell(app.say("live-follows"), 900);
}
function bytesOf(text) {
const letters = atob(text);
const bytes = new Uint8Array(letters.length);
for (let at = 0; at < bytes.length; at += 1) bytes[at] = letters.charCodeAt(at);
return bytes;
}
async function inflated(block) {
const stream = new Blob([block]).stream().pipeThrough(new DecompressionStream("deflate"));
return new Uint8Array(await new Response(stream).arrayBuffer());
}
function unpacked(bytes, searches, cells) {
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
function joined(ops, places, values, search, wide) {
const events = new Uint32Array(ops.length);
const standing = [];
const removed = [];
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
const OPEN = 255;
const EVERY = 4096;
const STEPS = 0;
const GUESSES = 1;
const UNDOS = 2;
const BACKTRACKS = 3;
const DEAD_ENDS = 4;
const DEPTH = 5;
const FILLED = 6;
const SOLUTIONS = 7;
const CHILD_UNDONE = 8;
const SOLVED_HERE = 9;
const LAST_OP = 10;
const LAST_CELL = 11;
const LAST_VALUE = 12;
const AT = 13;
const RESTARTING = 14;
const RESTARTS = 15;
const NOGOODS = 16;
const PROBES = 17;
const REGISTERS = 18;
class SearchState {
constructor(geometry, events) {
const cells = geometry.cells;
this.geometry = geometry;
this.board = geometry.givens.slice();
this.kinds = new Uint8Array(cells).fill(OPEN);
this.depths = new Uint16Array(cells);
this.removed = new Uint32Array(cells);
this.tries = new Uint32Array(cells);
this.changed = new Uint32Array(cells);
this.registers = new Int32Array(REGISTERS);
this.stood = new Uint32Array(cells * (geometry.size + 1));
this.since = new Uint32Array(cells);
this.events = new GrowingArray(Uint32Array, Math.max(1024, events.length));
this.history = new SearchHistory(events.length);
this.checkpoints = [];
this.registers[FILLED] = this.board.reduce((sum, value) => sum + (value ? 1 : 0), 0);
if (this.registers[FILLED] === cells) {
this.registers[SOLUTIONS] = 1;
this.registers[SOLVED_HERE] = 1;
}
this.written = false;
this.proved = false;
this.total = 0;
this.append(events);
this.seek(0);
}
get steps() {
return this.registers[STEPS];
}
get undos() {
return this.registers[UNDOS];
}
get depth() {
return this.registers[DEPTH];
}
get solutions() {
return this.registers[SOLUTIONS];
}
get backtracks() {
return this.registers[BACKTRACKS];
}
get restarts() {
return this.registers[RESTARTS];
}
get nogoods() {
return this.registers[NOGOODS];
}
get probes() {
return this.registers[PROBES];
}
get branching() {
const open = this.steps === 0 || this.registers[LAST_OP] !== UNDO ? 1 : 0;
return this.guesses / Math.max(1, this.guesses + 1 - this.deadEnds - open);
}
get solvedHere() {
return this.registers[SOLVED_HERE] === 1;
}
get deepest() {
return this.history.deepest;
}
get restarting() {
return this.registers[RESTARTING] === 2;
}
get deadEnds() {
return this.registers[DEAD_ENDS];
}
get guesses() {
return this.registers[GUESSES];
}
get over() {
return !this.written && this.steps === this.total;
}
get shown() {
const last = this.proved && this.over ? this.history.lastSolution : null;
return last?.board ?? this.board;
}
get last() {
const [op, cell, value] = this.registers.subarray(LAST_OP, LAST_VALUE + 1);
return this.steps ? { op, cell, value } : null;
}
append(events) {
this.seek(this.total);
this.events.add(events);
const { items, length } = this.events;
while (this.registers[AT] < length) {
const event = items[this.registers[AT]];
const op = event & 0xff;
if (op > UNDO) {
this.apply(event);
continue;
}
if (this.steps === this.checkpoints.length * EVERY) this.checkpoints.push(this.snapshot());
const { backtracks, deadEnds } = this;
this.history.begin(this, op, op === UNDO && this.kinds[event >>> 16] === GUESS);
this.apply(event);
const failed = this.backtracks > backtracks ? IS_BACKTRACK : 0;
this.history.end(this, op, this.deadEnds > deadEnds ? IS_DEAD_END : failed);
}
this.total = this.steps;
}
snapshot() {
const parts = [this.registers, this.removed, this.tries, this.changed, this.depths,
this.board, this.kinds];
const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
let at = 0;
for (const part of parts) {
bytes.set(new Uint8Array(part.buffer), at);
at += part.byteLength;
}
return bytes.buffer;
}
restore(kept) {
let at = 0;
for (const part of [this.registers, this.removed, this.tries, this.changed, this.depths,
this.board, this.kinds]) {
new Uint8Array(part.buffer).set(new Uint8Array(kept, at, part.byteLength));
at += part.byteLength;
}
}
seek(step) {
const wanted = Math.max(0, Math.min(step, this.total));
if (wanted < this.steps || wanted - this.steps > EVERY) {
const nearest = Math.min(Math.floor(wanted / EVERY), this.checkpoints.length - 1);
if (nearest >= 0 && (wanted < this.steps || nearest * EVERY > this.steps)) {
this.restore(this.checkpoints[nearest]);
this.forget();
}
}
const { items, length } = this.events;
while (this.registers[AT] < length) {
const event = items[this.registers[AT]];
if ((event & 0xff) <= UNDO && this.steps >= wanted) break;
this.apply(event);
}
}
forget() {
this.stood.fill(0);
this.since.fill(this.steps);
}
apply(event) {
const { registers, board, kinds } = this;
const op = event & 0xff;
const cell = event >>> 16;
let value = (event >>> 8) & 0xff;
registers[AT] += 1;
if (op === ELIMINATE) {
this.removed[cell] |= 1 << (value - 1);
return;
}
if (op === RESTORE) {
this.removed[cell] &= ~(1 << (value - 1));
return;
}
if (op > RESTORE) {
if (op === RESTART) {
registers[RESTARTING] = 1;
registers[RESTARTS] += 1;
} else if (op === LEARN) registers[NOGOODS] += 1;
else if (op === PROBE) registers[PROBES] += 1;
return;
}
const step = registers[STEPS];
this.stood[cell * (this.geometry.size + 1) + board[cell]] += step - this.since[cell];
this.since[cell] = step;
if (op === UNDO) {
if (registers[RESTARTING]) registers[RESTARTING] = 2;
value = board[cell];
if (kinds[cell] === GUESS) {
if (!registers[SOLVED_HERE] && !registers[RESTARTING]) {
registers[registers[CHILD_UNDONE] ? BACKTRACKS : DEAD_ENDS] += 1;
}
registers[CHILD_UNDONE] = 1;
registers[SOLVED_HERE] = 0;
registers[DEPTH] -= 1;
}
kinds[cell] = OPEN;
board[cell] = 0;
registers[FILLED] -= 1;
registers[UNDOS] += 1;
} else {
board[cell] = value;
kinds[cell] = op;
this.tries[cell] += 1;
registers[RESTARTING] = 0;
if (op === GUESS) {
registers[CHILD_UNDONE] = 0;
registers[SOLVED_HERE] = 0;
registers[GUESSES] += 1;
registers[DEPTH] += 1;
}
this.depths[cell] = registers[DEPTH];
registers[FILLED] += 1;
if (registers[FILLED] === board.length && !this.geometry.conflicts(board)) {
registers[SOLVED_HERE] = 1;
registers[SOLUTIONS] += 1;
}
}
this.changed[cell] = step + 1;
registers[STEPS] = step + 1;
registers[LAST_OP] = op;
registers[LAST_CELL] = cell;
registers[LAST_VALUE] = value;
}
takeStood(cell, into) {
const width = this.geometry.size + 1;
this.stood[cell * width + this.board[cell]] += this.steps - this.since[cell];
this.since[cell] = this.steps;
for (let value = 0; value < width; value += 1) {
into[value] = this.stood[cell * width + value];
this.stood[cell * width + value] = 0;
}
}
free(cell, board = this.board) {
let taken = 0;
for (const peer of this.geometry.peers[cell]) {
if (board[peer]) taken |= 1 << (board[peer] - 1);
}
return this.geometry.full & ~taken;
}
candidates(cell, board = this.board) {
return this.free(cell, board) & ~this.removed[cell];
}
excluders(cell) {
const found = new Map();
for (let value = 1; value <= this.geometry.size; value += 1) {
const holders = this.geometry.peers[cell].filter((peer) => this.board[peer] === value);
if (holders.length || (this.removed[cell] >>> (value - 1)) & 1) found.set(value, holders);
}
return found;
}
}
async function statesOf(content) {
const boards = content.boards.map((board) => new Geometry(board));
const geometries = content.searches.map((search) => boards[search.board]);
const bytes = await inflated(bytesOf(content.events));
const events = unpacked(bytes, content.searches, geometries.map((one) => one.cells));
return geometries.map((geometry, number) => {
const state = new SearchState(geometry, events[number]);
state.written = content.live === true;
state.proved = content.searches[number].outcome === "exhausted";
return state;
});
}
async function start() {
const root = (document.getElementById("undoku-player"));
const held = document.getElementById("undoku-content");
const content = JSON.parse(held?.textContent ?? "");
const texts = new Texts(content.texts);
if (typeof DecompressionStream === "undefined") {
root.textContent = texts.say("player-failed");
return;
}
const app = new App(content, await statesOf(content), texts, root);
const offered = new Interface(app.player, () => app.picture());
Object.assign(window, { undoku: offered });
root.dataset.ready = String(Math.round(performance.now()));
dispatchEvent(new CustomEvent("undoku-ready", { detail: offered }));
if (document.querySelector("meta[name=undoku-preview]")) follow(app);
if (parent !== window) parent.postMessage({ undoku: "ready", length: offered.length }, "*");
}
start();
})();
