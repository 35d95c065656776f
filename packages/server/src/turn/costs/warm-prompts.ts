// Small prompts like those that will be sent, to learn how a model's tokenizer differs from its family before it is asked.
import type { Config } from '#config/config.ts'
import type { SystemPrompts } from '#domain/prompt/system-prompts.ts'
import { textMessage } from '#domain/model/model-message.ts'
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'
import { systemPrompt } from '../routing/prompt.ts'

const WARM_PROMPTS = 16

/** Returns small prompts in both languages, enough to see how a tokenizer differs from its family. */
export function warmPrompts(faq: readonly FaqEntry[], prompts: SystemPrompts, { store }: Config) {
  return faq.slice(0, WARM_PROMPTS).map(({ questions, answer }, index) => {
    const language = index % 2 === 0 ? 'ja' : 'en'
    const text = [...questions[language], answer[language]].join('\n')
    return { system: systemPrompt(prompts, language, store), messages: [textMessage('user', text)] }
  })
}
