// Ports that can be cut off from a node, as a power cut does: calls that were under way never come back to it,
// and calls made afterwards do nothing. What they had written stays.
import type { Ports } from '#app.ts'

export function severable(ports: Ports): { readonly ports: Ports; sever(): void } {
  let severed = false
  const guard = <Value extends object>(target: Value): Value =>
    new Proxy(target, {
      get(object, property, receiver) {
        const member: unknown = Reflect.get(object, property, receiver)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          if (severed) return NEVER
          const result: unknown = Reflect.apply(member, object, args)
          return result instanceof Promise ? untilSevered(result) : result
        }
      },
    })
  const untilSevered = (work: Promise<unknown>) =>
    new Promise((resolve, reject) => {
      work.then(
        (value) => !severed && resolve(value),
        (error: unknown) => !severed && reject(error),
      )
    })
  const { sessions, turnLog, state, ledger, products, search, deferred } = ports
  const guarded = {
    sessions: guard(sessions),
    turnLog: guard(turnLog),
    state: guard(state),
    ledger: guard(ledger),
    products: guard(products),
    search: guard(search),
    deferred: guard(deferred),
  }
  return {
    ports: { ...ports, ...guarded },
    sever: () => {
      severed = true
    },
  }
}

/** Never settles; also stands in for the streams and listeners that a dead node would ask for. */
const NEVER = Object.assign(new Promise<never>(() => {}), {
  [Symbol.dispose]: () => {},
  [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }),
})
