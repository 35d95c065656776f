// What happens at this moment: running turns, the traffic and first words of the last half hour, spending, lanes that are not well,
// and the latest turns. It asks for new records only, so that an open screen costs the server little.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { AlarmsView, LaneView, Maintenance, NodesView, RecordView, UsageView } from '@mangaassist/protocol/admin'
import { consoleHref } from '../data/address.ts'
import { withNewer } from '../data/live-tail.ts'
import type { Tail } from '../data/live-tail.ts'
import { isRefusedRecord, recordIdOf } from '../data/records.ts'
import { trafficOf } from '../data/traffic.ts'
import type { Traffic } from '../data/traffic.ts'
import { badge, factsView, laneName, sectionView, severityTones } from '../parts/bits.ts'
import type { Tone } from '../parts/bits.ts'
import { tableView } from '../parts/table.ts'
import '../parts/time-chart.ts'
import { ConsoleScreen } from '../shell/console-screen.ts'
import { speakFilled } from '../shell/say.ts'
import { nowWords } from '../words/now.ts'

const MINUTES = 30
const RECORDS_MAX = 1000
const LATEST = 8
const MINUTE_MS = 60_000

interface NowData {
  readonly nodes: NodesView
  readonly lanes: readonly LaneView[]
  readonly maintenance: Maintenance
  readonly today: UsageView
  readonly tail: Tail<RecordView>
  readonly firing: AlarmsView['firing']
}

const phases: Readonly<Record<LaneView['phase'], Tone>> = {
  closed: 'good',
  open: 'bad',
  'half-open': 'few',
  recovering: 'few',
}

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
    const [nodes, lanes, maintenance, spenders, alarms, tail] = await Promise.all([
      api.nodes(),
      api.lanes(),
      api.maintenance(),
      api.spenders({ limit: 1 }),
      api.alarms(),
      this.#records(),
    ])
    const { day } = spenders.data
    const { data: today } = await api.usage({ by: 'day', from: day, to: day })
    return { nodes, lanes, maintenance, today, tail, firing: alarms.firing }
  }

  /** All of the window at first, then what was recorded since. */
  async #records(): Promise<Tail<RecordView>> {
    const { api, now } = this.host
    const before = this.loaded.data?.tail
    const from = new Date(now() - MINUTES * MINUTE_MS).toISOString()
    const asked = { kind: 'any', limit: RECORDS_MAX } as const
    if (before?.newest === undefined) {
      const { data, newest } = await api.turnRecords({ ...asked, from })
      return { rows: data, newest }
    }
    const { data, newest } = await api.turnRecords({ ...asked, since: before.newest })
    const kept = before.rows.filter(({ at }) => at >= from)
    return withNewer(
      { rows: kept, newest: before.newest },
      { rows: data, newest },
      { idOf: recordIdOf, rowsMax: RECORDS_MAX },
    )
  }

  protected view(data: NowData): TemplateResult {
    const say = this.#say
    const { rows } = data.tail
    const isCut = rows.length >= RECORDS_MAX
    const traffic = trafficOf(rows, { now: this.host.now(), minutesMax: MINUTES, isCut })
    const { maintenance } = data
    return html`${
      maintenance === null
        ? nothing
        : html`<p class="note warning" data-testid="in-maintenance">
            ${say('maintenance', { by: maintenance.by, age: this.format.ago(maintenance.at, this.host.now()) })}
          </p>`
    }
    ${data.firing.map((alarm) => this.#alarm(alarm))} ${this.#facts(data, traffic)} ${this.#charts(traffic)}
    ${isCut ? html`<p class="hint">${say('partial', { n: this.format.count(RECORDS_MAX) })}</p>` : nothing}
    ${sectionView(say('lanes'), this.#lanes(data.lanes))}
    ${sectionView(
      say('latest'),
      this.#latest(rows.slice(0, LATEST)),
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

  #facts({ nodes: { nodes }, today }: NowData, traffic: Traffic): TemplateResult {
    const say = this.#say
    const sum = (of: (node: (typeof nodes)[number]) => number): string =>
      this.format.count(nodes.reduce((total, node) => total + of(node), 0))
    const { firstWordMedianMs, firstWordP95Ms } = traffic
    return html`<div data-testid="facts">
      ${factsView([
        [say('running'), sum(({ turns }) => turns)],
        [say('connections'), sum(({ connections }) => connections)],
        [say('lastMinutes', { n: traffic.minutes.length }), this.format.count(traffic.turns)],
        [say('refusals'), this.format.count(traffic.refusals)],
        [say('degraded'), this.format.share(traffic.degradedShare)],
        [say('firstWordMedian'), this.format.duration(firstWordMedianMs)],
        [say('firstWordP95'), this.format.duration(firstWordP95Ms)],
        [say('spendRate'), this.format.money(Math.round(traffic.microUsdPerHour))],
        [say('spentToday'), this.format.money(today.totals?.costMicroUsd)],
        [say('nodes'), this.format.count(nodes.length)],
      ])}
    </div>`
  }

  #charts({ minutes }: Traffic): TemplateResult | typeof nothing {
    if (minutes.length < 2) return nothing
    const say = this.#say
    const { format, language } = this
    const times = minutes.map(({ at }) => at)
    return html`<div class="charts">
      <time-chart
        .language=${language}
        .caption=${say('traffic')}
        .times=${times}
        .lines=${[
          { name: say('turns'), colour: '--focus', values: minutes.map(({ turns }) => turns) },
          { name: say('refusals'), colour: '--few', values: minutes.map(({ refusals }) => refusals) },
        ]}
        .write=${format.count}
      ></time-chart>
      <time-chart
        .language=${language}
        .caption=${say('firstWords')}
        .times=${times}
        .lines=${[
          { name: say('median'), colour: '--good', values: minutes.map(({ firstWordMedianMs }) => firstWordMedianMs) },
          { name: say('p95'), colour: '--accent', values: minutes.map(({ firstWordP95Ms }) => firstWordP95Ms) },
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

  #lanes(lanes: readonly LaneView[]): TemplateResult {
    const say = this.#say
    return tableView({
      label: say('lanes'),
      testId: 'now-lanes',
      empty: say('none'),
      // What is not well comes first.
      rows: lanes.toSorted((one, other) => Number(one.phase === 'closed') - Number(other.phase === 'closed')),
      key: ({ lane }) => lane,
      href: ({ lane }) => consoleHref({ screen: 'models', rest: [lane] }),
      columns: [
        { name: say('lane'), cell: ({ lane }) => laneName(lane) },
        {
          name: say('state'),
          cell: ({ operator, phase }) =>
            html`<span class="badges"
              >${badge(phase, phases[phase])} ${operator === null ? nothing : badge(operator.action, 'few')}</span
            >`,
        },
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
          cell: ({ recent }) => `${this.format.count(recent.failures)} / ${this.format.count(recent.calls)}`,
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
        {
          name: say('end'),
          cell: (row) =>
            isRefusedRecord(row)
              ? badge(row.code, 'bad')
              : badge(row.finishReason, row.finishReason === 'stop' && !row.isDegraded ? 'good' : 'few'),
        },
      ],
    })
  }
}

customElements.define('now-screen', NowScreen)
