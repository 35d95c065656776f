// Measures how well questions with known answers are found, by kind of question and by engine.
import type { Language } from '@mangaassist/protocol'

export interface RetrievalCase {
  readonly query: string
  readonly language: Language
  readonly kind: string
  /** Ids of all products that are good answers. */
  readonly relevant: readonly string[]
}

/** Returns ids, best first. */
export type Engine = (query: string, language: Language, limit: number) => Promise<readonly string[]>

export interface RetrievalMarks {
  readonly questions: number
  /** How many of the first five are right, of five or of all that are right. */
  readonly recallAt5: number
  /** The mean of 1 / place of the first right one, 0 when none of the first twenty is right. */
  readonly meanReciprocalRank: number
}

export interface RetrievalEvaluation {
  readonly overall: RetrievalMarks
  readonly byKind: Readonly<Record<string, RetrievalMarks>>
  /** The questions without full recall, the worst first. */
  readonly missed: readonly { readonly query: string; readonly kind: string; readonly recall: number }[]
}

const TOP = 5
const READ = 20

export async function evaluateRetrieval(engine: Engine, cases: readonly RetrievalCase[]): Promise<RetrievalEvaluation> {
  const marked: {
    readonly query: string
    readonly kind: string
    readonly recall: number
    readonly reciprocal: number
  }[] = []
  for (const { query, language, kind, relevant } of cases) {
    const found = await engine(query, language, READ)
    const right = found.slice(0, TOP).filter((id) => relevant.includes(id)).length
    const first = found.findIndex((id) => relevant.includes(id))
    const recall = right / Math.min(TOP, relevant.length)
    marked.push({ query, kind, recall, reciprocal: first === -1 ? 0 : 1 / (first + 1) })
  }
  const marksOf = (some: typeof marked): RetrievalMarks => ({
    questions: some.length,
    recallAt5: mean(some.map(({ recall }) => recall)),
    meanReciprocalRank: mean(some.map(({ reciprocal }) => reciprocal)),
  })
  const kinds = [...Map.groupBy(marked, ({ kind }) => kind)].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    overall: marksOf(marked),
    byKind: Object.fromEntries(kinds.map(([kind, some]) => [kind, marksOf(some)])),
    missed: marked
      .filter(({ recall }) => recall < 1)
      .sort((a, b) => a.recall - b.recall)
      .map(({ query, kind, recall }) => ({ query, kind, recall })),
  }
}

const mean = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length

/** A table: a row for each kind, and for each engine its recall@5 and its mean reciprocal rank. */
export function describeRetrieval(engines: Readonly<Record<string, RetrievalEvaluation>>): string {
  const [first] = Object.values(engines)
  if (first === undefined) return ''
  const rows = ['overall', ...Object.keys(first.byKind)]
  const width = Math.max(...rows.map((row) => row.length))
  const cells = (marks: RetrievalMarks | undefined) =>
    `${(marks?.recallAt5 ?? 0).toFixed(3).padStart(10)}${(marks?.meanReciprocalRank ?? 0).toFixed(3).padStart(8)}`
  const line = (row: string) => {
    const of = (evaluation: RetrievalEvaluation) => (row === 'overall' ? evaluation.overall : evaluation.byKind[row])
    return `  ${row.padEnd(width)}${String(of(first)?.questions ?? 0).padStart(6)}${Object.values(engines)
      .map((evaluation) => cells(of(evaluation)))
      .join('')}`
  }
  const names = Object.keys(engines).map((name) => name.padStart(10).padEnd(18))
  return [
    `  ${''.padEnd(width + 6)}${names.join('')}`,
    `  ${''.padEnd(width + 6)}${names.map(() => '  recall@5     MRR').join('')}`,
    ...rows.map(line),
  ].join('\n')
}
