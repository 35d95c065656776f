// Limits that a number states by its own words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitsOf } from './limits.ts'
import { statedLimits, withStatedLimits } from './stated-limits.ts'

const limits = (text: string) => limitsOf(statedLimits(text, []))

test('volumes are limited by a word of comparison before or after the number', () => {
  assert.deepEqual(limits('今出てるのが20巻までのをいくつか'), { volumesMax: 20 })
  assert.deepEqual(limits('10かんまでのはありますか'), { volumesMax: 10 })
  assert.deepEqual(limits('三十巻以内だとどれ'), { volumesMax: 30 })
  assert.deepEqual(limits('Three volumes at the very most.'), { volumesMax: 3 })
  assert.deepEqual(limits('max 15 vols please'), { volumesMax: 15 })
  assert.deepEqual(limits('fewer than 12 books'), { volumesMax: 11 })
  assert.deepEqual(limits('at least twenty volumes'), { volumesMin: 20 })
})

test('money is limited in all, or for a volume where it says so', () => {
  assert.deepEqual(limits('1万5千円以内で'), { totalYenMax: 15_000 })
  assert.deepEqual(limits('予算は5000円です'), { totalYenMax: 5000 })
  assert.deepEqual(limits('Twenty thousand yen at the very most.'), { totalYenMax: 20_000 })
  assert.deepEqual(limits('Anything under ¥8,000 for the whole set?'), { totalYenMax: 8000 })
  assert.deepEqual(limits('1冊600円以内'), { volumeYenMax: 600 })
})

test('a number without a comparison, or that has a role already, is no limit', () => {
  assert.deepEqual(limits('3巻を持っています'), {})
  assert.deepEqual(limits('It cost 600 yen.'), {})
  assert.deepEqual(limits('14歳に戻っちゃう話'), {})
  assert.deepEqual(statedLimits('10巻まで', [{ from: 0, to: 3 }]), [])
})

test('a limit is stated by what is refused, and in amounts without a unit', () => {
  assert.deepEqual(limits('20巻以上は嫌です'), { volumesMax: 19 })
  assert.deepEqual(limits('15巻超えは無理'), { volumesMax: 15 })
  assert.deepEqual(limits('nothing over 10 volumes'), { volumesMax: 10 })
  assert.deepEqual(limits('8巻が限度'), { volumesMax: 8 })
  for (const text of [
    '五千円いかないくらいで',
    'under 5k',
    '予算は5千',
    '5000円が上限',
    '5千ぽっきりで',
    'keep it under five grand',
  ])
    assert.deepEqual(limits(text), { totalYenMax: 5000 }, text)
})

test('the words of a limit beat a mark of the opposite', () => {
  const text = 'and 30 volumes is the limit'
  const marked = [{ role: 'vols>', text: '30 volumes', from: 4, to: 14 }] as const
  assert.deepEqual(
    withStatedLimits(text, marked).map(({ role }) => role),
    ['vols<'],
  )
})

test('"short" of a kind of series is a length; in a comparison, or of a person, it is not', () => {
  const lengths = (text: string) => limitsOf(withStatedLimits(text, []))
  for (const text of ['短くて泣ける漫画を3つ', '短い作品を教えて', 'short heartwarming manga', 'a short, sad series'])
    assert.deepEqual(lengths(text), { volumesMax: 10 }, text)
  for (const text of ['もっと短い漫画は？', '短いのは？', 'shorter manga', 'the one with the short boy'])
    assert.deepEqual(lengths(text), {}, text)
  const marked = [{ role: 'cmp', text: '短く', from: 0, to: 2 }] as const
  assert.deepEqual(
    withStatedLimits('短くて泣ける漫画', marked).map(({ role }) => role),
    ['vols<'],
  )
})
