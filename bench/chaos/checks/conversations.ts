// The stored conversations have each accepted question once, in the order it was asked, with the text that its readers got.
import type { SessionTurn } from '../../../packages/protocol/src/index.ts'
import { markerIn } from '../../cluster/marker.ts'
import type { ClusterApi } from '../cluster-api.ts'
import type { Conversation, Seen } from '../record.ts'

export async function checkConversations(seen: Seen, api: ClusterApi): Promise<readonly string[]> {
  const found: string[] = []
  for (const conversation of seen.conversations) {
    const { cookie, sessionId } = conversation
    const hasLost = conversation.questions.some(({ lost }) => lost.size > 0)
    if (sessionId !== undefined && !hasLost)
      found.push(...violationsIn(conversation, await api.session(sessionId, cookie)))
  }
  return found
}

export interface StoredConversation {
  readonly runningTurn?: { readonly turnId: string }
  readonly turns: readonly Pick<SessionTurn, 'turnId' | 'question' | 'answer' | 'finishReason'>[]
}

export function violationsIn(
  { questions, sessionId }: Conversation,
  { runningTurn, turns }: StoredConversation,
): string[] {
  const asked = questions.filter((question) => question.turns.size > 0)
  // A deferred question is answered in a further turn of its own.
  const deferred = new Set(
    asked
      .filter(({ readings }) => readings.some(({ done }) => done.finishReason === 'deferred'))
      .map(({ marker }) => marker),
  )
  const stored = turns.map(({ question }) => markerIn(question) ?? question)
  const first = stored.filter((marker, index) => !deferred.has(marker) || stored.indexOf(marker) === index)
  const expected = asked.map(({ marker }) => marker)
  return [
    ...(runningTurn === undefined ? [] : [`${sessionId}: the turn ${runningTurn.turnId} still runs`]),
    ...(first.join() === expected.join()
      ? []
      : [`${sessionId}: stored are ${first.join(', ')}, asked were ${expected.join(', ')}`]),
    ...asked.flatMap(({ key, marker, readings, turns: own }) => {
      const turn = turns.find(({ question, turnId }) => markerIn(question) === marker && own.has(turnId))
      const [reading] = readings
      if (turn === undefined || reading === undefined) return turn === undefined ? [`${key}: not stored`] : []
      if (turn.answer === reading.text && turn.finishReason === reading.done.finishReason) return []
      return [
        `${key}: stored as ${turn.finishReason} with ${turn.answer.length} units, read as ${reading.done.finishReason} with ${reading.text.length}`,
      ]
    }),
  ]
}
