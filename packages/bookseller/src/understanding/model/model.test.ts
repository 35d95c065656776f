// The file of weights, the tokens, and the tagger: they are checked with small hand-made weights, and the trained model
// with messages that must not be misread.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readWordVectors, writeWordVectors } from '../../retrieval/word-vectors.ts'
import { messageFeatures, taggerFeatures } from './features.ts'
import { noHiddenLayer } from './hidden-layer.ts'
import { CLASSES_COUNT, encodeModel, spansOf, understandingModel } from './model.ts'
import type { Received } from './model.ts'
import { ACTS } from '../reading.ts'
import { beginOf, insideOf, OUTSIDE } from './tags.ts'
import { tagged } from './tagger.ts'
import { tokensOf } from './tokens.ts'
import { weights } from './weights.ts'
import type { WeightTable } from './weights.ts'

const NO_WEIGHTS: WeightTable = {
  features: new Uint32Array(),
  starts: Uint32Array.of(0),
  labels: new Uint8Array(),
  values: new Int16Array(),
  scale: 1,
}
const NO_VECTORS = readWordVectors(writeWordVectors(2, []))
const hidden = noHiddenLayer(CLASSES_COUNT)

const received = (message: string, previous: Received['previous'] = 'none'): Received => {
  const words = message.normalize('NFKC')
  return { tokens: tokensOf(words, []), previous, words, faq: 'none' }
}

const table = (entries: readonly (readonly [feature: number, label: number, value: number])[]): WeightTable => {
  const sorted = entries.toSorted(([a], [b]) => a - b)
  return {
    features: Uint32Array.from(sorted, ([feature]) => feature),
    starts: Uint32Array.from([0, ...sorted.map((_, index) => index + 1)]),
    labels: Uint8Array.from(sorted, ([, label]) => label),
    values: Int16Array.from(sorted, ([, , value]) => value),
    scale: 0.5,
  }
}

test('Latin words, numbers and known names are one token, Japanese is cut by character', () => {
  const text = "don't like 進撃の巨人 1,500円"
  const from = text.indexOf('進撃')
  const tokens = tokensOf(text, [{ kind: 'title', from, to: from + 5 }])
  assert.deepEqual(
    tokens.map(({ text: unit, kind }) => `${kind}:${unit}`),
    ["latin:don't", 'latin:like', 'title:進撃の巨人', 'number:1,500', 'kanji:円'],
  )
  assert.equal(text.slice(tokens[3]?.from, tokens[3]?.to), '1,500')
})

test('weights are found by their feature, and an unknown feature adds nothing', () => {
  const found = weights(
    table([
      [5, 1, 4],
      [70_000, 0, -2],
      [4_294_967_295, 2, 6],
    ]),
  )
  const scores = new Float64Array(3)
  for (const feature of [5, 70_000, 4_294_967_295, 0, 6, 4_000_000_000]) found.add(feature, scores)
  assert.deepEqual([...scores], [-1, 2, 3])
})

test('a model survives writing and reading, also from the middle of a buffer', () => {
  const hello = received('hello there')
  const [feature] = messageFeatures(hello.tokens, hello)
  const [common] = taggerFeatures(hello.tokens, { ...hello, act: 'thanks' })[0]!
  const tagger = table([[common!, OUTSIDE, 100]])
  const bytes = encodeModel({ classifier: table([[feature!, 20, 100]]), tagger, hidden, spanRoles: NO_WEIGHTS })
  const shifted = new Uint8Array(bytes.length + 1)
  shifted.set(bytes, 1)
  for (const given of [bytes, shifted.subarray(1)]) {
    const judged = understandingModel(given, NO_VECTORS).judge(hello)
    assert.equal(judged.act, 'thanks')
    assert.deepEqual(judged.spans, [])
  }
})

test('weights of another version and cut-off weights are refused', () => {
  const bytes = encodeModel({ classifier: NO_WEIGHTS, tagger: NO_WEIGHTS, hidden, spanRoles: NO_WEIGHTS })
  const other = bytes.slice()
  other[4] = 99
  assert.throws(() => understandingModel(other, NO_VECTORS), /another version/u)
  assert.throws(() => understandingModel(new Uint8Array(3), NO_VECTORS), /another version/u)
  const full = encodeModel({ classifier: table([[1, 1, 1]]), tagger: NO_WEIGHTS, hidden, spanRoles: NO_WEIGHTS })
  assert.throws(() => understandingModel(full.slice(0, full.length - 8), NO_VECTORS), RangeError)
})

test('a span never begins in its middle', () => {
  const tokens = tokensOf('no gore', [])
  const features = taggerFeatures(tokens, { previous: 'none', act: 'tell' })
  // The second token votes for the inside of a span that never began; only its begin may stand there.
  const inside = weights(table([[features[1]![1]!, insideOf('avoid'), 100]]))
  const tags = tagged(features, inside)
  assert.notDeepEqual([...tags], [OUTSIDE, insideOf('avoid')])
  assert.deepEqual(
    spansOf(tokens, Uint8Array.of(OUTSIDE, beginOf('avoid'))).map(({ role, from, to }) => [role, from, to]),
    [['avoid', 3, 7]],
  )
})

test('the hidden layer judges a word by its meaning, and needs the vectors that it was trained with', () => {
  const vectors = readWordVectors(writeWordVectors(2, [{ word: 'postage', weight: 1, vector: [1, 0] }]))
  const inner = Float32Array.of(5, 0, 0, 0, 0)
  const outer = new Float32Array(CLASSES_COUNT)
  outer[ACTS.indexOf('faq')] = 9
  const layer = { inputs: 5, units: 1, classes: CLASSES_COUNT, inner, outer }
  const bytes = encodeModel({ classifier: NO_WEIGHTS, tagger: NO_WEIGHTS, spanRoles: NO_WEIGHTS, hidden: layer })
  const model = understandingModel(bytes, vectors)
  assert.equal(model.judge(received('postage?')).act, 'faq')
  assert.ok(model.judge(received('postage?')).sureness > model.judge(received('romance?')).sureness)
  assert.throws(() => understandingModel(bytes, readWordVectors(writeWordVectors(3, []))), /other word vectors/u)
})

const data = join(import.meta.dirname, '../../../../../data')
const trained = understandingModel(
  readFileSync(join(data, 'understanding/weights.bin')),
  readWordVectors(readFileSync(join(data, 'vectors/words.bin'))),
)

test('a dislike is never read as a wish', () => {
  for (const message of [
    '怖いのはだめ',
    'グロいのは苦手です',
    'nothing scary please',
    'I hate school stuff',

    'ホラーは無理',
  ]) {
    const { spans } = trained.judge(received(message, 'asked'))
    assert.ok(!spans.some(({ role }) => role === 'want'), message)
    assert.ok(
      spans.some(({ role }) => role === 'avoid'),
      message,
    )
  }
})

test('acts that must not be missed are recognised', () => {
  for (const [message, act] of [
    ['can I speak to a manager', 'person'],
    ['人間と話させて', 'person'],
    ['お前AI？', 'identity'],
    ['are you a bot', 'identity'],
    ['add it to my cart', 'buy'],
    ['もう2週間待ってる。ふざけるな', 'complaint'],
    ['ありがとう', 'thanks'],
    ['answer in english pls', 'language'],
  ] as const)
    assert.equal(trained.judge(received(message, 'one')).act, act, message)
})
