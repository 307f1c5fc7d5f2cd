// How often each cell was tried, as the background of the cells of the boards.

import { addPanel } from "../panels.js";

addPanel({ name: "heat", rank: 100, usual: ({ heat }) => heat !== "" });
