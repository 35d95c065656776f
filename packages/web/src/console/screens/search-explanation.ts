// How some words are understood and what is found for them: what a turn would use, the ranking with the parts of each score, and what
// a condition excluded. By the node that answered.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { Language } from '@mangaassist/protocol'
import type { SearchExplanationView } from '@mangaassist/protocol/admin'
import { badge, factsView, sectionView } from '../parts/bits.ts'
import type { Fact } from '../parts/bits.ts'
import { tableView } from '../parts/table.ts'
import type { SayFilled } from '../shell/say.ts'
import type { knowledgeWords } from '../words/knowledge.ts'

interface Shown {
  readonly say: SayFilled<typeof knowledgeWords>
  /** The language that the operator reads. */
  readonly language: Language
}

type Found = SearchExplanationView['found'][number]
const PARTS = ['text', 'meaning', 'wishes', 'like', 'named'] as const

export function explanationView(view: SearchExplanationView, shown: Shown): TemplateResult {
  const { language, say } = shown
  return html`<p class="note" data-testid="understood">${view.understood[language].join(' ')}</p>
    ${factsView([...readFacts(view, shown)], 'wide')} ${sectionView(say('turnUses'), turnView(view, shown))}
    ${sectionView(say('ranking'), rankingView(view, shown))}
    ${view.excluded.length === 0 ? nothing : sectionView(say('excluded'), excludedView(view, shown))}`
}

function readFacts(view: SearchExplanationView, { say }: Shown): readonly Fact[] {
  const { chosenBy, edition, language, meaningBy, read, searched, understood } = view
  const lists: readonly (readonly [string, readonly string[]])[] = [
    [say('like'), read.like],
    [say('wanted'), read.wanted],
    [say('avoided'), read.avoided],
    [say('conditions'), read.conditions],
    [say('terms'), searched.terms],
    [say('meaningWords'), searched.words.map(({ weight, word }) => `${word} ${weight}`)],
  ]
  const model = [meaningBy.model, meaningBy.reason].filter((part) => part !== undefined).join(': ')
  return [
    [say('searchLanguage'), language],
    [say('edition'), html`<code>${edition ?? '–'}</code>`],
    [say('intent'), `${understood.act} · ${understood.intent}`],
    ...lists.flatMap(([name, values]): Fact[] => (values.length === 0 ? [] : [[name, values.join(', ')]])),
    [
      say('meaningBy'),
      `${say(meaningBy.by === 'embedder' ? 'byEmbedder' : 'byWords')}${model === '' ? '' : ` (${model})`}`,
    ],
    ...(chosenBy === undefined
      ? []
      : [[say('chosenBy'), [chosenBy.by, chosenBy.reason].filter((part) => part !== undefined).join(': ')] as const]),
  ]
}

function turnView({ turn }: SearchExplanationView, { language, say }: Shown): TemplateResult {
  const { faq, isUnsure, products, relaxed } = turn
  return html`<dl class="lines" data-testid="turn-uses">
      <dt>${say('products')}</dt>
      <dd>
        ${products.length === 0 ? '–' : products.map(({ id, title }, index) => html`${index === 0 ? '' : ' · '}${seriesLink(id, title[language])}`)}
      </dd>
      <dt>${say('faq')}</dt>
      <dd>${faq.map(({ id, question }) => `${question[language]} (${id})`).join(' · ') || '–'}</dd>
    </dl>
    ${relaxed.length === 0 ? nothing : html`<p class="hint">${say('relaxed', { conditions: relaxed.join(', ') })}</p>`}
    ${isUnsure ? html`<p class="hint">${badge(say('unsure'), 'few')}</p>` : nothing}`
}

function rankingView({ found }: SearchExplanationView, { language, say }: Shown): TemplateResult {
  const titles: Readonly<Record<(typeof PARTS)[number], string>> = {
    text: say('partText'),
    meaning: say('partMeaning'),
    wishes: say('partWishes'),
    like: say('partLike'),
    named: say('partNamed'),
  }
  return tableView({
    label: say('ranking'),
    testId: 'ranking',
    empty: say('nothingFound'),
    rows: found,
    key: ({ id }) => id,
    columns: [
      { name: say('series'), cell: ({ id, title }) => seriesLink(id, title[language]) },
      { name: say('score'), cell: ({ score }) => score, isFigure: true },
      ...PARTS.map((part) => ({ name: titles[part], cell: ({ parts }: Found) => parts[part], isFigure: true })),
      { name: say('textPlace'), cell: ({ textPlace }) => textPlace ?? '–', isFigure: true },
      {
        name: say('matched'),
        cell: ({ matched }) =>
          matched === undefined ? '–' : html`<span class="preserved">${matched.field}: ${matched.text}</span>`,
      },
    ],
  })
}

function excludedView({ excluded }: SearchExplanationView, { language, say }: Shown): TemplateResult {
  return tableView({
    label: say('excluded'),
    empty: '',
    rows: excluded,
    key: ({ id }) => id,
    columns: [
      { name: say('series'), cell: ({ id, title }) => seriesLink(id, title[language]) },
      { name: say('score'), cell: ({ score }) => score, isFigure: true },
      { name: say('condition'), cell: ({ condition }) => condition },
    ],
  })
}

const seriesLink = (id: string, title: string): TemplateResult =>
  html`<a href="/series/${encodeURIComponent(id)}" target="_blank" rel="noopener" title=${id}>${title}</a>`
