// What happens at this moment in the whole cluster: running turns, traffic and first words of the last half hour, spending, lanes that are
// not well, and the latest turns. The server makes the figures, at most once a second for any number of screens.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { AlarmsView, OverviewView, RecordView, UsageView } from '@mangaassist/protocol/admin'
import { consoleHref } from '../data/address.ts'
import { isRefusedRecord, recordIdOf } from '../data/records.ts'
import { badge, budgetView, factsView, sectionView, severityTones } from '../parts/bits.ts'
import { isWell, laneStateView, laneTitle } from '../parts/lane-state.ts'
import { outcomeText } from '../parts/outcome.ts'
import { recordEndView } from '../parts/record-end.ts'
import { tableView } from '../parts/table.ts'
import '../parts/time-chart.ts'
import { ConsoleScreen } from '../shell/console-screen.ts'
import { speakFilled } from '../shell/say.ts'
import { nowWords } from '../words/now.ts'

const LATEST = 8
/** How many of the latest degraded turns are asked for their reasons, and how many reasons are shown. */
const EXPLAINED = 100
const REASONS = 3
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

interface NowData {
  readonly overview: OverviewView
  readonly today: UsageView
  readonly latest: readonly RecordView[]
  readonly firing: AlarmsView['firing']
  /** Why turns of the half hour were degraded, the most frequent reason first. */
  readonly reasons: readonly string[]
}

type Lane = OverviewView['lanes'][number]
type HalfHour = NonNullable<OverviewView['halfHour']>

class NowScreen extends ConsoleScreen<NowData> {
  get #say() {
    return speakFilled(nowWords, this.language)
  }

  protected get heading(): string {
    return this.#say('now')
  }

  protected get refreshMs(): number {
    return 5000
  }

  protected async fetchData(): Promise<NowData> {
    const { api } = this.host
    const [shown, alarms, { data: latest }] = await Promise.all([
      this.#overview(),
      api.alarms(),
      api.turnRecords({ kind: 'any', limit: LATEST }),
    ])
    return { ...shown, latest, firing: alarms.firing }
  }

  /** The overview together with the ledger and the records of the same time. */
  async #overview(): Promise<Pick<NowData, 'overview' | 'today' | 'reasons'>> {
    const overview = await this.host.api.overview()
    const [today, reasons] = await Promise.all([
      this.#spentOn(overview.spending[0]?.day),
      this.#whyDegraded(overview.halfHour),
    ])
    return { overview, today, reasons }
  }

  /** The day is the shop's, which may not be the operator's. */
  async #spentOn(day: string | undefined): Promise<UsageView> {
    if (day === undefined) return { groups: [] }
    return (await this.host.api.usage({ by: 'day', from: day, to: day })).data
  }

  async #whyDegraded(halfHour: HalfHour | null): Promise<readonly string[]> {
    if (halfHour === null || halfHour.degraded === 0) return []
    const { data } = await this.host.api.turnRecords({ degraded: true, from: halfHour.since, limit: EXPLAINED })
    return mostFrequent(data.flatMap((row) => (isRefusedRecord(row) ? [] : (row.reason ?? [])))).slice(0, REASONS)
  }

  protected view({ firing, latest, overview, reasons, today }: NowData): TemplateResult {
    const say = this.#say
    const { lanes, mode, spending } = overview
    return html`${
      mode === 'normal'
        ? nothing
        : html`<p class="note warning" data-testid="in-mode">
            ${say('inMode')} <a href=${consoleHref({ screen: 'settings' })}>${badge(mode, 'few')}</a>
          </p>`
    }
    ${firing.map((alarm) => this.#alarm(alarm))} ${this.#facts(overview, { reasons, today })} ${this.#charts(overview)}
    ${sectionView(
      say('ceilings'),
      html`<div class="budgets">
        ${spending.map(({ account, limitMicroUsd, reservedMicroUsd }) => {
          if (reservedMicroUsd === null) return html`<p class="hint">${say(account)}: ${say('unknown')}</p>`
          // The ledger has no sum of the guests alone.
          const spent = account === 'store' ? (today.totals?.costMicroUsd ?? 0) : reservedMicroUsd
          return budgetView({
            name: say(account),
            used: spent,
            reserved: Math.max(0, reservedMicroUsd - spent),
            limit: limitMicroUsd,
            write: this.format.money,
          })
        })}
      </div>`,
    )}
    ${sectionView(say('lanes'), this.#lanes(lanes))}
    ${sectionView(
      say('latest'),
      this.#latest(latest),
      html`<a href=${consoleHref({ screen: 'turns', query: { live: '1', kind: 'any' } })}>${say('allTurns')}</a>`,
    )}`
  }

  #alarm({ severity, silence, since, title }: AlarmsView['firing'][number]): TemplateResult {
    const age = this.format.ago(since, this.host.now())
    return html`<p class="note warning" data-testid="now-alarm">
      ${badge(severity, severityTones[severity])}
      <a href=${consoleHref({ screen: 'alarms' })}>${title[this.language]}</a> ${age}
      ${silence === undefined ? nothing : badge(this.#say('silenced'))}
    </p>`
  }

  #facts(
    { halfHour, nodes, sum }: OverviewView,
    { reasons, today }: Pick<NowData, 'reasons' | 'today'>,
  ): TemplateResult {
    const say = this.#say
    const { count, duration, money } = this.format
    const minutes = Math.max(1, Math.round((halfHour?.coveredMs ?? 0) / MINUTE_MS))
    return html`<div data-testid="facts">
      ${factsView([
        [say('running'), count(sum.running)],
        [say('waiting'), count(sum.waiting)],
        [say('connections'), count(sum.connections)],
        ...(halfHour === null
          ? []
          : ([
              [say('lastMinutes', { n: minutes }), count(halfHour.turns)],
              [say('refusals'), this.#refusals(halfHour)],
              [say('degraded'), this.#degraded(halfHour, reasons)],
              [say('firstWordMedian'), duration(halfHour.firstWordsP50Ms)],
              [say('firstWordP95'), duration(halfHour.firstWordsP95Ms)],
              [say('spendRate'), money(perHour(halfHour))],
            ] as const)),
        [say('spentToday'), money(today.totals?.costMicroUsd)],
        [say('nodes'), count(nodes.length)],
      ])}
    </div>`
  }

  /** By code, because a wrong password of an operator is not the same as a shopper without budget. */
  #refusals({ refusals, refused }: HalfHour): TemplateResult {
    const { count } = this.format
    const codes = Object.entries(refusals).map(([code, times]) => `${code} ${count(times)}`)
    const href = consoleHref({ screen: 'turns', query: { kind: 'refusal' } })
    return html`<a href=${href} data-testid="now-refusals">${count(refused)}</a>
      ${codes.map((code) => html`<small>${code}</small>`)}`
  }

  #degraded({ degraded, turns }: HalfHour, reasons: readonly string[]): TemplateResult | string {
    if (turns === 0) return this.format.share(null)
    const href = consoleHref({ screen: 'turns', query: { degraded: 'true' } })
    return html`<a href=${href} data-testid="now-degraded">${this.format.share(degraded / turns)}</a>
      ${reasons.map((reason) => html`<small>${outcomeText(reason, this.language)}</small>`)}`
  }

  #charts({ history: minutes }: OverviewView): TemplateResult | typeof nothing {
    if (minutes.length < 2) return nothing
    const say = this.#say
    const { format, language } = this
    const times = minutes.map(({ at }) => Date.parse(at))
    return html`<div class="charts">
      <time-chart
        .language=${language}
        .caption=${say('traffic')}
        .times=${times}
        .lines=${[
          { name: say('turns'), colour: '--focus', values: minutes.map(({ turns }) => turns) },
          { name: say('refusals'), colour: '--few', values: minutes.map(({ refused }) => refused) },
        ]}
        .write=${format.count}
      ></time-chart>
      <time-chart
        .language=${language}
        .caption=${say('firstWords')}
        .times=${times}
        .lines=${[
          { name: say('median'), colour: '--good', values: minutes.map(({ firstWordsP50Ms }) => firstWordsP50Ms) },
          { name: say('p95'), colour: '--accent', values: minutes.map(({ firstWordsP95Ms }) => firstWordsP95Ms) },
        ]}
        .write=${format.duration}
      ></time-chart>
      <time-chart
        .language=${language}
        .caption=${say('cost')}
        .times=${times}
        .lines=${[{ name: say('spent'), colour: '--accent', values: minutes.map(({ costMicroUsd }) => costMicroUsd) }]}
        .write=${format.money}
      ></time-chart>
    </div>`
  }

  #lanes(lanes: readonly Lane[]): TemplateResult {
    const say = this.#say
    return tableView({
      label: say('lanes'),
      testId: 'now-lanes',
      empty: say('none'),
      // What is not well comes first.
      rows: lanes.toSorted((one, other) => Number(isWell(one)) - Number(isWell(other))),
      key: ({ lane }) => lane,
      href: ({ lane }) => consoleHref({ screen: 'models', rest: [lane] }),
      columns: [
        { name: say('lane'), cell: laneTitle },
        { name: say('state'), cell: (lane) => laneStateView(lane, this.language) },
        {
          name: say('inFlight'),
          cell: ({ inFlight, limit }) =>
            limit === null
              ? this.format.count(inFlight)
              : `${this.format.count(inFlight)} / ${this.format.count(limit)}`,
          isFigure: true,
        },
        {
          name: say('recent'),
          cell: ({ calls, failures }) => `${this.format.count(failures)} / ${this.format.count(calls)}`,
          isFigure: true,
        },
      ],
    })
  }

  #latest(rows: readonly RecordView[]): TemplateResult {
    const say = this.#say
    return tableView({
      label: say('latest'),
      empty: say('none'),
      rows,
      key: recordIdOf,
      href: (row) => consoleHref({ screen: 'turns', rest: [recordIdOf(row)] }),
      columns: [
        { name: say('at'), cell: ({ at }) => this.format.clock(at) },
        { name: say('model'), cell: (row) => (isRefusedRecord(row) ? '–' : row.model) },
        { name: say('end'), cell: (row) => recordEndView(row, { format: this.format, language: this.language }) },
      ],
    })
  }
}

function mostFrequent(names: readonly string[]): readonly string[] {
  const groups = [...Map.groupBy(names, (name) => name)]
  return groups.toSorted(([, one], [, other]) => other.length - one.length).map(([name]) => name)
}

/** The cost of an hour at the rate of the last half hour. */
function perHour({ costMicroUsd, coveredMs }: { readonly costMicroUsd: number; readonly coveredMs: number }): number {
  return coveredMs === 0 ? 0 : Math.round((costMicroUsd * HOUR_MS) / coveredMs)
}

customElements.define('now-screen', NowScreen)
