// Runs every promise that can continue, without a turn of the event loop: a tick runs when the queue of microtasks is
// empty. A real turn now and then keeps a long simulation from starving the process. Used by virtual time.

const TURN_EVERY = 2048

export function promiseDrain(): () => Promise<void> {
  let drains = 0
  return () =>
    new Promise((resolve) => {
      drains += 1
      if (drains % TURN_EVERY === 0) setImmediate(resolve)
      else queueMicrotask(() => process.nextTick(resolve))
    })
}
