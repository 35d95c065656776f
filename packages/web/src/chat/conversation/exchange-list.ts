// The exchanges of the shown conversation, in order. An exchange that is no longer in the list cannot be changed: late
// parts of an earlier conversation have no effect.
import { newExchange } from './exchange.ts'
import type { Exchange } from './exchange.ts'

export interface ExchangeList {
  readonly all: readonly Exchange[]
  find(id: number): Exchange | undefined
  knows(turnId: string): boolean
  /** Returns the id of the new exchange. */
  append(question: string | undefined, turnId?: string): number
  update(id: number, next: (exchange: Exchange) => Exchange): void
  clear(): void
}

export function createExchangeList(changed: () => void): ExchangeList {
  let exchanges: readonly Exchange[] = []
  let nextId = 1
  const find = (id: number): Exchange | undefined => exchanges.find((exchange) => exchange.id === id)

  function set(next: readonly Exchange[]): void {
    exchanges = next
    changed()
  }

  return {
    get all() {
      return exchanges
    },
    find,
    knows: (turnId) => exchanges.some((exchange) => exchange.turnId === turnId),
    append(question, turnId) {
      const id = nextId
      nextId += 1
      set([...exchanges, newExchange(id, question, turnId)])
      return id
    },
    update(id, next) {
      if (find(id) !== undefined) set(exchanges.map((exchange) => (exchange.id === id ? next(exchange) : exchange)))
    },
    clear: () => set([]),
  }
}
