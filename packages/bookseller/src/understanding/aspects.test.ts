// The keys that words of wishes and dislikes mean.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aspectOf, demographicIn } from './aspects.ts'

test('words mean genres, moods and content, in both languages and in every form', () => {
  assert.deepEqual(aspectOf('怖い').genres, ['horror'])
  assert.ok(aspectOf('怖く').content.includes('frightening'))
  assert.ok(aspectOf('グロい').content.includes('gore'))
  assert.ok(aspectOf('gory stuff').content.includes('gore'))
  assert.deepEqual(aspectOf('泣ける').moods, ['sad'])
  assert.deepEqual(aspectOf('school stuff').genres, ['school'])
})

test('a word inside another means nothing', () => {
  assert.deepEqual(aspectOf('award winning').content, [])
  assert.deepEqual(aspectOf('rewarding').genres, [])
})

test('words without a key stay words', () => {
  assert.deepEqual(aspectOf('落語'), { text: '落語', genres: [], moods: [], content: [] })
})

test('a readership is recognised', () => {
  assert.equal(demographicIn('少女漫画'), 'shoujo')
  assert.equal(demographicIn('seinen'), 'seinen')
  assert.equal(demographicIn('manga'), undefined)
})
