// Which keys are commands, and when they are text.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createKeyReader } from './keys.ts'
import type { KeyPress } from './keys.ts'

const press = (key: string, over: Partial<KeyPress> = {}): KeyPress => ({
  key,
  hasModifier: false,
  isComposing: false,
  isWriting: false,
  at: 0,
  ...over,
})

test('g and a letter go to a screen, unless the letter comes late', () => {
  const read = createKeyReader()
  assert.equal(read(press('g', { at: 1000 })), undefined)
  assert.deepEqual(read(press('t', { at: 2000 })), { do: 'go', key: 't' })
  assert.equal(read(press('t', { at: 2100 })), undefined)
  read(press('g', { at: 3000 }))
  assert.deepEqual(read(press('r', { at: 9000 })), { do: 'reload' })
})

test('a slash searches, a question mark helps, r reloads', () => {
  const read = createKeyReader()
  assert.deepEqual(
    ['/', '?', 'r', 'x'].map((key) => read(press(key))?.do),
    ['find', 'help', 'reload', undefined],
  )
})

test('keys are text in a field, with a modifier and while an input method composes; Esc leaves a field', () => {
  const read = createKeyReader()
  for (const over of [{ isWriting: true }, { hasModifier: true }, { isComposing: true }])
    assert.equal(read(press('/', over)), undefined)
  assert.deepEqual(read(press('Escape', { isWriting: true })), { do: 'leave' })
  assert.equal(read(press('Escape', { isComposing: true })), undefined)
})
