// Several sources of pressure, and their result.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heldFor, jittered, Pressure } from './pressure.ts'

test('the strongest source counts, and after it the next one', () => {
  const pressure = new Pressure()
  const changes: string[] = []
  using _listening = pressure.listen(({ action, reason }) => void changes.push(`${action} by ${reason}`))
  pressure.say('lanes', 'slow')
  pressure.say('draining', 'pause')
  pressure.say('turns', 'slow')
  pressure.say('lanes', 'none')
  pressure.say('draining', 'none')
  pressure.say('turns', 'none')
  assert.deepEqual(changes, ['slow by lanes', 'pause by draining', 'slow by turns', 'none by none'])
})

test('listeners are called for changes of the action only, until they are disposed', () => {
  const pressure = new Pressure()
  let changes = 0
  const listening = pressure.listen(() => (changes += 1))
  for (const reason of ['a', 'b', 'a']) pressure.say(reason, 'slow')
  assert.equal(changes, 1)
  listening[Symbol.dispose]()
  pressure.say('a', 'pause')
  assert.equal(changes, 1)
  assert.equal(pressure.now.action, 'pause')
})

test('clients wait for the action’s default time unless the source has its own', () => {
  const pressure = new Pressure()
  assert.equal(pressure.now.aboutMs, 0)
  pressure.say('lanes', 'slow')
  assert.equal(pressure.now.aboutMs, 5000)
  pressure.say('draining', 'pause', 4000)
  assert.equal(pressure.now.aboutMs, 4000)
  pressure.say('draining', 'pause')
  assert.equal(pressure.now.aboutMs, 30_000)
})

test('jitter is a quarter either way', () => {
  assert.deepEqual([jittered(1000, 0), jittered(1000, 0.5), jittered(1000, 1)], [750, 1000, 1250])
})

test('a short pause ends within three seconds for all, a long one within half of it', () => {
  assert.deepEqual([heldFor(1000, 0), heldFor(1000, 0.5), heldFor(1000, 1)], [750, 2250, 3750])
  assert.deepEqual([heldFor(30_000, 0), heldFor(30_000, 1)], [22_500, 37_500])
})
