// Creates elements; foreign text becomes text nodes, never markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string | number | boolean>} attributes
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false) made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 */
export function shape(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** @type {Record<string, string>} */
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

/** @param {string} name */
export function icon(name) {
  const path = shape("path", { d: ICONS[name] });
  return shape("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, path);
}

/**
 * A button with an icon; `label` describes its action.
 * @param {string} picture
 * @param {string} label
 * @param {() => void} press
 */
export function iconButton(picture, label, press, keys = "") {
  const button = element("button", { type: "button", "aria-label": label, title: label });
  if (keys) button.setAttribute("aria-keyshortcuts", keys);
  button.append(icon(picture));
  button.addEventListener("click", press);
  return button;
}

/**
 * Change the icon and the label of a button.
 * @param {HTMLElement} button
 * @param {string} picture
 * @param {string} label
 */
export function relabel(button, picture, label) {
  if (button.dataset.picture === picture) return;
  button.dataset.picture = picture;
  button.setAttribute("aria-label", label);
  button.title = label;
  button.replaceChildren(icon(picture));
}

/**
 * Set the text of an element, if it differs.
 * @param {HTMLElement} where
 * @param {string} text
 */
export function put(where, text) {
  if (where.textContent !== text) where.textContent = text;
}
