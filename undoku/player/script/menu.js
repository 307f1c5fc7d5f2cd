// A button that opens a small panel of choices, and a dialog.

import { element, icon } from "./elements.js";

/**
 * A button that opens a panel; Escape and a press outside close it.
 * @param {string} picture
 * @param {string} label
 * @param {(Node | string)[]} content
 */
export function menu(picture, label, content) {
  const id = `menu-${picture}`;
  const panel = element("div", { class: "menu", id, hidden: true, role: "group",
    "aria-label": label }, ...content);
  const button = element("button", { type: "button", title: label, "aria-label": label,
    "aria-expanded": "false", "aria-controls": id }, icon(picture));
  const root = element("div", { class: "menu-root" }, button, panel);
  const open = (/** @type {boolean} */ shown) => {
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

/**
 * An item of a menu: a button with a text.
 * @param {string} label
 * @param {() => void} press
 */
export function item(label, press) {
  const button = element("button", { type: "button", class: "item" }, label);
  button.addEventListener("click", press);
  return button;
}

/**
 * A dialog with a title and a button that closes it.
 * @param {string} title
 * @param {string} close
 */
export function dialog(title, close) {
  const body = element("div", { class: "dialog-body" });
  const root = element("dialog", { "aria-label": title });
  const button = element("button", { type: "button", class: "close" }, close);
  button.addEventListener("click", () => root.close());
  root.append(element("h2", {}, title), body, button);
  // A press outside the dialog is a press on its backdrop.
  root.addEventListener("click", (event) => {
    if (event.target === root) root.close();
  });
  return {
    root,
    /** @param {(Node | string)[]} content */
    show(...content) {
      body.replaceChildren(...content);
      if (!root.open) root.showModal();
    },
    close: () => root.close(),
  };
}
