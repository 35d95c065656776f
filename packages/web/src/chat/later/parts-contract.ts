// The number that a panel and the modules that it loads later (exchange/ended.ts, history/history.ts) agree on.

/** Raised when an older panel could not use newer modules: when a function or type that they exchange changes other than by an optional field. */
export const partsContract = 1
