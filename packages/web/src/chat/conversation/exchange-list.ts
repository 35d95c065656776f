// The exchanges of the shown conversation, in order. An exchange that is no longer in the list cannot be changed: late
// parts of an earlier conversation have no effect. One that was replaced is shown folded into the one that replaces it.
import { newExchange } from './exchange.ts'
import type { Exchange, TurnLink } from './exchange.ts'

export interface ExchangeList {
  readonly all: readonly Exchange[]
  /** All but the replaced ones, which are `earlier` of those that replace them. */
  readonly shown: readonly Exchange[]
  find(id: number): Exchange | undefined
  knows(turnId: string): boolean
  /** Returns the id of the new exchange. */
  append(question: string | undefined, start?: ExchangeStart): number
  remove(id: number): void
  update(id: number, next: (exchange: Exchange) => Exchange): void
  clear(): void
}

interface ExchangeStart {
  readonly turnId?: string | undefined
  readonly link?: TurnLink
  readonly atMs?: number | undefined
  /** What is shown until the first part arrives. */
  readonly text?: string
  /** The exchange that it is put before. Default: after all. */
  readonly before?: number | undefined
}

export function createExchangeList(changed: () => void): ExchangeList {
  let exchanges: readonly Exchange[] = []
  let shown: readonly Exchange[] = []
  let nextId = 1
  const find = (id: number): Exchange | undefined => exchanges.find((exchange) => exchange.id === id)

  function set(next: readonly Exchange[]): void {
    exchanges = next
    shown = folded(next)
    changed()
  }

  return {
    get all() {
      return exchanges
    },
    get shown() {
      return shown
    },
    find,
    knows: (turnId) => exchanges.some((exchange) => exchange.turnId === turnId),
    append(question, { turnId, link = {}, atMs, text = '', before } = {}) {
      const id = nextId
      nextId += 1
      const found = exchanges.findIndex((exchange) => exchange.id === before)
      const exchange = { ...newExchange(id, question, turnId), link, atMs, text }
      set(exchanges.toSpliced(found === -1 ? exchanges.length : found, 0, exchange))
      return id
    },
    remove: (id) => set(exchanges.filter((exchange) => exchange.id !== id)),
    update(id, next) {
      if (find(id) !== undefined) set(exchanges.map((exchange) => (exchange.id === id ? next(exchange) : exchange)))
    },
    clear: () => set([]),
  }
}

/**
 * A chain of replacements ends in one exchange, which has all of the earlier ones. An answer that was continued is not among
 * them: the text of the one that continues it begins with it.
 */
export function folded(exchanges: readonly Exchange[]): readonly Exchange[] {
  const isReplaced = new Set(exchanges.flatMap(({ link }) => replacedBy(link) ?? []))
  if (isReplaced.size === 0) return exchanges
  const byTurn = new Map(exchanges.map((exchange) => [exchange.turnId, exchange]))
  return exchanges
    .filter(({ turnId }) => turnId === undefined || !isReplaced.has(turnId))
    .map((exchange) => {
      const earlier = earlierOf(exchange, byTurn)
      return earlier.length === 0 ? exchange : { ...exchange, earlier }
    })
}

function earlierOf(exchange: Exchange, byTurn: ReadonlyMap<string | undefined, Exchange>): readonly Exchange[] {
  const earlier: Exchange[] = []
  let { link } = exchange
  // Bounded: turns of a faulty server may name each other.
  for (let steps = 0; steps < byTurn.size; steps += 1) {
    const replaced = replacedBy(link) === undefined ? undefined : byTurn.get(replacedBy(link))
    if (replaced === undefined) break
    if (link.continues === undefined) earlier.unshift(replaced)
    link = replaced.link
  }
  return earlier
}

/** The turn whose place a turn takes. */
function replacedBy({ replaces, continues }: TurnLink): string | undefined {
  return continues ?? replaces
}
