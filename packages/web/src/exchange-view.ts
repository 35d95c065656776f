// One question and its answer on the page. It only shows: what happens next is decided in `main.ts`.
import type { ProductCard } from '@mangaassist/protocol'
import { element } from './element.ts'
import { productCards } from './product-cards.ts'
import { hush, label, say } from './words.ts'
import type { Word } from './words.ts'

export interface ExchangeView {
  readonly root: HTMLElement
  /** What the shopper waits for, until the first words are there. */
  waiting(word: Word, n?: number): void
  text(whole: string): void
  products(cards: readonly ProductCard[]): void
  /** Quiet words about where the answer came from; none clears them. */
  origin(...words: Word[]): void
  /** Words of the server's own, such as a warning about the allowance. */
  remark(text: string): void
  /** The end, said in our words or the server's when there is something to say, with a way onward. */
  end(note?: { readonly word?: Word; readonly text?: string; readonly retry?: () => void }): void
}

export function createExchangeView(question: string | undefined): ExchangeView {
  const root = element('article', 'exchange')
  if (question !== undefined) root.append(bubble('you', question))
  const answer = bubble('assistant', '')
  const body = answer.lastElementChild as HTMLElement
  const wait = element('p', 'waiting')
  const origin = element('p', 'origin')
  const remark = element('p', 'remark')
  const cards = element('ul', 'cards')
  label(cards, 'products')
  const end = element('p', 'end')
  answer.append(wait, end, remark, origin, cards)
  // Screen readers read the answer once it is whole, not word by word.
  answer.ariaBusy = 'true'
  root.append(answer)

  return {
    root,
    waiting(word, n) {
      answer.ariaBusy = 'true'
      end.replaceChildren()
      say(wait, word, n)
    },
    text(whole) {
      if (whole !== '') hush(wait)
      body.textContent = whole
      body.lang = languageOf(whole)
    },
    products(products) {
      cards.replaceChildren(...productCards(products))
    },
    origin(...words) {
      origin.replaceChildren(...words.map((word) => say(element('span'), word)))
    },
    remark(text) {
      remark.textContent = text
    },
    end(note = {}) {
      hush(wait)
      end.replaceChildren(...endOf(note))
      answer.ariaBusy = 'false'
      if (end.hasChildNodes()) end.scrollIntoView({ block: 'nearest' })
    },
  }
}

function endOf({ word, text, retry }: Parameters<ExchangeView['end']>[0] & {}): HTMLElement[] {
  const parts: HTMLElement[] = []
  if (text !== undefined) parts.push(element('span', '', text))
  else if (word !== undefined) parts.push(say(element('span'), word))
  if (retry !== undefined) {
    const button = say(element('button', 'plain'), 'retry')
    button.type = 'button'
    button.addEventListener('click', retry)
    parts.push(button)
  }
  return parts
}

function bubble(who: 'you' | 'assistant', text: string): HTMLElement {
  const box = element('div', who)
  const body = element('p', 'body', text)
  body.lang = languageOf(text)
  box.append(say(element('span', 'unseen'), who), body)
  return box
}

/** For fonts and voices: a page in one language holds answers in the other. */
function languageOf(text: string): string {
  return /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u.test(text) ? 'ja' : 'en'
}
