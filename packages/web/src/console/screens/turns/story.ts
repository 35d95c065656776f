// One turn's story: how it ended and why, when each part ran, every call with the vendor's words, the prompt by part, what was
// retrieved, and what was charged. Or one refusal: by which limit, how often.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { Language } from '@mangaassist/protocol'
import type { RefusalView, SentToView, TurnCallView } from '@mangaassist/protocol/admin'
import type { TurnRecordView, TurnStoryView } from '@mangaassist/protocol/admin'
import { consoleHref } from '../../data/address.ts'
import { waterfallOf } from '../../data/waterfall.ts'
import type { Format } from '../../data/format.ts'
import { badge, factsView, sectionView } from '../../parts/bits.ts'
import { outcomeBadge, outcomeText } from '../../parts/outcome.ts'
import type { Fact } from '../../parts/bits.ts'
import { tableView } from '../../parts/table.ts'
import { waterfallView } from '../../parts/waterfall.ts'
import { speakFilled } from '../../shell/say.ts'
import type { SayFilled } from '../../shell/say.ts'
import { turnLogView } from './log-lines.ts'
import { storyWords } from '../../words/turn-story.ts'

type Say = SayFilled<typeof storyWords>

export function storyView(story: TurnStoryView, language: Language, format: Format): TemplateResult {
  const say = speakFilled(storyWords, language)
  const { record, sameRequest } = story
  return html`<p><a href=${consoleHref({ screen: 'turns' })}>← ${say('back')}</a></p>
    ${record.kind === 'refusal' ? refusalView(record, say, format) : turnView(story, record, { say, format, language })}
    ${
      sameRequest.length === 0
        ? nothing
        : sectionView(
            say('sameRequest'),
            html`<ul class="links">
              ${sameRequest.map((id) => html`<li>${turnLink(id)}</li>`)}
            </ul>`,
          )
    }`
}

const turnLink = (id: string): TemplateResult => html`<a href=${consoleHref({ screen: 'turns', rest: [id] })}>${id}</a>`
const personLink = (id: string): TemplateResult | string =>
  id === '' ? '–' : html`<a href=${consoleHref({ screen: 'people', rest: [id] })}>${id}</a>`
const sessionLink = (session: string): TemplateResult | string =>
  session === '' ? '–' : html`<a href=${consoleHref({ screen: 'conversations', rest: [session] })}>${session}</a>`

/** Left out if the record has no such data. */
function factIf(name: string, value: string | undefined): Fact | undefined {
  return value === undefined || value === '' ? undefined : [name, value]
}

function refusalView(record: RefusalView, say: Say, format: Format): TemplateResult {
  return html`<p class="note warning" data-testid="story">${say('refusal')}: ${badge(record.code, 'bad')}</p>
    ${factsView([
      factIf(say('scope'), record.scope),
      factIf(say('why'), record.reason),
      [say('count'), format.count(record.count)],
      [say('since'), format.time(record.since)],
      [say('last'), format.time(record.at)],
      [say('user'), personLink(record.principalId)],
      factIf(say('userTier'), record.userTier),
      [say('session'), sessionLink(record.sessionId)],
      factIf(say('network'), record.network),
      [say('door'), record.door],
      factIf(say('routeOf'), record.route),
      record.retryAfterMs === undefined ? undefined : [say('retryAfter'), format.duration(record.retryAfterMs)],
      factIf(say('request'), record.requestId),
      factIf(say('trace'), record.traceId),
      factIf(say('node'), record.node),
    ])}`
}

interface Shown {
  readonly say: Say
  readonly format: Format
  readonly language: Language
}

function turnView(story: TurnStoryView, record: TurnRecordView, shown: Shown): TemplateResult {
  const { say } = shown
  return html`${
      story.whyNotFirstChoice === null
        ? nothing
        : html`<p class="note" data-testid="why-not">
            <strong>${say('whyNot')}:</strong> <span lang="en">${story.whyNotFirstChoice}</span>
          </p>`
    }
    <div data-testid="story">${factsView(endFacts(record, shown))}</div>
    ${factsView(contextFacts(record, shown), 'wide')} ${timeline(record, shown)}
    ${record.calls === undefined ? nothing : callsView(record.calls, shown)} ${passedView(record, shown)}
    ${readersView(record, shown)} ${promptView(record, shown)} ${retrievedView(record, say)}
    ${sectionView(say('ledger'), ledgerView(story, shown))} ${receivedView(record, shown)}
    ${turnLogView(story.log, shown)}`
}

function endFacts(record: TurnRecordView, { format, language, say }: Shown): (Fact | undefined)[] {
  const { finishReason, isCached, isDegraded } = record
  return [
    [
      say('end'),
      html`<span class="badges">
        ${badge(finishReason, finishReason === 'stop' ? 'good' : 'few')}
        ${isDegraded ? badge(say('degraded'), 'few') : nothing} ${isCached ? badge(say('cachedAnswer')) : nothing}
      </span>`,
    ],
    [say('model'), record.model],
    [say('tier'), record.tier],
    [say('cost'), format.money(record.costMicroUsd)],
    [say('firstWord'), format.duration(record.firstWordMs)],
    [say('total'), format.duration(record.totalMs)],
    [say('tokens'), `${format.count(record.inputTokens)} / ${format.count(record.outputTokens)}`],
    record.queueMs === undefined || record.queueMs === 0 ? undefined : [say('queue'), format.duration(record.queueMs)],
    factIf(say(record.continues === true ? 'continues' : 'replaces'), record.replaces),
    factIf(say('reason'), record.reason === undefined ? undefined : outcomeText(record.reason, language)),
    factIf(say('missing'), record.missing?.join(', ')),
    factIf(say('stopped'), record.stop),
    record.seams === undefined || record.seams === 0 ? undefined : [say('seams'), format.count(record.seams)],
    record.epoch === undefined || record.epoch <= 1 ? undefined : [say('owners'), format.count(record.epoch - 1)],
    record.deltas === undefined || record.frames === undefined
      ? undefined
      : [say('text'), say('written', { deltas: format.count(record.deltas), frames: format.count(record.frames) })],
    record.readers === undefined ? undefined : [say('readers'), format.count(record.readers)],
    record.quotaWarned === true ? [say('quotaWarned'), say('yes')] : undefined,
    factIf(say('mismatches'), record.mismatches.join(', ')),
  ]
}

function contextFacts(record: TurnRecordView, { format, say }: Shown): (Fact | undefined)[] {
  const { routing } = record
  return [
    [say('at'), format.time(record.at)],
    record.acceptedAt === undefined ? undefined : [say('accepted'), format.time(record.acceptedAt)],
    [say('user'), personLink(record.principalId)],
    [say('userTier'), record.userTier],
    [say('session'), sessionLink(record.sessionId)],
    [say('language'), record.language],
    factIf(say('promptVersion'), record.promptVersion),
    factIf(say('firstChoice'), record.firstChoice),
    routing?.choice === undefined
      ? undefined
      : [say('route'), `${routing.choice.first} (${routing.choice.rule}: ${routing.choice.why})`],
    factIf(say('escalation'), routing?.escalation),
    factIf(say('experiments'), routing?.exposures.map(({ arm, experiment }) => `${experiment}: ${arm}`).join(', ')),
    factIf(say('door'), record.door),
    factIf(say('request'), record.requestId),
    factIf(say('trace'), record.traceId),
    factIf(say('node'), record.node),
  ]
}

function timeline(record: TurnRecordView, { format, say }: Shown): TemplateResult | typeof nothing {
  const waterfall = waterfallOf(record)
  if (waterfall.bars.length === 0) return nothing
  const words = { label: say('waterfall'), part: say('part'), start: say('start'), took: say('took') }
  return sectionView(say('waterfall'), waterfallView({ waterfall, firstWordMs: record.firstWordMs, format, words }))
}

function callsView(calls: readonly TurnCallView[], { format, language, say }: Shown): TemplateResult {
  return sectionView(
    say('calls'),
    tableView({
      label: say('calls'),
      testId: 'calls',
      empty: say('noCalls'),
      rows: calls,
      key: ({ attempt }) => attempt,
      columns: [
        { name: '#', cell: ({ attempt }) => attempt },
        { name: say('model'), cell: ({ model, name }) => (name === undefined ? model : `${name} (${model})`) },
        {
          name: say('why'),
          cell: ({ delayMs, why }) =>
            [outcomeText(why ?? '–', language), ...(delayMs ? [format.duration(delayMs)] : [])].join(' · '),
        },
        {
          name: say('outcome'),
          cell: ({ outcome }) => outcomeBadge(outcome, language, outcome === 'end' ? 'good' : 'few'),
        },
        { name: say('firstToken'), cell: ({ firstTokenMs }) => format.duration(firstTokenMs), isFigure: true },
        { name: say('took'), cell: ({ tookMs }) => format.duration(tookMs), isFigure: true },
        {
          name: say('tokens'),
          cell: ({ inputTokens, outputTokens }) => `${format.count(inputTokens)} / ${format.count(outputTokens)}`,
          isFigure: true,
        },
        { name: say('cost'), cell: ({ costMicroUsd }) => format.money(costMicroUsd), isFigure: true },
        { name: say('said'), cell: faultText },
      ],
    }),
  )
}

function faultText({ fault }: TurnCallView): TemplateResult | string {
  if (fault === undefined) return '–'
  const { code, host, message, requestId, status } = fault
  const where = [host, requestId].filter((part) => part !== undefined).join(' · ')
  return html`<span class="preserved"
    >${[status, code, message].filter((part) => part !== undefined).join(' ')}${where === '' ? nothing : html` <small>${where}</small>`}</span
  >`
}

function passedView({ passed = [] }: TurnRecordView, { language, say }: Shown): TemplateResult | typeof nothing {
  if (passed.length === 0) return nothing
  return sectionView(
    say('passed'),
    tableView({
      label: say('passed'),
      empty: '',
      rows: passed,
      key: ({ model, reason }) => `${model} ${reason}`,
      columns: [
        { name: say('model'), cell: ({ model }) => model },
        { name: say('why'), cell: ({ reason }) => outcomeText(reason, language) },
      ],
    }),
  )
}

/** A reader, or several with their sums only. */
type Sent = NonNullable<TurnRecordView['sentToOthers']> & Partial<SentToView> & { readonly name: string }

/** What the readers on the owner's node were sent, one by one and together. */
function readersView(
  { readers = 0, sentTo = [], sentToOthers }: TurnRecordView,
  { format, say }: Shown,
): TemplateResult | typeof nothing {
  if (sentTo.length === 0) return nothing
  const rows: Sent[] = sentTo.map((one, index) => ({ ...one, name: String(index + 1) }))
  if (sentToOthers !== undefined)
    rows.push({ ...sentToOthers, name: say('others', { count: format.count(readers - sentTo.length) }) })
  if (readers > 1) rows.push(sumOf(rows, say('allReaders')))
  return sectionView(
    say('readers'),
    html`${tableView({
        label: say('readers'),
        testId: 'readers',
        empty: '',
        rows,
        key: ({ name }) => name,
        columns: [
          { name: '#', cell: ({ name }) => name },
          { name: say('door'), cell: ({ door }) => (door === undefined ? '' : DOORS[door]) },
          { name: say('end'), cell: (one) => (one.door === undefined ? '' : endBadge(one, say)) },
          { name: say('had'), cell: ({ offset }) => format.count(offset), isFigure: true },
          { name: say('start'), cell: ({ startMs }) => format.duration(startMs), isFigure: true },
          { name: say('took'), cell: ({ tookMs }) => format.duration(tookMs), isFigure: true },
          { name: say('frames'), cell: ({ frames }) => format.count(frames), isFigure: true },
          { name: say('bytes'), cell: ({ bytes }) => format.count(bytes), isFigure: true },
          { name: say('pauses'), cell: ({ pauses = 0 }) => format.count(pauses), isFigure: true },
          { name: say('paused'), cell: ({ pausedMs }) => format.duration(pausedMs), isFigure: true },
        ],
      })}
      <p class="hint">${say('notCompressed')}</p>`,
  )
}

const DOORS = { ws: 'WebSocket', sse: 'SSE', http: 'HTTP', v1: '/v1' } as const

function endBadge({ end }: Pick<Sent, 'end'>, say: Say): TemplateResult {
  return end === undefined ? badge(say('reading')) : badge(say(end), end === 'complete' ? 'good' : 'few')
}

function sumOf(rows: readonly Sent[], name: string): Sent {
  const sum = (figure: (one: Sent) => number | undefined): number =>
    rows.reduce((total, one) => total + (figure(one) ?? 0), 0)
  const pauses = sum((one) => one.pauses)
  return {
    name,
    frames: sum((one) => one.frames),
    bytes: sum((one) => one.bytes),
    ...(pauses === 0 ? {} : { pauses, pausedMs: sum((one) => one.pausedMs) }),
  }
}

function promptView({ estimate, prompt }: TurnRecordView, { format, say }: Shown): TemplateResult | typeof nothing {
  if (prompt === undefined) return nothing
  const parts = [
    [say('system'), prompt.system],
    [say('retrieval'), prompt.retrieval],
    [say('history'), prompt.history],
    [say('message'), prompt.message],
    [say('whole'), prompt.total],
  ] as const
  return sectionView(
    say('prompt'),
    html`<div class="budgets" data-testid="prompt">
      ${parts.map(
        ([name, tokens]) =>
          html`<div class="budget">
            <span>${name}</span>
            <meter min="0" max=${Math.max(prompt.total, 1)} .value=${tokens} aria-label=${name}></meter>
            <span class="figure">${format.count(tokens)}</span>
          </div>`,
      )}
      ${
        estimate === undefined
          ? nothing
          : html`<p class="hint" data-testid="estimate">
              ${say('estimateBy')}:
              ${say(estimate.method, { family: estimate.family })}${
                estimate.confidence === null
                  ? nothing
                  : `, ${say('confidence', { share: format.share(estimate.confidence) })}`
              }
            </p>`
      }
    </div>`,
  )
}

function retrievedView({ retrieved }: TurnRecordView, say: Say): TemplateResult | typeof nothing {
  if (retrieved === undefined || retrieved.products.length + retrieved.faq.length === 0) return nothing
  const series = (id: string): TemplateResult =>
    html`<a href="/series/${encodeURIComponent(id)}" target="_blank" rel="noopener">${id}</a>`
  return sectionView(
    say('retrieved'),
    html`<dl class="lines">
      <dt>${say('products')}</dt>
      <dd>${retrieved.products.map((id) => html`${series(id)} `)}</dd>
      <dt>${say('faq')}</dt>
      <dd>${retrieved.faq.join(', ') || '–'}</dd>
    </dl>`,
  )
}

function ledgerView({ ledger }: TurnStoryView, { format, language, say }: Shown): TemplateResult {
  return tableView({
    label: say('ledger'),
    empty: say('noLedger'),
    rows: ledger,
    key: ({ attempt }) => attempt,
    columns: [
      { name: '#', cell: ({ attempt }) => attempt },
      { name: say('model'), cell: ({ model }) => model },
      { name: say('outcome'), cell: ({ outcome }) => outcomeText(outcome, language) },
      {
        name: say('tokens'),
        cell: ({ inputTokens, outputTokens }) => `${format.count(inputTokens)} / ${format.count(outputTokens)}`,
        isFigure: true,
      },
      { name: say('cost'), cell: ({ costMicroUsd }) => format.money(costMicroUsd), isFigure: true },
      {
        name: say('marks'),
        cell: ({ estimated, overage }) =>
          html`${estimated ? badge(say('estimated'), 'few') : nothing}
          ${overage === true ? badge(say('overage'), 'few') : nothing}`,
      },
    ],
  })
}

function receivedView({ received }: TurnRecordView, { format, say }: Shown): TemplateResult | typeof nothing {
  const { askedAgain, cardsOpened, feedback, followedUp, handedOver, resumed } = received
  const facts = [
    feedback === undefined
      ? undefined
      : ([
          say('thumb'),
          feedback.reason === undefined ? feedback.value : `${feedback.value}: ${feedback.reason}`,
        ] as const),
    followedUp === undefined ? undefined : ([say('followedUp'), say('yes')] as const),
    askedAgain === undefined ? undefined : ([say('askedAgain'), say('yes')] as const),
    handedOver === undefined ? undefined : ([say('handedOver'), say('yes')] as const),
    cardsOpened === undefined ? undefined : ([say('cardsOpened'), format.count(cardsOpened)] as const),
    resumed === undefined ? undefined : ([say('resumed'), format.count(resumed)] as const),
  ].filter((fact) => fact !== undefined)
  return facts.length === 0 ? nothing : factsView(facts)
}
