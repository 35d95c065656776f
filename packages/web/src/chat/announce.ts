// The announcements of an answer for a screen reader: its beginning, now and then that it continues, and at the end the
// whole text at once. Each token as it arrives would drown everything else. Pure; the element puts the words into its live
// region.
import { waitingWords } from './conversation/exchange.ts'
import type { Exchange } from './conversation/exchange.ts'
import { plainText } from './markdown/markdown-source.ts'
import type { chatWords, Say } from '../i18n.ts'

export interface Announced {
  readonly text: string
  readonly atMs: number
  readonly key: string
}

export const nothingAnnounced: Announced = { text: '', atMs: 0, key: '' }

const continuesEveryMs = 10_000
const answerCharactersMax = 600

export function announce(
  last: Announced,
  exchange: Exchange | undefined,
  { say, nowMs }: { readonly say: Say<typeof chatWords>; readonly nowMs: number },
): Announced {
  if (exchange === undefined) return last.text === '' ? last : nothingAnnounced
  const { id, phase } = exchange
  if (phase.type === 'ended') return once(last, `${id} ended`, () => ({ text: summary(exchange, say), atMs: nowMs }))
  if (phase.type === 'waiting') {
    const words = waitingWords(exchange, say)
    return once(last, `${id} ${words}`, () => ({ text: words, atMs: nowMs }))
  }
  if (nowMs - last.atMs < continuesEveryMs) return last
  return { text: say('answerContinues'), atMs: nowMs, key: `${id} continues` }
}

function once(last: Announced, key: string, announced: () => Omit<Announced, 'key'>): Announced {
  return last.key === key ? last : { ...announced(), key }
}

function summary(
  { text, products, suggestions, phase, remarks, contact }: Exchange,
  say: Say<typeof chatWords>,
): string {
  const end = phase.type === 'ended' ? phase.end : {}
  const answer = plainText(text)
  return [
    answer === '' ? '' : say('answered') + cut(answer),
    products.length === 0 ? '' : say('answeredProducts', products.length),
    end.text ?? (end.word === undefined ? '' : say(end.word, end.n)),
    ...remarks,
    contact === undefined ? '' : say('personContact') + contact,
    suggestions.length === 0 ? '' : say('followUpsOffered', suggestions.length),
  ]
    .filter((part) => part !== '')
    .join(' ')
}

function cut(text: string): string {
  return text.length <= answerCharactersMax ? text : `${text.slice(0, answerCharactersMax)}…`
}
