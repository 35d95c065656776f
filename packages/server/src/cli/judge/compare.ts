// Compares two configurations over conversations: each is held under both, and each pair of answers is judged. At most so many
// conversations at a time; a limit on cost or a signal ends it early, with what was judged until then.
import type { Conversation } from '@mangaassist/bookseller/evaluation/conversation'
import type { Trial } from '#wiring/profiles/trial.ts'
import { CostReached } from './cost-meter.ts'
import type { CostMeter } from './cost-meter.ts'
import type { JudgedPair, JudgePair, Pair } from './pair.ts'
import { tryConversation } from './try-conversation.ts'
import type { TriedTurn } from './try-conversation.ts'

export interface ComparisonParts {
  readonly a: Trial
  readonly b: Trial
  readonly judge: JudgePair
  readonly meter: CostMeter
  readonly concurrency: number
  readonly signal: AbortSignal
  /** Called when a conversation is done, with how many are. */
  readonly onDone: (conversations: number) => void
}

export interface Compared {
  /** In the order of the conversations and their turns. */
  readonly pairs: readonly JudgedPair[]
  /** Conversations that were not compared, or not to the end. */
  readonly leftOut: number
}

export async function compare(conversations: readonly Conversation[], parts: ComparisonParts): Promise<Compared> {
  const results: (readonly JudgedPair[] | undefined)[] = conversations.map(() => undefined)
  let [next, done] = [0, 0]
  const work = async (): Promise<void> => {
    for (;;) {
      const index = next
      next += 1
      const conversation = conversations[index]
      if (conversation === undefined || parts.signal.aborted) return
      const pairs = await compareOne(conversation, parts)
      if (pairs === undefined) return
      results[index] = pairs
      done += 1
      parts.onDone(done)
    }
  }
  await Promise.all(Array.from({ length: Math.min(parts.concurrency, conversations.length) }, work))
  return {
    pairs: results.flatMap((pairs) => pairs ?? []),
    leftOut: results.filter((pairs) => pairs === undefined).length,
  }
}

/** Undefined when the limit on cost ended it. */
async function compareOne(
  conversation: Conversation,
  { a, b, judge, meter }: ComparisonParts,
): Promise<readonly JudgedPair[] | undefined> {
  const held = await Promise.allSettled([
    tryConversation(conversation, a, meter),
    tryConversation(conversation, b, meter),
  ])
  const failed = held.find((one) => one.status === 'rejected')
  if (failed !== undefined) {
    if (failed.reason instanceof CostReached) return undefined
    throw failed.reason
  }
  const [ofA, ofB] = held.map((one) => (one.status === 'fulfilled' ? one.value : []))
  const judged: JudgedPair[] = []
  for (const pair of pairsOf(conversation, ofA ?? [], ofB ?? [])) judged.push({ ...pair, verdict: await judge(pair) })
  return judged
}

function pairsOf({ id }: Conversation, ofA: readonly TriedTurn[], ofB: readonly TriedTurn[]): readonly Pair[] {
  return ofA.flatMap((turn, index) => {
    const other = ofB[index]
    if (other === undefined) return []
    return [
      {
        conversation: id,
        position: index + 1,
        language: turn.asked.language,
        complexity: turn.asked.complexity,
        question: turn.say,
        a: { turn, earlier: ofA.slice(0, index) },
        b: { turn: other, earlier: ofB.slice(0, index) },
      },
    ]
  })
}
