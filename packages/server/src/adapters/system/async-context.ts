// A value that follows the flow of asynchronous calls: the one place with ambient state, for the current span. Every switch of the value costs
// a fraction of a microsecond, so it is made only where spans are (`telemetry-to.ts`).
import { AsyncLocalStorage } from 'node:async_hooks'
import type { AsyncContext } from '#ports/telemetry/telemetry-to.ts'

export function asyncContext<Held>(): AsyncContext<Held> {
  const storage = new AsyncLocalStorage<Held>()
  return { run: (held, work) => storage.run(held, work), held: () => storage.getStore() }
}
