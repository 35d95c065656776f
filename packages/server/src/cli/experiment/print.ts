// The lists and reports of experiments as tables, with each verdict in words.
import type { ExperimentReportView, ExperimentView } from '@mangaassist/protocol/admin'
import { table, thousands } from '../usage/print.ts'

type ArmView = ExperimentReportView['arms'][number]
type OutcomeView = ArmView['outcomes'][number]
type Kind = OutcomeView['kind']

const CONTROL = 'control'
const HOLDOUT = 'holdout'

export function experimentsTable(all: readonly ExperimentView[]): string {
  if (all.length === 0) return 'No experiment is configured: see docs/experiments.md.'
  const rows = all.map(({ arms, from, layer, name, outcome, started, state, to }) => [
    name,
    state,
    layer,
    `${percent(from)} – ${percent(to)}`,
    arms.map(({ arm, stopped, weight }) => `${arm} ${weight}${stopped === null ? '' : ' (stopped)'}`).join(', '),
    outcome,
    started === null ? '–' : started.at,
  ])
  const header = ['experiment', 'state', 'layer', 'range', 'arms', 'outcome', 'started']
  return [table(header, rows, header.length), ...all.flatMap(notesOf)].join('\n')
}

function notesOf({ arms, name, state, stopped }: ExperimentView): readonly string[] {
  const notes = [
    ...(state === 'changed'
      ? [
          `${name} was started with another split or other changes than the configuration has: it does not run. Start it again.`,
        ]
      : []),
    ...(stopped === null ? [] : [`${name} was stopped by ${stopped.by} at ${stopped.at}: ${stopped.reason}`]),
    ...arms.flatMap((one) =>
      one.stopped === null
        ? []
        : [`${name}: ${one.arm} was stopped by ${one.stopped.by} at ${one.stopped.at}: ${one.stopped.reason}`],
    ),
  ]
  return notes.length === 0 ? [] : ['', ...notes]
}

export function reportText(report: ExperimentReportView): string {
  const { arms, experiment, from, outcome, sampledShare, split, to, turns, units } = report
  const period = to === null ? `since ${from}, still running` : `from ${from} to ${to}`
  const counts = arms.map((arm) => [arm.arm, thousands(arm.units), thousands(arm.turns)])
  return [
    `${experiment}: ${period}; ${thousands(turns)} turns of ${thousands(units)} shoppers`,
    ...(split.isMismatch
      ? [
          '',
          `SAMPLE RATIO MISMATCH: the shoppers are not split by the weights (χ² ${split.chiSquared.toFixed(1)}, p ${split.p.toExponential(1)}).`,
          'Something loses or adds shoppers of an arm. Do not believe the differences below until you know what.',
        ]
      : []),
    ...(sampledShare === 1 ? [] : ['', `Counted for one of ${Math.round(1 / sampledShare)} shoppers, to save memory.`]),
    '',
    table(['arm', 'shoppers', 'turns'], counts, 1),
    ...arms.filter(({ arm }) => arm !== CONTROL).flatMap((arm) => ['', ...comparison(arm, report)]),
    '',
    `* decides. The intervals hold at all readings together (95 %): read the report whenever you like.`,
    ...ofSeveralArms(report),
    `With this many outcomes one may differ by chance: decide by ${outcome}.`,
  ].join('\n')
}

function ofSeveralArms({ arms, confidence }: ExperimentReportView): readonly string[] {
  const others = arms.filter(({ arm }) => arm !== CONTROL && arm !== HOLDOUT).length
  if (others < 2) return []
  return [
    `Each interval has ${confidenceIn(confidence)}, so that the ${others} arms beside control together have 95 %.`,
  ]
}

function comparison(arm: ArmView, { confidence, effect, outcome }: ExperimentReportView): readonly string[] {
  if (arm.arm === HOLDOUT && arm.units === 0) return ['holdout: no turns']
  const title = `${arm.arm} against ${CONTROL}`
  const about = arm.arm === HOLDOUT ? ': the holdout is in no experiment, so other experiments make the difference' : ''
  const until = arm.stoppedAt === null ? '' : `, until the arm was stopped at ${arm.stoppedAt}`
  const rows = arm.outcomes.map((one) => [
    `${one.outcome === outcome ? '* ' : '  '}${one.outcome}`,
    enough(one, effect),
    amount(one.control, one.kind),
    amount(one.mean, one.kind),
    signed(one.difference, one.kind),
    one.interval === null ? '–' : `${signed(one.interval.low, one.kind)} … ${signed(one.interval.high, one.kind)}`,
    one.relative === null ? '–' : signedPercent(one.relative.difference),
    thousands(one.units),
  ])
  const interval = `${confidenceIn(confidence)} interval`
  const header = ['  outcome', 'enough?', CONTROL, arm.arm, 'difference', interval, 'relative', 'shoppers']
  return [`${title}${about}${until}`, '', table(header, rows, 2)]
}

function enough({ better, needed, verdict }: OutcomeView, effect: number): string {
  switch (verdict) {
    case 'higher':
    case 'lower':
      return better === 'either' ? `yes: ${verdict}` : `yes: ${verdict}, ${verdict === better ? 'better' : 'worse'}`
    case 'alike':
      return `yes: less than ${percent(effect)} apart`
    case 'undecided':
      return needed === null
        ? 'not yet: it has not varied'
        : `not yet: ${percent(effect)} needs ${thousands(needed.atAnyTime)} in each arm`
  }
}

function amount(value: number, kind: Kind): string {
  switch (kind) {
    case 'share':
      return percent(value, 2)
    case 'count':
      return value.toFixed(3)
    case 'microUsd':
      return `${(value / 1e6).toFixed(6)} USD`
    case 'ms':
      return `${value.toFixed(0)} ms`
  }
}

/** A difference of two shares is in percentage points. */
function signed(value: number, kind: Kind): string {
  const size = Math.abs(value)
  return `${value < 0 ? '−' : '+'}${kind === 'share' ? `${(100 * size).toFixed(2)} pp` : amount(size, kind)}`
}

/** Without the zeros of 95.00 %. */
const confidenceIn = (share: number): string => `${Number((100 * share).toFixed(2))} %`
const signedPercent = (share: number): string => `${share < 0 ? '−' : '+'}${percent(Math.abs(share), 1)}`
const percent = (share: number, digits = 0): string => `${(100 * share).toFixed(digits)} %`
