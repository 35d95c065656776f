// The contract of the clock. `make` returns the clock and a way to let time pass until a moment is due.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from './port.ts'

export interface ClockUnderTest {
  readonly clock: Clock
  /** Resolves when at least `ms` have passed and due timers have run. */
  readonly pass: (ms: number) => Promise<void>
}

export function clockContract(name: string, make: () => ClockUnderTest): void {
  test(`${name}: now never decreases`, async () => {
    const { clock, pass } = make()
    const before = clock.now()
    await pass(2)
    assert.ok(clock.now() >= before)
    assert.ok(Number.isSafeInteger(before))
  })

  test(`${name}: a sleep resolves after its time`, async () => {
    const { clock, pass } = make()
    let woken = false
    const sleep = clock.sleep(5).then(() => (woken = true))
    assert.equal(woken, false)
    await pass(10)
    await sleep
    assert.equal(woken, true)
  })

  test(`${name}: an abort ends a sleep with its reason`, async () => {
    const { clock } = make()
    const controller = new AbortController()
    const reason = new Error('enough')
    const sleep = clock.sleep(3_600_000, controller.signal)
    controller.abort(reason)
    await assert.rejects(sleep, reason)
  })

  test(`${name}: a sleep under an aborted signal rejects at once`, async () => {
    const { clock } = make()
    const reason = new Error('too late')
    await assert.rejects(clock.sleep(3_600_000, AbortSignal.abort(reason)), reason)
  })

  test(`${name}: a sleep removes its abort listener when it ends`, async () => {
    const { clock, pass } = make()
    const signal = new AbortController().signal
    const listeners = countListeners(signal)
    const sleep = clock.sleep(1, signal)
    await pass(5)
    await sleep
    assert.equal(listeners(), 0)
  })

  test(`${name}: timers fire in the order of their time`, async () => {
    const { clock, pass } = make()
    const fired: string[] = []
    clock.after(20, () => fired.push('second'))
    clock.after(1, () => fired.push('first'))
    await pass(40)
    assert.deepEqual(fired, ['first', 'second'])
  })

  test(`${name}: a disposed timer does not fire`, async () => {
    const { clock, pass } = make()
    let fired = false
    clock.after(1, () => (fired = true))[Symbol.dispose]()
    await pass(10)
    assert.equal(fired, false)
  })

  test(`${name}: a timer beyond the range of the machine's timers does not fire at once`, async () => {
    const { clock, pass } = make()
    let fired = false
    using _ = clock.after(2 ** 40, () => (fired = true))
    await pass(10)
    assert.equal(fired, false)
  })

  test(`${name}: deferred actions run after the current work, in order`, async () => {
    const { clock } = make()
    const ran: string[] = []
    await new Promise<void>((resolve) => {
      clock.defer(() => ran.push('deferred'))
      clock.defer(resolve)
      ran.push('current work')
      void Promise.resolve().then(() => ran.push('its promise'))
    })
    assert.deepEqual(ran, ['current work', 'its promise', 'deferred'])
  })
}

function countListeners(signal: AbortSignal): () => number {
  let count = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    count += 1
    add(...args)
  }
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    count -= 1
    remove(...args)
  }
  return () => count
}
