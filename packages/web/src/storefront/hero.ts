// The top of the home page: what the assistant does, and three example questions.
import { html } from 'lit'
import type { TemplateResult } from 'lit'
import { cover } from '../covers/cover.ts'
import type { Series } from './store-api.ts'
import type { SayStore } from './store-element.ts'

export interface HeroContext {
  readonly say: SayStore
  /** The books that are shown; empty while they load. */
  readonly books: readonly Series[]
  readonly open: () => void
  readonly ask: (question: string) => void
}

const examples = ['heroExample1', 'heroExample2', 'heroExample3'] as const
const booksShown = 3

export function heroView({ say, books, open, ask }: HeroContext): TemplateResult {
  return html`<section class="hero" aria-labelledby="hero-title">
    <div class="hero-text">
      <p class="kicker">${say('heroKicker')}</p>
      <h1 id="hero-title" tabindex="-1"><span>${say('heroTitle1')}</span> <span>${say('heroTitle2')}</span></h1>
      <p class="lead">${say('heroText')}</p>
      <button class="button primary" type="button" data-testid="hero-ask" @click=${open}>${say('heroAsk')}</button>
      <p class="try">${say('heroTry')}</p>
      <ul class="examples">
        ${examples.map(
          (word) =>
            html`<li>
              <button class="balloon" type="button" data-testid="hero-example" @click=${() => ask(say(word))}>
                ${say(word)}
              </button>
            </li>`,
        )}
      </ul>
    </div>
    <div class="hero-books" aria-hidden="true">
      ${books.slice(0, booksShown).map((series) => html`<span>${cover(series)}</span>`)}
    </div>
  </section>`
}
