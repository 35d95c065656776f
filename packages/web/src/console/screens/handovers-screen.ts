// Hand-overs: the inbox of requests for a person, those that wait first. Taking and closing one are changes with a reason; the
// conversation is read on its own screen, which the audit keeps.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { AdminPage } from '@mangaassist/client/admin'
import type { HandoverState } from '@mangaassist/protocol'
import type { HandoverEntry } from '@mangaassist/protocol/admin'
import { consoleHref } from '../data/address.ts'
import { badge } from '../parts/bits.ts'
import { filterForm } from '../parts/filters.ts'
import { pagerView } from '../parts/pager.ts'
import { tableView } from '../parts/table.ts'
import { ConsoleScreen } from '../shell/console-screen.ts'
import { speakFilled } from '../shell/say.ts'
import { handoverWords } from '../words/handovers.ts'

const PAGE = 50
const STATES = ['open', 'taken', 'closed'] as const
const ANY = 'all'
const TONES = { open: 'few', taken: 'plain', closed: 'good' } as const

class HandoversScreen extends ConsoleScreen<AdminPage<HandoverEntry[]>> {
  get #say() {
    return speakFilled(handoverWords, this.language)
  }

  protected get heading(): string {
    return this.#say('handovers')
  }

  protected get refreshMs(): number | null {
    return this.address.query['after'] === undefined ? 10_000 : null
  }

  protected fetchData(): Promise<AdminPage<HandoverEntry[]>> {
    const { after, state = 'open' } = this.address.query
    const known = STATES.find((one) => one === state)
    return this.host.api.handovers({
      limit: PAGE,
      ...(known === undefined ? {} : { state: known }),
      ...(after === undefined ? {} : { after }),
    })
  }

  protected view({ data, next }: AdminPage<HandoverEntry[]>): TemplateResult {
    const say = this.#say
    const choices = [...STATES.map((value) => ({ value, label: say(value) })), { value: ANY, label: say('anyState') }]
    return html`${filterForm({
      host: this.host,
      address: this.address,
      say,
      defaults: { state: 'open' },
      fields: [{ kind: 'choice', name: 'state', label: say('state'), choices }],
    })}
    ${tableView({
      label: say('handovers'),
      testId: 'handovers',
      empty: say('empty'),
      rows: data,
      key: ({ handoverId }) => handoverId,
      columns: [
        { name: say('at'), cell: ({ at }) => this.format.time(at) },
        { name: say('state'), cell: ({ state }) => badge(say(state), TONES[state]) },
        { name: say('order'), cell: ({ orderNumber = '' }) => orderNumber },
        { name: say('email'), cell: ({ email = '' }) => email },
        { name: say('note'), cell: ({ note = '' }) => html`<span class="wrapped" dir="auto">${note}</span>` },
        {
          name: say('shopper'),
          cell: ({ userId }) => html`<a href=${consoleHref({ screen: 'people', rest: [userId] })}>${userId}</a>`,
        },
        {
          name: say('conversation'),
          cell: ({ sessionId }) =>
            html`<a href=${consoleHref({ screen: 'conversations', rest: [sessionId] })} title=${sessionId}
              >${say('readIt')}</a
            >`,
        },
        { name: say('last'), cell: (entry) => this.#lastChange(entry) },
        { name: say('actions'), cell: (entry) => this.#actions(entry) },
      ],
    })}
    ${pagerView(this.address, next, say)}`
  }

  #lastChange({ changedAt, changedBy = '', reason = '' }: HandoverEntry): TemplateResult | string {
    if (changedAt === undefined) return ''
    return html`<span class="wrapped">${this.format.time(changedAt)}, ${changedBy}: ${reason}</span>`
  }

  #actions({ handoverId, state }: HandoverEntry): TemplateResult | typeof nothing {
    if (state === 'closed' || !this.host.may('operator')) return nothing
    return html`<div class="actions">
      ${state === 'open' ? this.#button('take', handoverId, state) : nothing}
      ${this.#button('close', handoverId, state)}
    </div>`
  }

  #button(what: 'take' | 'close', id: string, state: HandoverState): TemplateResult {
    const say = this.#say
    const { api } = this.host
    const change = (why: { readonly reason: string }) =>
      what === 'take' ? api.takeHandover(id, why) : api.closeHandover(id, why)
    const act = (): void =>
      this.host.act({
        title: `${say(what)}: ${id}`,
        text: say(`${what}Text`),
        run: async (reason) => ({ line: await change({ reason }) }),
      })
    return html`<button type="button" data-testid=${`${what}-handover`} data-state=${state} @click=${act}>
      ${say(what)}
    </button>`
  }
}

customElements.define('handovers-screen', HandoversScreen)
