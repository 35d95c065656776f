// Models and the other dependencies: the circuit of each lane, its load and recent calls, what it cost today, and the operator's
// actions on it.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { AuditLine, LaneAction, LaneView, UsageView } from '@mangaassist/protocol/admin'
import { consoleHref } from '../data/address.ts'
import { badge, factsView, laneName, sectionView } from '../parts/bits.ts'
import type { Tone } from '../parts/bits.ts'
import { tableView } from '../parts/table.ts'
import { ConsoleScreen } from '../shell/console-screen.ts'
import { speakFilled } from '../shell/say.ts'
import { modelWords } from '../words/models.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const DAYS_SHOWN = 7

interface ModelsData {
  readonly lanes: readonly LaneView[]
  readonly usage: UsageView
  /** The audit of the lane that is shown. */
  readonly history: readonly AuditLine[]
}

const tones: Readonly<Record<LaneView['phase'], Tone>> = {
  closed: 'good',
  open: 'bad',
  'half-open': 'few',
  recovering: 'few',
}

class ModelsScreen extends ConsoleScreen<ModelsData> {
  get #say() {
    return speakFilled(modelWords, this.language)
  }

  get #lane(): string | undefined {
    return this.address.rest[0]
  }

  protected get heading(): string {
    return this.#lane === undefined ? this.#say('models') : laneName(this.#lane)
  }

  protected get refreshMs(): number {
    return 5000
  }

  protected async fetchData(): Promise<ModelsData> {
    const { api } = this.host
    const lane = this.#lane
    const from = new Date(this.host.now() - (DAYS_SHOWN - 1) * DAY_MS).toISOString().slice(0, 10)
    const [lanes, { data: usage }, history] = await Promise.all([
      api.lanes(),
      api.usage({ by: 'model,outcome', from, limit: 200 }),
      lane === undefined ? [] : api.audit({ subject: lane, limit: 20 }).then(({ data }) => data),
    ])
    return { lanes, usage, history }
  }

  protected view(data: ModelsData): TemplateResult {
    const lane = this.#lane === undefined ? undefined : data.lanes.find(({ lane: name }) => name === this.#lane)
    if (this.#lane !== undefined)
      return lane === undefined ? html`<p class="note">${this.shellSay('notThere')}</p>` : this.#laneView(lane, data)
    const say = this.#say
    return html`${tableView({
      label: say('models'),
      testId: 'lanes',
      empty: say('none'),
      rows: data.lanes,
      key: ({ lane: name }) => name,
      href: ({ lane: name }) => consoleHref({ screen: 'models', rest: [name] }),
      columns: [
        { name: say('lane'), cell: ({ lane: name }) => laneName(name) },
        { name: say('used'), cell: ({ models }) => models.join(', ') || '–' },
        { name: say('state'), cell: (row) => this.#stateOf(row) },
        { name: say('inFlight'), cell: (row) => this.#load(row), isFigure: true },
        { name: say('calls'), cell: ({ recent }) => this.format.count(recent.calls), isFigure: true },
        { name: say('failures'), cell: ({ recent }) => this.format.count(recent.failures), isFigure: true },
        { name: say('retries'), cell: ({ recent }) => this.format.count(recent.retries), isFigure: true },
        { name: say('shed'), cell: ({ recent }) => this.format.count(recent.shed), isFigure: true },
      ],
    })}
    ${sectionView(say('today'), this.#usageView(data.usage))}`
  }

  #load({ inFlight, limit }: LaneView): string {
    return limit === null ? this.format.count(inFlight) : `${this.format.count(inFlight)} / ${this.format.count(limit)}`
  }

  #stateOf({ level, operator, phase }: LaneView): TemplateResult {
    return html`<span class="badges">
      ${badge(phase, tones[phase])} ${phase === 'closed' && level !== 'normal' ? badge(level, 'few') : nothing}
      ${operator === null ? nothing : badge(operator.action, 'few')}
    </span>`
  }

  #laneView(lane: LaneView, { history, usage }: ModelsData): TemplateResult {
    const say = this.#say
    const now = this.host.now()
    const { operator } = lane
    return html`<p><a href=${consoleHref({ screen: 'models' })}>← ${say('back')}</a></p>
      ${factsView([
        [say('state'), this.#stateOf(lane)],
        [say('used'), lane.models.join(', ') || '–'],
        [say('inFlight'), lane.limit === null ? `${this.#load(lane)} (${say('noLimit')})` : this.#load(lane)],
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
            : say('heldBy', { action: operator.action, by: operator.by, age: this.format.ago(operator.at, now) }),
        ],
        [say('scope'), lane.scope],
      ])}
      ${this.host.may('operator') ? this.#actions(lane) : nothing}
      ${
        lane.models.length === 0
          ? nothing
          : sectionView(
              say('today'),
              this.#usageView({ groups: usage.groups.filter(({ key }) => isOfLane(key['model'] ?? '', lane)) }),
              html`<a href=${consoleHref({ screen: 'turns', query: { model: vendorId(lane) } })}
                >${say('itsTurns')}</a
              >`,
            )
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

  #actions({ lane, scope }: LaneView): TemplateResult {
    const say = this.#say
    const offer = (action: LaneAction['action'], word: 'forceOpen' | 'reset' | 'disable') =>
      html`<button
        type="button"
        class=${action === 'reset' ? '' : 'danger'}
        data-testid=${`lane-${action}`}
        @click=${() =>
          this.host.act({
            title: `${say(word)}: ${laneName(lane)}`,
            text: [say(`${word}Text`, { lane: laneName(lane) }), ...(scope === 'node' ? [say('onlyHere')] : [])].join(
              ' ',
            ),
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

  #usageView({ groups }: Pick<UsageView, 'groups'>): TemplateResult {
    const say = this.#say
    const all = groups.reduce((sum, { rows }) => sum + rows, 0)
    return tableView({
      label: say('today'),
      empty: say('none'),
      rows: [...groups].sort((one, other) => other.costMicroUsd - one.costMicroUsd || other.rows - one.rows),
      key: ({ key }) => `${key['model']} ${key['outcome']}`,
      columns: [
        { name: say('model'), cell: ({ key }) => key['model'] ?? '–' },
        { name: say('outcome'), cell: ({ key }) => key['outcome'] ?? '–' },
        { name: say('rows'), cell: ({ rows }) => this.format.count(rows), isFigure: true },
        { name: say('share'), cell: ({ rows }) => this.format.share(all === 0 ? 0 : rows / all), isFigure: true },
        { name: say('input'), cell: ({ inputTokens }) => this.format.count(inputTokens), isFigure: true },
        { name: say('output'), cell: ({ outputTokens }) => this.format.count(outputTokens), isFigure: true },
        { name: say('cost'), cell: ({ costMicroUsd }) => this.format.money(costMicroUsd), isFigure: true },
      ],
    })
  }
}

/** The ledger and the records have the vendor's id, with which a lane's name begins. */
function vendorId({ lane }: LaneView): string {
  return laneName(lane).replace(/@[^@]*$/, '')
}

function isOfLane(model: string, lane: LaneView): boolean {
  return lane.models.includes(model) || vendorId(lane) === model
}

customElements.define('models-screen', ModelsScreen)
