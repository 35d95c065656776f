// A promise and the functions that settle it: a replacement for `Promise.withResolvers`, which Node 20 does not have.

export interface Deferred<Value> {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
  readonly reject: (reason: unknown) => void
}

export function deferred<Value = void>(): Deferred<Value> {
  let settle: Pick<Deferred<Value>, 'resolve' | 'reject'> | undefined
  const promise = new Promise<Value>((resolve, reject) => (settle = { resolve, reject }))
  return { promise, ...(settle as unknown as Pick<Deferred<Value>, 'resolve' | 'reject'>) }
}
