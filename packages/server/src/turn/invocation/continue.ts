// How a model is asked to continue a broken answer: the shown text is quoted in the user's message, in the answer's
// language, with the request to repeat its last words, which proves at the seam that the rest follows; or it is prefilled
// as the model's own beginning where the model accepts that. A caller's own prompt is not changed: the model starts again,
// and only the same text may follow.
import type { Language } from '@mangaassist/protocol'
import { anchorOf } from '#domain/continuation/anchor.ts'
import { messageText, textMessage } from '#domain/model/model-message.ts'
import type { Model, ModelMessage } from '#ports/model/port.ts'
import type { Routed } from '../turn.ts'

const GO_ON: Readonly<Record<Language, string>> = {
  ja:
    '上の質問への回答は、途中で切れてしまいました。これまでに表示された部分は<shown>の中のとおりです。' +
    '前置きをせずに、まず<last>の中の言葉（表示済みの最後の部分）を一字も変えずに書き、そのまま続きを最後まで書いてください。それより前の部分は繰り返さないでください。',
  en:
    'Your answer to the above broke off. What has been shown of it so far stands inside <shown>. ' +
    'Without any introduction, first write the words inside <last>, its last ones, again without changing a character, ' +
    'and then go straight on to the end of the answer. Do not repeat anything before them.',
}

/** `the-rest`: what follows the shown words. `all`: the answer from its beginning, in the same words. */
export interface PromptAfter {
  readonly messages: readonly ModelMessage[]
  readonly says: 'the-rest' | 'all'
  /** What it is asked to repeat first; skipped at the seam, so it costs nothing of the answer's tokens. */
  readonly again?: string
  /** The shown text is the last message, as the model's own. */
  readonly isPrefilled?: boolean
}

/** The prompt of a call: as routed, or for a continuation of the shown text. */
export function promptAfter(shown: string, routed: Routed, model: Model): PromptAfter {
  const { messages, policy, start } = routed
  // The built-in model starts again with the same text if its prompt is the same; the seam skips it.
  if (shown === '' || model.facts === undefined) return { messages, says: 'all' }
  // Models refuse a prefilled answer that ends in white space.
  if (model.facts.trailingAssistant && shown === shown.trimEnd()) {
    return { messages: [...messages, textMessage('assistant', shown)], says: 'the-rest', isPrefilled: true }
  }
  if (!policy.mayContinueInOtherWords) return { messages, says: 'all' }
  const again = anchorOf(shown)
  const text = `${messageText(messages.at(-1))}\n\n${GO_ON[start.language]}\n<shown>\n${fenced(shown)}\n</shown>\n<last>${fenced(again)}</last>`
  return { messages: [...messages.slice(0, -1), textMessage('user', text)], says: 'the-rest', again }
}

function fenced(text: string): string {
  return text.replaceAll(/<(\/?)(shown|last)/giu, '‹$1$2')
}
