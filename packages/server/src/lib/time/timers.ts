// The part of a clock that bounds need: something done later, unless it is disposed of before.

export interface Timers {
  after(ms: number, action: () => void): Disposable
}
