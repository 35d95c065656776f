// What was spent: the ledger in groups of the operator's choice, the most expensive first, users above the day's alarm, and the
// limits of the tiers with their overrides.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { AdminPage } from '@mangaassist/client/admin'
import type { SpendersView, TierView, UsageView } from '@mangaassist/protocol/admin'
import { consoleHref } from '../data/address.ts'
import { factsView, sectionView } from '../parts/bits.ts'
import { filterForm } from '../parts/filters.ts'
import { limitFields, limitsOf } from '../parts/limits.ts'
import { pagerView } from '../parts/pager.ts'
import { tableView } from '../parts/table.ts'
import '../parts/bill-check.ts'
import '../parts/time-chart.ts'
import { ConsoleScreen } from '../shell/console-screen.ts'
import { speakFilled } from '../shell/say.ts'
import { moneyWords } from '../words/money.ts'

const GROUPS = [
  'day',
  'user',
  'key',
  'tag',
  'model',
  'outcome',
  'session',
  'tier',
  'model,outcome',
  'day,model',
  'key,tag',
] as const
const PAGE = 100

interface MoneyData {
  readonly usage: AdminPage<UsageView>
  readonly spenders: SpendersView
  readonly tiers: readonly TierView[]
}

class MoneyScreen extends ConsoleScreen<MoneyData> {
  get #say() {
    return speakFilled(moneyWords, this.language)
  }

  get #by(): string {
    return this.address.query['by'] ?? 'day'
  }

  protected get heading(): string {
    return this.#say('money')
  }

  protected get refreshMs(): number | null {
    return this.address.query['after'] === undefined ? 30_000 : null
  }

  protected async fetchData(): Promise<MoneyData> {
    const { api } = this.host
    const { by: _, ...filters } = this.address.query
    const [usage, { data: spenders }, tiers] = await Promise.all([
      api.usage({ ...filters, by: this.#by, limit: PAGE }),
      api.spenders({ limit: 20 }),
      api.tiers(),
    ])
    return { usage, spenders, tiers }
  }

  protected view({ spenders, tiers, usage }: MoneyData): TemplateResult {
    const say = this.#say
    const alarm = this.format.money(spenders.alarmMicroUsd)
    return html`${this.#filters()} ${this.#totals(usage.data)} ${this.#chart(usage.data)} ${this.#groups(usage.data)}
    ${pagerView(this.address, usage.next, say)}
    ${sectionView(
      say('spenders', { day: spenders.day, alarm }),
      tableView({
        label: say('spenders', { day: spenders.day, alarm }),
        empty: say('noSpenders'),
        rows: spenders.users,
        key: ({ userId }) => userId,
        href: ({ userId }) => consoleHref({ screen: 'people', rest: [userId] }),
        columns: [
          { name: say('user'), cell: ({ userId }) => userId },
          { name: say('cost'), cell: ({ costMicroUsd }) => this.format.money(costMicroUsd), isFigure: true },
        ],
      }),
    )}
    ${sectionView(say('tiers'), this.#tiers(tiers))}
    ${sectionView(say('bill'), html`<bill-check .language=${this.language} .api=${this.host.api}></bill-check>`)}`
  }

  #filters(): TemplateResult {
    const say = this.#say
    const names: Readonly<Record<(typeof GROUPS)[number], string>> = {
      day: say('day'),
      user: say('user'),
      key: say('key'),
      tag: say('tag'),
      model: say('model'),
      outcome: say('outcome'),
      session: say('session'),
      tier: say('tierOfAnswer'),
      'model,outcome': say('modelAndOutcome'),
      'day,model': say('dayAndModel'),
      'key,tag': say('keyAndTag'),
    }
    return filterForm({
      host: this.host,
      address: this.address,
      defaults: { by: this.#by },
      say,
      fields: [
        {
          kind: 'choice',
          name: 'by',
          label: say('groupedBy'),
          choices: GROUPS.map((value) => ({ value, label: names[value] })),
        },
        { kind: 'day', name: 'from', label: say('from') },
        { kind: 'day', name: 'to', label: say('to') },
        { kind: 'text', name: 'user', label: say('user') },
        { kind: 'text', name: 'model', label: say('model') },
        { kind: 'text', name: 'tag', label: say('tag'), lengthMax: 64 },
      ],
    })
  }

  #totals({ totals }: UsageView): TemplateResult | typeof nothing {
    if (totals === undefined) return nothing
    const say = this.#say
    return factsView([
      [say('cost'), html`<strong data-testid="total">${this.format.money(totals.costMicroUsd)}</strong>`],
      [say('calls'), this.format.count(totals.rows)],
      [say('input'), this.format.count(totals.inputTokens)],
      [say('cached'), this.format.count(totals.cacheReadTokens)],
      [say('output'), this.format.count(totals.outputTokens)],
      [say('estimated'), this.format.count(totals.estimatedRows)],
      [say('overage'), this.format.count(totals.overageRows)],
    ])
  }

  /** A line needs two points. */
  #chart({ groups }: UsageView): TemplateResult | typeof nothing {
    if (this.#by !== 'day' || groups.length < 2) return nothing
    return html`<time-chart
      .language=${this.language}
      .caption=${this.#say('costByDay')}
      .isDaily=${true}
      .times=${groups.map(({ key }) => Date.parse(key['day'] ?? ''))}
      .lines=${[{ name: this.#say('cost'), colour: '--accent', values: groups.map(({ costMicroUsd }) => costMicroUsd) }]}
      .write=${this.format.money}
    ></time-chart>`
  }

  #groups({ groups }: UsageView): TemplateResult {
    const say = this.#say
    const parts = this.#by.split(',')
    // Days read as a calendar, everything else as a ranking.
    const rows =
      parts[0] === 'day' ? groups.toReversed() : groups.toSorted((one, other) => other.costMicroUsd - one.costMicroUsd)
    const all = groups.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0)
    const names: Readonly<Record<string, string>> = {
      day: say('day'),
      user: say('user'),
      key: say('key'),
      tag: say('tag'),
      model: say('model'),
      outcome: say('outcome'),
      session: say('session'),
      tier: say('tierOfAnswer'),
    }
    return html`${tableView({
      label: say('money'),
      testId: 'usage',
      empty: say('none'),
      rows,
      key: ({ key }) => JSON.stringify(key),
      href: ({ key }) => hrefOfGroup(key),
      columns: [
        ...parts.map((part) => ({
          name: names[part] ?? part,
          cell: ({ key }: (typeof groups)[number]) => key[part] || this.#nameless(part),
        })),
        { name: say('cost'), cell: ({ costMicroUsd }) => this.format.money(costMicroUsd), isFigure: true },
        {
          name: say('share'),
          cell: ({ costMicroUsd }) => this.format.share(all === 0 ? 0 : costMicroUsd / all),
          isFigure: true,
        },
        { name: say('calls'), cell: ({ rows: calls }) => this.format.count(calls), isFigure: true },
        { name: say('input'), cell: ({ inputTokens }) => this.format.count(inputTokens), isFigure: true },
        { name: say('output'), cell: ({ outputTokens }) => this.format.count(outputTokens), isFigure: true },
      ],
    })}${rows.length < PAGE ? nothing : html`<p class="hint">${say('pageShare')}</p>`}`
  }

  /** Rows without an API key or a tag are a group, too. */
  #nameless(part: string): string {
    return part === 'key' ? this.#say('noKey') : part === 'tag' ? this.#say('noTag') : '–'
  }

  #tiers(tiers: readonly TierView[]): TemplateResult {
    const say = this.#say
    const figure = (value: (tier: TierView) => string) => ({ cell: value, isFigure: true })
    return tableView({
      label: say('tiers'),
      testId: 'tiers',
      empty: say('none'),
      rows: tiers,
      key: ({ tier }) => tier,
      columns: [
        {
          name: say('tier'),
          cell: ({ override, tier }) => (override === undefined ? tier : `${tier} (${say('overridden')})`),
        },
        { name: say('inputPerDay'), ...figure(({ effective }) => this.format.count(effective.inputTokensPerDay)) },
        { name: say('outputPerDay'), ...figure(({ effective }) => this.format.count(effective.outputTokensPerDay)) },
        { name: say('costPerDay'), ...figure(({ effective }) => this.format.money(effective.microUsdPerDay)) },
        { name: say('perMinute'), ...figure(({ effective }) => this.format.count(effective.requestsPerMinute)) },
        ...(this.host.may('operator')
          ? [{ name: say('actions'), cell: (tier: TierView) => this.#tierActions(tier) }]
          : []),
      ],
    })
  }

  #tierActions({ override, tier }: TierView): TemplateResult {
    const say = this.#say
    const { api } = this.host
    return html`<span class="actions">
      <button
        type="button"
        data-testid=${`tier-${tier}`}
        aria-label=${say('changeTier', { tier })}
        @click=${() =>
          this.host.act({
            title: say('changeTier', { tier }),
            text: say('changeTierText'),
            fields: limitFields(say, override),
            run: async (reason, values) => ({ line: await api.setTier(tier, { limits: limitsOf(values), reason }) }),
          })}
      >
        ${say('change')}
      </button>
      ${
        override === undefined
          ? nothing
          : html`<button
              type="button"
              @click=${() =>
                this.host.act({
                  title: `${say('restore')}: ${tier}`,
                  text: say('restoreText', { tier }),
                  run: async (reason) => ({ line: await api.clearTier(tier, { reason }) }),
                })}
            >
              ${say('restore')}
            </button>`
      }
    </span>`
  }
}

/** A group leads to what it consists of. */
function hrefOfGroup(key: Readonly<Record<string, string>>): string | undefined {
  const { day, key: apiKey, model, session, tag, user } = key
  if (apiKey) return consoleHref({ screen: 'people', rest: [apiKey] })
  if (tag) return consoleHref({ screen: 'money', query: { by: 'day,model', tag } })
  if (user !== undefined) return consoleHref({ screen: 'people', rest: [user] })
  if (session !== undefined) return consoleHref({ screen: 'turns', query: { session } })
  if (day !== undefined && model === undefined)
    return consoleHref({ screen: 'money', query: { by: 'user', from: day, to: day } })
  return model === undefined ? undefined : consoleHref({ screen: 'turns', query: { model, from: day, to: day } })
}

customElements.define('money-screen', MoneyScreen)
