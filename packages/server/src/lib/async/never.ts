// A signal that never aborts, for calls whose only bound is a deadline. It stores no listeners: they would never be called,
// and a signal that the whole process shares must not collect them.

export const NEVER: AbortSignal = Object.assign(new AbortController().signal, {
  addEventListener(): void {},
  removeEventListener(): void {},
})
