// Sharing: links, commands and pictures that readers copy or save.

import { element } from "./elements.js";
import { dialog } from "./menu.js";

/** Whether the page has an address for links. */
export const HAS_ADDRESS = /^(https?|file):/.test(location.protocol);

export class Sharing {
  /** @param {(key: string) => string} say */
  constructor(say) {
    this.say = say;
    this.window = dialog(say("share"), say("close"));
    this.toast = element("div", { class: "toast", role: "status", "aria-live": "polite" });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /**
   * Copy a text; if the page has no permission, show the text instead.
   * @param {string} text
   */
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

  /**
   * Show a notice for some time.
   * @param {string} text
   * @param {number} time in milliseconds
   */
  tell(text, time = 1800) {
    this.toast.textContent = text;
    this.toast.classList.add("shown");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.toast.classList.remove("shown"), time);
  }

  /**
   * Save a picture; if the page has no permission, show the picture instead.
   * @param {Blob} picture
   * @param {string} name
   */
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

/** Whether the page may save files; a sandbox without this permission has the origin "null". */
function mayDownload() {
  return origin !== "null" || (location.protocol === "file:" && parent === window);
}

/**
 * Copy a text; returns whether it was copied.
 * @param {string} text
 * @returns {Promise<boolean>}
 */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

/** @param {string} text */
function copiedBySelection(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.setAttribute("readonly", "");
  field.className = "out-of-sight";
  document.body.append(field);
  field.select();
  try {
    // Works in frames without permission for the clipboard.
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
  }
}
