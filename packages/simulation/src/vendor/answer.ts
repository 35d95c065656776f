// The default answer of the simulated model when no text is configured: short, in the language of the question, quoting
// it, and varied by the seed as a model's answers are.
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import type { Prompt } from './call.ts'
import { asPattern } from './model-pattern.ts'

/** `draw` is uniform in [0, 1), from the seed. */
export type Answer = (prompt: Prompt, draw: () => number) => string

/** An answer that is written beforehand for prompts with certain words. */
export interface ScriptedAnswer {
  /** A regular expression; it is searched for in the system prompt and the messages, each on lines of its own. */
  readonly when: string
  /** Only for this model; `*` stands for anything. Default: every model. */
  readonly model?: string
  readonly text: string
}

/** The first scripted answer that fits the prompt, or else that of `otherwise`. */
export function scripted(answers: readonly ScriptedAnswer[], otherwise: Answer): Answer {
  const known = answers.map(({ when, model = '*', text }) => ({
    words: new RegExp(when, 'u'),
    models: asPattern(model),
    text,
  }))
  return (prompt, draw) => {
    const said = [prompt.system, ...prompt.messages.map(({ content }) => content)].join('\n')
    const found = known.find(({ words, models }) => models.test(prompt.model) && words.test(said))
    return found?.text ?? otherwise(prompt, draw)
  }
}

const QUOTED_LENGTH_MAX = 60

const sentences = {
  ja: {
    opening: ['ご質問ありがとうございます。', 'お問い合わせありがとうございます。', 'はい、お答えします。'],
    about: (question: string) => `「${question}」についてですね。`,
    body: [
      'まずは第一巻から読み始めるのがおすすめです。物語の世界と登場人物がよくわかり、続きが気になるはずです。',
      '同じ雰囲気の作品もたくさんありますので、お好きな作家やジャンルを教えていただければ、さらに詳しくご案内します。',
      '人気の作品は品切れになることもありますので、お早めにどうぞ。完結済みの作品なら、まとめ買いもできます。',
    ],
  },
  en: {
    opening: ['Thank you for asking.', 'Good question!', 'Happy to help.'],
    about: (question: string) => ` You asked about “${question}”.`,
    body: [
      ' I would start with the first volume: it sets up the world and its people, and you will want to read on.',
      ' There are more series in the same mood; tell me an author or a genre you like and I will narrow it down.',
      ' Popular series do sell out, so it is worth ordering soon, and a finished series can be had as a set.',
    ],
  },
}

export const plainAnswer: Answer = ({ messages }, draw) => {
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  const { opening, about, body } = sentences[detectLanguage(question)]
  const pick = (from: readonly string[]) => from[Math.floor(draw() * from.length)] ?? ''
  return `${pick(opening)}${about(shortened(question))}${pick(body)}`
}

function shortened(question: string): string {
  const line = question.trim().split('\n').at(-1) ?? ''
  const characters = [...line]
  return characters.length > QUOTED_LENGTH_MAX ? `${characters.slice(0, QUOTED_LENGTH_MAX).join('')}…` : line
}
