// Lets every promise that can go on go on, without a turn of the event loop: a tick is run when the queue of microtasks is
// empty. Now and then a real turn, so that a long simulation does not starve the process. Used by virtual time.

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
