// Every accepted question has one end, the same for all its readers, and its text is the model's.
import { answerOf } from '../../cluster/marker.ts'
import type { Question, Seen } from '../record.ts'

const OF_MODELS = new Set(['primary', 'economy'])

/** Outages cost a few questions their answer, or the model's answer; a run in which many go without shows nothing. */
const ACCEPTED_SHARE_MIN = 0.95
const BY_MODELS_SHARE_MIN = 0.9

export function checkAnswers(seen: Seen): readonly string[] {
  const found = seen.questions.filter(({ lost }) => lost.size === 0)
  return [...shares(seen.questions), ...found.flatMap((question) => [...ends(question), ...texts(question)])]
}

function shares(questions: readonly Question[]): string[] {
  const accepted = questions.filter(({ lost, turns }) => turns.size + lost.size > 0)
  const byModels = accepted.filter(({ readings }) => readings.some(({ done }) => OF_MODELS.has(done.tier)))
  return [
    ...(accepted.length >= questions.length * ACCEPTED_SHARE_MIN && questions.length > 0
      ? []
      : [`only ${accepted.length} of ${questions.length} questions were accepted`]),
    ...(byModels.length >= accepted.length * BY_MODELS_SHARE_MIN
      ? []
      : [`only ${byModels.length} of ${accepted.length} questions were answered by a model`]),
  ]
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
