// The filters of a list: a form whose values are the query of the address. Applying them is navigation, so Back undoes it.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { consoleHref } from '../data/address.ts'
import type { ConsoleAddress } from '../data/address.ts'
import type { ActionField, Host } from '../shell/host.ts'
import type { SayFilled } from '../shell/say.ts'
import type { filterWords } from '../words/filters.ts'
import { fieldView } from './field.ts'
import { formValues } from './form-values.ts'

export interface FilterParts {
  readonly host: Host
  readonly address: ConsoleAddress
  readonly fields: readonly ActionField[]
  readonly say: SayFilled<typeof filterWords>
  /** The values of filters that the address does not set. */
  readonly defaults?: Readonly<Record<string, string>>
  /** Shown folded, for a long list of filters; how many are set is then in the summary. */
  readonly isFolded?: boolean
}

export function filterForm({
  address,
  defaults = {},
  fields,
  host,
  isFolded = false,
  say,
}: FilterParts): TemplateResult {
  const { query, rest, screen } = address
  const names = new Set(fields.map(({ name }) => name))
  const set = Object.keys(query).filter((name) => names.has(name)).length
  const apply = (event: SubmitEvent): void => {
    event.preventDefault()
    const { after: _, ...others } = query
    host.go(consoleHref({ screen, rest, query: { ...others, ...formValues(event.target) } }))
  }
  const form = html`<form class="filters" data-testid="filters" @submit=${apply} autocomplete="off">
    ${fields.map((field) => fieldView({ ...field, value: query[field.name] ?? defaults[field.name] ?? '' }))}
    <div class="filter-buttons">
      <button type="submit" class="primary" data-testid="apply">${say('apply')}</button>
      ${set === 0 ? nothing : html`<a class="button" href=${consoleHref({ screen, rest })} data-testid="clear">${say('clear')}</a>`}
    </div>
  </form>`
  if (!isFolded) return form
  return html`<details class="folded" ?open=${set > 0}>
    <summary>${say('filters')}${set === 0 ? nothing : html` (${set})`}</summary>
    ${form}
  </details>`
}
