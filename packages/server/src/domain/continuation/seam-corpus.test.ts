// The seam on the corpus of `data/evaluation/seams`: a second answer is never joined to a first, neither in the tuning set nor in
// the sets that were written afterwards; and the share of true continuations that this refuses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSeamCases } from '#fixtures/shop/seams.ts'
import type { SeamCase } from '#fixtures/shop/seams.ts'
import { createSeam } from './create-seam.ts'

const cases = readSeamCases()

function passedOn(seamCase: SeamCase): string | undefined {
  const seam = createSeam(seamCase)
  const passed = seam.push(seamCase.said)
  const end = seam.finish()
  return end.kind === 'ok' ? passed + end.text : undefined
}

/** Whether a continuation lacks the repetition of the last words that the model was asked for. */
const isUnproven = ({ join }: SeamCase) => ['the rest', 'words repeated', 'written'].includes(join)

for (const set of ['tuning', 'held-out'] as const) {
  const those = cases.filter((seamCase) => seamCase.set === set)

  test(`${set}: another answer to the same question is never joined to the shown text`, () => {
    const others = those.filter(({ join }) => join === 'other answer')
    assert.ok(others.length >= 300)
    const joined = others.filter((other) => passedOn(other) !== undefined)
    assert.deepEqual(
      joined.map(({ id, shown, said }) => [id, shown, said]),
      [],
    )
  })

  test(`${set}: a repetition from the beginning, or of the requested words, is always skipped exactly`, () => {
    const again = those.filter(({ join }) => join === 'restart' || join === 'as asked')
    assert.ok(again.length >= 200)
    for (const one of again) assert.equal(passedOn(one), one.rest, one.shown)
  })

  // In doubt a continuation is refused; this share of refused continuations may only fall.
  test(`${set}: most continuations without a repetition as proof are joined`, () => {
    for (const [language, refusedShareMax] of [
      ['en', 0.22],
      ['ja', 0.4],
    ] as const) {
      const ones = those.filter((seamCase) => seamCase.language === language && isUnproven(seamCase))
      const refused = ones.filter((one) => passedOn(one) === undefined).length
      assert.ok(refused / ones.length <= refusedShareMax, `${language}: ${refused} of ${ones.length}`)
    }
  })
}

test('blind: fewer than one in 300 other answers is joined, and repetitions are skipped exactly', () => {
  const blind = cases.filter(({ set }) => set === 'blind')
  const others = blind.filter(({ join }) => join === 'other answer')
  assert.ok(others.length >= 1800)
  const joined = others.filter((other) => passedOn(other) !== undefined)
  assert.ok(joined.length * 300 < others.length, String(joined.length))
  for (const one of blind.filter(({ join }) => join === 'restart' || join === 'as asked'))
    assert.equal(passedOn(one), one.rest, one.shown)
})

test('the corpus is large enough in both languages', () => {
  assert.ok(cases.filter(({ join }) => join === 'other answer').length >= 3000)
  assert.ok(cases.filter(isUnproven).length >= 1500)
  for (const language of ['ja', 'en'])
    assert.ok(new Set(cases.filter((one) => one.language === language).map(({ id }) => id)).size >= 20)
})

test('a joined continuation without a repetition is passed on exactly', () => {
  for (const one of cases.filter(({ join }) => join === 'the rest')) {
    const passed = passedOn(one)
    assert.ok(passed === undefined || passed === one.rest, one.shown)
  }
})
