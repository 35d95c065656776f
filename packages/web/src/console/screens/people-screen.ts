// People: one person's quota, override, spending and recent turns, with reset, export and erasure; without an id, the users who
// have limits of their own.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { BlockView, RecordView, UsageView, UserOverrideView, UserView } from '@mangaassist/protocol/admin'
import { consoleHref } from '../data/address.ts'
import { blockButton, blocksTable, unblockButton } from '../parts/blocks.ts'
import { badge, budgetView, factsView, sectionView } from '../parts/bits.ts'
import { formValues } from '../parts/form-values.ts'
import { limitFields, limitsOf, limitsText } from '../parts/limits.ts'
import { recordEndView } from '../parts/record-end.ts'
import { isRefusedRecord, recordIdOf } from '../data/records.ts'
import { saveFile } from '../parts/save-file.ts'
import { tableView } from '../parts/table.ts'
import { ConsoleScreen } from '../shell/console-screen.ts'
import { speakFilled } from '../shell/say.ts'
import { peopleWords } from '../words/people.ts'

const RECENT = 10
const DAYS_SHOWN = 14

interface Person {
  readonly user: UserView
  readonly usage: UsageView
  readonly turns: readonly RecordView[]
  readonly tiers: readonly string[]
  readonly block: BlockView | undefined
}
type PeopleData =
  | { readonly of: 'all'; readonly overrides: readonly UserOverrideView[]; readonly blocks: readonly BlockView[] }
  | { readonly of: 'one'; readonly person: Person }

class PeopleScreen extends ConsoleScreen<PeopleData> {
  get #say() {
    return speakFilled(peopleWords, this.language)
  }

  get #userId(): string | undefined {
    return this.address.rest[0]
  }

  protected get heading(): string {
    return this.#userId ?? this.#say('people')
  }

  protected get refreshMs(): number {
    return 15_000
  }

  protected async fetchData(): Promise<PeopleData> {
    const { api } = this.host
    const user = this.#userId
    if (user === undefined) {
      const [overrides, blocks] = await Promise.all([api.overrides(), api.blocks()])
      return { of: 'all', overrides, blocks }
    }
    const [view, { data: usage }, { data: turns }, tiers, blocks] = await Promise.all([
      api.user(user),
      api.usage({ by: 'day', user, limit: DAYS_SHOWN }),
      api.turnRecords({ user, kind: 'any', limit: RECENT }),
      api.tiers(),
      api.blocks(),
    ])
    return {
      of: 'one',
      person: {
        user: view,
        usage,
        turns,
        tiers: tiers.map(({ tier }) => tier),
        block: blocks.find(({ target }) => target === user),
      },
    }
  }

  protected view(data: PeopleData): TemplateResult {
    return data.of === 'all' ? this.#all(data) : this.#one(data.person)
  }

  #all({ blocks, overrides }: Extract<PeopleData, { of: 'all' }>): TemplateResult {
    const say = this.#say
    const open = (event: SubmitEvent): void => {
      event.preventDefault()
      const { userId: id = '' } = formValues(event.target)
      if (id !== '') this.host.go(consoleHref({ screen: 'people', rest: [id] }))
    }
    return html`<form class="filters" @submit=${open} autocomplete="off">
        <label class="field">
          <span>${say('userId')}</span>
          <input name="userId" required maxlength="256" data-testid="user-id" autocapitalize="off" spellcheck="false" />
        </label>
        <div class="filter-buttons"><button class="primary" data-testid="open-user">${say('open')}</button></div>
      </form>
      ${sectionView(say('blocks'), blocksTable(blocks, this, this.format), this.host.may('operator') ? blockButton(this) : nothing)}
      ${sectionView(
        say('overrides'),
        tableView({
          label: say('overrides'),
          testId: 'overrides',
          empty: say('noOverrides'),
          rows: overrides,
          key: ({ userId }) => userId,
          href: ({ userId }) => consoleHref({ screen: 'people', rest: [userId] }),
          columns: [
            { name: say('userId'), cell: ({ userId }) => userId },
            { name: say('tier'), cell: ({ tier }) => tier ?? '–' },
            { name: say('limits'), cell: ({ limits }) => this.#limits(limits) },
            { name: say('expires'), cell: (override) => this.#expiry(override) },
          ],
        }),
      )}`
  }

  #limits(limits: UserOverrideView['limits']): string {
    return limitsText(limits, { format: this.format, say: this.#say })
  }

  #expiry({ expired, expiresAt }: UserOverrideView): TemplateResult {
    const say = this.#say
    if (expiresAt === undefined) return html`${say('never')}`
    return html`${this.format.time(expiresAt)} ${expired ? badge(say('expired'), 'few') : nothing}`
  }

  #one({ block, tiers, turns, usage, user }: Person): TemplateResult {
    const say = this.#say
    const { quota } = user
    const budget = (name: string, line: typeof quota.input, write: (n: number) => string) =>
      budgetView({ name, ...line, write })
    const isUnknown = turns.length + usage.groups.length === 0 && block === undefined && user.override === undefined
    return html`${isUnknown ? html`<p class="note" data-testid="unknown-person">${say('unknownPerson')}</p>` : nothing}
    ${factsView([
      [say('tier'), quota.tier],
      block === undefined ? undefined : [say('blocked'), badge(block.reason, 'bad')],
      user.override === undefined ? undefined : [say('limits'), this.#limits(user.override.limits)],
      user.override === undefined ? undefined : [say('expires'), this.#expiry(user.override)],
    ])}
    ${this.#actions(user, tiers, block)}
    ${sectionView(
      say('quota', { day: user.day, resets: this.format.ago(quota.resetsAt, this.host.now()) }),
      html`<div class="budgets" data-testid="quota">
        ${budget(say('input'), quota.input, this.format.count)}
        ${budget(say('output'), quota.output, this.format.count)}
        ${budget(say('cost'), quota.costMicroUsd, this.format.money)}
        ${budget(say('requests'), quota.requestsPerMinute, this.format.count)}
      </div>`,
    )}
    ${sectionView(
      say('turns'),
      tableView({
        label: say('turns'),
        empty: say('noTurns'),
        rows: turns,
        key: recordIdOf,
        href: (row) => consoleHref({ screen: 'turns', rest: [recordIdOf(row)] }),
        columns: [
          { name: say('at'), cell: ({ at }) => this.format.time(at) },
          { name: say('model'), cell: (row) => (isRefusedRecord(row) ? '–' : row.model) },
          {
            name: say('finished'),
            cell: (row) => recordEndView(row, { format: this.format, language: this.language }),
          },
          {
            name: say('cost'),
            cell: (row) => this.format.money(isRefusedRecord(row) ? null : row.costMicroUsd),
            isFigure: true,
          },
        ],
      }),
      html`<a href=${consoleHref({ screen: 'turns', query: { user: user.userId } })}>${say('allTurns')}</a>`,
    )}
    ${sectionView(
      say('days'),
      tableView({
        label: say('days'),
        empty: say('noUse'),
        rows: usage.groups.toReversed(),
        key: ({ key }) => key['day'] ?? '',
        columns: [
          { name: say('day'), cell: ({ key }) => key['day'] ?? '–' },
          { name: say('cost'), cell: ({ costMicroUsd }) => this.format.money(costMicroUsd), isFigure: true },
          { name: say('calls'), cell: ({ rows }) => this.format.count(rows), isFigure: true },
          { name: say('input'), cell: ({ inputTokens }) => this.format.count(inputTokens), isFigure: true },
          { name: say('output'), cell: ({ outputTokens }) => this.format.count(outputTokens), isFigure: true },
        ],
      }),
    )}`
  }

  #actions({ override, userId }: UserView, tiers: readonly string[], block: BlockView | undefined): TemplateResult {
    const say = this.#say
    const [isOperator, isAdmin] = [this.host.may('operator'), this.host.may('admin')]
    return html`<div class="actions">
      ${
        isOperator
          ? html`<button
              type="button"
              data-testid="set-override"
              @click=${() => this.#setOverride(userId, override, tiers)}
            >
              ${say('setOverride')}
            </button>`
          : nothing
      }
      ${isOperator && override !== undefined ? this.#button('clearOverride', userId) : nothing}
      ${isOperator ? this.#button('reset', userId) : nothing}
      ${isOperator ? (block === undefined ? blockButton(this, userId) : unblockButton(this, userId)) : nothing}
      <a class="button" href=${consoleHref({ screen: 'conversations', query: { user: userId } })}
        >${say('conversations')}</a
      >
      <a class="button" href=${consoleHref({ screen: 'audit', query: { subject: userId } })}>${say('audit')}</a>
      ${isAdmin ? html`${this.#button('export', userId)} ${this.#button('erase', userId)}` : nothing}
    </div>`
  }

  #button(what: 'clearOverride' | 'reset' | 'export' | 'erase', user: string): TemplateResult {
    const say = this.#say
    const { api } = this.host
    const runs = {
      clearOverride: async (reason: string) => ({ line: await api.clearOverride(user, { reason }) }),
      reset: async (reason: string) => ({ line: await api.resetUse(user, { scope: 'day', reason }) }),
      export: (reason: string) => this.#export(user, reason),
      erase: (reason: string) => this.#erase(user, reason),
    } as const
    const isDangerous = what === 'erase'
    return html`<button
      type="button"
      class=${isDangerous ? 'danger' : ''}
      data-testid=${what}
      @click=${() =>
        this.host.act({
          title: `${say(what)}: ${user}`,
          text: say(`${what}Text`, { user }),
          isDangerous,
          ...(isDangerous ? { typed: user } : {}),
          run: runs[what],
        })}
    >
      ${say(what)}
    </button>`
  }

  #setOverride(user: string, override: UserOverrideView | undefined, tiers: readonly string[]): void {
    const say = this.#say
    this.host.act({
      title: `${say('setOverride')}: ${user}`,
      text: say('setOverrideText', { user }),
      fields: [
        {
          kind: 'choice',
          name: 'tier',
          label: say('otherTier'),
          value: override?.tier ?? '',
          choices: [{ value: '', label: say('ownTier') }, ...tiers.map((tier) => ({ value: tier, label: tier }))],
        },
        ...limitFields(say, override?.limits),
        { kind: 'time', name: 'until', label: say('until') },
      ],
      run: async (reason, values) => {
        const limits = limitsOf(values)
        const { tier = '', until = '' } = values
        const line = await this.host.api.setOverride(user, {
          reason,
          ...(tier === '' ? {} : { tier }),
          ...(Object.keys(limits).length === 0 ? {} : { limits }),
          ...(until === '' ? {} : { expiresAt: new Date(until).toISOString() }),
        })
        return { line }
      },
    })
  }

  async #export(user: string, reason: string) {
    const data = await this.host.api.exportUser(user, { reason })
    saveFile(`${user.replaceAll(/[^\w.-]/g, '_')}.json`, JSON.stringify(data, undefined, 2))
    const say = this.#say
    const note = [say('exported', { n: data.conversations.length }), ...(data.isCut ? [say('exportCut')] : [])]
    return { subject: user, note: note.join(' ') }
  }

  async #erase(user: string, reason: string) {
    const erased = await this.host.api.eraseUser(user, { reason })
    const say = this.#say
    const note = say('erased', {
      conversations: erased.conversations,
      records: erased.turnRecords,
    })
    const kept = erased.kept.map((line) => say('kept', { line }))
    const again = erased.stillRunning === 0 ? [] : [say('stillRunning', { n: erased.stillRunning })]
    return { subject: user, note: [note, ...kept, ...again].join('\n') }
  }
}

customElements.define('people-screen', PeopleScreen)
