// The current boards as one picture, to be saved.

import { SIDES } from "./board-view.js";
import { STRUCK_OUT } from "./cell-looks.js";
import { shape } from "./elements.js";

/** @typedef {import("./search-view.js").SearchView} SearchView */
/** @typedef {Record<string, string>} Palette */

const SIDE = 450;
const GAP = 40;
const HEAD = 96;
const FOOT = 70;
const FONT = "system-ui, 'DejaVu Sans', sans-serif";

/**
 * An SVG of the boards of all searches, with their names, counters and sentences.
 * @param {SearchView[]} views
 * @param {string} title
 * @param {string} foot
 * @param {Palette} palette
 */
export function pictureOf(views, title, foot, palette) {
  const columns = Math.min(views.length, 3);
  const rows = Math.ceil(views.length / columns);
  const width = columns * SIDE + (columns + 1) * GAP;
  const high = HEAD + SIDE + FOOT;
  const height = 80 + rows * high + 20;
  const drawing = shape("svg", { xmlns: "http://www.w3.org/2000/svg", width, height,
    viewBox: `0 0 ${width} ${height}`, "font-family": FONT });
  drawing.append(
    shape("rect", { width, height, fill: palette["background"] }),
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

/**
 * @param {string} content
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} fill
 * @param {Record<string, string | number>} more
 */
function text(content, x, y, size, fill, more = {}) {
  return shape("text", { x, y, "font-size": size, fill, ...more }, content);
}

/**
 * @param {SearchView} view
 * @param {number} number
 * @param {Palette} palette
 */
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
    text(view.said, 0, HEAD + SIDE + 52, 15, palette["muted"]),
  ];
}

/**
 * The cells as in the page, from which their colours are read.
 * @param {SearchView} view
 * @param {Palette} palette
 */
function boardShapes(view, palette) {
  const { board } = view;
  const content = board.state.geometry.board;
  const cell = SIDE / content.side;
  /** @type {Record<string, string | number>} */
  const thin = content.form === "grid" ? { stroke: palette["line"], "stroke-width": 1 } : {};
  const round = content.form === "nodes" ? { rx: cell / 2, stroke: palette["strong-line"] } : thin;
  /** @type {Element[]} */
  const made = content.edges.map(([x1, y1, x2, y2]) => shape("line", { x1: x1 * cell,
    y1: HEAD + y1 * cell, x2: x2 * cell, y2: HEAD + y2 * cell, stroke: palette["strong-line"] }));
  const places = content.fields.map(([, row, column]) => [column * cell, HEAD + row * cell]);
  board.fields.forEach((one, number) => {
    const style = getComputedStyle(one);
    const [x, y] = places[number];
    made.push(shape("rect", { x, y, width: cell, height: cell, fill: style.backgroundColor,
      ...round }));
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
  const strong = { stroke: palette["strong-line"], "stroke-width": 3 };
  content.fields.forEach(([, , , , , , sides], at) => {
    const [x, y] = places[at];
    const [right, foot] = [x + cell, y + cell];
    [[x, y, x, foot], [x, y, right, y], [right, y, right, foot], [x, foot, right, foot]]
      .forEach(([x1, y1, x2, y2], bit) => {
        if ((sides >> bit) & 1) made.push(shape("line", { x1, y1, x2, y2, ...strong }));
      });
  });
  if (content.form === "grid") {
    made.push(shape("rect", { x: 0, y: HEAD, width: SIDE, height: SIDE, fill: "none", ...strong }));
  }
  return made;
}

/** The width of the outline of a failed unit. */
const EDGE = 4;

/**
 * A line inside one side of a cell.
 * @param {string} side
 * @param {number} x
 * @param {number} y
 * @param {number} cell
 * @param {string} fill
 */
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

/**
 * @param {string} marks
 * @param {number} x
 * @param {number} y
 * @param {number} cell
 * @param {Palette} palette
 * @param {Element[]} made
 */
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

/**
 * A PNG of an SVG, twice its size.
 * @param {string} drawing
 * @returns {Promise<Blob>}
 */
export async function pngOf(drawing) {
  const picture = new Image();
  const address = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
  try {
    picture.src = address;
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = picture.naturalWidth * 2;
    canvas.height = picture.naturalHeight * 2;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))));
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
