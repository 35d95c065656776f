// The pages in place of one that cannot be shown: there is none, or a part of the shop is unavailable.
import { html } from '../rendering/html.ts'
import type { StoreContext, StorePage } from '../store-page.ts'

/** The address of an unknown page is that of the reader; the page offers ways onward. */
export function missingPage({ href, say }: StoreContext): StorePage {
  return {
    status: 404,
    name: 'missing',
    title: say('notFoundTitle'),
    description: say('notFoundText'),
    path: undefined,
    isListed: false,
    main: html`<div class="state missing" data-testid="not-found">
      <p class="missing-mark" aria-hidden="true">404</p>
      <h1>${say('notFoundTitle')}</h1>
      <p>${say('notFoundText')}</p>
      <form class="search" role="search" action="${href('/')}" method="get">
        <label class="unseen" for="q">${say('searchLabel')}</label>
        <input
          id="q"
          name="q"
          type="search"
          maxlength="200"
          placeholder="${say('searchPlaceholder')}"
          autocomplete="off"
        />
        <button class="button" type="submit">${say('search')}</button>
      </form>
      <div class="state-actions">
        <a class="button" href="${href('/')}">${say('backHome')}</a>
        <a class="button" href="${href('/support')}">${say('navSupport')}</a>
      </div>
    </div>`,
  }
}

/** Loading the address again is the way onward. */
export function shopUnavailablePage({ href, say }: StoreContext): StorePage {
  return {
    status: 503,
    name: 'unavailable',
    title: say('errorTitle'),
    description: say('unavailableText'),
    path: undefined,
    isListed: false,
    main: html`<div class="state" data-testid="unavailable">
      <h1>${say('errorTitle')}</h1>
      <p>${say('unavailableText')}</p>
      <div class="state-actions">
        <a class="button" href="${href('/')}">${say('backHome')}</a>
        <a class="button" href="${href('/support')}">${say('navSupport')}</a>
      </div>
    </div>`,
  }
}
