// The tables and lists of the page: figures of runs, the comparison, the events of a run, the meaning of each figure.
import type { FleetRun, PolicyName } from '../fleet/fleet-run.ts'
import { COLUMNS, comparisonOf, OF_NAIVE } from './comparison.ts'
import type { ComparisonRow, ScenarioComparison } from './comparison.ts'
import { ALL_FIGURES, bestAt, scaleMeaning } from './figure-list.ts'
import { bounded, escapeHtml, safeHtml } from './plain-text.ts'
import { minuteSecond, whole } from './quantities.ts'
import type { Shown } from './shown-run.ts'

const MOMENTS_MAX = 60
const BREACHES_MAX = 20

const POLICIES: Readonly<Record<PolicyName, string>> = {
  naive: 'Retries with doubling waits: no jitter, no retry budget, no circuit.',
  sdk: 'The retry token bucket of the AWS SDK, as of 2026.',
  reference: 'Pressure levels, 100 retries per 10 s, a circuit that opens for 60 s.',
  ours: 'A controller for each lane: a retry budget funded by successes, a limit on calls in flight, circuits that try again within seconds.',
}

/** One row for each figure and one column for each run, so that runs compare across and the table fits a phone. */
export function figuresTable(shown: readonly Shown[], withMeanings: boolean): string {
  const all = shown.map(({ run }) => run.figures)
  const rows = ALL_FIGURES.map((figure) => {
    const best = bestAt(figure, all)
    const cells = all.map((figures) => dataCell(escapeHtml(figure.text(figures)), best.has(figures)))
    const meaning = withMeanings ? `<small>${escapeHtml(figure.means)}</small>` : ''
    return `<tr><th scope="row">${escapeHtml(figure.name)}${meaning}</th>${cells.join('')}</tr>`
  })
  const head = shown.map(
    ({ label, cssClass }) => `<th scope="col"><span class="key ${cssClass}"></span>${escapeHtml(label)}</th>`,
  )
  return table({
    cssClass: 'figures',
    caption: 'Figures',
    head: `<th scope="col">Figure</th>${head.join('')}`,
    body: rows.join('\n'),
  })
}

/** All runs of a scenario and a seed have the same arrivals, and so the same hint. */
export function scaleTable({ hint }: FleetRun): string {
  const row = (...[name, tokens, calls]: readonly string[]) =>
    `<tr><th scope="row">${safeHtml(name ?? '', 60)}</th><td>${tokens}</td><td>${calls}</td></tr>`
  const models = hint.models.map(({ callsInFlight, name, tokensPerMinute }) =>
    row(name, whole(tokensPerMinute), whole(callsInFlight)),
  )
  return table({
    cssClass: 'figures',
    caption: `Enough to serve everybody in time: ${whole(hint.nodes)} nodes, and of one of the models`,
    head: '<th scope="col">Model</th><th scope="col">Tokens a minute</th><th scope="col">Calls in flight</th>',
    body: models.join('\n'),
    note: scaleMeaning(hint),
  })
}

export function comparisonTableHtml(comparison: readonly ComparisonRow[]): string {
  const head = COLUMNS.map(({ name }) => `<th scope="col">${escapeHtml(name)}</th>`)
  const body = comparisonOf(comparison).map(comparisonBody)
  return table({
    cssClass: 'comparison',
    caption: 'All scenarios: median (worst)',
    head: `<th scope="col">Policy</th>${head.join('')}`,
    body: body.join('\n'),
    note: `${OF_NAIVE.name}: ${OF_NAIVE.means}`,
  })
}

function comparisonBody({ scenario, rows }: ScenarioComparison): string {
  const most = Math.max(...rows.map(({ row }) => row.runs))
  const lines = rows.map(({ row, cells }) => {
    const worst = (text: string) => (row.runs === 1 ? '' : ` <small>(${escapeHtml(text)})</small>`)
    const data = cells.map((cell) => dataCell(escapeHtml(cell.median) + worst(cell.worst), cell.isBest))
    return `<tr><th scope="row">${escapeHtml(row.policy)}</th>${data.join('')}</tr>`
  })
  const runs = `${whole(most)} ${most === 1 ? 'run' : 'runs'} of each policy`
  const heading = `${safeHtml(scenario, 60)} <span>· ${runs}</span>`
  return `<tr><th class="group" colspan="${COLUMNS.length + 1}" scope="colgroup">${heading}</th></tr>\n${lines.join('\n')}`
}

function dataCell(html: string, isBest: boolean): string {
  return isBest ? `<td class="best">${html}</td>` : `<td>${html}</td>`
}

interface Table {
  readonly cssClass: string
  readonly caption: string
  readonly head: string
  readonly body: string
  readonly note?: string
}

function table({ cssClass, caption, head, body, note }: Table): string {
  const below = note === undefined ? '' : `<p class="note">${escapeHtml(note)}</p>`
  return (
    `<div class="card"><div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(caption)}"><table class="${cssClass}">` +
    `<caption>${escapeHtml(caption)}</caption><thead><tr>${head}</tr></thead>\n<tbody>${body}</tbody></table></div>${below}</div>`
  )
}

export function breachList({ run, label }: Shown): string {
  if (run.breaches.length === 0) return ''
  const { head, left, tail } = bounded(run.breaches, BREACHES_MAX)
  const items = (of: readonly string[]) => of.map((breach) => `<li>${safeHtml(breach, 300)}</li>`)
  const between = left > 0 ? [`<li>… ${whole(left)} more …</li>`] : []
  return (
    `<div class="card breach"><h3>${escapeHtml(label)}: broken invariants, ${whole(run.breaches.length)}</h3>` +
    `<ul>${[...items(head), ...between, ...items(tail)].join('')}</ul></div>`
  )
}

export function momentList({ run, label }: Shown, isOpen: boolean): string {
  const { head, left, tail } = bounded(run.moments, MOMENTS_MAX)
  const items = (of: FleetRun['moments']) =>
    of.map(({ atMs, what }) => `<li><time>${minuteSecond(atMs)}</time><span>${safeHtml(what, 200)}</span></li>`)
  const between = left > 0 ? [`<li><time></time><span>… ${whole(left)} more …</span></li>`] : []
  const list =
    run.moments.length === 0 ? '' : `<ol class="story">${[...items(head), ...between, ...items(tail)].join('')}</ol>`
  return (
    `<details${isOpen ? ' open=""' : ''}><summary>What happened: ${escapeHtml(label)}</summary>${list}` +
    `<p class="note">Trace <code>${safeHtml(run.traceHash)}</code>, the same each time for seed ${run.seed}.</p></details>`
  )
}

/** The figures table includes the meanings where there is space, so the list is for phones only when there is one. */
export function figureMeanings(hasTable: boolean): string {
  const terms = (hasTable ? ALL_FIGURES : COLUMNS).map(({ name, means }) => [name, means] as const)
  return definitions({ title: 'What the figures mean', cssClass: hasTable ? 'card for-phones' : 'card', terms })
}

export function policyMeanings(policies: ReadonlySet<PolicyName>): string {
  const terms = Object.entries(POLICIES).filter(([policy]) => policies.has(policy as PolicyName))
  return definitions({ title: 'The policies', cssClass: 'card', terms })
}

interface Definitions {
  readonly title: string
  readonly cssClass: string
  readonly terms: readonly (readonly [string, string])[]
}

function definitions({ title, cssClass, terms }: Definitions): string {
  const list = terms.map(([name, means]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(means)}</dd>`)
  return `<div class="${cssClass}"><h3>${title}</h3><dl>${list.join('')}</dl></div>`
}
