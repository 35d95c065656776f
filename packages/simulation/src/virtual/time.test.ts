// Virtual time: events run in order, and disposed timers have no effect.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promiseDrain } from '@mangaassist/server/adapters/system/promise-drain'
import { seededRandom } from './random.ts'
import { VirtualTime } from './time.ts'

function newTime() {
  return new VirtualTime({ startsAt: 0, random: seededRandom('ties'), drain: promiseDrain() })
}

test('events run in the order of their times, each with all its promise callbacks', async () => {
  const time = newTime()
  const ran: string[] = []
  for (const ms of [30, 10, 20]) {
    time.after(ms, () => {
      ran.push(`${time.now()}`)
      void Promise.resolve().then(() => ran.push(`after ${time.now()}`))
    })
  }
  await time.run({ until: 100, eventsMax: 10 })
  assert.deepEqual(ran, ['10', 'after 10', '20', 'after 20', '30', 'after 30'])
})

test('thousands of disposed timers do not change the order of the others', async () => {
  const order = async (isWithDisposed: boolean) => {
    const time = newTime()
    const random = seededRandom('moments')
    const ran: number[] = []
    for (let number = 0; number < 8000; number += 1) {
      const timer = time.after(random.between(1, 50), () => ran.push(number))
      const isOdd = number % 3 > 0
      if (isOdd && isWithDisposed) timer[Symbol.dispose]()
    }
    await time.run({ until: 100, eventsMax: 10_000 })
    return ran.filter((number) => number % 3 === 0)
  }
  assert.deepEqual(await order(true), await order(false))
})

test('a timer that ran does not count as disposed', async () => {
  const time = newTime()
  const timer = time.after(1, () => {})
  await time.run({ until: 10, eventsMax: 10 })
  assert.equal(timer.isDisposed, false)
})
