// What the screen of models shows of a stretch of time: the strips of lanes, the figures of models, errors in the vendor's words, and changes of
// circuits. The words of vendors are text, never markup.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { Language } from '@mangaassist/protocol'
import type {
  LaneChangeView,
  LanePhasesView,
  ModelsView,
  RoutingProposalView,
  SlowModelsView,
} from '@mangaassist/protocol/admin'
import { consoleHref } from '../../data/address.ts'
import type { Format } from '../../data/format.ts'
import { foldProbes } from '../../data/probe-runs.ts'
import type { ProbeRun } from '../../data/probe-runs.ts'
import { badge } from '../../parts/bits.ts'
import { laneTitle, phaseView, rejectedView } from '../../parts/lane-state.ts'
import { outcomeBadge } from '../../parts/outcome.ts'
import { phaseStrip } from '../../parts/phase-strip.ts'
import { tableView } from '../../parts/table.ts'
import type { SayFilled } from '../../shell/say.ts'
import type { laneChangeWords, modelWords } from '../../words/models.ts'

export interface Shown {
  readonly say: SayFilled<typeof modelWords>
  readonly sayWhy: SayFilled<typeof laneChangeWords>
  readonly format: Format
  readonly language: Language
}

type Model = ModelsView['models'][number]

/**
 * A strip for each lane. Every start of a node adds lanes of its own, so those that were always closed are folded, unless nothing else is
 * shown.
 */
export function stripsView(
  { from, lanes, to }: Pick<ModelsView, 'from' | 'lanes' | 'to'>,
  { format, language, say }: Shown,
): TemplateResult {
  const isCalm = ({ node, spans }: LanePhasesView): boolean =>
    node !== undefined && spans.every(({ phase }) => phase === 'closed')
  const strips = (shown: readonly LanePhasesView[]): TemplateResult =>
    html`<dl class="strips" data-testid="strips">
      ${shown.map(
        (lane) =>
          html`<div>
            <dt>${nameOf(lane, lanes)}</dt>
            <dd>${phaseStrip({ spans: lane.spans, from, to })}</dd>
            <dd>${outageText(lane, { format, say })}</dd>
          </div>`,
      )}
    </dl>`
  const calm = lanes.every(isCalm) ? [] : lanes.filter(isCalm)
  return html`${strips(lanes.filter((lane) => !calm.includes(lane)))}
    ${
      calm.length === 0
        ? nothing
        : html`<details data-testid="calm-lanes">
            <summary>${say('calmLanes', { n: format.count(calm.length) })}</summary>
            ${strips(calm)}
          </details>`
    }
    <p class="strip-times"><span>${format.time(from)}</span><span>${format.time(to)}</span></p>
    <p class="badges">
      ${(['closed', 'open', 'half-open', 'recovering'] as const).map((phase) => phaseView(phase, language))}
      ${say('unknownBefore')}
    </p>`
}

/** With its node where several nodes have such a lane. */
function nameOf(shown: LanePhasesView, lanes: readonly LanePhasesView[]): string {
  const { lane, node } = shown
  const isOnly = lanes.filter((other) => other.lane === lane).length === 1
  return node === undefined || isOnly ? laneTitle(shown) : `${laneTitle(shown)} · ${node}`
}

function outageText({ openings, openMs }: LanePhasesView, { format, say }: Pick<Shown, 'format' | 'say'>): string {
  if (openMs === 0) return say('neverOpen')
  // An outage that began before the shown time counts too.
  return say('openFor', { time: format.duration(openMs), n: format.count(Math.max(1, openings)) })
}

/** Warns that questions wait longer for their first words than is promised. */
export function slowView(
  { model, p95Ms, promisedMs, waitedMs }: SlowModelsView,
  { format, say }: Pick<Shown, 'format' | 'say'>,
): TemplateResult {
  const times = {
    p95: format.duration(p95Ms),
    promised: format.duration(promisedMs),
    waited: format.duration(waitedMs),
  }
  return html`<p class="note" data-testid="slow-models">${say('slowModels', { model, ...times })}</p>`
}

/** Proposes routing, with what it would save. */
export function routingView(
  { ladderMicroUsd, levels, routedMicroUsd, saved, setting, source, turns }: RoutingProposalView,
  { format, say }: Pick<Shown, 'format' | 'say'>,
): TemplateResult {
  const byModel = Map.groupBy(Object.entries(levels), ([, name]) => name)
  const asked = [...byModel].map(([name, of]) => `${of.map(([level]) => level).join(', ')} → ${name}`).join('; ')
  const over = source === 'bundled' ? 'overBundled' : 'overOwn'
  const by = say(over, {
    n: format.count(turns),
    routed: format.money(routedMicroUsd),
    ladder: format.money(ladderMicroUsd),
  })
  return html`<p class="note" data-testid="routing-proposal">
    ${say('routingWouldSave', { saved: format.share(saved), by, asked })} <code>${setting}</code>
  </p>`
}

export function modelsTable(models: readonly Model[], { format, language, say }: Shown): TemplateResult {
  const { count, duration, money, share } = format
  const both = (p50: number | null, p95: number | null) => `${duration(p50)} / ${duration(p95)}`
  return tableView({
    label: say('figures'),
    testId: 'model-figures',
    empty: say('none'),
    rows: models.toSorted((one, other) => other.answers - one.answers || other.calls - one.calls),
    key: ({ model }) => model,
    columns: [
      {
        name: say('model'),
        cell: ({ id, model, rejected }) =>
          html`${model}${id === null ? nothing : html` <small>${id}</small>`}
          ${rejected === null ? nothing : rejectedView(rejected, language, false)}`,
      },
      { name: say('answers'), cell: ({ answers }) => count(answers), isFigure: true },
      { name: say('share'), cell: (row) => share(row.share), isFigure: true },
      { name: say('rows'), cell: ({ calls }) => count(calls), isFigure: true },
      { name: say('failures'), cell: ({ failures }) => count(failures), isFigure: true },
      { name: say('firstWords'), cell: (row) => both(row.firstWordsP50Ms, row.firstWordsP95Ms), isFigure: true },
      { name: say('total'), cell: (row) => both(row.totalP50Ms, row.totalP95Ms), isFigure: true },
      {
        name: say('price'),
        cell: ({ price }) =>
          price === null ? '–' : `${money(price.inputMicroUsdPerMillion)} / ${money(price.outputMicroUsdPerMillion)}`,
        isFigure: true,
      },
      { name: say('cost'), cell: ({ costMicroUsd }) => money(costMicroUsd), isFigure: true },
    ],
  })
}

/** How well the input tokens of each model are estimated; the built-in model has no estimates. */
export function estimatorsTable(models: readonly Model[], { format, say }: Shown): TemplateResult {
  const { count, share } = format
  return tableView({
    label: say('estimates'),
    testId: 'estimators',
    empty: say('noEstimates'),
    rows: models.flatMap(({ estimator, model }) => (estimator === null ? [] : [{ model, ...estimator }])),
    key: ({ model }) => model,
    columns: [
      { name: say('model'), cell: ({ model }) => model },
      {
        name: say('bias'),
        cell: ({ bias }) => `${bias !== null && bias > 0 ? '+' : ''}${share(bias)}`,
        isFigure: true,
      },
      { name: say('error'), cell: ({ error }) => share(error), isFigure: true },
      { name: say('within'), cell: ({ confidence }) => share(confidence), isFigure: true },
      { name: say('observed'), cell: ({ observations }) => count(observations), isFigure: true },
      {
        name: say('calibrated'),
        cell: ({ family, isCalibrated }) =>
          isCalibrated ? badge(say('calibrated'), 'good') : badge(say('notCalibrated', { family }), 'few'),
      },
    ],
  })
}

export function faultsTable(models: readonly Model[], { format, language, say }: Shown): TemplateResult {
  const rows = models.flatMap(({ faults, model }) => faults.map((fault) => ({ model, ...fault })))
  return tableView({
    label: say('errors'),
    testId: 'faults',
    empty: say('noErrors'),
    rows: rows.toSorted((one, other) => other.count - one.count),
    key: ({ code, message, model, outcome, status }) => JSON.stringify([model, outcome, status, code, message]),
    columns: [
      { name: say('model'), cell: ({ model }) => model },
      { name: say('class'), cell: ({ outcome }) => outcomeBadge(outcome, language, 'bad') },
      {
        name: say('vendorSaid'),
        cell: ({ code, message, status }) =>
          [status, code, message].filter((part) => part !== undefined).join(' · ') || '–',
      },
      { name: say('howOften'), cell: ({ count }) => format.count(count), isFigure: true },
      {
        name: say('last'),
        cell: ({ lastAt, turnId }) =>
          html`<a href=${consoleHref({ screen: 'turns', rest: [turnId] })}>${format.time(lastAt)}</a>`,
      },
    ],
  })
}

export function changesTable(
  changes: readonly LaneChangeView[],
  lanes: readonly LanePhasesView[],
  { format, language, say, sayWhy }: Shown,
): TemplateResult {
  const why = ({ by = '', calls, failures, why: reason }: LaneChangeView): string =>
    sayWhy(reason, { by, calls: format.count(calls), failures: format.count(failures) })
  return tableView({
    label: say('changes'),
    testId: 'changes',
    empty: say('noChanges'),
    rows: foldProbes(
      changes,
      lanes.flatMap(({ spans }) => spans),
    ),
    key: (row) => ('probes' in row ? `probes ${row.since}` : `${row.at} ${row.from} ${row.to}`),
    columns: [
      { name: say('at'), cell: (row) => format.time('probes' in row ? row.since : row.at) },
      {
        name: say('change'),
        cell: (row) =>
          'probes' in row ? changeView({ from: 'open', to: 'half-open' }, language, '⇄') : changeView(row, language),
      },
      {
        name: say('why'),
        cell: (row) => ('probes' in row ? probesView(row, { format, say }, why) : why(row)),
      },
    ],
  })
}

function changeView(
  { from, to }: Pick<LaneChangeView, 'from' | 'to'>,
  language: Language,
  arrow = '→',
): TemplateResult {
  return html`<span class="badges"
    >${from === null ? nothing : html`${phaseView(from, language)} ${arrow}`} ${phaseView(to, language)}</span
  >`
}

function probesView(
  { failed, probes, since, until }: ProbeRun,
  { format, say }: Pick<Shown, 'format' | 'say'>,
  why: (change: LaneChangeView) => string,
): TemplateResult {
  const time = format.duration(until - since)
  return html`<details data-testid="probe-run">
    <summary>${say('probeRun', { n: format.count(failed), time })}</summary>
    <ul>
      ${probes.map((change) => html`<li>${format.clock(change.at)} ${why(change)}</li>`)}
    </ul>
  </details>`
}
