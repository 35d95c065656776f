// The result of a comparison: for programs as it is, for people as text.
import { COMPLEXITIES } from '@mangaassist/bookseller/understanding/complexity'
import { table, usd } from '../usage/print.ts'
import type { Compared } from './compare.ts'
import type { JudgedPair } from './pair.ts'
import { scoreOf } from './score.ts'
import type { Score } from './score.ts'
import { wrongIn } from './by-checks.ts'

export interface JudgeReport {
  /** The files of the configurations. */
  readonly a: string
  readonly b: string
  readonly judge: { readonly by: 'checks' } | { readonly by: 'model'; readonly name: string; readonly prompt: string }
  readonly seed: string
  readonly conversations: number
  /** Conversations that the limit on cost or a signal left out. */
  readonly leftOut: number
  readonly overall: Score
  readonly byLanguage: Readonly<Record<string, Score>>
  readonly byComplexity: Readonly<Record<string, Score>>
  /** Ties because the verdict changed with the position of the answers. */
  readonly flipped: number
  readonly unjudged: Readonly<Record<'unparsable' | 'failed' | 'cost', number>>
  readonly sides: Readonly<Record<'a' | 'b', SideFigures>>
  readonly costMicroUsd: { readonly answers: number; readonly judging: number }
  readonly clearestLosses: readonly ShownPair[]
}

export interface SideFigures {
  readonly costMicroUsd: number
  readonly microUsdPerAnswer: number
  /** The median of the times to the first word; null where no answer had one. */
  readonly firstWordMs: number | null
  /** The share of answers in which the automatic checks find nothing wrong. */
  readonly right: number
  readonly failures: number
  readonly degraded: number
  /** Answers by the id of the model. */
  readonly models: Readonly<Record<string, number>>
}

interface ShownPair {
  readonly conversation: string
  readonly position: number
  readonly question: string
  readonly answers: Readonly<Record<'a' | 'b', string>>
  readonly margin: number
  readonly reasons: readonly string[]
}

export interface ReportFacts extends Pick<JudgeReport, 'a' | 'b' | 'judge' | 'seed' | 'conversations'> {
  readonly spentMicroUsd: number
}

const LOSSES_LISTED = 10

export function judgeReport({ pairs, leftOut }: Compared, { spentMicroUsd, ...facts }: ReportFacts): JudgeReport {
  const scores = (names: readonly string[], nameOf: (pair: JudgedPair) => string) =>
    Object.fromEntries(
      names
        .map(
          (name) =>
            [
              name,
              scoreOf(
                pairs.filter((pair) => nameOf(pair) === name),
                facts.seed,
              ),
            ] as const,
        )
        .filter(([, { pairs: count }]) => count > 0),
    )
  const sides = { a: sideOf(pairs, 'a'), b: sideOf(pairs, 'b') }
  const answers = sides.a.costMicroUsd + sides.b.costMicroUsd
  return {
    ...facts,
    leftOut,
    overall: scoreOf(pairs, facts.seed),
    byLanguage: scores(['ja', 'en'], ({ language }) => language),
    byComplexity: scores(COMPLEXITIES, ({ complexity }) => complexity),
    flipped: pairs.filter(({ verdict }) => verdict.kind === 'judged' && verdict.isFlipped === true).length,
    unjudged: {
      unparsable: unjudged(pairs, 'unparsable'),
      failed: unjudged(pairs, 'failed'),
      cost: unjudged(pairs, 'cost'),
    },
    sides,
    costMicroUsd: { answers, judging: Math.max(0, spentMicroUsd - answers) },
    clearestLosses: clearestLosses(pairs),
  }
}

const unjudged = (pairs: readonly JudgedPair[], why: string): number =>
  pairs.filter(({ verdict }) => verdict.kind === 'unjudged' && verdict.why === why).length

function sideOf(pairs: readonly JudgedPair[], side: 'a' | 'b'): SideFigures {
  const turns = pairs.map((pair) => pair[side].turn)
  const cost = turns.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0)
  const firsts = turns.flatMap(({ firstWordMs }) => firstWordMs ?? []).sort((one, other) => one - other)
  return {
    costMicroUsd: cost,
    microUsdPerAnswer: turns.length === 0 ? 0 : cost / turns.length,
    firstWordMs: firsts[Math.floor(firsts.length / 2)] ?? null,
    right: turns.filter((turn) => wrongIn(turn).length === 0).length / (turns.length || 1),
    failures: turns.filter(({ failure }) => failure !== undefined).length,
    degraded: turns.filter(({ isDegraded }) => isDegraded).length,
    models: Object.fromEntries([...Map.groupBy(turns, ({ model }) => model)].map(([model, of]) => [model, of.length])),
  }
}

function clearestLosses(pairs: readonly JudgedPair[]): readonly ShownPair[] {
  return pairs
    .flatMap((pair) => {
      const { verdict } = pair
      return verdict.kind === 'judged' && verdict.winner === 'a' ? [{ pair, verdict }] : []
    })
    .sort((one, other) => other.verdict.margin - one.verdict.margin)
    .slice(0, LOSSES_LISTED)
    .map(({ pair, verdict: { margin, reasons } }) => ({
      conversation: pair.conversation,
      position: pair.position,
      question: pair.question,
      answers: { a: pair.a.turn.answer.text, b: pair.b.turn.answer.text },
      margin,
      reasons,
    }))
}

export function describeJudgeReport(report: JudgeReport): string {
  const { judge, overall, unjudged: not, flipped, leftOut } = report
  const by = judge.by === 'checks' ? 'the automatic checks' : `${judge.name}, prompt ${judge.prompt}`
  const notes = [
    ...(flipped > 0 ? [`${flipped} verdicts changed with the position of the answers, and are ties.`] : []),
    ...(not.unparsable > 0 ? [`${not.unparsable} pairs are not counted: the verdict could not be read.`] : []),
    ...(not.failed > 0 ? [`${not.failed} pairs are not counted: the judge failed.`] : []),
    ...(not.cost > 0 ? [`${not.cost} pairs are not counted: the limit on cost was reached.`] : []),
    ...(leftOut > 0 ? [`${leftOut} conversations were left out: it ended early.`] : []),
  ]
  const rows = [
    ['all', overall] as const,
    ...Object.entries(report.byLanguage),
    ...Object.entries(report.byComplexity),
  ].map(([name, score]) => scoreRow(name, score))
  return [
    `a: ${report.a}\nb: ${report.b}\njudged by ${by}; ${report.conversations} conversations, seed ${report.seed}`,
    table(['of b', 'pairs', 'wins', 'ties', 'losses', 'win share', '95 %'], rows, 1),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
    table(
      ['', 'USD', 'USD/1000', 'first words', 'right', 'failed', 'degraded', 'models'],
      (['a', 'b'] as const).map((side) => sideRow(side, report.sides[side])),
      1,
    ),
    `cost: $${usd(report.costMicroUsd.answers)} for answers, $${usd(report.costMicroUsd.judging)} for judging`,
    ...(report.clearestLosses.length === 0
      ? []
      : [['the clearest losses of b', ...report.clearestLosses.map(shownPair)].join('\n\n')]),
  ].join('\n\n')
}

function scoreRow(name: string, { pairs, wins, ties, losses, winShare, interval }: Score): readonly string[] {
  const share = winShare === null ? '–' : winShare.toFixed(3)
  const range = interval === null ? '–' : `${interval[0].toFixed(3)} to ${interval[1].toFixed(3)}`
  return [name, String(pairs), String(wins), String(ties), String(losses), share, range]
}

const THOUSAND = 1000

function sideRow(name: string, side: SideFigures): readonly string[] {
  return [
    name,
    usd(side.costMicroUsd),
    usd(Math.round(side.microUsdPerAnswer * THOUSAND)),
    side.firstWordMs === null ? '–' : `${Math.round(side.firstWordMs)} ms`,
    side.right.toFixed(3),
    String(side.failures),
    String(side.degraded),
    Object.entries(side.models)
      .map(([model, count]) => `${model} ${count}`)
      .join(', '),
  ]
}

const SHOWN_LENGTH_MAX = 400

function shownPair({ conversation, position, question, answers, reasons }: ShownPair): string {
  const short = (text: string) => (text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text)
  return [
    `  ${conversation}, turn ${position}: ${question}`,
    `    a: ${short(answers.a)}`,
    `    b: ${short(answers.b)}`,
    ...reasons.map((reason) => `    ${reason}`),
  ].join('\n')
}
