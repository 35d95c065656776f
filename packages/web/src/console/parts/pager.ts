// Pages of a list with a cursor: the next page and the first one, as links, so that Back works and a page can be shared.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { consoleHref } from '../data/address.ts'
import type { ConsoleAddress } from '../data/address.ts'
import type { SayFilled } from '../shell/say.ts'
import type { pagerWords } from '../words/pager.ts'

export function pagerView(
  { query, rest, screen }: ConsoleAddress,
  next: string | undefined,
  say: SayFilled<typeof pagerWords>,
): TemplateResult | typeof nothing {
  const { after, ...filters } = query
  if (next === undefined && after === undefined) return nothing
  return html`<nav class="pager" aria-label=${say('pages')}>
    ${
      after === undefined
        ? nothing
        : html`<a class="button" data-testid="first-page" href=${consoleHref({ screen, rest, query: filters })}
            >${say('firstPage')}</a
          >`
    }
    ${
      next === undefined
        ? nothing
        : html`<a
            class="button"
            data-testid="next-page"
            href=${consoleHref({ screen, rest, query: { ...filters, after: next } })}
            >${say('nextPage')}</a
          >`
    }
  </nav>`
}
