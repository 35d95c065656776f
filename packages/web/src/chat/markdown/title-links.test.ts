// Where an answer mentions a title.
import assert from 'node:assert/strict'
import test from 'node:test'
import { firstMention } from './title-links.ts'

const title = (...names: string[]) => ({ names, href: `/series/${names[0]}`, isExternal: false })
const found = (text: string, ...titles: ReturnType<typeof title>[]) => {
  const mention = firstMention(text, titles)
  return mention === undefined ? undefined : text.slice(mention.from, mention.to)
}

test('a title is found in either language, the earliest first', () => {
  const [berserk, akira] = [title('ベルセルク', 'Berserk'), title('AKIRA', 'Akira')]
  assert.equal(found('『ベルセルク』かAKIRAを', akira, berserk), 'ベルセルク')
  assert.equal(found('Try Akira, then Berserk.', berserk, akira), 'Akira')
})

test('of two titles at one place the longer is meant', () => {
  assert.equal(found('東京喰種:re is next', title('東京喰種'), title('東京喰種:re')), '東京喰種:re')
})

test('a title inside a word is no mention, nor is a single letter', () => {
  assert.equal(found('Bananas', title('Nana')), undefined)
  assert.equal(found('Monsters', title('Monster')), undefined)
  assert.equal(found('Given? given', title('Given')), 'Given')
  assert.equal(found('X of them', title('X')), undefined)
})
