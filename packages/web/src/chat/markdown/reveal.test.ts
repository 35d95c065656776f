// Words appear at a steady pace, whole, and never later than the bound.
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { behindMaxMs, createReveal } from './reveal.ts'

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })
const frameMs = 16

test('the first word is shown at the first step', () => {
  const reveal = createReveal(segmenter)
  const text = 'おすすめは『AKIRA』です。'
  reveal.arrived(text.length, 0)
  assert.ok(reveal.step(text, 0) > 0)
})

test('a burst appears in several steps, word by word, and is whole in time', () => {
  const reveal = createReveal(segmenter)
  const text = 'A finished series of six volumes, drawn by Katsuhiro Otomo, about a city and its children.'
  reveal.arrived(text.length, 0)
  const steps = new Set<number>()
  for (let nowMs = 0; nowMs <= behindMaxMs + frameMs; nowMs += frameMs) {
    const shown = reveal.step(text, nowMs)
    assert.match(text.slice(shown - 1, shown + 1), /\W|^.$/u, `“${text.slice(0, shown)}” ends between words`)
    steps.add(shown)
  }
  assert.ok(steps.size >= 8, `${steps.size} steps`)
  assert.equal(Math.max(...steps), text.length)
})

test('a word that may still grow waits, but not longer than the bound', () => {
  const reveal = createReveal(segmenter)
  reveal.arrived(7, 0)
  assert.equal(reveal.step('one two', 0), 3)
  assert.equal(reveal.step('one two', 200), 4)
  assert.equal(reveal.step('one two', behindMaxMs), 7)
})

test('a text that becomes shorter is followed', () => {
  const reveal = createReveal(segmenter)
  reveal.arrived(11, 0)
  assert.equal(reveal.step('one two six', behindMaxMs), 11)
  reveal.arrived(3, 400)
  assert.equal(reveal.step('one', 400), 3)
})

test('whatever arrives whenever, no text is later than the bound and none is taken back', () => {
  const burst = fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 80 }), afterMs: fc.nat(400) })
  fc.assert(
    fc.property(fc.array(burst, { maxLength: 12 }), (bursts) => {
      const reveal = createReveal(segmenter)
      let [text, nowMs, before] = ['', 0, 0]
      const arrivals: { atMs: number; length: number }[] = []
      for (const { text: more, afterMs } of bursts) {
        for (const end = nowMs + afterMs; nowMs < end; nowMs += frameMs) {
          const shown = reveal.step(text, nowMs)
          const due = arrivals.findLast(({ atMs }) => nowMs - atMs >= behindMaxMs)?.length ?? 0
          assert.ok(shown >= before && shown >= due && shown <= text.length)
          before = shown
        }
        text += more
        arrivals.push({ atMs: nowMs, length: text.length })
        reveal.arrived(text.length, nowMs)
      }
    }),
  )
})
