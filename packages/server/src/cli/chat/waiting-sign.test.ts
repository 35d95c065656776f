// The sign while a question waits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { testScreen } from '../testing/test-screen.ts'
import { shownOn } from '../testing/virtual-screen.ts'
import { waitingSign } from './waiting-sign.ts'

test('it moves, shows the latest text in one line, and leaves nothing', async () => {
  const [screen, clock] = [testScreen({ columns: 14 }), manualClock()]
  const sign = waitingSign(screen, clock)
  sign.show('Thinking…')
  const first = shownOn(screen.written())
  await clock.advance(100)
  const second = shownOn(screen.written())
  assert.match(first.join('\n'), /^. Thinking…$/u)
  assert.match(second.join('\n'), /^. Thinking…$/u)
  assert.notDeepEqual(second, first)
  sign.show('Queue position 3, about 5 s')
  assert.match(shownOn(screen.written()).join('\n'), /^. Queue posi…$/u)
  sign.hide()
  assert.deepEqual(shownOn(screen.written()), [''])
  const written = screen.written()
  await clock.advance(1000)
  sign.hide()
  assert.equal(screen.written(), written, 'the timer has ended')
})

test('there is none where the output is no terminal', () => {
  const screen = testScreen()
  using sign = waitingSign(screen, manualClock())
  sign.show('Thinking…')
  assert.equal(screen.written(), '')
})
