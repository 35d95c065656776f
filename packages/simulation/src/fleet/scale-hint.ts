// How many nodes and how much quota would serve everybody in time: pure arithmetic on the arrivals of each second and on what a
// call uses. For a run of the simulator and for the capacity plan (`npm run bench -- capacity`).

/** A model that may have to serve everybody. */
export interface HintedModel {
  readonly name: string
  /** How long a call is in flight, on average. */
  readonly callMs: number
  /** Calls that one node can have in flight on it. */
  readonly connectionsMax: number
}

/** Means over the calls of shoppers without faults. */
export interface CallTokens {
  readonly inputTokens: number
  readonly outputTokens: number
  /** What a call asks for, and what the provider sets aside while it runs. */
  readonly maxOutputTokens: number
}

export interface ScaleDemand {
  /** Shoppers who came in each second. */
  readonly arrivals: readonly number[]
  readonly call: CallTokens
  readonly models: readonly HintedModel[]
  /** Turns that one node runs at once. */
  readonly runningMax: number
  /** How much of its quota a provider grants at once after a quiet time. */
  readonly quotaBurstMs: number
}

/** What would have served everybody in time. */
export interface ScaleHint {
  readonly peakPerSecond: number
  /** With one node to spare. */
  readonly nodes: number
  /** Each model by itself, so that it serves all when the others are out; with a quarter to spare. */
  readonly models: readonly {
    readonly name: string
    readonly tokensPerMinute: number
    readonly callsInFlight: number
  }[]
}

/** As the scenarios give to their first model: with less, a limit that adapts to refusals never comes to rest. */
const SPARE = 1.25
/** A deploy or a lost machine leaves one less. */
const NODES_SPARE = 1
/** In a longer one the burst no longer counts. */
const WINDOW_S = 600
const SECOND_MS = 1000

export function scaleHint({ arrivals, call, models, quotaBurstMs, runningMax }: ScaleDemand): ScaleHint {
  const needs = models.map((model) => {
    const inFlight = inFlightBySecond(arrivals, model.callMs / SECOND_MS)
    return { model, inFlight, most: most(inFlight) }
  })
  // A turn lives about as long as its call.
  const nodes = needs.flatMap(({ model, most: calls }) => [
    Math.ceil((calls * SPARE) / model.connectionsMax),
    Math.ceil((calls * SPARE) / runningMax),
  ])
  return {
    peakPerSecond: most(arrivals),
    nodes: Math.max(1, ...nodes) + NODES_SPARE,
    models: needs.map(({ inFlight, model: { name }, most: calls }) => ({
      name,
      tokensPerMinute: Math.ceil(SPARE * 60 * tokensPerSecond(arrivals, { call, inFlight, quotaBurstMs })),
      callsInFlight: Math.ceil(SPARE * calls),
    })),
  }
}

/** Calls in flight at the end of each second, if every arrival is a call that lasts `callS`. */
function inFlightBySecond(arrivals: readonly number[], callS: number): readonly number[] {
  const [whole, part] = [Math.floor(callS), callS % 1]
  return arrivals.map((_, second) => {
    const recent = arrivals.slice(Math.max(0, second - whole + 1), second + 1)
    return total(whole === 0 ? [] : recent) + part * (arrivals[second - whole] ?? 0)
  })
}

interface Taken {
  readonly call: CallTokens
  readonly inFlight: readonly number[]
  readonly quotaBurstMs: number
}

/**
 * The lowest rate of a quota that never refuses. It is a bucket that holds `quotaBurstMs` of its rate: in any window the used tokens, and those that
 * calls in flight have set aside, must fit into the burst and what came in since.
 */
function tokensPerSecond(arrivals: readonly number[], { call, inFlight, quotaBurstMs }: Taken): number {
  const used = call.inputTokens + call.outputTokens
  const unusedInFlight = call.maxOutputTokens - call.outputTokens
  let rate = 0
  for (const [end, calls] of inFlight.entries()) {
    let came = 0
    for (let seconds = 1; seconds <= Math.min(WINDOW_S, end + 1); seconds += 1) {
      came += arrivals[end - seconds + 1] ?? 0
      const needed = used * came + Math.max(0, unusedInFlight) * calls
      rate = Math.max(rate, needed / (quotaBurstMs / SECOND_MS + seconds))
    }
  }
  return rate
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function most(values: readonly number[]): number {
  return values.reduce((highest, value) => Math.max(highest, value), 0)
}
