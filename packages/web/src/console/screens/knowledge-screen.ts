// The catalogue that answers come from: a search with its explanation, the edition and source on the node that answers, whether every
// node has the same, and the imports that the audit knows.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { AuditLine, CatalogueView, NodeView, SearchExplanationView } from '@mangaassist/protocol/admin'
import { badge, factsView, sectionView, valueText } from '../parts/bits.ts'
import { filterForm } from '../parts/filters.ts'
import { tableView } from '../parts/table.ts'
import { ConsoleScreen } from '../shell/console-screen.ts'
import { speakFilled } from '../shell/say.ts'
import { knowledgeWords } from '../words/knowledge.ts'
import { explanationView } from './search-explanation.ts'

const IMPORTS_SHOWN = 20

interface Knowledge {
  readonly catalogue: CatalogueView
  readonly nodes: readonly NodeView[]
  readonly imports: readonly AuditLine[]
  /** The explanation of the search, if words were entered. */
  readonly search?: SearchExplanationView
}

class KnowledgeScreen extends ConsoleScreen<Knowledge> {
  get #say() {
    return speakFilled(knowledgeWords, this.language)
  }

  protected get heading(): string {
    return this.#say('knowledge')
  }

  /** A search may ask a vendor's embedder, so it is not repeated by itself. */
  protected get refreshMs(): number | null {
    return this.address.query['q'] === undefined ? 30_000 : null
  }

  protected async fetchData(): Promise<Knowledge> {
    const { api } = this.host
    const { language, q } = this.address.query
    const [catalogue, { nodes }, { data: imports }, search] = await Promise.all([
      api.catalogue(),
      api.nodes(),
      api.audit({ subject: 'catalogue', limit: IMPORTS_SHOWN }),
      q === undefined ? undefined : api.explainSearch({ text: q, ...(isLanguage(language) ? { language } : {}) }),
    ])
    return { catalogue, nodes, imports, ...(search === undefined ? {} : { search }) }
  }

  #searchForm(): TemplateResult {
    const say = this.#say
    return filterForm({
      host: this.host,
      address: this.address,
      say,
      fields: [
        {
          kind: 'text',
          name: 'q',
          label: say('question'),
          hint: say('questionHint'),
          lengthMax: 500,
          isRequired: true,
        },
        {
          kind: 'choice',
          name: 'language',
          label: say('searchLanguage'),
          choices: [
            { value: '', label: say('detected') },
            { value: 'ja', label: say('japanese') },
            { value: 'en', label: say('english') },
          ],
        },
      ],
    })
  }

  protected view({ catalogue, imports, nodes, search }: Knowledge): TemplateResult {
    const say = this.#say
    return html`${sectionView(
      say('search'),
      html`${this.#searchForm()}
      ${search === undefined ? nothing : explanationView(search, { say, language: this.language })}`,
    )}
    ${factsView([
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

const isLanguage = (text: string | undefined): text is 'ja' | 'en' => text === 'ja' || text === 'en'

customElements.define('knowledge-screen', KnowledgeScreen)
