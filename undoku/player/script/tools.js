// The menus at the end of the controls: panels, colours, sharing, and the keys.

import { element } from "./elements.js";
import { KEYS } from "./keys.js";
import { dialog, item, menu } from "./menu.js";
import { HAS_ADDRESS } from "./sharing.js";

/** @typedef {import("./panels.js").PanelChoice} PanelChoice */
/** @typedef {import("./themes.js").Themes} Themes */
/** @typedef {(key: string) => string} Say */

/**
 * The menu that shows or hides each panel.
 * @param {PanelChoice} panels
 * @param {Say} say
 */
export function panelMenu(panels, say) {
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

/**
 * The menu for the colours.
 * @param {Themes} themes
 * @param {Say} say
 */
export function themeMenu(themes, say) {
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

/**
 * The menu for sharing; it has commands if the page knows the command of its film.
 * @param {Say} say
 * @param {{link: () => void, picture: () => void, commandOfFilm: () => void,
 *   commandOfPicture: () => void}} actions
 * @param {boolean} commands
 */
export function shareMenu(say, actions, commands) {
  return menu("share", say("share"), [
    ...(HAS_ADDRESS ? [item(say("copy-link"), actions.link)] : []),
    item(say("save-picture"), actions.picture),
    ...(commands
      ? [item(say("command-film"), actions.commandOfFilm),
        item(say("command-picture"), actions.commandOfPicture)]
      : []),
  ]);
}

/**
 * The list of keys and the button that opens it.
 * @param {Say} say
 */
export function keyHelp(say) {
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

/**
 * @param {HTMLInputElement} box
 * @param {string} words
 */
function label(box, words) {
  return element("label", { class: "item" }, box, words);
}
