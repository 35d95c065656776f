// How a model is asked to continue an answer that broke off: the shown words quoted in the user's turn, in the answer's own
// language, or as its own beginning where the model is known to take that. A caller's own prompt gets no words of ours: the
// model starts again, and only the same words may follow. What it says then is verified at the seam.
import type { Language } from '@mangaassist/protocol'
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

/** `the-rest`: what follows the shown words. `all`: the answer from its beginning, in the same words. */
export interface PromptAfter {
  readonly messages: readonly ModelMessage[]
  readonly says: 'the-rest' | 'all'
}

/** The prompt of a call: as it was routed, or for continuing after what was shown. */
export function promptAfter(shown: string, routed: Routed, model: Model): PromptAfter {
  const { messages, start } = routed
  // Our own model begins again in the same words, if its prompt is the same; they are skipped at the seam.
  if (shown === '' || model.facts === undefined) return { messages, says: 'all' }
  // Models that take a beginning refuse one that ends in white space.
  if (model.facts.trailingAssistant && shown === shown.trimEnd()) {
    return { messages: [...messages, { role: 'assistant', content: shown }], says: 'the-rest' }
  }
  if (start.completion !== undefined) return { messages, says: 'all' }
  const last = messages.at(-1)
  const content = `${last?.content ?? ''}\n\n${GO_ON[start.language]}\n<shown>\n${fenced(shown)}\n</shown>`
  return { messages: [...messages.slice(0, -1), { role: 'user', content }], says: 'the-rest' }
}

function fenced(text: string): string {
  return text.replaceAll(/<(\/?)shown/giu, '‹$1shown')
}
