// Finds order numbers in what shoppers write.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderNumberIn } from './order-number.ts'

test('the number of the newest question that names an order is found', () => {
  const cases: readonly [string, string | undefined][] = [
    ['注文番号48213がまだ届きません', '48213'],
    ['注文番号は４８２１３です', '48213'],
    ['my order #A-123 is late', 'A-123'],
    ['order_Isjr9ddGhCbo2XmWR3EXmr はどこ？', 'order_Isjr9ddGhCbo2XmWR3EXmr'],
    ['Where is order number: 9981?', '9981'],
    ['I want to order the series', undefined],
    ['注文したい', undefined],
    ['全23巻ですか', undefined],
  ]
  for (const [question, number] of cases) assert.equal(orderNumberIn([question]), number, question)
  assert.equal(orderNumberIn(['order 1234', 'order 5678', 'まだですか']), '5678')
})
