// What the search of the support page finds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faqMatches } from './faq-matches.ts'

const entry = (id: string, question: string, answer: string) => ({ id, topic: 't', topicLabel: 'T', question, answer })
const items = [
  entry('fee', '送料はいくらですか', '国内は500円です。'),
  entry('late', '荷物がまだ届きません', '窓口へご連絡ください。'),
  entry('back', 'Can I return a book?', 'Within 14 days.'),
]
const ids = (q: string) => faqMatches(items, q).map(({ id }) => id)

test('every word has to be there, in any width and case', () => {
  assert.deepEqual(ids('送料'), ['fee'])
  assert.deepEqual(ids('ＲＥＴＵＲＮ 14'), ['back'])
})

test('a sentence in other words finds what shares its terms, and nonsense finds nothing', () => {
  assert.deepEqual(ids('荷物が届かないのですが'), ['late'])
  assert.deepEqual(ids('how do i return books'), ['back'])
  assert.deepEqual(ids('zzzz'), [])
})
