// Numbers in digits, kanji and English words, with the units of money, age and years.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ageIn, numberIn, yearsIn, yenIn } from './numbers.ts'

test('numbers are read in every way that shoppers write them', () => {
  for (const [text, value] of [
    ['5000円', 5000],
    ['5,000円', 5000],
    ['¥3,500', 3500],
    ['５０００円', 5000],
    ['3k yen', 3000],
    ['1万円', 10_000],
    ['1万5千円', 15_000],
    ['五千円', 5000],
    ['二千五百円', 2500],
    ['一万円', 10_000],
    ['十巻', 10],
    ['二十三巻', 23],
    ['ten volumes', 10],
    ['two thousand yen', 2000],
    ['a dozen', 12],
    ['twenty five', 25],
  ] as const)
    assert.equal(numberIn(text), value, text)
  for (const text of ['', '巻', 'a few', 'いくつか']) assert.equal(numberIn(text), undefined, text)
})

test('money of other countries is not converted', () => {
  assert.equal(yenIn('5000 yen'), 5000)
  assert.equal(yenIn('ワンコイン'), 500)
  for (const text of ['$30', '30 dollars', '20€', '50ドル']) assert.equal(yenIn(text), undefined, text)
})

test('an age is read from years, school grades and stages', () => {
  for (const [text, age] of [
    ['10歳', 10],
    ['小3', 9],
    ['小学五年', 11],
    ['中2', 14],
    ['高校1年', 16],
    ['小学生', 9],
    ['my 7yo', 7],
    ['ten-year-old', 10],
    ['teenager', 16],
    ['kindergartner', 5],
    ['second grader', 7],
  ] as const)
    assert.equal(ageIn(text), age, text)
  assert.equal(ageIn('友達'), undefined)
})

test('years are read from decades, eras and single years', () => {
  assert.deepEqual(yearsIn('90年代'), { from: 1990, to: 1999 })
  assert.deepEqual(yearsIn("the '80s"), { from: 1980, to: 1989 })
  assert.deepEqual(yearsIn('the nineties'), { from: 1990, to: 1999 })
  assert.deepEqual(yearsIn('2010年代'), { from: 2010, to: 2019 })
  assert.deepEqual(yearsIn('昭和'), { from: 1926, to: 1989 })
  assert.deepEqual(yearsIn('2015年'), { from: 2015, to: 2015 })
  assert.equal(yearsIn('最近'), undefined)
})
