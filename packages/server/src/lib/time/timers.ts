// The part of a clock that deadlines need: runs an action later, unless it is disposed of first.

export interface Timers {
  after(ms: number, action: () => void): Disposable
}
