// The release calendar, and the questions about a release.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byDate, releasesOf } from './release-calendar.ts'
import { releaseQuestions } from './release-questions.ts'

const product = {
  id: 'one-piece',
  title: { ja: 'ワンピース', en: 'One Piece', romaji: 'Wan Piisu' },
  releases: [
    { volume: 116, date: '2027-03-03' },
    { volume: 115, date: '2026-12-02' },
    { volume: 115, date: '2026-12-02' },
  ],
}

test('the releases of a span include its first and its last day, by date, and each once', () => {
  const of = (from: string, to: string) => releasesOf(product, { from, to }).map(({ volume }) => volume)
  assert.deepEqual(of('2026-12-02', '2027-03-03'), [115, 116])
  assert.deepEqual(of('2026-12-02', '2026-12-02'), [115])
  assert.deepEqual(of('2026-12-03', '2027-03-02'), [])
  assert.deepEqual(releasesOf({ id: 'akira' }, { from: '2000-01-01', to: '2100-01-01' }), [])
})

test('releases are ordered by date, product and volume', () => {
  const sorted = [
    { date: '2027-01-06', productId: 'a', volume: 1 },
    { date: '2026-12-30', productId: 'b', volume: 9 },
    { date: '2026-12-30', productId: 'a', volume: 10 },
    { date: '2026-12-30', productId: 'a', volume: 2 },
  ].toSorted(byDate)
  assert.deepEqual(
    sorted.map(({ date, productId, volume }) => `${date} ${productId} ${volume}`),
    ['2026-12-30 a 2', '2026-12-30 a 10', '2026-12-30 b 9', '2027-01-06 a 1'],
  )
})

test('the first questions about several releases are about the volumes of all of them, in both languages', () => {
  const berserk = { title: { ja: 'ベルセルク', en: 'Berserk', romaji: 'Beruseruku' } }
  const questions = releaseQuestions([
    { product, release: { volume: 115 } },
    { product: berserk, release: { volume: 44 } },
  ])
  assert.deepEqual(
    questions.slice(0, 4).map(({ language, message }) => [language, message]),
    [
      ['ja', 'ワンピース 115巻はありますか？'],
      ['en', 'Is volume 115 of One Piece in stock?'],
      ['ja', 'ベルセルク 44巻はありますか？'],
      ['en', 'Is volume 44 of Berserk in stock?'],
    ],
  )
  const all = questions.flatMap(({ message, wordings }) => [message, ...wordings])
  assert.equal(new Set(all).size, all.length)
  assert.deepEqual(
    all.filter((message) => !/(?:ワンピース|One Piece|ベルセルク|Berserk)/.test(message) || /\b[TV]\b/.test(message)),
    [],
  )
  assert.deepEqual(releaseQuestions([]), [])
})
