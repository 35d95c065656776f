// Plays the parts of an answer onto its view, to its end. Returns how it went; throws what the client throws.
import type { ChatPart } from '@mangaassist/client'
import type { DoneFrame, MetaFrame } from '@mangaassist/protocol'
import type { ExchangeView } from './exchange-view.ts'
import type { Word } from './words.ts'

export interface Ended {
  /** Absent when there is nothing to say. */
  readonly word: Word | undefined
  /** What helps: asking again, reading the same answer again, or nothing. */
  readonly remedy: 'ask' | 'read' | undefined
}

const stillWorkingAfterMs = 3000

const ends: Record<DoneFrame['finishReason'], Ended> = {
  stop: { word: undefined, remedy: undefined },
  // The answer itself says what the assistant can help with.
  blocked: { word: undefined, remedy: undefined },
  length: { word: 'endLength', remedy: undefined },
  budget: { word: 'endBudget', remedy: undefined },
  stopped: { word: 'endStopped', remedy: undefined },
  deferred: { word: 'endDeferred', remedy: undefined },
  timeout: { word: 'endTimeout', remedy: 'ask' },
  interrupted: { word: 'endInterrupted', remedy: 'ask' },
}

const tierWords: Partial<Record<MetaFrame['tier'], Word>> = {
  economy: 'tierEconomy',
  cached: 'tierCached',
  faq: 'tierFaq',
}

export async function playAnswer(
  parts: AsyncIterable<ChatPart>,
  view: ExchangeView,
  onPart: (part: ChatPart) => void,
): Promise<Ended> {
  let text = ''
  let products: MetaFrame['products'] = []
  view.waiting('thinking')
  const patience = setTimeout(() => text === '' && view.waiting('stillWorking'), stillWorkingAfterMs)
  try {
    for await (const part of parts) {
      if (part.type === 'queued') view.waiting('queued', part.position)
      if (part.type === 'meta') {
        showMeta(part.meta, view)
        products = part.meta.products
      }
      if (part.type === 'text') view.text((text += part.text))
      onPart(part)
      if (part.type === 'done')
        return part.verified ? endOf(part.done.finishReason) : { word: 'unverified', remedy: 'read' }
    }
    throw new Error('The answer ended without saying so.')
  } finally {
    clearTimeout(patience)
    // Last, below the text: on a phone, cards would push the words that are being read out of sight.
    view.products(products)
  }
}

export function endOf(reason: DoneFrame['finishReason']): Ended {
  return ends[reason]
}

function showMeta(meta: MetaFrame, view: ExchangeView): void {
  view.remark([meta.warning, meta.contact].filter((text) => text !== undefined).join(' '))
  const origin: Word[] = meta.degraded ? [tierWords[meta.tier] ?? 'tierReduced'] : []
  view.origin(...origin, ...(meta.unsaved ? ['unsaved' as const] : []))
}
