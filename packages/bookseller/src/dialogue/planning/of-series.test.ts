// Facts of series in words: all that was asked, without the title in every sentence, and yes or no first.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleProduct, sampleShelves } from '../../../test/fixtures/samples.ts'
import { UNGROUNDED } from '../../grounding.ts'
import { compose } from '../compose.ts'
import type { Intent } from '../intent.ts'

const LANGUAGES = ['ja', 'en'] as const
const known = sampleProduct({ lastYear: 2020, age: 12, content: ['gore'] })

function said(intent: Intent, products = [known]) {
  return LANGUAGES.map((language) => compose({ ...UNGROUNDED, intent, products }, language).text)
}
const inform = (over: Partial<Extract<Intent, { kind: 'inform' }>>): Intent => ({
  kind: 'inform',
  ids: [],
  facts: [],
  ...over,
})

test('several facts of a series name it once', () => {
  for (const text of said(inform({ facts: ['author', 'year', 'status', 'stock'] }))) {
    assert.equal(text.split('/series/').length - 1, 1, text)
    assert.match(text, /吾峠呼世晴|Gotouge/)
    assert.match(text, /2016/)
    assert.match(text, /完結|finished|complete/)
    assert.match(text, /在庫|in stock/)
  }
})

test('a question that yes or no answers begins so', () => {
  const [ja = '', en = ''] = said(inform({ facts: ['status'], supposed: ['finished'] }))
  assert.match(ja, /^はい、/)
  assert.match(en, /^Yes, \[/)
  const [no = '', not = ''] = said(inform({ facts: ['status'], supposed: ['finished'] }), [
    { ...known, status: 'running' },
  ])
  assert.match(no, /^いいえ、/)
  assert.match(not, /^No, /)
  const [gone = ''] = said(inform({ facts: ['stock'], supposed: ['in-stock'] }), [{ ...known, stock: 0 }])
  assert.match(gone, /^いいえ、(?!申し訳)/)
  const [early = ''] = said(inform({ facts: ['age'], supposed: ['suitable'], age: 9 }))
  assert.match(early, /^いいえ、.*12歳/)
})

test('what several series have in common is said once, also after their sum', () => {
  const products = [...sampleShelves()]
  const [ja = '', en = ''] = said(inform({ facts: ['stock'], supposed: ['in-stock'] }), products)
  assert.match(ja, /^はい、.*どれも在庫がございます。$/)
  assert.match(en, /^Yes, .* are all in stock\.$/)
  const [sum = '', total = ''] = said({ kind: 'sum', ids: [], facts: ['stock'], supposed: ['in-stock'] }, products)
  assert.match(sum, /円.*どれも在庫がございます。$/)
  assert.match(total, /¥.*they are all in stock\.$/i)
})
