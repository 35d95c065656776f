// The sign-in: one field for a token. The token is sent once and kept nowhere; the browser then has a cookie that no script can read.
import { html, nothing } from 'lit'
import type { PropertyDeclarations, TemplateResult } from 'lit'
import { AdminError } from '@mangaassist/client/admin'
import type { AdminClient } from '@mangaassist/client/admin'
import type { SessionView } from '@mangaassist/protocol/admin'
import { ConsoleElement } from './console-element.ts'

export class SignIn extends ConsoleElement {
  static override properties: PropertyDeclarations = {
    ...ConsoleElement.properties,
    api: { attribute: false },
    hasEnded: { type: Boolean },
    problem: { state: true },
    isSending: { state: true },
  }
  declare api: AdminClient
  /** A session was open before: says so. */
  declare hasEnded: boolean
  declare private problem: string | undefined
  declare private isSending: boolean

  constructor() {
    super()
    this.hasEnded = false
    this.isSending = false
  }

  protected override firstUpdated(): void {
    this.querySelector('input')?.focus()
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const input = this.querySelector('input')
    const token = input?.value.trim() ?? ''
    if (input === null || token === '' || this.isSending) return
    this.isSending = true
    this.problem = undefined
    try {
      const session: SessionView = await this.api.signIn({ token })
      input.value = ''
      this.dispatchEvent(new CustomEvent('signed-in', { detail: session }))
    } catch (error) {
      this.problem = this.#wordsFor(error)
      input.select()
    } finally {
      this.isSending = false
    }
  }

  #wordsFor(error: unknown): string {
    const say = this.shellSay
    if (!(error instanceof AdminError)) return String(error)
    if (error.code === 'UNAUTHENTICATED') return say('signInWrong')
    if (error.code === 'RATE_LIMITED')
      return say('signInSlow', { wait: this.format.duration(error.retryAfterMs ?? 60_000) })
    return error.status === undefined ? say('noServer') : error.message
  }

  protected override render(): TemplateResult {
    const say = this.shellSay
    return html`<main class="sign-in" id="content">
      <h1>MangaAssist ${say('console')}</h1>
      ${this.hasEnded ? html`<p class="note" role="status" data-testid="ended">${say('signedOut')}</p>` : nothing}
      <form @submit=${(event: SubmitEvent) => void this.#submit(event)}>
        <p id="token-hint">${say('signInText')}</p>
        <label class="field">
          <span>${say('token')}</span>
          <input
            type="password"
            name="token"
            required
            maxlength="8192"
            autocomplete="current-password"
            aria-describedby="token-hint"
            data-testid="token"
          />
        </label>
        ${
          this.problem === undefined
            ? nothing
            : html`<p class="note warning" role="alert" data-testid="problem">${this.problem}</p>`
        }
        <button type="submit" class="primary" data-testid="sign-in" ?disabled=${this.isSending}>
          ${this.isSending ? say('connecting') : say('signIn')}
        </button>
      </form>
    </main>`
  }
}

customElements.define('sign-in', SignIn)
