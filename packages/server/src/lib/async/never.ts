// A signal that never aborts, for calls whose only bound is time. It holds no listeners: nothing would ever call them, and a
// signal that all of a process shares must not collect them.

export const NEVER: AbortSignal = Object.assign(new AbortController().signal, {
  addEventListener(): void {},
  removeEventListener(): void {},
})
