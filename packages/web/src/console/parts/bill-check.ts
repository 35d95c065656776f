// Compares a provider's bill with the ledger: the bill is pasted or read from a file, sent once, and its differences are shown. It
// changes nothing, so it needs no reason; the bill stays in the page until it is left.
import { html, nothing } from 'lit'
import type { PropertyDeclarations, TemplateResult } from 'lit'
import { AdminError } from '@mangaassist/client/admin'
import type { AdminClient } from '@mangaassist/client/admin'
import type { BillVerdict, ReconcileView } from '@mangaassist/protocol/admin'
import { ConsoleElement } from '../shell/console-element.ts'
import { speakFilled } from '../shell/say.ts'
import { billWords } from '../words/bill.ts'
import { badge } from './bits.ts'
import { fieldView } from './field.ts'
import { formValues } from './form-values.ts'
import { tableView } from './table.ts'

const BILL_LENGTH_MAX = 2_000_000

const VERDICTS = {
  agrees: 'agrees',
  differs: 'differs',
  'missing-in-ledger': 'missingInLedger',
  'missing-at-provider': 'missingAtProvider',
  'zero-in-ledger': 'zeroInLedger',
  'zero-at-provider': 'zeroAtProvider',
} as const satisfies Record<BillVerdict, keyof typeof billWords>

type Outcome =
  | { readonly kind: 'compared'; readonly result: ReconcileView }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'waiting' }

class BillCheck extends ConsoleElement {
  static override properties: PropertyDeclarations = {
    ...ConsoleElement.properties,
    api: { attribute: false },
    outcome: { state: true },
    bill: { state: true },
  }
  declare api: Pick<AdminClient, 'reconcileBill'>
  declare protected outcome: Outcome | undefined
  declare protected bill: string

  constructor() {
    super()
    this.bill = ''
    this.outcome = undefined
  }

  get #say() {
    return speakFilled(billWords, this.language)
  }

  async #compare(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const { tolerance, zone } = formValues(event.target)
    this.outcome = { kind: 'waiting' }
    try {
      const result = await this.api.reconcileBill({
        bill: this.bill,
        ...(zone === undefined || zone === '' ? {} : { zone }),
        ...(tolerance === undefined || tolerance === '' ? {} : { tolerancePercent: Number(tolerance) }),
      })
      this.outcome = { kind: 'compared', result }
    } catch (error) {
      this.outcome = { kind: 'failed', message: reasonOf(error) }
    }
  }

  async #readFile(event: Event): Promise<void> {
    const [file] = (event.target as HTMLInputElement).files ?? []
    if (file === undefined) return
    if (file.size > BILL_LENGTH_MAX) this.outcome = { kind: 'failed', message: this.#say('tooLarge') }
    else this.bill = await file.text()
  }

  protected override render(): TemplateResult {
    const say = this.#say
    return html`<p class="hint">${say('billHint')}</p>
      <form
        class="bill"
        data-testid="bill-form"
        autocomplete="off"
        @submit=${(event: SubmitEvent) => void this.#compare(event)}
      >
        <label class="field">
          <span>${say('billText')}</span>
          <textarea
            name="bill"
            rows="4"
            required
            maxlength=${BILL_LENGTH_MAX}
            spellcheck="false"
            .value=${this.bill}
            @input=${(event: Event) => {
              this.bill = (event.target as HTMLTextAreaElement).value
            }}
          ></textarea>
        </label>
        <div class="filters">
          <label class="field">
            <span>${say('billFile')}</span>
            <input type="file" accept=".csv,.json,.tsv,.txt" @change=${(event: Event) => void this.#readFile(event)} />
          </label>
          ${fieldView({ kind: 'text', name: 'zone', label: say('zone'), hint: say('zoneHint'), lengthMax: 64 })}
          ${fieldView({ kind: 'number', name: 'tolerance', label: say('tolerance'), value: '2', min: 0, max: 100 })}
          <div class="filter-buttons">
            <button type="submit" class="primary" data-testid="compare" ?disabled=${this.outcome?.kind === 'waiting'}>
              ${say('compare')}
            </button>
          </div>
        </div>
      </form>
      <div role="status">${this.#outcomeView()}</div>`
  }

  #outcomeView(): TemplateResult | typeof nothing {
    const say = this.#say
    if (this.outcome === undefined) return nothing
    if (this.outcome.kind === 'waiting') return html`<p class="loading">${say('comparing')}</p>`
    if (this.outcome.kind === 'failed')
      return html`<p class="note warning" data-testid="bill-failed">
        ${say('failed', { message: this.outcome.message })}
      </p>`
    const { agrees, comparisons } = this.outcome.result
    const wrong = comparisons.filter(({ verdict }) => verdict !== 'agrees').length
    const counts = { wrong: this.format.count(wrong), all: this.format.count(comparisons.length) }
    return html`<p class=${agrees ? 'note' : 'note warning'} data-testid="bill-result">
        ${agrees ? say('agreesAll') : say('differsSome', counts)}
      </p>
      ${this.#table(comparisons)}`
  }

  #table(comparisons: ReconcileView['comparisons']): TemplateResult {
    const say = this.#say
    const rows = comparisons.flatMap(({ figures, ...of }) => figures.map((figure) => ({ ...of, ...figure })))
    const write = (figure: string, value: number) =>
      figure === 'costMicroUsd' ? this.format.money(value) : this.format.count(value)
    return tableView({
      label: say('bill'),
      testId: 'bill',
      empty: '',
      rows,
      key: ({ day, figure, model }) => `${day} ${model} ${figure}`,
      columns: [
        { name: say('day'), cell: ({ day }) => day },
        { name: say('model'), cell: ({ model }) => model },
        {
          name: say('verdict'),
          cell: ({ verdict }) => badge(say(VERDICTS[verdict]), verdict === 'agrees' ? 'good' : 'bad'),
        },
        { name: say('figure'), cell: ({ figure }) => say(figure) },
        { name: say('ledger'), cell: ({ figure, ledger }) => write(figure, ledger), isFigure: true },
        { name: say('provider'), cell: ({ figure, provider }) => write(figure, provider), isFigure: true },
        { name: say('off'), cell: ({ off }) => (off === undefined ? '–' : signedPercent(off)), isFigure: true },
      ],
    })
  }
}

const signedPercent = (share: number): string => `${share > 0 ? '+' : ''}${(share * 100).toFixed(2)} %`

/** The server says in the details what is wrong with a bill, and where. */
function reasonOf(error: unknown): string {
  const reason = error instanceof AdminError ? error.details?.['reason'] : undefined
  if (typeof reason === 'string') return reason
  return error instanceof Error ? error.message : String(error)
}

customElements.define('bill-check', BillCheck)
