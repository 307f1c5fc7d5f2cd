// The options of empty cells, which the boards show as pencil marks.

import { addPanel } from "../panels.js";

addPanel({ name: "candidates", rank: 300, usual: () => true });
