// Event orders that were recorded in browsers, and which Enter in each of them sends.
import assert from 'node:assert/strict'
import test from 'node:test'
import { ime, imeAtRest } from './ime.ts'
import type { ImeEvent } from './ime.ts'

const key = (key: string, over: { isComposing?: boolean; keyCode?: number; shiftKey?: boolean } = {}): ImeEvent => ({
  type: 'keydown',
  key,
  shiftKey: false,
  isComposing: false,
  keyCode: key === 'Enter' ? 13 : 65,
  ...over,
})
const up: ImeEvent = { type: 'keyup' }
const start: ImeEvent = { type: 'compositionstart' }
const end = (data: string): ImeEvent => ({ type: 'compositionend', data })
const composingKey = (name: string): ImeEvent => key(name, { isComposing: true, keyCode: 229 })

/** What each Enter did, in order. */
function play(...events: ImeEvent[]): string[] {
  let state = imeAtRest
  const enters: string[] = []
  for (const event of events) {
    const step = ime(state, event)
    state = step.state
    if (event.type === 'keydown' && event.key === 'Enter') enters.push(step.enter ?? 'left')
  }
  return enters
}

test('Enter sends, Shift+Enter adds a line', () => {
  assert.deepEqual(play(key('a'), up, key('Enter'), up), ['send'])
  assert.deepEqual(play(key('a'), up, key('Enter', { shiftKey: true }), up), ['left'])
})

test('Chrome: the Enter that confirms is left to the input method, the next one sends', () => {
  const typing = [key('k', { keyCode: 229 }), start, up, composingKey('a'), up]
  assert.deepEqual(play(...typing, composingKey('Enter'), end('蚊'), up, key('Enter'), up), ['left', 'send'])
})

test('Chrome on Windows: the key that starts a composition belongs to the input method too', () => {
  const typing = [key('Process', { keyCode: 229 }), start, up]
  assert.deepEqual(play(...typing, composingKey('Enter'), end('あ'), up, key('Enter'), up), ['left', 'send'])
})

test('Firefox: the same, with the keyup after the end of the composition', () => {
  const typing = [composingKey('k'), start, up, composingKey('a'), up]
  assert.deepEqual(play(...typing, composingKey('Enter'), end('か'), up, key('Enter'), up), ['left', 'send'])
})

test('Safari: the composition ends before the Enter that ended it', () => {
  const typing = [start, key('k', { keyCode: 229 }), up, key('a', { keyCode: 229 }), up]
  assert.deepEqual(play(...typing, end('か'), key('Enter', { keyCode: 229 }), up, key('Enter'), up), ['left', 'send'])
})

test('Safari, when the Enter has its ordinary key code: only the order of events shows whose it is', () => {
  const typing = [start, key('k', { keyCode: 229 }), up]
  assert.deepEqual(play(...typing, end('か'), key('Enter'), up, key('Enter'), up), ['swallow', 'send'])
})

test('Safari: two words are confirmed one after the other, then sent', () => {
  const word = [start, key('k', { keyCode: 229 }), up, end('か'), key('Enter', { keyCode: 229 }), up]
  assert.deepEqual(play(...word, ...word, key('Enter'), up), ['left', 'left', 'send'])
})

test('after a candidate is confirmed by typing the next character, Enter sends', () => {
  const events = [start, composingKey('k'), up, composingKey('。'), end('か'), up, key('Enter'), up]
  assert.deepEqual(play(...events), ['send'])
})

test('after a candidate is picked with the pointer, Enter sends', () => {
  const events = [start, composingKey('k'), up, end('か'), { type: 'pointerdown' } as const, key('Enter'), up]
  assert.deepEqual(play(...events), ['send'])
})

test('leaving the field resets the composition', () => {
  const events = [start, composingKey('k'), up, end('か'), { type: 'blur' } as const, key('Enter'), up]
  assert.deepEqual(play(...events), ['send'])
})

test('Android: the Enter that ends the composition of a Latin word also sends', () => {
  const typing = [start, key('Unidentified', { keyCode: 229 }), up]
  assert.deepEqual(play(...typing, end('berserk'), key('Enter'), up), ['send'])
})
