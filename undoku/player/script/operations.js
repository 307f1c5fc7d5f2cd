// The op codes of events, as in undoku/solver/search/ops.py.

export const GUESS = 0;
export const FORCED = 1;
export const UNDO = 2;
export const ELIMINATE = 3;
export const RESTORE = 4;
export const RESTART = 5;
export const LEARN = 6;
export const PROBE = 7;
