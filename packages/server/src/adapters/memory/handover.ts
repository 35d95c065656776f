// Records calls to a person instead of making them: for tests and simulations. Only the newest are stored.
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
    async call({ given, question, ...call }) {
      if (!isFree()) return 'busy'
      underWay += 1
      // Takes a moment, like a real call.
      await Promise.resolve()
      underWay -= 1
      calls.push(options.withText ? { ...call, question, ...(given === undefined ? {} : { given }) } : call)
      if (calls.length > CALLS_MAX) calls.shift()
      return 'delivered'
    },
  }
}
