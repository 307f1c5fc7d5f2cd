// The state in the page's address: #step=132&theme=light&panels=depth,why

/**
 * A part of the film, from one beat or time to another ("" for the beginning or the end), and
 * whether it is repeated.
 * @typedef {{from: string, to: string, loop: boolean}} Excerpt
 */

/**
 * @typedef {{step: number | null, theme: string, panels: string[] | null, play: boolean,
 *   lesson: boolean, excerpt: Excerpt}} Address
 */

/**
 * The state that an address sets.
 * @param {string} hash
 * @returns {Address}
 */
export function readAddress(hash) {
  const found = new URLSearchParams(hash.replace(/^#/, ""));
  const step = found.get("step");
  const panels = found.get("panels");
  return {
    step: step !== null && /^\d+$/.test(step) ? Number(step) : null,
    theme: found.get("theme") ?? "",
    panels: panels === null ? null : panels.split(",").filter(Boolean),
    play: found.has("play"),
    lesson: found.has("lesson"),
    excerpt: { from: found.get("from") ?? "", to: found.get("to") ?? "", loop: found.has("loop") },
  };
}

/**
 * The address of a step; settings at their defaults are left out.
 * @param {{step: number, theme: string, panels: string[] | null, play: boolean,
 *   lesson: boolean, excerpt: Excerpt}} state
 */
export function writeAddress({ step, theme, panels, play, lesson, excerpt }) {
  const parts = [`step=${step}`];
  if (play) parts.push("play");
  if (lesson) parts.push("lesson");
  if (excerpt.from) parts.push(`from=${encodeURIComponent(excerpt.from)}`);
  if (excerpt.to) parts.push(`to=${encodeURIComponent(excerpt.to)}`);
  if (excerpt.loop) parts.push("loop");
  if (theme) parts.push(`theme=${theme}`);
  if (panels) parts.push(`panels=${panels.join(",")}`);
  return `#${parts.join("&")}`;
}
