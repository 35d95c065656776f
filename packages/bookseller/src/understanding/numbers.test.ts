// Numbers in digits, kanji and English words, with the units of money, age and years.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ageIn, numberIn, numbersIn, yearsIn, yenIn } from './numbers.ts'

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
    ['1万5000円', 15_000],
    ['1.5万', 15_000],
    ['2千5百円', 2500],
    ['一万五千円', 15_000],
    ['二〇一〇', 2010],
    ['百円', 100],
    ['千円', 1000],
    ['15 thousand', 15_000],
    ['two thousand five hundred yen', 2500],
    ['fifteen hundred', 1500],
    ['two hundred and fifty', 250],
    ['a hundred thousand', 100_000],
    ['five grand', 5000],
    ['under 2k yen', 2000],
    ['half a dozen', 6],
    ['two dozen', 24],
    ['nineteen', 19],
    ['eighty-one', 81],
  ] as const)
    assert.equal(numberIn(text), value, text)
  for (const text of ['', '巻', 'a few', 'いくつか']) assert.equal(numberIn(text), undefined, text)
})

test('several numbers stay apart', () => {
  assert.deepEqual(numbersIn('2、3巻'), [2, 3])
  assert.deepEqual(numbersIn('3000円から5000円'), [3000, 5000])
  assert.deepEqual(numbersIn('two or three volumes'), [2, 3])
  assert.deepEqual(numbersIn('10-15 volumes'), [10, 15])
  assert.deepEqual(numbersIn('third'), [])
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
    ['3rd grader', 8],
    ['grade 5', 10],
    ['sixth-grader', 11],
    ['小学四年生', 10],
    ['4年生', 10],
    ['新1年生', 7],
    ['中学に上がった', 13],
    ['高３', 18],
    ['大学生', 19],
    ['preteen', 11],
    ['in her forties', 40],
    ['三十歳', 30],
    ['12さい', 12],
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
  assert.deepEqual(yearsIn('昭和50年代'), { from: 1975, to: 1984 })
  assert.deepEqual(yearsIn('平成元年'), { from: 1989, to: 1989 })
  assert.deepEqual(yearsIn('令和'), { from: 2019, to: 2100 })
  assert.deepEqual(yearsIn('the 2000s'), { from: 2000, to: 2009 })
  assert.deepEqual(yearsIn('2015年'), { from: 2015, to: 2015 })
  assert.equal(yearsIn('最近'), undefined)
})

test('ages are read of schools in several countries, and of words', () => {
  for (const [text, age] of [
    ['小学校低学年', 7],
    ['first grader', 6],
    ['year 4', 8],
    ['year four', 8],
    ['4 year old', 4],
    ['in her teens', 16],
    ['10代', 15],
    ['in his twenties', 20],
    ['はたち', 20],
    ['年中さん', 4],
  ] as const)
    assert.equal(ageIn(text), age, text)
})
