// Measures the understanding and the judgement of complexity on the writers that were held out, and describes them as tables.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '#adapters/system/clock.ts'
import { faqIndex } from '@mangaassist/bookseller/catalogue/faq-index'
import { parseLabelled, writerOf } from '@mangaassist/bookseller/evaluation/labelled'
import { f1, measure, total } from '@mangaassist/bookseller/evaluation/measure-understanding'
import type { Measured, Score } from '@mangaassist/bookseller/evaluation/measure-understanding'
import { buildLexicon } from '@mangaassist/bookseller/understanding/read'
import { describeComplexity, measureHeldOutComplexity } from './complexity.ts'
import type { HeldOutComplexity } from './complexity.ts'
import { readCatalogue, readFaq, readFaqWeights, readUnderstanding, readVectors } from '#wiring/bundled-data.ts'

const CONFUSIONS_LISTED = 12

export type MeasuredUnderstanding = Measured & { readonly complexity: HeldOutComplexity }

/** `evaluation` has the folders `utterances` and `complexity`. */
export async function measureUnderstanding(evaluation: string): Promise<MeasuredUnderstanding> {
  const folder = join(evaluation, 'utterances')
  const files = (await readdir(folder)).filter((file) => file.endsWith('.tsv')).sort()
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const labelled = texts.flatMap((text, index) => {
    const file = files[index] ?? ''
    return parseLabelled(text, { writer: writerOf(file), file })
  })
  const { products } = await readCatalogue()
  const vectors = await readVectors()
  const clock = systemClock()
  const faq = faqIndex(await readFaq(), { vectors, faqWeights: await readFaqWeights() })
  const parts = {
    model: await readUnderstanding(vectors),
    lexicon: buildLexicon(products, faq, vectors),
    now: () => clock.now(),
  }
  const complexity = await measureHeldOutComplexity(join(evaluation, 'complexity'), parts)
  return { ...measure(labelled, parts), complexity }
}

export function describeUnderstanding(measured: MeasuredUnderstanding): string {
  const { utterances, actAccuracy, confusions, microsecondsEach } = measured
  const table = (name: string, scores: readonly Score[]) => [
    `  ${name}: F1 ${f1(total(scores)).toFixed(3)}`,
    ...scores
      .filter(({ labelled }) => labelled > 0)
      .map(
        (score) =>
          `    ${score.name.padEnd(12)}${String(score.labelled).padStart(5)}${f1(score).toFixed(2).padStart(7)}`,
      ),
  ]
  return [
    `understanding: ${utterances} utterances of writers that were held out, ${microsecondsEach.toFixed(0)} µs each`,
    `  acts: accuracy ${actAccuracy.toFixed(3)}`,
    ...table('acts', measured.acts),
    ...table('flags', measured.flags),
    ...table('roles (same words)', measured.roles),
    `  roles (overlapping words): F1 ${f1(total(measured.rolesNear)).toFixed(3)}`,
    '  most frequent confusions (labelled → judged)',
    ...confusions
      .slice(0, CONFUSIONS_LISTED)
      .map(({ labelled, judged, count }) => `    ${`${labelled} → ${judged}`.padEnd(28)}${String(count).padStart(4)}`),
    '',
    describeComplexity(measured.complexity),
  ].join('\n')
}
