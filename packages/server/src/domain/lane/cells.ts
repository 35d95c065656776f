// What happened on a lane, in cells of half a second. Sums over them are sliding windows to the width of a cell: nothing
// is counted since the beginning of time, and a minute of any traffic takes 120 cells.

export const CELL_MS = 500
export const CELLS_MAX = 120

export interface Cell {
  /** The moment it begins, a multiple of `CELL_MS`. */
  readonly at: number
  /** Below zero where more answers broke off than began: each takes its earlier success back. */
  readonly successes: number
  readonly overloads: number
  readonly faults: number
  /** First attempts that got a permit. */
  readonly firsts: number
  /** Retries that got a permit. */
  readonly retries: number
  /** Requests that went elsewhere because the lane was full. */
  readonly shed: number
  readonly inFlightPeak: number
  /** How long those that succeeded had waited for their first words, all together. */
  readonly waitedMs: number
}

export interface Sum extends Omit<Cell, 'at'> {
  /** Calls whose outcome says something. */
  readonly calls: number
  readonly failures: number
}

export function emptyCell(now: number): Cell {
  const at = Math.floor(now / CELL_MS) * CELL_MS
  return { at, successes: 0, overloads: 0, faults: 0, firsts: 0, retries: 0, shed: 0, inFlightPeak: 0, waitedMs: 0 }
}

/** Everything in the cells that begin at `from` or later. */
export function sumSince(cells: readonly Cell[], from: number): Sum {
  return sumOf(cells.filter(({ at }) => at >= from))
}

/** The newest cells that together hold at most `callsMax` calls, and at least the newest of all. */
export function newestCells(cells: readonly Cell[], callsMax: number): readonly Cell[] {
  let calls = 0
  const tooOld = cells.findLastIndex((cell, index) => {
    calls += callsIn(cell)
    return calls > callsMax && index < cells.length - 1
  })
  return cells.slice(tooOld + 1)
}

/** In one pass: the lane's leader does this twice a second, for windows of up to all cells. */
export function sumOf(cells: readonly Cell[]): Sum {
  let [successes, overloads, faults, firsts, retries, shed, waitedMs, inFlightPeak] = [0, 0, 0, 0, 0, 0, 0, 0]
  for (const cell of cells) {
    successes += cell.successes
    overloads += cell.overloads
    faults += cell.faults
    firsts += cell.firsts
    retries += cell.retries
    shed += cell.shed
    waitedMs += cell.waitedMs
    inFlightPeak = Math.max(inFlightPeak, cell.inFlightPeak)
  }
  successes = Math.max(0, successes)
  const failures = overloads + faults
  const calls = successes + failures
  return { successes, overloads, faults, failures, calls, firsts, retries, shed, waitedMs, inFlightPeak }
}

function callsIn(cell: Cell): number {
  return Math.max(0, cell.successes) + cell.overloads + cell.faults
}
