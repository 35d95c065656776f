// What is said when no model can: the FAQ's own answer, else an honest message with a way onward. In memory and
// synchronous, because it is what remains when everything else is down.
import type { Language } from '@mangaassist/protocol'
import type { Config } from '#config.ts'
import type { FaqIndex } from '#domain/faq-index.ts'

export interface Fallback {
  readonly tier: 'faq' | 'message'
  readonly confidence: number
  readonly text: string
}

const APOLOGY: Readonly<Record<Language, (contact: string) => string>> = {
  ja: (contact) =>
    `申し訳ございません。ただいまアシスタントがお答えできません。少し時間をおいてもう一度お試しいただくか、${contact}へお問い合わせください。`,
  en: (contact) =>
    `I’m sorry, I can’t answer properly just now. Please try again in a little while, or contact ${contact}.`,
}

export function fallbackFor(
  parts: { readonly faq: FaqIndex; readonly store: Config['store'] },
  message: string,
  language: Language,
): Fallback {
  const entry = parts.faq.match(message, language)?.entry
  if (entry !== undefined) return { tier: 'faq', confidence: 0.3, text: entry.answer[language] }
  return { tier: 'message', confidence: 0.1, text: APOLOGY[language](parts.store.contact[language]) }
}
