// The reader's language, from the browser's header and from what was written. Only error messages depend on it; admission
// decides the answer's language.
import type { Language } from '@mangaassist/protocol'
import { detectLanguage } from '@mangaassist/bookseller/text/language'

/** What operators and their programs ask for; everything else is for shoppers. */
const FOR_OPERATORS = /^\/(?:api\/admin|metrics)(?:[/?#]|$)/
const LETTER = /\p{L}/u

/**
 * The better weighted of `ja` and `en` in an Accept-Language header. When it names neither, as of most programs: Japanese, and English for
 * the addresses of operators.
 */
export function preferredLanguage(header: string | undefined, url = '/'): Language {
  let best: { language: Language; weight: number } | undefined
  for (const range of (header ?? '').split(',')) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
    const language = tag.split('-')[0]
    if (language !== 'ja' && language !== 'en') continue
    const quality = parameters.find((parameter) => parameter.trim().startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.trim().slice(2))
    if (weight > (best?.weight ?? 0)) best = { language, weight }
  }
  return best?.language ?? (FOR_OPERATORS.test(url) ? 'en' : 'ja')
}

/** The language of a question: chosen, else detected, else unknown. */
export function writtenLanguage(question: {
  readonly language?: unknown
  readonly message?: unknown
}): Language | undefined {
  if (question.language === 'ja' || question.language === 'en') return question.language
  const { message } = question
  return typeof message === 'string' && LETTER.test(message) ? detectLanguage(message) : undefined
}
