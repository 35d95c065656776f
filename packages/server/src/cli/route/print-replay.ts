// A replay as text: what would be asked, what it would cost, and what is known of the quality.
import type { Proportion, Reception } from '#domain/routing/recorded-quality.ts'
import { RECEPTIONS } from '#domain/routing/recorded-quality.ts'
import type { Replayed } from '#domain/routing/replay.ts'
import { table, thousands, usd } from '../usage/print.ts'
import type { Candidate } from './candidate.ts'
import type { RecordsSource } from './recorded-turns.ts'

export interface ReplayReport extends Replayed {
  readonly source: RecordsSource
  /** The vendors' ids by configured name. */
  readonly models: Readonly<Record<string, string>>
  readonly savedOfLadder: number | null
  readonly savedOfRecorded: number | null
}

export function replayReport(
  replayed: Replayed,
  { candidate: { models }, source }: { readonly candidate: Candidate; readonly source: RecordsSource },
): ReplayReport {
  const { ladderMicroUsd, recordedMicroUsd, routedMicroUsd } = replayed.cost
  const saved = (of: number) => (of === 0 ? null : 1 - routedMicroUsd / of)
  return {
    source,
    models,
    ...replayed,
    savedOfLadder: saved(ladderMicroUsd),
    savedOfRecorded: saved(recordedMicroUsd),
  }
}

const SOURCES: Readonly<Record<RecordsSource, string>> = {
  server: 'turns of the server',
  'data folder': 'turns of the data folder',
  bundled: 'No turns are recorded: these are bundled ones, of conversations that the built-in responder answered',
}

export function describeReplay(report: ReplayReport, candidate: Candidate): string {
  const { turns, routed, cached, estimated, rulesLeftOut } = report
  const notes = [
    ...(candidate.isReference
      ? ['No model is configured: the prices are those of the reference pair in data/models.yaml.']
      : []),
    ...(routed < turns ? [`${turns - routed} turns do not say what they ask, and are left out.`] : []),
    ...(cached > 0 ? [`${cached} answers are cached, and cost nothing by any route.`] : []),
    ...(estimated > 0 ? [`The length of ${estimated} answers is estimated: no model answered.`] : []),
    ...(rulesLeftOut.length > 0
      ? [`Left out, because no record says whether they hold: the rules ${rulesLeftOut.join(', ')}.`]
      : []),
  ]
  return [
    `${SOURCES[report.source]}: ${thousands(turns)}`,
    ...(notes.length === 0 ? [] : [notes.join('\n')]),
    modelsTable(report),
    levelsTable(report),
    costLines(report),
    complexLine(report),
    qualityText(report),
  ].join('\n\n')
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
const shareOf = (part: number, all: number): string => percent(all === 0 ? 0 : part / all)

function modelsTable({ byModel, models, routed }: ReplayReport): string {
  const rows = Object.entries(byModel)
    .sort(([, one], [, other]) => other.turns - one.turns)
    .map(([name, { turns, costMicroUsd }]) => [
      name,
      models[name] ?? 'the built-in responder',
      thousands(turns),
      shareOf(turns, routed),
      usd(costMicroUsd),
    ])
  return table(['asked first', 'model', 'turns', 'share', 'USD'], rows, 2)
}

function levelsTable({ byLevel, byRule, routed }: ReplayReport): string {
  const rows = [
    ...Object.entries(byLevel).map(([level, { turns }]) => [level, turns] as const),
    ...Object.entries(byRule).map(([rule, turns]) => [`rule ${rule}`, turns] as const),
  ].map(([name, turns]) => [name, thousands(turns), shareOf(turns, routed)])
  return table(['level or rule', 'turns', 'share'], rows, 1)
}

function costLines({ cost, savedOfLadder, savedOfRecorded }: ReplayReport): string {
  const saved = (share: number | null) => (share === null ? '' : `  saves ${percent(share)}`)
  const lines = [
    ['as recorded', cost.recordedMicroUsd, savedOfRecorded],
    ['all by the first of the ladder', cost.ladderMicroUsd, savedOfLadder],
    ['by these rules', cost.routedMicroUsd, null],
  ] as const
  return lines.map(([name, microUsd, share]) => `${name.padEnd(32)} $${usd(microUsd)}${saved(share)}`).join('\n')
}

function complexLine({ complex: { expected, expectedBelow, likeliest, likeliestBelow } }: ReplayReport): string {
  return [
    `complex questions that would go to a lesser model: ${expectedBelow.toFixed(1)} of ${expected.toFixed(1)} expected`,
    ` (${shareOf(expectedBelow, expected)}), ${likeliestBelow} of the ${likeliest} that are most likely complex`,
  ].join('')
}

const NAMES: Readonly<Record<Reception, string>> = {
  thumbsUp: 'thumbs up',
  askedAgain: 'asked again',
  mismatch: 'contradicted by the store',
}

function qualityText({ quality, source, routed }: ReplayReport): string {
  if (source === 'bundled')
    return `expected quality: not known yet for all ${thousands(routed)} turns, which no shopper received`
  const { expected, knownTurns, parts, recorded, unknownTurns } = quality
  const rows = parts.map(({ level, model, turns, ...part }) => [
    level,
    model,
    thousands(turns),
    ...RECEPTIONS.map((name) => proportionText(part[name])),
  ])
  const said = (share: number | null) => (share === null ? 'not known' : percent(share))
  return [
    'how answers were received',
    table(['level', 'answered by', 'turns', ...RECEPTIONS.map((name) => NAMES[name])], rows, 2),
    '',
    ...RECEPTIONS.map((name) => `${NAMES[name]}: recorded ${said(recorded[name])}, expected ${said(expected[name])}`),
    `expected of ${thousands(knownTurns)} turns; not known yet: ${thousands(unknownTurns)} turns, whose model has not answered such questions`,
  ].join('\n')
}

function proportionText({ interval, of, share }: Proportion): string {
  if (share === null || interval === null) return '–'
  return `${percent(share)} of ${thousands(of)} (${percent(interval[0])} to ${percent(interval[1])})`
}
