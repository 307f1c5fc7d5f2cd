// The positions of the nodes of a small tree, and the path to the current node.

/** @typedef {import("./search-state.js").SearchState} SearchState */

/**
 * The positions of the nodes of a tree, from 0 on: leaves side by side in the order of their visits,
 * each parent centred above its children.
 * @param {SearchState} state
 * @returns {number[]}
 */
export function treePlaces(state) {
  const count = state.history.nodeSteps.length;
  const parents = state.history.nodeParents.items;
  /** @type {number[][]} */
  const children = Array.from({ length: count }, () => []);
  for (let node = 1; node < count; node += 1) children[parents[node]].push(node);
  const places = new Array(count).fill(0);
  let free = 0;
  /** @type {[number, number][]} */
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

/**
 * The nodes from the root to the current one after `step` steps.
 * @param {SearchState} state
 * @param {number} now how many nodes there are
 * @param {number} step
 */
export function currentPath(state, now, step) {
  const depth = state.history.depthAfter.items[Math.min(step, state.total)];
  const { nodeDepths, nodeParents } = state.history;
  let node = now - 1;
  while (node > 0 && nodeDepths.items[node] > depth) node = nodeParents.items[node];
  const found = new Set([0]);
  for (; node > 0; node = nodeParents.items[node]) found.add(node);
  return found;
}
