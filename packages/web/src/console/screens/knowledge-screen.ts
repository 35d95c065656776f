// The catalogue that answers come from: its edition and source on the node that answers, whether every node has the same, and the
// imports that the audit knows.
import { html } from 'lit'
import type { TemplateResult } from 'lit'
import type { AuditLine, CatalogueView, NodeView } from '@mangaassist/protocol/admin'
import { badge, factsView, sectionView, valueText } from '../parts/bits.ts'
import { tableView } from '../parts/table.ts'
import { ConsoleScreen } from '../shell/console-screen.ts'
import { speakFilled } from '../shell/say.ts'
import { knowledgeWords } from '../words/knowledge.ts'

const IMPORTS_SHOWN = 20

interface Knowledge {
  readonly catalogue: CatalogueView
  readonly nodes: readonly NodeView[]
  readonly imports: readonly AuditLine[]
}

class KnowledgeScreen extends ConsoleScreen<Knowledge> {
  get #say() {
    return speakFilled(knowledgeWords, this.language)
  }

  protected get heading(): string {
    return this.#say('knowledge')
  }

  protected get refreshMs(): number {
    return 30_000
  }

  protected async fetchData(): Promise<Knowledge> {
    const { api } = this.host
    const [catalogue, { nodes }, { data: imports }] = await Promise.all([
      api.catalogue(),
      api.nodes(),
      api.audit({ subject: 'catalogue', limit: IMPORTS_SHOWN }),
    ])
    return { catalogue, nodes, imports }
  }

  protected view({ catalogue, imports, nodes }: Knowledge): TemplateResult {
    const say = this.#say
    return html`${factsView([
      [say('products'), this.format.count(catalogue.products)],
      [say('faq'), this.format.count(catalogue.faq)],
      [say('edition'), html`<code>${catalogue.edition ?? '–'}</code>`],
      [say('source'), catalogue.source ?? '–'],
    ])}
    ${sectionView(
      say('nodes'),
      tableView({
        label: say('nodes'),
        empty: say('noNodes'),
        rows: nodes,
        key: ({ id }) => id,
        columns: [
          { name: say('node'), cell: ({ id }) => html`<code>${id}</code>` },
          { name: say('edition'), cell: ({ edition }) => html`<code>${edition ?? '–'}</code>` },
          {
            name: say('state'),
            cell: ({ edition }) =>
              edition === catalogue.edition ? badge(say('same'), 'good') : badge(say('other'), 'few'),
          },
        ],
      }),
    )}
    ${sectionView(
      say('imports'),
      tableView({
        label: say('imports'),
        empty: say('noImports'),
        rows: imports,
        key: ({ number }) => number,
        columns: [
          { name: say('at'), cell: ({ at }) => this.format.time(at) },
          { name: say('by'), cell: ({ by }) => by },
          { name: say('action'), cell: ({ action }) => action },
          { name: say('result'), cell: ({ after }) => html`<code class="wrapped">${valueText(after)}</code>` },
          { name: say('reason'), cell: ({ reason }) => reason },
        ],
      }),
    )}`
  }
}

customElements.define('knowledge-screen', KnowledgeScreen)
