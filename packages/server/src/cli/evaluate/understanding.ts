// Measures the understanding on the utterances of the writers that were held out, and describes it as tables.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '#adapters/system/clock.ts'
import { faqIndex } from '@mangaassist/bookseller/catalogue/faq-index'
import { parseLabelled, writerOf } from '@mangaassist/bookseller/evaluation/labelled'
import { f1, measure, total } from '@mangaassist/bookseller/evaluation/measure-understanding'
import type { Measured, Score } from '@mangaassist/bookseller/evaluation/measure-understanding'
import { buildLexicon } from '@mangaassist/bookseller/understanding/read'
import { readCatalogue, readFaq, readFaqWeights, readUnderstanding, readVectors } from '#wiring/bundled-data.ts'

const CONFUSIONS_LISTED = 12

export async function measureUnderstanding(folder: string): Promise<Measured> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.tsv')).sort()
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const labelled = texts.flatMap((text, index) => {
    const file = files[index] ?? ''
    return parseLabelled(text, { writer: writerOf(file), file })
  })
  const { products } = await readCatalogue()
  const vectors = await readVectors()
  const clock = systemClock()
  return measure(labelled, {
    model: await readUnderstanding(vectors),
    lexicon: buildLexicon(
      products,
      faqIndex(await readFaq(), { vectors, faqWeights: await readFaqWeights() }),
      vectors,
    ),
    now: () => clock.now(),
  })
}

export function describeUnderstanding(measured: Measured): string {
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
  ].join('\n')
}
