// Separates reasoning from the text of an answer, wherever the deltas are cut.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ThinkTags } from './think-tags.ts'

function partedBy(deltas: readonly string[]): readonly [reasoning: string, text: string] {
  const tags = new ThinkTags()
  const parts = [...deltas.map((delta) => tags.read(delta)), tags.finish()]
  return [parts.map(({ reasoning }) => reasoning).join(''), parts.map(({ text }) => text).join('')]
}

test('reasoning before an answer is removed, with its tags and the blank lines after them', () => {
  assert.deepEqual(partedBy(['<think>\nhm, 鬼滅?\n</think>\n\n全23巻です。']), ['\nhm, 鬼滅?\n', '全23巻です。'])
  assert.deepEqual(partedBy(['\n<think>', '</think>', '\n', 'a']), ['', 'a'])
})

test('an answer without reasoning is passed on unchanged, including white space, partial tags and later tags', () => {
  for (const text of ['a', ' a', '<b>a', '<thin', '<', 'a <think>b</think> c', '</think>a']) {
    assert.deepEqual(partedBy([text]), ['', text])
  }
})

test('unclosed reasoning is not an answer', () => {
  assert.deepEqual(partedBy(['<think>a </thi']), ['a </thi', ''])
})

test('the result does not depend on how the text is cut into deltas', () => {
  const piece = fc.constantFrom('<think>', '</think>', '<', '</', 'think>', 'a', '漫', ' ', '\n')
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 40 }), { maxLength: 6 }), (whole, cuts) => {
      const places = [0, ...cuts.filter((cut) => cut < whole.length).sort((one, other) => one - other), whole.length]
      const deltas = places.slice(1).map((place, index) => whole.slice(places[index], place))
      assert.deepEqual(partedBy(deltas), partedBy([whole]))
    }),
  )
})
