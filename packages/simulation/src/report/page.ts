// The report as one self-contained page: no network, no script, the same bytes for the same runs. Written for readers
// who decide: first the summary, then the figures, the charts, and the definitions.
import type { FleetRun, PolicyName } from '../fleet/fleet-run.ts'
import type { ComparisonRow } from './comparison.ts'
import { headline } from './headline.ts'
import type { HeadlineRun } from './headline.ts'
import { charts } from './page-charts.ts'
import { PAGE_STYLE } from './page-style.ts'
import {
  breachList,
  comparisonTableHtml,
  figureMeanings,
  figuresTable,
  policyMeanings,
  momentList,
  scaleTable,
} from './page-tables.ts'
import { escapeHtml, safeHtml } from './plain-text.ts'
import { duration, minuteSecond, rate, whole } from './quantities.ts'
import { RUNS_MAX, shownRuns } from './shown-run.ts'
import type { Shown } from './shown-run.ts'

interface ReportInput {
  /** Runs of one scenario or of several; the runs of one scenario are overlaid. */
  readonly runs: readonly FleetRun[]
  /** Median and worst figures of many seeds. */
  readonly comparison?: readonly ComparisonRow[]
}

const NAME_CHARS = 60

export function reportPage({ runs, comparison = [] }: ReportInput): string {
  const scenarios = [...Map.groupBy(runs, ({ scenario }) => scenario)]
  const policies = new Set<PolicyName>([...runs, ...comparison].map(({ policy }) => policy))
  const sections = scenarios.map(([scenario, of], index) =>
    scenarioSection({ id: `s${index + 1}`, scenario, runs: of, comparison }),
  )
  const names = scenarios.map(([scenario]) => scenario)
  const title = names.length === 1 ? `Fleet simulation: ${safeHtml(names[0] ?? '', NAME_CHARS)}` : 'Fleet simulation'
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"/>',
    '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
    // If an escape is ever missed, the page still loads and runs nothing.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>`,
    `<title>${title}</title><style>${PAGE_STYLE}</style></head><body><main>`,
    '<header><p class="eyebrow">MangaAssist</p><h1>A fleet in virtual time</h1>',
    '<p class="facts">The real server, simulated people, providers and faults. Same seed, same result, to the byte.</p>',
    contents(names),
    '</header>',
    ...(comparison.length === 0 ? [] : [comparisonTableHtml(comparison)]),
    ...sections,
    figureMeanings(runs.length > 0),
    policyMeanings(policies),
    '</main></body></html>',
    '',
  ].join('\n')
}

function contents(names: readonly string[]): string {
  if (names.length < 2) return ''
  const links = names.map((name, index) => `<li><a href="#s${index + 1}">${safeHtml(name, NAME_CHARS)}</a></li>`)
  return `<nav aria-label="Scenarios"><ul>${links.join('')}</ul></nav>`
}

interface Section extends Required<ReportInput> {
  readonly id: string
  readonly scenario: string
}

function scenarioSection({ id, scenario, runs, comparison }: Section): string {
  const shown = shownRuns(runs)
  return [
    `<section id="${id}"><h2>${safeHtml(scenario, NAME_CHARS)}</h2>`,
    factsOf(shown, runs.length),
    headlineOf(
      shown,
      comparison.filter((row) => row.scenario === scenario),
    ),
    ...shown.map(breachList),
    figuresTable(shown, id === 's1'),
    ...shown.slice(0, 1).map(({ run }) => scaleTable(run)),
    charts(shown),
    `<div class="card">${shown.map((one) => momentList(one, shown.length === 1)).join('')}</div>`,
    '</section>',
  ].join('\n')
}

function factsOf(shown: readonly Shown[], runCount: number): string {
  const [first] = shown
  if (!first) return ''
  const { nodes, arrivalsPerSecond, seed, faults, seconds } = first.run
  const isShared = (part: 'nodes' | 'arrivalsPerSecond' | 'seed') =>
    shown.every(({ run }) => run[part] === first.run[part])
  const facts = [
    ...(isShared('nodes') ? [`${whole(nodes)} ${nodes === 1 ? 'node' : 'nodes'}`] : []),
    ...(isShared('arrivalsPerSecond') ? [`${rate(arrivalsPerSecond)} arrivals per second`] : []),
    ...(isShared('seed') ? [`seed ${seed}`] : []),
    `${duration(seconds.length * 1000)} of virtual time`,
    `faults from ${minuteSecond(faults.fromMs)} to ${minuteSecond(faults.toMs)}`,
    ...(runCount > RUNS_MAX ? [`${whole(runCount - RUNS_MAX)} more runs not drawn`] : []),
  ]
  return `<p class="facts">${escapeHtml(facts.join(' · '))}</p>`
}

/** Uses the figures of many seeds where there are many, since a single run proves little. */
function headlineOf(shown: readonly Shown[], rows: readonly ComparisonRow[]): string {
  const summarised: readonly HeadlineRun[] =
    rows.length > 0
      ? rows.map(({ policy, median }) => ({ label: policy, figures: median }))
      : shown.map(({ label, run }) => ({ label, figures: run.figures }))
  const sentences = headline(summarised).map(({ label, sentence }) => {
    const name = label.charAt(0).toUpperCase() + label.slice(1)
    return `<p><b>${escapeHtml(name)}:</b> ${escapeHtml(sentence)}.</p>`
  })
  const runs = Math.max(0, ...rows.map((row) => row.runs))
  const basis =
    runs > 1 ? `<p class="note">Medians of ${whole(runs)} runs; figures and charts below are of one.</p>` : ''
  return `<div class="headline">${sentences.join('')}${basis}</div>`
}
