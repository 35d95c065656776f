// What readers thought of the answers: thumbs by what answered, and the turns with a thumb down. Their texts are shown only with a
// reason, which the audit keeps.
import { html, nothing } from 'lit'
import type { PropertyDeclarations, TemplateResult } from 'lit'
import type { AdminPage } from '@mangaassist/client/admin'
import type { FeedbackPart, FeedbackReport, WorstTurn } from '@mangaassist/protocol/admin'
import { consoleHref } from '../data/address.ts'
import { factsView, sectionView } from '../parts/bits.ts'
import { filterForm } from '../parts/filters.ts'
import { pagerView } from '../parts/pager.ts'
import { tableView } from '../parts/table.ts'
import { ConsoleScreen } from '../shell/console-screen.ts'
import { speakFilled } from '../shell/say.ts'
import { feedbackWords } from '../words/feedback.ts'

const PARTS = ['model', 'prompt', 'route', 'experiment', 'arm', 'language'] as const satisfies readonly FeedbackPart[]
const PAGE = 20

interface FeedbackData {
  readonly report: FeedbackReport
  readonly worst: AdminPage<WorstTurn[]>
}

class FeedbackScreen extends ConsoleScreen<FeedbackData> {
  static override properties: PropertyDeclarations = { ...ConsoleScreen.properties, read: { state: true } }
  /** Turns with their texts, which were read with a reason. */
  declare private read: readonly WorstTurn[]

  constructor() {
    super()
    this.read = []
  }

  get #say() {
    return speakFilled(feedbackWords, this.language)
  }

  get #by(): FeedbackPart {
    return PARTS.find((part) => part === this.address.query['by']) ?? 'model'
  }

  protected get heading(): string {
    return this.#say('feedback')
  }

  protected get refreshMs(): number {
    return 60_000
  }

  get #days(): { from?: string; to?: string } {
    const { from, to } = this.address.query
    return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
  }

  get #page() {
    const { after } = this.address.query
    return { ...this.#days, limit: PAGE, ...(after === undefined ? {} : { after }) }
  }

  protected async fetchData(): Promise<FeedbackData> {
    const { api } = this.host
    const [report, worst] = await Promise.all([
      api.feedback({ by: this.#by, ...this.#days }),
      api.worstFeedback(this.#page),
    ])
    return { report, worst }
  }

  protected view({ report, worst }: FeedbackData): TemplateResult {
    const say = this.#say
    const { totals } = report
    return html`${filterForm({
      host: this.host,
      address: this.address,
      defaults: { by: this.#by },
      say,
      fields: [
        {
          kind: 'choice',
          name: 'by',
          label: say('groupedBy'),
          choices: PARTS.map((value) => ({ value, label: value })),
        },
        { kind: 'day', name: 'from', label: say('from') },
        { kind: 'day', name: 'to', label: say('to') },
      ],
    })}
    ${factsView([
      [say('up'), this.format.count(totals.up)],
      [say('down'), this.format.count(totals.down)],
      [say('share'), totals.up + totals.down === 0 ? '–' : this.format.share(totals.shareUp)],
    ])}
    ${report.isCut ? html`<p class="note">${say('cut')}</p>` : nothing}
    ${tableView({
      label: say('feedback'),
      testId: 'feedback',
      empty: say('none'),
      rows: report.groups,
      key: ({ key }) => key,
      columns: [
        { name: say('group'), cell: ({ key }) => key },
        { name: say('up'), cell: ({ up }) => this.format.count(up), isFigure: true },
        { name: say('down'), cell: ({ down }) => this.format.count(down), isFigure: true },
        { name: say('share'), cell: ({ shareUp }) => this.format.share(shareUp), isFigure: true },
        {
          name: say('interval'),
          cell: ({ high, low }) => `${this.format.share(low)} – ${this.format.share(high)}`,
          isFigure: true,
        },
      ],
    })}
    ${sectionView(say('worst'), this.#worst(worst), this.#readButton(worst.data))}`
  }

  #readButton(turns: readonly WorstTurn[]): TemplateResult | typeof nothing {
    const say = this.#say
    if (turns.length === 0 || !this.host.may('operator')) return nothing
    return html`<button
      type="button"
      data-testid="read-texts"
      @click=${() =>
        this.host.act({
          title: say('read'),
          text: say('readText'),
          run: async (reason) => {
            this.read = (await this.host.api.worstFeedback({ ...this.#page, reason })).data
            return { note: say('readDone', { n: this.read.length }), subject: this.read[0]?.sessionId ?? '' }
          },
        })}
    >
      ${say('read')}
    </button>`
  }

  #worst({ data, next }: AdminPage<WorstTurn[]>): TemplateResult {
    const say = this.#say
    const texts = new Map(this.read.map((turn) => [turn.turnId, turn]))
    const rows = data.map((turn) => texts.get(turn.turnId) ?? turn)
    const hasTexts = rows.some(({ question }) => question !== undefined)
    return html`${tableView({
      label: say('worst'),
      testId: 'worst',
      empty: say('none'),
      rows,
      key: ({ turnId }) => turnId,
      href: ({ turnId }) => consoleHref({ screen: 'turns', rest: [turnId] }),
      columns: [
        { name: say('turn'), cell: ({ turnId }) => turnId },
        { name: say('at'), cell: ({ at }) => this.format.time(at) },
        { name: say('model'), cell: ({ model }) => model },
        { name: say('prompt'), cell: ({ prompt }) => prompt ?? '–' },
        { name: say('said'), cell: ({ feedback }) => feedback.reason ?? '–' },
        ...(hasTexts
          ? [
              {
                name: say('question'),
                cell: ({ question }: WorstTurn) => html`<span class="preserved">${question ?? '–'}</span>`,
              },
              {
                name: say('answer'),
                cell: ({ answer }: WorstTurn) => html`<span class="preserved">${answer ?? '–'}</span>`,
              },
            ]
          : []),
      ],
    })}
    ${pagerView(this.address, next, say)}`
  }
}

customElements.define('feedback-screen', FeedbackScreen)
