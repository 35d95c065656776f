// How a model is asked to go on with an answer that broke off: the shown words quoted in the user's turn, in the answer's own
// language, or as its own beginning where the model is known to take that. What it says then is verified at the seam.
import type { Language } from '@mangaassist/protocol'
import { detectLanguage } from '#domain/language.ts'
import type { Model, ModelMessage } from '#ports/model.ts'
import type { Routed } from '../turn.ts'

const GO_ON: Readonly<Record<Language, string>> = {
  ja:
    '上の質問への回答は、途中で切れてしまいました。これまでに表示された部分は<shown>の中のとおりです。' +
    '表示済みの言葉を繰り返さず、前置きもせず、最後の文字のすぐ後から続きだけを書いてください。',
  en:
    'Your answer to the above broke off. What has been shown of it so far stands inside <shown>. ' +
    'Write only what comes next, beginning right after its last character: repeat nothing, and add no introduction.',
}

/** The prompt of a call: as it was routed, or for going on after what was shown. */
export function promptAfter(shown: string, routed: Routed, model: Model): readonly ModelMessage[] {
  const { messages } = routed
  // Our own model begins again in the same words, if its prompt is the same; they are skipped at the seam.
  if (shown === '' || model.facts === undefined) return messages
  // Models that take a beginning refuse one that ends in white space.
  if (model.facts.trailingAssistant && shown === shown.trimEnd()) {
    return [...messages, { role: 'assistant', content: shown }]
  }
  const last = messages.at(-1)
  const content = `${last?.content ?? ''}\n\n${GO_ON[languageOf(shown, routed)]}\n<shown>\n${fenced(shown)}\n</shown>`
  return [...messages.slice(0, -1), { role: 'user', content }]
}

/** A caller's own prompt says nothing about the language of its answer. */
function languageOf(shown: string, { start }: Routed): Language {
  return start.completion === undefined ? start.language : detectLanguage(shown)
}

function fenced(text: string): string {
  return text.replaceAll(/<(\/?)shown/giu, '‹$1shown')
}
