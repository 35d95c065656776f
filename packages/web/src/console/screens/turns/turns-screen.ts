// The turns, newest first: every filter is in the address, pages have cursors, the first page can be followed live, and a view can
// be saved under a name.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { AdminClient } from '@mangaassist/client/admin'
import type { TurnRecordView } from '@mangaassist/protocol/admin'
import { consoleHref } from '../../data/address.ts'
import { badge } from '../../parts/bits.ts'
import { filterForm } from '../../parts/filters.ts'
import { pagerView } from '../../parts/pager.ts'
import '../../parts/saved-views.ts'
import { tableView } from '../../parts/table.ts'
import { ConsoleScreen } from '../../shell/console-screen.ts'
import { speakFilled } from '../../shell/say.ts'
import { turnWords } from '../../words/turns.ts'

const PAGE = 50
const LIVE_MS = 2000
const CALM_MS = 15_000

type Page = Awaited<ReturnType<AdminClient['turnRecords']>>

class TurnsScreen extends ConsoleScreen<Page> {
  get #say() {
    return speakFilled(turnWords, this.language)
  }

  protected get heading(): string {
    return this.#say('turns')
  }

  protected get refreshMs(): number | null {
    const { after, live } = this.address.query
    return after === undefined ? (live === '1' ? LIVE_MS : CALM_MS) : null
  }

  protected fetchData(): Promise<Page> {
    const { live: _, ...query } = this.address.query
    return this.host.api.turnRecords({ ...query, limit: PAGE })
  }

  protected override tools(): TemplateResult {
    const { after: _, live, ...query } = this.address.query
    const next = live === '1' ? undefined : '1'
    return html`<button
      type="button"
      role="switch"
      data-testid="live"
      aria-checked=${live === '1'}
      @click=${() => this.host.go(consoleHref({ screen: 'turns', query: { ...query, live: next } }))}
    >
      ${this.#say('live')}
    </button>`
  }

  protected view({ data, next }: Page): TemplateResult {
    const say = this.#say
    const text = (name: 'user' | 'session' | 'experiment') => ({ kind: 'text', name, label: say(name) }) as const
    return html`<saved-views .language=${this.language} .address=${this.address}></saved-views> ${filterForm({
        host: this.host,
        address: this.address,
        say,
        isFolded: true,
        fields: [
          text('user'),
          text('session'),
          text('experiment'),
          {
            kind: 'choice',
            name: 'feedback',
            label: say('feedback'),
            choices: ['', 'up', 'down'].map((value) => ({ value, label: value === '' ? say('any') : value })),
          },
          { kind: 'day', name: 'from', label: say('from') },
          { kind: 'day', name: 'to', label: say('to') },
        ],
      })}
      ${tableView({
        label: say('turns'),
        testId: 'turns',
        empty: say('none'),
        rows: data.filter((record): record is TurnRecordView => 'turnId' in record),
        key: ({ turnId }) => turnId,
        href: ({ principalId }) => consoleHref({ screen: 'people', rest: [principalId] }),
        columns: [
          { name: say('at'), cell: ({ at }) => this.format.time(at) },
          { name: say('user'), cell: ({ principalId }) => principalId },
          { name: say('model'), cell: ({ model }) => model },
          { name: say('outcome'), cell: (row) => this.#end(row) },
          { name: say('firstWord'), cell: ({ firstWordMs }) => this.format.duration(firstWordMs), isFigure: true },
          { name: say('total'), cell: ({ totalMs }) => this.format.duration(totalMs), isFigure: true },
          { name: say('cost'), cell: ({ costMicroUsd }) => this.format.money(costMicroUsd), isFigure: true },
        ],
      })}
      ${pagerView(this.address, next, say)}`
  }

  #end({ finishReason, isCached, isDegraded }: TurnRecordView): TemplateResult {
    const say = this.#say
    return html`<span class="badges">
      ${badge(finishReason, finishReason === 'stop' ? 'good' : 'few')}
      ${isDegraded ? badge(say('degraded'), 'few') : nothing} ${isCached ? badge(say('cachedAnswer')) : nothing}
    </span>`
  }
}

customElements.define('turns-screen', TurnsScreen)
