// The keyboard controls.

/** @typedef {import("./player.js").Player} Player */

/**
 * The list of keys in the page: the keys, and the identifier of the text about their action.
 * @type {[string[], string][]}
 */
export const KEYS = [
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

/**
 * Handle keys, except when the focus is on an element that handles them itself.
 * @param {Player} player
 * @param {{help: () => void, copyLink: () => void}} actions
 */
export function listenToKeys(player, { help, copyLink }) {
  /** @type {Record<string, () => void>} */
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
  /** @type {Record<string, () => void>} */
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
    if (!action) {
      if (player.asked && !player.playing && target === document.body) player.play();
      return;
    }
    event.preventDefault();
    action();
  });
}

/**
 * Whether an element handles a key itself.
 * @param {Element} target
 * @param {string} key
 */
function takesKeys(target, key) {
  if (target.closest("select, input[type=text], textarea")) return true;
  // On the time bar the arrow keys are the film's: they go by steps.
  return key === " " && target.closest("button, label, input[type=checkbox], input[type=radio]") !== null;
}
