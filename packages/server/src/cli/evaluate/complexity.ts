// Measures the judgement of complexity on the messages of writers that were held out, and describes it as a table.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { measureComplexity } from '@mangaassist/bookseller/evaluation/measure-complexity'
import type { ComplexityParts, MeasuredComplexity } from '@mangaassist/bookseller/evaluation/measure-complexity'
import { parseWeighed } from '@mangaassist/bookseller/evaluation/weighed-lines'
import { COMPLEXITIES } from '@mangaassist/bookseller/understanding/complexity'
import { readComplexity } from '#wiring/bundled-data.ts'

/**
 * Held-out messages of conversations, used for neither training nor tuning; and held-out utterances, which helped to
 * choose the certainty that a judgement needs.
 */
export interface HeldOutComplexity {
  readonly conversations: MeasuredComplexity
  readonly utterances: MeasuredComplexity
}

export async function measureHeldOutComplexity(
  folder: string,
  parts: Omit<ComplexityParts, 'complexity'>,
): Promise<HeldOutComplexity> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.tsv')).sort()
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const lines = texts.flatMap((text, index) => parseWeighed(text, files[index] ?? ''))
  const complexity = await readComplexity()
  const [conversations = [], utterances = []] = [/^h-/u, /^w/u].map((name) =>
    lines.filter(({ writer }) => name.test(writer)),
  )
  return {
    conversations: measureComplexity(conversations, { ...parts, complexity }),
    utterances: measureComplexity(utterances, { ...parts, complexity }),
  }
}

export function describeComplexity({ conversations, utterances }: HeldOutComplexity): string {
  return [
    described('messages of conversations that were held out', conversations),
    described('utterances of writers that were held out, by which the limit was chosen', utterances),
  ].join('\n')
}

function described(name: string, measured: MeasuredComplexity): string {
  const { messages, accuracy, table, missed, complexShare, microsecondsEach } = measured
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  const row = (name: string, cells: readonly (string | number)[]) =>
    `    ${name.padEnd(20)}${cells.map((cell) => String(cell).padStart(10)).join('')}`
  return [
    `complexity: ${messages} ${name}, ${microsecondsEach.toFixed(0)} µs each`,
    `  accuracy of the likeliest level ${accuracy.toFixed(3)}`,
    `  complex messages that are judged to be less ${percent(missed)}; of all messages, judged complex ${percent(complexShare)}`,
    row('labelled ↓ judged →', COMPLEXITIES),
    ...table.map((cells, index) => row(COMPLEXITIES[index] ?? '', cells)),
  ].join('\n')
}
