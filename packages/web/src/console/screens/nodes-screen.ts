// The nodes of the cluster, as the node that answers sees them: versions, load, who leads, who drains, and who has another
// catalogue than the rest.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { NodesView, NodeView } from '@mangaassist/protocol/admin'
import { badge } from '../parts/bits.ts'
import { rejectedView } from '../parts/lane-state.ts'
import { tableView } from '../parts/table.ts'
import { ConsoleScreen } from '../shell/console-screen.ts'
import { speakFilled } from '../shell/say.ts'
import { nodeWords } from '../words/nodes.ts'

/** Nodes announce themselves every few seconds. */
const LATE_MS = 15_000

class NodesScreen extends ConsoleScreen<NodesView> {
  get #say() {
    return speakFilled(nodeWords, this.language)
  }

  protected get heading(): string {
    return this.#say('nodes')
  }

  protected get refreshMs(): number {
    return 5000
  }

  protected fetchData(): Promise<NodesView> {
    return this.host.api.nodes()
  }

  protected view({ at, nodes }: NodesView): TemplateResult {
    const say = this.#say
    const now = this.host.now()
    const differs = (value: (node: NodeView) => unknown): boolean => new Set(nodes.map(value)).size > 1
    const note = (isShown: boolean, text: string) => (isShown ? html`<p class="note warning">${text}</p>` : nothing)
    return html`${note(now - Date.parse(at) > LATE_MS, say('seenAt', { age: this.format.ago(at, now) }))}
    ${note(
      differs(({ edition }) => edition),
      say('differ'),
    )}
    ${note(
      differs(({ version }) => version),
      say('differVersions'),
    )}
    ${tableView({
      label: say('nodes'),
      testId: 'nodes',
      empty: say('empty'),
      rows: nodes,
      key: ({ id }) => id,
      columns: [
        { name: say('node'), cell: ({ id }) => html`<code>${id}</code>` },
        { name: say('host'), cell: ({ host }) => host },
        { name: say('state'), cell: (node) => this.#stateOf(node) },
        { name: say('version'), cell: ({ version }) => version },
        { name: say('turns'), cell: ({ turns }) => this.format.count(turns), isFigure: true },
        { name: say('connections'), cell: ({ connections }) => this.format.count(connections), isFigure: true },
        { name: say('started'), cell: ({ startedAt }) => this.format.ago(startedAt, now) },
        { name: say('edition'), cell: ({ edition }) => html`<code>${edition ?? '–'}</code>` },
      ],
    })}`
  }

  #stateOf({ announcedMsAgo, draining, leader, rejected, self }: NodeView): TemplateResult {
    const say = this.#say
    const now = this.host.now()
    return html`<span class="badges">
      ${leader ? badge(say('leads'), 'good') : nothing} ${draining ? badge(say('drains'), 'few') : nothing}
      ${
        announcedMsAgo > LATE_MS
          ? badge(say('late', { age: this.format.ago(now - announcedMsAgo, now) }), 'bad')
          : nothing
      }
      ${self ? badge(say('answers')) : nothing} ${rejected.map((one) => rejectedView(one, this.language, true))}
    </span>`
  }
}

customElements.define('nodes-screen', NodesScreen)
