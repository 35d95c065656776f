// Which past turns go into the prompt: the newest that fit, and always the newest pair, shortened if it must
// be. What leaves alternates and starts with the user, also after a turn that ended without a word.
import type { Gauge } from '#domain/estimator/gauge.ts'
import type { ModelMessage } from '#ports/model.ts'
import type { StoredTurn } from '#ports/session-store.ts'

/** Less room than this holds nothing that would help. */
const PAIR_TOKENS_MIN = 40

export function historyMessages(
  history: readonly StoredTurn[],
  tokensMax: number,
  gauge: Gauge,
): readonly ModelMessage[] {
  const messages: ModelMessage[] = []
  let tokensLeft = tokensMax
  for (const turn of history.toReversed()) {
    // A question that got no answer would leave two user messages in a row.
    if (turn.answer === '') continue
    const whole = pair(turn.question, turn.answer)
    const tokens = gauge.messages(whole)
    if (tokens > tokensLeft) {
      if (messages.length === 0 && tokensLeft >= PAIR_TOKENS_MIN)
        messages.unshift(...shortened(turn, tokensLeft, gauge))
      break
    }
    tokensLeft -= tokens
    messages.unshift(...whole)
  }
  return messages
}

function pair(question: string, answer: string): readonly ModelMessage[] {
  return [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ]
}

function shortened(turn: StoredTurn, tokensMax: number, gauge: Gauge): readonly ModelMessage[] {
  const each = Math.floor((tokensMax - gauge.messages(pair('', ''))) / 2)
  return pair(cutTo(turn.question, each, gauge), cutTo(turn.answer, each, gauge))
}

/** The beginning of a text that takes at most so many tokens, cut between code points. */
function cutTo(text: string, tokensMax: number, gauge: Gauge): string {
  if (gauge.text(text) <= tokensMax) return text
  let codePoints = [...text]
  while (codePoints.length > 0 && gauge.text(`${codePoints.join('')}…`) > tokensMax) {
    codePoints = codePoints.slice(0, Math.floor(codePoints.length * 0.9))
  }
  return `${codePoints.join('')}…`
}
