// The turns and the refused requests, newest first: every filter is in the address, pages have cursors, the first page can be
// followed live, and a view can be saved under a name. With an id in the address, that turn's story.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { AdminPage } from '@mangaassist/client/admin'
import type { RecordView, TurnRecordsQuery, TurnStoryView } from '@mangaassist/protocol/admin'
import { consoleHref } from '../../data/address.ts'
import { withNewer } from '../../data/live-tail.ts'
import { isRefusedRecord, recordIdOf } from '../../data/records.ts'
import { filterForm } from '../../parts/filters.ts'
import { pagerView } from '../../parts/pager.ts'
import { recordEndView } from '../../parts/record-end.ts'
import '../../parts/saved-views.ts'
import { tableView } from '../../parts/table.ts'
import { ConsoleScreen } from '../../shell/console-screen.ts'
import { speakFilled } from '../../shell/say.ts'
import { turnWords } from '../../words/turns.ts'
import { storyView } from './story.ts'
import { turnFilterFields } from './turn-filters.ts'

const PAGE = 50
const LIVE_MS = 2000
const LIVE_MAX = 200
const CALM_MS = 15_000

type TurnsData =
  | { readonly of: 'list'; readonly page: AdminPage<RecordView[]> }
  | { readonly of: 'one'; readonly story: TurnStoryView }

class TurnsScreen extends ConsoleScreen<TurnsData> {
  get #say() {
    return speakFilled(turnWords, this.language)
  }

  get #id(): string | undefined {
    return this.address.rest[0]
  }

  protected get heading(): string {
    return this.#id ?? this.#say('turns')
  }

  protected get refreshMs(): number | null {
    const { after, live } = this.address.query
    // A record is written when its turn has ended; what changes later is the reader's thumb.
    if (this.#id !== undefined || after !== undefined) return null
    return live === '1' ? LIVE_MS : CALM_MS
  }

  protected async fetchData(): Promise<TurnsData> {
    const { api } = this.host
    if (this.#id !== undefined) return { of: 'one', story: await api.turn(this.#id) }
    const { live, ...query } = this.address.query
    const asked = { ...(query as TurnRecordsQuery), limit: PAGE }
    const { data } = this.loaded
    if (live !== '1' || data?.of !== 'list' || data.page.newest === undefined)
      return { of: 'list', page: await api.turnRecords(asked) }
    const newer = await api.turnRecords({ ...asked, since: data.page.newest })
    const tail = withNewer(
      { rows: data.page.data, newest: data.page.newest },
      { rows: newer.data, newest: newer.newest },
      { idOf: recordIdOf, rowsMax: LIVE_MAX },
    )
    return { of: 'list', page: { data: [...tail.rows], newest: tail.newest } }
  }

  protected override tools(): TemplateResult | typeof nothing {
    if (this.#id !== undefined) return nothing
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

  protected view(data: TurnsData): TemplateResult {
    if (data.of === 'one') return storyView(data.story, this.language, this.format)
    const say = this.#say
    const { address, host, language } = this
    return html`<saved-views .language=${language} .address=${address}></saved-views>
      ${filterForm({ host, address, say, isFolded: true, fields: turnFilterFields(say) })}
      ${tableView({
        label: say('turns'),
        testId: 'turns',
        empty: say('none'),
        rows: data.page.data,
        key: recordIdOf,
        href: (row) => consoleHref({ screen: 'turns', rest: [recordIdOf(row)] }),
        columns: [
          { name: say('at'), cell: ({ at }) => this.format.time(at) },
          { name: say('user'), cell: ({ principalId }) => principalId || '–' },
          { name: say('model'), cell: (row) => (isRefusedRecord(row) ? '–' : row.model) },
          { name: say('outcome'), cell: (row) => recordEndView(row, { format: this.format, language }) },
          {
            name: say('firstWord'),
            cell: (row) => this.format.duration(isRefusedRecord(row) ? null : row.firstWordMs),
            isFigure: true,
          },
          {
            name: say('total'),
            cell: (row) => this.format.duration(isRefusedRecord(row) ? null : row.totalMs),
            isFigure: true,
          },
          {
            name: say('cost'),
            cell: (row) => this.format.money(isRefusedRecord(row) ? null : row.costMicroUsd),
            isFigure: true,
          },
        ],
      })}
      ${pagerView(address, data.page.next, say)}`
  }
}

customElements.define('turns-screen', TurnsScreen)
