// Chooses which part of the conversation goes into the prompt, within its tokens: all of it, or else the newest pair, then
// the pinned facts, then older pairs while they fit, then the summary of the rest. The messages alternate, start with the
// user and end with the question, also after turns that ended without text; facts and summary are a fenced block before the
// oldest pair.
import { cutTo } from '#domain/estimator/cut-to.ts'
import type { TokenCounter } from '#domain/estimator/token-counter.ts'
import { inert } from '#domain/prompt/inert.ts'
import { messageText, textMessage } from '#domain/model/model-message.ts'
import type { ModelMessage } from '#ports/model/port.ts'
import type { StoredTurn } from '#ports/session-store/port.ts'
import { earlierBlock, summaryLine } from './prompt.ts'

export interface Past {
  /** Oldest first. */
  readonly history: readonly StoredTurn[]
  /** Lines, most important first. */
  readonly facts: readonly string[]
  readonly summary?: { readonly text: string }
}

export interface TrimLimit {
  /** Limit for everything before the question. */
  readonly tokens: number
  readonly pairs: number
  readonly factsTokens: number
  readonly counter: TokenCounter
}

export interface Trimmed {
  /** The question last. */
  readonly messages: readonly ModelMessage[]
  /** How many of the oldest turns are left out. */
  readonly leftOut: number
  /** Whether any pair that a prompt may hold is left out or shortened. */
  readonly isCut: boolean
}

/** Less room than this is not useful. */
const PAIR_TOKENS_MIN = 40
/** The share of facts when the newest pair must be shortened anyway. */
const FACTS_SHARE_WHEN_TIGHT = 0.25

export function withPast(past: Past, question: string, limit: TrimLimit): Trimmed {
  // A question without an answer would leave two user messages in a row, and vendors refuse an empty one.
  const answered = past.history.filter(({ answer }) => answer.trim() !== '')
  const candidates = limit.pairs === 0 ? [] : answered.slice(-limit.pairs)
  // If the prompt has the whole conversation, pinned facts are left out.
  const facts =
    candidates.length === past.history.length && tokensOf(candidates, limit) <= limit.tokens ? [] : past.facts
  const chosen = choose({ ...past, facts }, candidates, limit)
  const messages = [...chosen.pairs.flat(), textMessage('user', question)]
  const isWhole = chosen.pairs.length === answered.length
  const summary = isWhole || past.summary === undefined ? [] : [summaryLine(past.summary.text)]
  const room = chosen.tokensLeft + blockTokens(chosen.facts, limit.counter)
  return {
    messages: withBlock(messages, [...chosen.facts, ...summary], { room, counter: limit.counter }),
    leftOut: isWhole ? 0 : indexOfOldest(past.history, answered, chosen.pairs.length),
    isCut: chosen.isShortened || chosen.pairs.length < candidates.length,
  }
}

function tokensOf(turns: readonly StoredTurn[], { counter }: TrimLimit): number {
  return turns.reduce((sum, { question, answer }) => sum + counter.messages(pair(question, answer)), 0)
}

interface Chosen {
  readonly facts: readonly string[]
  /** Oldest first. */
  readonly pairs: readonly (readonly ModelMessage[])[]
  readonly tokensLeft: number
  readonly isShortened: boolean
}

function choose(past: Past, answered: readonly StoredTurn[], limit: TrimLimit): Chosen {
  const { counter } = limit
  const newest = answered.at(-1)
  const whole = newest === undefined ? [] : pair(newest.question, newest.answer)
  const newestTokens = counter.messages(whole)
  if (newest !== undefined && newestTokens > limit.tokens) return chooseShortened(past, newest, limit)
  const factsMax = Math.min(limit.factsTokens, limit.tokens - newestTokens)
  const facts = factsWithin(past.facts, factsMax, counter)
  let tokensLeft = limit.tokens - newestTokens - blockTokens(facts, counter)
  const pairs = newest === undefined ? [] : [whole]
  for (const turn of answered.slice(0, -1).toReversed()) {
    const older = pair(turn.question, turn.answer)
    const tokens = counter.messages(older)
    if (tokens > tokensLeft) break
    tokensLeft -= tokens
    pairs.unshift(older)
  }
  return { facts, pairs, tokensLeft, isShortened: false }
}

function chooseShortened(past: Past, newest: StoredTurn, { tokens, factsTokens, counter }: TrimLimit): Chosen {
  const factsMax = Math.min(factsTokens, Math.floor(tokens * FACTS_SHARE_WHEN_TIGHT))
  const facts = factsWithin(past.facts, factsMax, counter)
  const room = tokens - blockTokens(facts, counter)
  if (room < PAIR_TOKENS_MIN) return { facts, pairs: [], tokensLeft: room, isShortened: true }
  const shorter = shortened(newest, room, counter)
  return { facts, pairs: [shorter], tokensLeft: room - counter.messages(shorter), isShortened: true }
}

function pair(question: string, answer: string): readonly ModelMessage[] {
  return [textMessage('user', inert(question)), textMessage('assistant', inert(answer))]
}

/** Half of the room each; the unused part of one goes to the other. */
function shortened(
  { question, answer }: StoredTurn,
  tokensMax: number,
  counter: TokenCounter,
): readonly ModelMessage[] {
  const both = tokensMax - counter.messages(pair('', ''))
  const half = Math.floor(both / 2)
  const [asked, answered] = [inert(question), inert(answer)]
  const shortQuestion = cutTo(asked, Math.max(half, both - counter.text(answered)), counter)
  return pair(shortQuestion, cutTo(answered, both - counter.text(shortQuestion), counter))
}

function factsWithin(facts: readonly string[], tokensMax: number, counter: TokenCounter): readonly string[] {
  const kept: string[] = []
  // A line that is too long leaves room for shorter ones after it.
  for (const line of facts) if (blockTokens([...kept, line], counter) <= tokensMax) kept.push(line)
  return kept
}

/** Includes a margin for the border to the next text. */
function blockTokens(lines: readonly string[], counter: TokenCounter): number {
  return lines.length === 0 ? 0 : counter.text(earlierBlock(lines)) + SEAM_TOKENS
}

/** Two joined texts may cost a little more than each alone. */
const SEAM_TOKENS = 3

/** Puts the block before the first message, without its last lines when it would exceed its room. */
function withBlock(
  messages: readonly ModelMessage[],
  lines: readonly string[],
  { room, counter }: { readonly room: number; readonly counter: TokenCounter },
): readonly ModelMessage[] {
  const [first, ...rest] = messages
  if (first === undefined || lines.length === 0) return messages
  const text = messageText(first)
  const withLines = earlierBlock(lines) + text
  // Measured in place, plus one, because both counts are rounded up.
  const tokens = counter.text(withLines) - counter.text(text) + 1
  return tokens <= room
    ? [textMessage(first.role, withLines), ...rest]
    : withBlock(messages, lines.slice(0, -1), { room, counter })
}

function indexOfOldest(history: readonly StoredTurn[], answered: readonly StoredTurn[], kept: number): number {
  const oldest = kept === 0 ? undefined : answered.at(-kept)
  return oldest === undefined ? history.length : history.indexOf(oldest)
}
