// Decisions of the seam on the corpus of `data/evaluation/seams`: accepted and refused against the labels, by language,
// by the joined text and by the position of the cut; and the time per decision.
import { createSeam } from '../packages/server/src/domain/continuation/create-seam.ts'
import { readSeamCases } from '../packages/server/test/fixtures/shop/seams.ts'
import type { SeamCase } from '../packages/server/test/fixtures/shop/seams.ts'

const cases = readSeamCases()

function isAccepted(seamCase: SeamCase): boolean {
  const seam = createSeam(seamCase)
  seam.push(seamCase.said)
  return seam.finish().kind === 'ok'
}

const from = performance.now()
const outcomes = cases.map((seamCase) => ({ ...seamCase, accepted: isAccepted(seamCase) }))
const tookMs = performance.now() - from

function row(...cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}

/** A row for each kind of joined text, a column for each decision. */
function table(title: string, keyOf: (one: SeamCase) => string): void {
  console.log(`\n${title}\n`)
  row('set', 'language', 'joined', 'label', 'cases', 'accepted', 'refused', 'wrong')
  row(...Array.from({ length: 8 }, () => '---'))
  const groups = Map.groupBy(outcomes, (one) => [one.set, one.language, keyOf(one), labelOf(one)].join('\t'))
  for (const [key, those] of groups) {
    const accepted = those.filter((one) => one.accepted).length
    const refused = those.length - accepted
    const wrong = labelOf(those[0]!) === 'another answer' ? accepted : refused
    row(...key.split('\t'), those.length, accepted, refused, `${((wrong / those.length) * 100).toFixed(1)} %`)
  }
}

const labelOf = ({ join }: SeamCase): string => (join === 'other answer' ? 'another answer' : 'continues')

table('By what is joined', ({ join }) => join)
table('By where the answer was cut, restarts left out', ({ cut, join }) => (join === 'restart' ? 'restart' : cut))
console.log(`\n${((tookMs * 1000) / cases.length).toFixed(0)} µs a decision`)
