// Calls to a person that are only remembered: for tests and simulations. The oldest are forgotten.
import type { Handover, HandoverCall } from '#ports/handover/port.ts'

const CALLS_MAX = 1000

export interface MemoryHandover extends Handover {
  readonly calls: readonly Partial<HandoverCall>[]
}

export function memoryHandover(options: { readonly withText: boolean; readonly underWayMax: number }): MemoryHandover {
  const calls: Partial<HandoverCall>[] = []
  let underWay = 0
  const isFree = () => underWay < options.underWayMax
  return {
    calls,
    isFree,
    async call({ question, ...call }) {
      if (!isFree()) return 'busy'
      underWay += 1
      // As a real one, it is under way for a moment.
      await Promise.resolve()
      underWay -= 1
      calls.push(options.withText ? { ...call, question } : call)
      if (calls.length > CALLS_MAX) calls.shift()
      return 'told'
    },
  }
}
