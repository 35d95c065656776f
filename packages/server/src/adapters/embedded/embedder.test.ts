// The embedder that is learned from the catalogue: its contract, and that related series get near vectors.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { embedderContract } from '#ports/embedder/contract.ts'
import { learnEmbedder } from './embedder.ts'

const TEXTS = [
  'genre:sports mood:thrilling 高校のバレーボール部が全国大会を目指す volleyball team',
  'genre:sports mood:hopeful 高校のバスケットボール部の物語 basketball team',
  'genre:horror mood:dark 町が渦巻きに呪われる a cursed town',
  'genre:horror mood:dark 呪いの館 a cursed house',
  'genre:adventure 海賊の冒険 pirates sail',
  'genre:adventure 海賊の冒険の続き pirates and the sea',
]

embedderContract('learned embedder', () => learnEmbedder(TEXTS))

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)

test('series that share attributes and words are near, in either language', async () => {
  const embedder = learnEmbedder(TEXTS)
  const shelves = await embedder.embed(TEXTS)
  const nearest = async (question: string) => {
    const [asked] = await embedder.embed([question])
    const scores = shelves.map((vector) => dot(asked ?? vector, vector))
    return scores.indexOf(Math.max(...scores))
  }
  assert.ok([0, 1].includes(await nearest('部活で全国を目指す話')))
  assert.ok([2, 3].includes(await nearest('something cursed')))
  assert.ok([2, 3].includes(await nearest('genre:horror')))
})

test('a text without known words is near nothing', async () => {
  const [unknown] = await learnEmbedder(TEXTS).embed(['xyzzy'])
  assert.ok(unknown?.every((value) => value === 0))
})

test('the same catalogue gives the same vectors, and an empty one gives none', async () => {
  const [one, two] = [await learnEmbedder(TEXTS).embed(TEXTS), await learnEmbedder(TEXTS).embed(TEXTS)]
  assert.deepEqual(one, two)
  const [none] = await learnEmbedder([]).embed(['海賊'])
  assert.ok(none?.every((value) => value === 0))
})
