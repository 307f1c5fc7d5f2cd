// All counters of the searches, besides the usual ones of the film.

import { addPanel } from "../panels.js";

addPanel({ name: "counters", rank: 200 });
