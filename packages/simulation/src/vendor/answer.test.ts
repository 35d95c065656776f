// The default answer of the simulated model, and its token count.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainAnswer, scripted } from './answer.ts'
import { countTokens, tokensOf } from './tokens.ts'

const asking = (content: string) => ({ model: 'm', system: '', messages: [{ role: 'user', content }] })

test('the default answer is in the language of the question and quotes it', () => {
  assert.match(
    plainAnswer(asking('在庫はありますか？'), () => 0),
    /「在庫はありますか？」についてですね。/,
  )
  assert.match(
    plainAnswer(asking('Is it in stock?'), () => 0.99),
    /^Happy to help\. You asked about “Is it in stock\?”\./,
  )
})

test('a long prompt is quoted by the start of its last line', () => {
  const answer = plainAnswer(asking(`<data>\nmany products\n</data>\n${'very '.repeat(40)}`), () => 0)
  assert.match(answer, /“(very ){12}…”/)
})

test('the tokens of any text join to the same text', () => {
  for (const text of ['', 'a  b\n\n', '『葬送』 is 550円 🎉 extraordinarily'])
    assert.equal(tokensOf(text).join(''), text)
  assert.equal(countTokens('one two three'), 3)
  assert.equal(countTokens('在庫あり'), 4)
})

test('the first scripted answer whose words and model fit a prompt is given, and others as before', () => {
  const answer = scripted(
    [
      { when: 'stock', model: 'other*', text: 'for another model' },
      { when: 'You judge[^]*stock', text: 'judged' },
      { when: 'stock', text: 'In stock.' },
    ],
    () => 'not scripted',
  )
  const prompt = { ...asking('Is it in stock?'), system: 'You judge.' }
  const given = [prompt, { ...prompt, model: 'other-1' }, asking('in stock?'), asking('hello')].map((one) =>
    answer(one, () => 0),
  )
  assert.deepEqual(given, ['judged', 'for another model', 'In stock.', 'not scripted'])
})
