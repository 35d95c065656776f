// The reason for a suggestion answers the wish, and no kind of sentence is said again and again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleProduct } from '../../test/fixtures/samples.ts'
import { NO_CONDITIONS } from './conditions.ts'
import { alikeShape, isSayable } from './reason-shape.ts'
import { candidates, reasonFor } from './reasons.ts'

const product = sampleProduct({
  protagonist: { ja: '少年', en: 'a boy' },
  themes: { ja: ['旅'], en: ['travel'] },
  setting: { ja: '雪山', en: 'a snowy mountain' },
})
const context = { conditions: NO_CONDITIONS, liked: [], language: 'en', said: [] } as const

test('what the search found to answer the wish is the reason', () => {
  const matched = { [product.id]: { field: 'setting', language: 'en', text: 'a snowy mountain' } } as const
  assert.deepEqual(reasonFor(product, { ...context, matched }), { kind: 'setting', text: 'a snowy mountain' })
  const other = { [product.id]: { field: 'setting', language: 'ja', text: '雪山' } } as const
  assert.equal(reasonFor(product, { ...context, matched: other })?.kind, 'protagonist')
})

test('a kind of sentence that was said twice gives way to another', () => {
  const said = ['It follows a cook.', 'It follows a girl.']
  assert.equal(reasonFor(product, { ...context, said })?.kind, 'themes')
})

test('a reason that fits no frame is left out', () => {
  const shaped = (over: Parameters<typeof sampleProduct>[0], language: 'ja' | 'en') =>
    candidates(sampleProduct(over), { ...context, language }).map(({ kind }) => kind)
  const clause = { ja: '藤沼悟が、小学5年生に戻る', en: 'Satoru. He goes back' }
  assert.ok(!shaped({ protagonist: clause }, 'ja').includes('protagonist'))
  assert.ok(!shaped({ protagonist: clause }, 'en').includes('protagonist'))
  assert.ok(shaped({ protagonist: { ja: '運動経験ゼロの旭', en: 'Asahi' } }, 'ja').includes('protagonist'))
  assert.ok(
    !shaped({ setting: { ja: '同じ家に住む高校生たち', en: 'students in one house' } }, 'ja').includes('setting'),
  )
  assert.ok(
    !shaped({ setting: { ja: '同じ家に住む高校生たち', en: 'students in one house' } }, 'en').includes('setting'),
  )
  assert.ok(!shaped({ lovedBy: { ja: '努力を思い出す野球漫画', en: 'Loved by many' } }, 'ja').includes('lovedBy'))
})

test('readers are named without what follows them', () => {
  const lovedBy = { ja: '旅が好きな人に。', en: 'For anyone who travels; the root of it all.' }
  const given = (language: 'ja' | 'en') =>
    candidates(sampleProduct({ lovedBy }), { ...context, language }).find(({ kind }) => kind === 'lovedBy')?.text
  assert.equal(given('en'), 'anyone who travels')
  assert.equal(given('ja'), '旅が好きな人に')
})

test('after what a series is was said, nothing is better than a fragment', () => {
  const pitch = { ja: '雪山の旅の物語', en: 'the tale of a journey' }
  const bare = sampleProduct({ pitch, protagonist: { ja: '少年', en: 'a boy' } })
  assert.equal(reasonFor(bare, context)?.kind, 'pitch')
  assert.equal(reasonFor(bare, { ...context, said: ['It’s the tale of a journey.'] }), undefined)
})

test('what two series share is a clause, people or a thing; what only relates them is left out', () => {
  assert.equal(alikeShape('人と異種の境目で合理と情が争う'), 'clause')
  assert.equal(alikeShape('人ならぬ者に育てられた少女'), 'people')
  assert.equal(alikeShape('兄弟と、父なるものとの戦い'), 'noun')
  const isSaid = (text: string, language: 'ja' | 'en') => isSayable({ kind: 'alike', text }, language)
  assert.ok(!isSaid('派出所コメディの大先輩', 'ja') && !isSaid('同じ作者の、男たちの抗争', 'ja'))
  assert.ok(!isSaid('the other great street-racing manga', 'en') && !isSaid('same author: gangs', 'en'))
  assert.ok(isSaid('a beautiful killer and the mind on his trail', 'en'))
})
