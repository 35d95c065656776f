// The dialog of every change: what will be done, its fields, the reason, and afterwards the result and where the audit has it. It is
// modal, Esc cancels it, and it never closes while a change is in flight, because its result must be seen.
import { html, nothing } from 'lit'
import type { PropertyDeclarations, TemplateResult } from 'lit'
import { consoleHref } from '../data/address.ts'
import { screenFailureOf, mayBeDone } from '../data/failure.ts'
import { fieldView } from '../parts/field.ts'
import { formValues } from '../parts/form-values.ts'
import { ConsoleElement } from './console-element.ts'
import { isFocusFree, markOf } from './focus.ts'
import type { FocusMark } from './focus.ts'
import type { Action, ActionResult } from './host.ts'

const REASON_LENGTH_MAX = 500

type Phase =
  | { readonly at: 'asking'; readonly problem?: string }
  | { readonly at: 'working' }
  | { readonly at: 'done'; readonly result: ActionResult }

export class ActionDialog extends ConsoleElement {
  static override properties: PropertyDeclarations = {
    ...ConsoleElement.properties,
    action: { state: true },
    phase: { state: true },
  }
  declare private action: Action | undefined
  declare private phase: Phase
  #opener: FocusMark | undefined

  constructor() {
    super()
    this.phase = { at: 'asking' }
  }

  get #dialog(): HTMLDialogElement | null {
    return this.querySelector('dialog')
  }

  async open(action: Action): Promise<void> {
    this.#opener = markOf(document.activeElement)
    this.action = action
    this.phase = { at: 'asking' }
    await this.updateComplete
    this.#dialog?.showModal()
    this.querySelector<HTMLElement>('[name]')?.focus()
  }

  #close(): void {
    if (this.phase.at !== 'working') this.#dialog?.close()
  }

  #closed(): void {
    const wasDone = this.phase.at === 'done'
    this.action = undefined
    this.phase = { at: 'asking' }
    // The browser returns the focus to the button that opened the dialog, unless a poll has replaced it meanwhile.
    if (isFocusFree()) this.lostFocus(this.#opener)
    this.dispatchEvent(new CustomEvent('action-closed', { detail: { wasDone }, bubbles: true }))
  }

  async #confirm(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const { action } = this
    if (action === undefined || this.phase.at === 'working') return
    const { reason = '', ...values } = formValues(event.target)
    this.phase = { at: 'working' }
    try {
      this.phase = { at: 'done', result: await action.run(reason, values) }
    } catch (error) {
      const { kind, message } = screenFailureOf(error)
      const problem = mayBeDone(error)
        ? this.shellSay('mayBeDone')
        : kind === 'forbidden'
          ? this.shellSay('forbidden')
          : this.shellSay('notDone', { message })
      this.phase = { at: 'asking', problem }
    }
    await this.updateComplete
    this.querySelector<HTMLElement>('[data-focus]')?.focus()
  }

  protected override render(): TemplateResult {
    const { action, phase } = this
    return html`<dialog
      aria-labelledby="action-title"
      data-testid="action"
      @close=${() => this.#closed()}
      @cancel=${(event: Event) => void (phase.at === 'working' && event.preventDefault())}
    >
      ${
        action === undefined
          ? nothing
          : html`<h2 id="action-title">${action.title}</h2>
              ${phase.at === 'done' ? this.#doneView(phase.result) : this.#formView(action, phase)}`
      }
    </dialog>`
  }

  #formView(action: Action, phase: Phase): TemplateResult {
    const say = this.shellSay
    const isWorking = phase.at === 'working'
    const problem = phase.at === 'asking' ? phase.problem : undefined
    return html`<form @submit=${(event: SubmitEvent) => void this.#confirm(event)} autocomplete="off">
      <p>${action.text}</p>
      <div class="field-grid">${(action.fields ?? []).map((field) => fieldView(field))}</div>
      <label class="field">
        <span>${say('reason')}</span>
        <textarea name="reason" rows="2" required maxlength=${REASON_LENGTH_MAX} data-testid="reason"></textarea>
      </label>
      ${
        action.typed === undefined
          ? nothing
          : html`<label class="field">
              <span>${say('typeToConfirm', { text: action.typed })}</span>
              <input name="typed" required pattern=${escapePattern(action.typed)} data-testid="typed" />
            </label>`
      }
      ${
        problem === undefined
          ? nothing
          : html`<p class="note warning" role="alert" tabindex="-1" data-focus data-testid="problem">${problem}</p>`
      }
      <div class="dialog-buttons">
        <button type="button" data-testid="cancel" ?disabled=${isWorking} @click=${() => this.#close()}>
          ${say('cancel')}
        </button>
        <button
          type="submit"
          class=${action.isDangerous === true ? 'danger' : 'primary'}
          data-testid="confirm"
          ?disabled=${isWorking}
        >
          ${isWorking ? say('working') : say('confirm')}
        </button>
      </div>
    </form>`
  }

  #doneView({ line, note, subject }: ActionResult): TemplateResult {
    const say = this.shellSay
    const of = line?.subject ?? subject
    return html`<div role="status" data-testid="result">
        <p><strong>${say('done')}</strong></p>
        ${note === undefined ? nothing : html`<p class="preserved">${note}</p>`}
        ${
          of === undefined
            ? nothing
            : html`<p>
                <a
                  href=${consoleHref({ screen: 'audit', query: { subject: of } })}
                  data-testid="audit-link"
                  @click=${() => this.#close()}
                  >${line === undefined ? say('seeAudit') : say('inAudit', { number: line.number })}</a
                >
              </p>`
        }
      </div>
      <div class="dialog-buttons">
        <button type="button" class="primary" data-focus data-testid="close" @click=${() => this.#close()}>
          ${say('close')}
        </button>
      </div>`
  }
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/&\-!#%,:;<=>@`~]/g, String.raw`\$&`)
}

customElements.define('action-dialog', ActionDialog)
