// The pure parts of what stands below an ended answer: the copied text, times, sentences for a voice, and the cart's events.
import assert from 'node:assert/strict'
import test from 'node:test'
import { cards } from '../../../test/fake-api.ts'
import { createCart } from './cart.ts'
import { copiedText } from './copied-text.ts'
import { sentencesOf } from './read-aloud.ts'
import { timeOf } from './time.ts'

test('the copied text has the lines of the answer without marks, and the titles with their addresses', () => {
  const text = '**AKIRA**は全6巻です。\n\n- 一つ目\n- [二つ目](/series/x)'
  const copied = copiedText({ text, products: cards(['akira'], 'ja') }, 'ja', (url) => `https://shop.example${url}`)
  assert.equal(copied, 'AKIRAは全6巻です。\n\n・一つ目\n・二つ目\n\nAKIRA https://shop.example/series/akira')
  assert.equal(
    copiedText({ text: '', products: cards(['akira'], 'ja') }, 'en', () => undefined),
    'Akira',
  )
})

test('a time of today has no day', () => {
  const now = new Date(2026, 10, 18, 14, 30).getTime()
  assert.equal(timeOf(new Date(2026, 10, 18, 9, 5).getTime(), 'ja', now), '09:05')
  assert.equal(timeOf(new Date(2026, 10, 17, 14, 2).getTime(), 'ja', now), '11月17日 14:02')
  assert.equal(timeOf(new Date(2026, 10, 17, 14, 2).getTime(), 'en', now), '17 Nov, 14:02')
})

test('a voice reads sentence by sentence, and a long one in pieces', () => {
  assert.deepEqual(sentencesOf('はい。全6巻です！ It costs 1.5 times. Yes?'), [
    'はい。',
    '全6巻です！',
    'It costs 1.5 times.',
    'Yes?',
  ])
  assert.deepEqual(
    sentencesOf('あ'.repeat(400)).map(({ length }) => length),
    [180, 180, 40],
  )
  assert.deepEqual(sentencesOf(' \n '), [])
})

test('the cart believes the page’s first answer, and nothing without one', () => {
  const details: { readonly done: (result: { ok: boolean; message?: string }) => void }[] = []
  let isHandled = true
  const cart = createCart({
    changed: () => {},
    dispatch: (event) => (details.push(event.detail), !isHandled),
  })
  const line = { productId: 'akira', volume: 2 }
  cart.add('1 akira', line)
  cart.add('1 akira', line)
  assert.deepEqual([details.length, cart.stateOf('1 akira')], [1, { type: 'adding', volume: 2 }])
  details[0]?.done({ ok: true, message: 'x'.repeat(500) })
  details[0]?.done({ ok: false })
  assert.deepEqual(cart.stateOf('1 akira'), { type: 'added', volume: 2, message: 'x'.repeat(200) })
  isHandled = false
  cart.add('2 akira', line)
  assert.deepEqual(cart.stateOf('2 akira'), { type: 'failed', volume: 2 })
  isHandled = true
  cart.add('3 akira', line)
  cart.close()
})
