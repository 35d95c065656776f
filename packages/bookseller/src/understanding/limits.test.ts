// The limits that the roles of words state.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contradicts, limitsOf } from './limits.ts'
import type { Role } from './reading.ts'

const limits = (...spans: readonly (readonly [Role, string])[]) =>
  limitsOf(spans.map(([role, text]) => ({ role, text, from: 0, to: text.length })))

test('money is limited in all or for a volume', () => {
  assert.deepEqual(limits(['total<', '5000円']), { totalYenMax: 5000 })
  assert.deepEqual(limits(['each<', '600円'], ['total<', '1万円']), { volumeYenMax: 600, totalYenMax: 10_000 })
  assert.deepEqual(limits(['each<', '安い']), { volumeYenMax: 560 })
  assert.deepEqual(limits(['total<', '$30']), {})
})

test('fewer than ten excludes ten, up to ten includes it', () => {
  assert.deepEqual(limits(['vols<', '10巻以内']), { volumesMax: 10 })
  assert.deepEqual(limits(['vols<', 'fewer than 15 volumes']), { volumesMax: 14 })
  assert.deepEqual(limits(['vols<', '短い']), { volumesMax: 10 })
  for (const text of ['0', '900巻']) assert.deepEqual(limits(['vols<', text], ['vols>', text]), {})
  assert.deepEqual(limits(['vols=', 'one-shot']), { volumesMax: 1, volumesMin: 1 })
})

test('the larger of two amounts is the limit, and two digits begin at ten', () => {
  assert.deepEqual(limits(['total<', '3000円から5000円']), { totalYenMax: 5000 })
  assert.deepEqual(limits(['vols<', '2、3巻']), { volumesMax: 3 })
  assert.deepEqual(limits(['vols<', 'four or five books']), { volumesMax: 5 })
  assert.deepEqual(limits(['vols<', '二桁巻']), { volumesMax: 9 })
  assert.deepEqual(limits(['vols>', 'double digits']), { volumesMin: 10 })
  assert.deepEqual(limits(['vols<', '一桁']), { volumesMax: 9 })
})

test('an exact age beats the age that a word suggests', () => {
  assert.deepEqual(limits(['age', '11歳'], ['for', '小学生']), { age: 11 })
  assert.deepEqual(limits(['for', '中学生の娘']), { age: 13 })
  assert.deepEqual(limits(['for', '大人']), {})
  assert.deepEqual(limits(['demo', '少女漫画']), { demographic: 'shoujo' })
})

test('a decade has both ends, another year one', () => {
  assert.deepEqual(limits(['year<', '90年代']), { yearFrom: 1990, yearTo: 1999 })
  assert.deepEqual(limits(['year>', '2015年']), { yearFrom: 2015 })
  assert.deepEqual(limits(['year>', '最近']), { yearFrom: 2018 })
})

test('a dislike that is the opposite of a limit is that limit, and a number beats it', () => {
  for (const text of ['古い', '古すぎん', 'too old', 'old ones'])
    assert.deepEqual(limits(['avoid', text]), { yearFrom: 1996 }, text)
  for (const text of ['長い', '長すぎる', 'too long'])
    assert.deepEqual(limits(['avoid', text]), { volumesMax: 19 }, text)
  for (const text of ['未完', 'unfinished', '連載中'])
    assert.deepEqual(limits(['avoid', text]), { status: 'completed' }, text)
  assert.deepEqual(limits(['year>', '1990年以降'], ['avoid', '古い']), { yearFrom: 1990 })
  for (const text of ['18禁', 'R18', 'adults only']) assert.deepEqual(limits(['avoid', text]), { age: 17 }, text)
  for (const text of ['絵が古い', 'long hair', '恋愛']) assert.deepEqual(limits(['avoid', text]), {}, text)
})

test('one volume, decades, eras and spans of years are read in either language', () => {
  for (const text of ['single volume', 'one-shot', '1巻完結', '一冊', '読み切り'])
    assert.deepEqual(limits(['vols=', text]), { volumesMax: 1, volumesMin: 1 }, text)
  for (const text of ['10巻いかない', '二桁いかない'])
    assert.deepEqual(limits(['vols<', text]), { volumesMax: 9 }, text)
  for (const text of ['90年以降', 'since the nineties', "from the '90s on", '90年代以降'])
    assert.deepEqual(limits(['year>', text]), { yearFrom: 1990 }, text)
  assert.deepEqual(limits(['year>', '80s manga']), { yearFrom: 1980, yearTo: 1989 })
  assert.deepEqual(limits(['year>', '平成']), { yearFrom: 1989, yearTo: 2019 })
  assert.deepEqual(limits(['year>', 'this decade']), { yearFrom: 2020, yearTo: 2029 })
  assert.deepEqual(limits(['year>', 'ここ10年']), limits(['year>', 'the last ten years']))
  assert.deepEqual(limits(['year<', 'before the nineties']), { yearTo: 1989 })
  assert.deepEqual(limits(['year<', '80年代以前']), { yearTo: 1989 })
})

test('what several readers want must suit the youngest', () => {
  assert.deepEqual(limits(['age', '7'], ['age', '11']), { age: 7 })
  assert.deepEqual(limits(['age', '10歳と7歳']), { age: 7 })
})

test('a measure that contradicts a limit is not meant', () => {
  assert.ok(contradicts('longer', { volumesMax: 15 }))
  assert.ok(contradicts('older', { yearFrom: 1990 }))
  assert.ok(!contradicts('shorter', { volumesMax: 15 }))
  assert.ok(!contradicts('longer', {}))
})
