// Faults of the search engine: each applies to the next requests of a kind, as often as it says.
import type { EngineVerb } from './engine-routes.ts'

export type EngineFault = {
  /** Default: any request. */
  readonly on?: EngineVerb
  /** How many requests; default: until healed. */
  readonly times?: number
} & (
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'status'; readonly status: number }
  /** Closes the connection without an answer. */
  | { readonly kind: 'cut' }
  /** Ends the body in the middle. */
  | { readonly kind: 'truncated' }
  /** Refuses single documents of a bulk request; `times` counts documents. */
  | { readonly kind: 'document'; readonly status: number }
)

interface Active {
  readonly fault: EngineFault
  left: number
}

export class EngineFaults {
  #active: Active[] = []

  add(faults: readonly EngineFault[]): void {
    this.#active.push(...faults.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY })))
  }

  clear(): void {
    this.#active = []
  }

  list(): readonly EngineFault[] {
    return this.#active.filter(({ left }) => left > 0).map(({ fault }) => fault)
  }

  /** The fault of a request. */
  next(verb: EngineVerb): Exclude<EngineFault, { kind: 'document' }> | undefined {
    const found = this.#take(({ kind, on }) => kind !== 'document' && (on === undefined || on === verb))
    return found as Exclude<EngineFault, { kind: 'document' }> | undefined
  }

  /** The status of the next document of a bulk request, if it is refused. */
  refusedDocument(): number | undefined {
    const found = this.#take(({ kind }) => kind === 'document')
    return found?.kind === 'document' ? found.status : undefined
  }

  #take(fits: (fault: EngineFault) => boolean): EngineFault | undefined {
    const found = this.#active.find(({ fault, left }) => left > 0 && fits(fault))
    if (found !== undefined) found.left -= 1
    return found?.fault
  }
}
