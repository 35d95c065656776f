// Every accepted question has one end, the same for all its readers, and its text is the model's.
import { answerOf } from '../../cluster/marker.ts'
import type { Question, Seen } from '../record.ts'

const OF_MODELS = new Set(['primary', 'economy'])

export function checkAnswers(seen: Seen): readonly string[] {
  return seen.questions
    .filter(({ lost }) => lost.size === 0)
    .flatMap((question) => [...ends(question), ...texts(question)])
}

function ends({ key, readings, turns }: Question): string[] {
  if (turns.size === 0) return []
  const kinds = new Set(
    readings.map(
      ({ done }) => `${done.turnId} ${done.finishReason} ${done.length} ${done.sha256} ${done.costMicroUsd}`,
    ),
  )
  // A question without any reading is reported by its asker.
  return kinds.size > 1 ? [`${key}: ${kinds.size} different ends: ${[...kinds].join(' | ')}`] : []
}

function texts({ key, marker, readings }: Question): string[] {
  const expected = answerOf(marker)
  return readings.flatMap(({ by, done, text }) => {
    if (!OF_MODELS.has(done.tier)) return []
    if (!expected.startsWith(text))
      return [`${key}: the text of the reader ${by} is not the model's: ${JSON.stringify(text)}`]
    if (done.finishReason === 'stop' && text !== expected)
      return [`${key}: ended as complete with ${text.length} of ${expected.length} units`]
    return []
  })
}
