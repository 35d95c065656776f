// The outcomes on a lane, counted in cells of half a second. Sums over cells are sliding windows with the precision of a cell:
// there are no lifetime counters, and a minute of any traffic takes 120 cells.

export const CELL_MS = 500
export const CELLS_MAX = 120

export interface Cell {
  /** Its start, a multiple of `CELL_MS`. */
  readonly at: number
  /** Negative where more answers broke off than started: an answer that breaks off subtracts its earlier success. */
  readonly successes: number
  readonly overloads: number
  /** Calls without a word in the model's usual time. */
  readonly silents: number
  readonly faults: number
  /** First attempts that got a permit. */
  readonly firsts: number
  /** Retries that got a permit. */
  readonly retries: number
  /** Requests that went to another source because the lane was full. */
  readonly shed: number
  readonly inFlightPeak: number
  /** The sum of the times that successful calls waited for their first words. */
  readonly waitedMs: number
}

export interface Sum extends Omit<Cell, 'at'> {
  /** Calls with an outcome other than `neutral`. */
  readonly calls: number
  readonly failures: number
}

export function emptyCell(now: number): Cell {
  const at = Math.floor(now / CELL_MS) * CELL_MS
  return {
    at,
    successes: 0,
    overloads: 0,
    silents: 0,
    faults: 0,
    firsts: 0,
    retries: 0,
    shed: 0,
    inFlightPeak: 0,
    waitedMs: 0,
  }
}

/** The sum of the cells that start at `from` or later. */
export function sumSince(cells: readonly Cell[], from: number): Sum {
  return sumOf(cells.filter(({ at }) => at >= from))
}

/** The newest cells that together hold at most `callsMax` calls; always includes the newest cell. */
export function newestCells(cells: readonly Cell[], callsMax: number): readonly Cell[] {
  let calls = 0
  const tooOld = cells.findLastIndex((cell, index) => {
    calls += callsIn(cell)
    return calls > callsMax && index < cells.length - 1
  })
  return cells.slice(tooOld + 1)
}

/** In one pass, because the ticking node calls this several times per tick with up to all cells. */
export function sumOf(cells: readonly Cell[]): Sum {
  let [successes, overloads, silents, faults, firsts, retries, shed, waitedMs, inFlightPeak] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0,
  ]
  for (const cell of cells) {
    successes += cell.successes
    overloads += cell.overloads
    silents += cell.silents
    faults += cell.faults
    firsts += cell.firsts
    retries += cell.retries
    shed += cell.shed
    waitedMs += cell.waitedMs
    inFlightPeak = Math.max(inFlightPeak, cell.inFlightPeak)
  }
  successes = Math.max(0, successes)
  const failures = overloads + silents + faults
  const calls = successes + failures
  return { successes, overloads, silents, faults, failures, calls, firsts, retries, shed, waitedMs, inFlightPeak }
}

function callsIn(cell: Cell): number {
  return Math.max(0, cell.successes) + cell.overloads + cell.silents + cell.faults
}
