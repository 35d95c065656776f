// Conversations: those of a person, without texts; one of them with its texts after the operator gave a reason, which the audit
// keeps. The texts stay in this element and are gone with it.
import { html, nothing } from 'lit'
import type { PropertyDeclarations, PropertyValues, TemplateResult } from 'lit'
import type { AdminPage } from '@mangaassist/client/admin'
import type { ConversationOutline, ConversationView } from '@mangaassist/protocol/admin'
import { consoleHref } from '../data/address.ts'
import { badge, factsView } from '../parts/bits.ts'
import { formValues } from '../parts/form-values.ts'
import { pagerView } from '../parts/pager.ts'
import { tableView } from '../parts/table.ts'
import { ConsoleScreen } from '../shell/console-screen.ts'
import { speakFilled } from '../shell/say.ts'
import { conversationWords } from '../words/conversations.ts'

const PAGE = 50

/** The conversations of a person; none while no person is chosen. */
type ConversationsData = AdminPage<ConversationOutline[]> | undefined

class ConversationsScreen extends ConsoleScreen<{ readonly page: ConversationsData }> {
  static override properties: PropertyDeclarations = { ...ConsoleScreen.properties, read: { state: true } }
  declare private read: ConversationView | undefined

  get #say() {
    return speakFilled(conversationWords, this.language)
  }

  get #sessionId(): string | undefined {
    return this.address.rest[0]
  }

  protected get heading(): string {
    return this.#sessionId ?? this.#say('conversations')
  }

  protected get refreshMs(): null {
    return null
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('address') && this.read?.sessionId !== this.#sessionId) this.read = undefined
  }

  protected async fetchData() {
    const { after, user } = this.address.query
    if (user === undefined || this.#sessionId !== undefined) return { page: undefined }
    const asked = { limit: PAGE, ...(after === undefined ? {} : { after }) }
    return { page: await this.host.api.conversationsOf(user, asked) }
  }

  protected view({ page }: { readonly page: ConversationsData }): TemplateResult {
    return this.#sessionId === undefined ? this.#list(page) : this.#one(this.#sessionId)
  }

  #list(page: ConversationsData): TemplateResult {
    const say = this.#say
    const { user = '' } = this.address.query
    const open = (event: SubmitEvent): void => {
      event.preventDefault()
      const { id = '' } = formValues(event.target)
      const isSession = id.startsWith('sess_')
      this.host.go(
        consoleHref(
          isSession ? { screen: 'conversations', rest: [id] } : { screen: 'conversations', query: { user: id } },
        ),
      )
    }
    return html`<form class="filters" @submit=${open} autocomplete="off">
        <label class="field">
          <span>${say('find')}</span>
          <input
            name="id"
            required
            maxlength="256"
            .value=${user}
            data-testid="conversation-id"
            autocapitalize="off"
            spellcheck="false"
          />
        </label>
        <div class="filter-buttons">
          <button class="primary" data-testid="open-conversation">${say('open')}</button>
        </div>
      </form>
      <p class="hint">${say('findHint')}</p>
      ${
        page === undefined
          ? nothing
          : html`${tableView({
              label: say('ofUser', { user }),
              testId: 'conversations',
              empty: say('none'),
              rows: page.data,
              key: ({ sessionId }) => sessionId,
              href: ({ sessionId }) => consoleHref({ screen: 'conversations', rest: [sessionId] }),
              columns: [
                { name: say('conversation'), cell: ({ sessionId }) => sessionId },
                { name: say('turns'), cell: ({ turns }) => this.format.count(turns), isFigure: true },
                { name: say('created'), cell: ({ createdAt }) => this.format.time(createdAt) },
                { name: say('lastActive'), cell: ({ lastActiveAt }) => this.format.time(lastActiveAt) },
                {
                  name: say('state'),
                  cell: ({ expired }) => badge(say(expired ? 'expired' : 'current'), expired ? 'plain' : 'good'),
                },
              ],
            })}
            ${pagerView(this.address, page.next, say)}`
      }`
  }

  #one(sessionId: string): TemplateResult {
    const say = this.#say
    const act = (): void =>
      this.host.act({
        title: say('read'),
        text: say('readText', { session: sessionId }),
        run: async (reason) => {
          this.read = await this.host.api.conversation(sessionId, { reason })
          return { subject: sessionId, note: say('readDone', { n: this.format.count(this.read.turns.length) }) }
        },
      })
    return html`<div class="actions">
        ${
          this.host.may('operator')
            ? html`<button type="button" class="primary" data-testid="read-conversation" @click=${act}>
                ${say('read')}
              </button>`
            : html`<p class="note">${say('forbidden')}</p>`
        }
        <a class="button" href=${consoleHref({ screen: 'turns', query: { session: sessionId } })}>${say('itsTurns')}</a>
      </div>
      ${this.read === undefined ? html`<p class="hint">${say('notRead')}</p>` : this.#texts(this.read)}`
  }

  #texts({ expired, turns, userId }: ConversationView): TemplateResult {
    const say = this.#say
    return html`${factsView(
        [
          [say('user'), html`<a href=${consoleHref({ screen: 'people', rest: [userId] })}>${userId}</a>`],
          [say('turns'), this.format.count(turns.length)],
          [say('state'), say(expired ? 'expired' : 'current')],
        ],
        'wide',
      )}
      <ol class="talk" data-testid="talk">
        ${turns.map(
          ({ answer, at, finishReason, question, tier, turnId }) =>
            html`<li>
              <p class="hint">
                <a href=${consoleHref({ screen: 'turns', rest: [turnId] })}>${this.format.time(at)}</a> · ${tier} ·
                ${finishReason}
              </p>
              <p class="preserved asked"><strong>${say('question')}:</strong> ${question}</p>
              <p class="preserved">${answer}</p>
            </li>`,
        )}
      </ol>`
  }
}

customElements.define('conversations-screen', ConversationsScreen)
