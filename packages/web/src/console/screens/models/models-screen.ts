// Models and the other dependencies: the circuit of each lane now and over a chosen time, its load and recent calls, what the models did and cost, what
// their vendors said, and the operator's actions.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { AuditLine, LaneAction, LaneView, ModelsView } from '@mangaassist/protocol/admin'
import { consoleHref } from '../../data/address.ts'
import { factsView, laneName, sectionView } from '../../parts/bits.ts'
import { actionWord, laneStateView, laneTitle, laneTitleView } from '../../parts/lane-state.ts'
import { tableView } from '../../parts/table.ts'
import '../../parts/time-chart.ts'
import { ConsoleScreen } from '../../shell/console-screen.ts'
import { speakFilled } from '../../shell/say.ts'
import { laneChangeWords, modelWords } from '../../words/models.ts'
import {
  changesTable,
  estimatorsTable,
  faultsTable,
  modelsTable,
  routingView,
  slowView,
  stripsView,
} from './model-tables.ts'
import type { Shown } from './model-tables.ts'

/** The times to choose from. */
const HOURS = [1, 6, 24, 168] as const
const HOURS_USUAL = 24

interface ModelsData {
  readonly lanes: readonly LaneView[]
  readonly report: ModelsView
  /** The audit of the lane that is shown. */
  readonly history: readonly AuditLine[]
}

class ModelsScreen extends ConsoleScreen<ModelsData> {
  get #say() {
    return speakFilled(modelWords, this.language)
  }

  get #lane(): string | undefined {
    return this.address.rest[0]
  }

  protected get heading(): string {
    const lane = this.#lane
    if (lane === undefined) return this.#say('models')
    const known = this.loaded.data?.lanes.find((one) => one.lane === lane)
    return known === undefined ? laneName(lane) : laneTitle(known)
  }

  get #hours(): number {
    const given = Number(this.address.query['hours'])
    return Number.isInteger(given) && given > 0 ? given : HOURS_USUAL
  }

  get #shown(): Shown {
    const { format, language } = this
    return { say: this.#say, sayWhy: speakFilled(laneChangeWords, language), format, language }
  }

  protected get refreshMs(): number {
    return 5000
  }

  protected async fetchData(): Promise<ModelsData> {
    const { api } = this.host
    const lane = this.#lane
    const { to } = this.address.query
    const [lanes, report, history] = await Promise.all([
      api.lanes(),
      api.models({ hours: this.#hours, ...(to === undefined ? {} : { to }) }),
      lane === undefined ? [] : api.audit({ subject: lane, limit: 20 }).then(({ data }) => data),
    ])
    return { lanes, report, history }
  }

  protected view(data: ModelsData): TemplateResult {
    const lane = this.#lane === undefined ? undefined : data.lanes.find(({ lane: name }) => name === this.#lane)
    if (this.#lane !== undefined)
      return lane === undefined ? html`<p class="note">${this.shellSay('notThere')}</p>` : this.#laneView(lane, data)
    const say = this.#say
    const { routing, slow } = data.report
    return html`${slow === undefined ? nothing : slowView(slow, this.#shown)}
    ${routing === undefined ? nothing : routingView(routing, this.#shown)}
    ${tableView({
      label: say('models'),
      testId: 'lanes',
      empty: say('none'),
      rows: data.lanes,
      key: ({ lane: name }) => name,
      href: ({ lane: name }) => consoleHref({ screen: 'models', rest: [name] }),
      columns: [
        { name: say('lane'), cell: laneTitleView },
        { name: say('state'), cell: (row) => this.#stateOf(row) },
        { name: say('inFlight'), cell: (row) => this.#load(row), isFigure: true },
        { name: say('calls'), cell: ({ recent }) => this.format.count(recent.calls), isFigure: true },
        { name: say('failures'), cell: ({ recent }) => this.format.count(recent.failures), isFigure: true },
        { name: say('retries'), cell: ({ recent }) => this.format.count(recent.retries), isFigure: true },
        { name: say('shed'), cell: ({ recent }) => this.format.count(recent.shed), isFigure: true },
      ],
    })}
    ${this.#overTime(data.report)}`
  }

  #load({ inFlight, limit }: LaneView): string {
    return limit === null ? this.format.count(inFlight) : `${this.format.count(inFlight)} / ${this.format.count(limit)}`
  }

  #stateOf({ operator, ...lane }: LaneView): TemplateResult {
    return laneStateView({ ...lane, held: operator?.action ?? null }, this.language)
  }

  /** What happened in the chosen time, in all lanes or in one. */
  #overTime({ models, ...report }: ModelsView, changes?: TemplateResult): TemplateResult {
    const say = this.#say
    const shown = this.#shown
    return html`${this.#choice()} ${sectionView(say('states'), stripsView(report, shown))} ${changes ?? nothing}
    ${
      models.length === 0
        ? nothing
        : html`${this.#charts(models)} ${sectionView(say('figures'), modelsTable(models, shown))}
          ${sectionView(say('estimates'), estimatorsTable(models, shown))}
          ${sectionView(say('errors'), faultsTable(models, shown))}`
    }`
  }

  #choice(): TemplateResult {
    const say = this.#say
    const { rest } = this.address
    const words = { 1: 'lastHour', 6: 'lastSixHours', 24: 'lastDay', 168: 'lastWeek' } as const
    return html`<nav class="choice" aria-label=${say('time')} data-testid="hours">
      ${HOURS.map(
        (hours) =>
          html`<a
            href=${consoleHref({ screen: 'models', rest, query: { hours } })}
            aria-current=${this.#hours === hours && this.address.query['to'] === undefined ? 'true' : nothing}
            >${say(words[hours])}</a
          >`,
      )}
    </nav>`
  }

  #charts(models: ModelsView['models']): TemplateResult {
    const say = this.#say
    const steps = models[0]?.history ?? []
    const times = steps.map(({ at }) => Date.parse(at))
    const sum = (of: 'calls' | 'failures') =>
      steps.map((_, index) => models.reduce((total, { history }) => total + (history[index]?.[of] ?? 0), 0))
    // The slowest of several models: percentiles cannot be added.
    const slowest = (of: 'firstWordsP95Ms' | 'totalP95Ms') =>
      steps.map((_, index) => {
        const known = models.flatMap(({ history }) => history[index]?.[of] ?? [])
        return known.length === 0 ? null : Math.max(...known)
      })
    return html`<div class="charts">
      <time-chart
        .language=${this.language}
        .caption=${say('callsOverTime')}
        .times=${times}
        .lines=${[
          { name: say('rows'), colour: '--focus', values: sum('calls') },
          { name: say('failures'), colour: '--accent', values: sum('failures') },
        ]}
        .write=${this.format.count}
      ></time-chart>
      <time-chart
        .language=${this.language}
        .caption=${say('latencyOverTime')}
        .times=${times}
        .lines=${[
          { name: say('firstWordsP95'), colour: '--good', values: slowest('firstWordsP95Ms') },
          { name: say('totalP95'), colour: '--accent', values: slowest('totalP95Ms') },
        ]}
        .write=${this.format.duration}
      ></time-chart>
    </div>`
  }

  #laneView(lane: LaneView, { history, report }: ModelsData): TemplateResult {
    const say = this.#say
    const now = this.host.now()
    const { operator } = lane
    return html`<p><a href=${consoleHref({ screen: 'models' })}>← ${say('back')}</a></p>
      ${factsView([
        [say('state'), this.#stateOf(lane)],
        lane.models.length === 0 ? undefined : [say('place'), laneName(lane.lane)],
        [say('inFlight'), lane.limit === null ? `${this.#load(lane)} (${say('noLimit')})` : this.#load(lane)],
        lane.pace === null ? undefined : [say('pace'), this.format.count(lane.pace)],
        [say('calls'), this.format.count(lane.recent.calls)],
        [say('failures'), this.format.count(lane.recent.failures)],
        [say('retries'), this.format.count(lane.recent.retries)],
        [say('shed'), this.format.count(lane.recent.shed)],
        [say('retryBudget'), `${this.format.count(Math.floor(lane.bucket))} / ${this.format.count(lane.bucketMax)}`],
        lane.opensAt === null ? undefined : [say('opensAt'), this.format.ago(lane.opensAt, now)],
        lane.probes === null ? undefined : [say('probes'), `${lane.probes.passed} / ${lane.probes.probesMax}`],
        [
          say('byOperator'),
          operator === null
            ? say('automatic')
            : say('heldBy', {
                action: actionWord(operator.action, this.language),
                by: operator.by,
                age: this.format.ago(operator.at, now),
              }),
        ],
        [say('scope'), say(lane.scope)],
      ])}
      ${this.host.may('operator') ? this.#actions(lane) : nothing}
      ${this.#overTime(ofLane(report, lane), sectionView(say('changes'), changesTable(changesOf(report, lane), ofLane(report, lane).lanes, this.#shown)))}
      ${
        lane.models.length === 0
          ? nothing
          : html`<p>
              <a href=${consoleHref({ screen: 'turns', query: { model: vendorId(lane) } })}>${say('itsTurns')}</a>
            </p>`
      }
      ${sectionView(
        say('history'),
        tableView({
          label: say('history'),
          empty: say('none'),
          rows: history,
          key: ({ number }) => number,
          columns: [
            { name: say('at'), cell: ({ at }) => this.format.time(at) },
            { name: say('action'), cell: ({ action }) => action },
            { name: say('by'), cell: ({ by }) => by },
            { name: say('reason'), cell: ({ reason }) => reason },
          ],
        }),
      )}`
  }

  #actions(shown: LaneView): TemplateResult {
    const { lane, scope } = shown
    const say = this.#say
    const named = laneTitle(shown)
    const offer = (action: LaneAction['action'], word: 'forceOpen' | 'reset' | 'disable') =>
      html`<button
        type="button"
        class=${action === 'reset' ? '' : 'danger'}
        data-testid=${`lane-${action}`}
        @click=${() =>
          this.host.act({
            title: `${say(word)}: ${named}`,
            text: [say(`${word}Text`, { lane: named }), ...(scope === 'node' ? [say('onlyHere')] : [])].join(' '),
            isDangerous: action !== 'reset',
            run: async (reason) => ({ line: await this.host.api.operateLane(lane, { action, reason }) }),
          })}
      >
        ${say(word)}
      </button>`
    return html`<div class="actions">
      ${offer('force-open', 'forceOpen')} ${offer('reset', 'reset')} ${offer('disable', 'disable')}
    </div>`
  }
}

/** The records of turns have the vendor's id, with which a lane's name begins. */
function vendorId({ lane }: LaneView): string {
  return laneName(lane).replace(/@[^@]*$/, '')
}

function ofLane(report: ModelsView, { lane, models }: LaneView): ModelsView {
  return {
    ...report,
    models: report.models.filter(({ model }) => models.includes(model)),
    lanes: report.lanes.filter((one) => one.lane === lane),
  }
}

function changesOf({ lanes }: ModelsView, { lane }: LaneView): ModelsView['lanes'][number]['changes'] {
  const own = lanes.filter((one) => one.lane === lane).flatMap(({ changes }) => changes)
  return own.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
}

customElements.define('models-screen', ModelsScreen)
