// The texts of simulated models: a question always gets the same text from a model, and a different one from another
// model. They contain characters that are hard to cut: kana, joined emoji, combining marks. Asked to continue shown
// text, a model may continue, overlap, restart or differ.
import { anchorOf } from '@mangaassist/server/domain/continuation/anchor'
import { genericCounter } from '@mangaassist/server/domain/estimator/token-counter'

export interface AnswerText {
  readonly text: string
  readonly tokens: number
}

export type Manner = 'continue' | 'overlap' | 'restart' | 'mismatch'

const SENTENCES = [
  'こちらの作品はいかがでしょうか。',
  'A quiet story about a long road, told in eleven volumes. ',
  '家族👨‍👩‍👧‍👦の話で、読むたびに泣けます😭。',
  'ﾊﾝｶｸのカナも、か゚の濁点も、そのまま届きます。',
  'Café and naïve — a combining e\u0301 stays whole. ',
  '第一巻は在庫があり、明日には発送できます📦。',
  '𠮷野さんの棚から、もう一冊おすすめします。',
  'It is darker than it looks, and funnier than it sounds 🏴‍☠️. ',
  '送料は三千円以上のご注文で無料になります。',
  'If you liked the first, the second will not disappoint you. ',
  '旗🇯🇵と猫🐈‍⬛の絵が表紙です。',
  'ご不明な点は、いつでもお尋ねください。',
]

/** Number of different answers; a question always gets the same one. */
const ANSWERS = 1024
const TOKENS_MIN = 40
const TOKENS_MAX = 180
const OVERLAP_UNITS = 24

const answers: (AnswerText | undefined)[] = []
let sentenceTokens: readonly number[] | undefined

export function answerTo(question: string, modelId: string): AnswerText {
  const number = hash(question, hash(modelId, 0x811c9dc5)) % ANSWERS
  return (answers[number] ??= compose(number))
}

/** The text of a model that is asked to continue `shown`; never empty. */
export function answerAfter(shown: string, modelId: string, manner: Manner): AnswerText {
  const number = hash(shown, hash(modelId, 0x811c9dc5)) % ANSWERS
  const rest = (answers[number] ??= compose(number))
  const again = repeated(shown, manner)
  return again === '' ? rest : { text: again + rest.text, tokens: rest.tokens + genericCounter.text(again) }
}

function repeated(shown: string, manner: Manner): string {
  switch (manner) {
    case 'continue':
      return anchorOf(shown)
    case 'overlap':
      return shown.slice(-OVERLAP_UNITS)
    case 'restart':
      return shown
    case 'mismatch':
      return shown.slice(0, Math.ceil(shown.length * 0.6))
  }
}

/** The answer, cut to at most this many tokens at any character. */
export function within(answer: AnswerText, tokensMax: number): AnswerText {
  const { text, tokens } = answer
  if (tokens <= tokensMax) return answer
  return { text: text.slice(0, Math.max(1, Math.floor((text.length * tokensMax) / tokens))), tokens: tokensMax }
}

function compose(number: number): AnswerText {
  sentenceTokens ??= SENTENCES.map((sentence) => genericCounter.text(sentence))
  let state = Math.imul(number + 1, 0x9e3779b1) >>> 0
  const draw = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * count)
  }
  const tokensAimed = TOKENS_MIN + draw(TOKENS_MAX - TOKENS_MIN)
  let [text, tokens] = ['', 0]
  while (tokens < tokensAimed) {
    const index = draw(SENTENCES.length)
    text += SENTENCES[index]
    tokens += sentenceTokens[index] ?? 1
  }
  return { text, tokens }
}

/** FNV-1a. */
function hash(text: string, basis: number): number {
  let value = basis
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value >>> 0
}
