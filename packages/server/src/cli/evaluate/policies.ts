// Measures which entries of the FAQ are recognised in phrasings that nothing was trained on, and describes it as a table.
import { readFile } from 'node:fs/promises'
import { faqIndex } from '@mangaassist/bookseller/catalogue/faq-index'
import { measureFaq } from '@mangaassist/bookseller/evaluation/measure-faq'
import type { MeasuredFaq } from '@mangaassist/bookseller/evaluation/measure-faq'
import { phrasingsIn } from '@mangaassist/bookseller/evaluation/phrasings'
import { readFaq, readFaqWeights, readVectors } from '#wiring/bundled-data.ts'

const CONFUSIONS_LISTED = 12

export async function measurePolicies(path: string): Promise<MeasuredFaq> {
  const phrasings = phrasingsIn(await readFile(path, 'utf8'))
  return measureFaq(
    phrasings,
    faqIndex(await readFaq(), { vectors: await readVectors(), faqWeights: await readFaqWeights() }),
  )
}

export function describePolicies({ languages, confusions }: MeasuredFaq): string {
  const share = (part: number, all: number) => (part / (all || 1)).toFixed(3)
  return [
    'policies: phrasings that nothing was trained on',
    ...Object.entries(languages).map(
      ([language, { asked, recognised, right }]) =>
        `  ${language}${String(asked).padStart(5)}  recall ${share(right, asked)}  precision ${share(right, recognised)}`,
    ),
    '  most frequent confusions (asked → recognised)',
    ...confusions
      .slice(0, CONFUSIONS_LISTED)
      .map(
        ({ id, recognised, count }) =>
          `    ${`${id} → ${recognised ?? 'none'}`.padEnd(44)}${String(count).padStart(3)}`,
      ),
  ].join('\n')
}
