// The reason for a suggestion states only what the data says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleProduct } from '../../test/fixtures/samples.ts'
import { NO_WISH } from './ask.ts'
import { reasonFor } from './reasons.ts'

const product = sampleProduct({ genres: ['sci-fi', 'romance', 'drama'], moods: ['quiet', 'sad', 'dark'] })

test('the wishes that a series meets come first', () => {
  const wish = { ...NO_WISH, genres: ['romance'], moods: ['sad'] }
  assert.equal(reasonFor(product, { wish, liked: [] }, 'en'), 'romance; sad, quiet')
  assert.equal(reasonFor(product, { wish, liked: [] }, 'ja'), '恋愛の、泣ける、静かな作品')
})

test('genres that it shares with a liked series are called shared', () => {
  const liked = [sampleProduct({ genres: ['drama', 'war'], moods: ['dark'] })]
  assert.equal(reasonFor(product, { wish: NO_WISH, liked }, 'en'), 'also drama; dark, quiet')
  assert.equal(reasonFor(product, { wish: NO_WISH, liked }, 'ja'), '同じくドラマの、ダークな、静かな作品')
})

test('the reason claims nothing that the series does not have', () => {
  const liked = [sampleProduct({ genres: ['cooking'], moods: ['funny'] })]
  const wish = { ...NO_WISH, genres: ['horror'], moods: ['funny'] }
  const reason = reasonFor(product, { wish, liked }, 'en')
  assert.equal(reason, 'science fiction and romance; quiet, sad')
})
