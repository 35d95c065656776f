// What a turn used and how fast it was, by its outcome: for its log line, its end and its metrics. Pure.
import type { AttemptRecord, TurnOutcome } from '#domain/turn/log-records.ts'

export interface TokensByKind {
  /** All of the prompt, with what the provider read from its cache and wrote to it. */
  readonly inputTokens: number
  /** All of the output, with reasoning. */
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly reasoningTokens: number
}

export function tokensByKind(attempts: readonly AttemptRecord[]): TokensByKind {
  const sum = (figure: (attempt: AttemptRecord) => number | undefined) =>
    attempts.reduce((total, attempt) => total + (figure(attempt) ?? 0), 0)
  return {
    inputTokens: sum(({ usage }) => usage.inputTokens),
    outputTokens: sum(({ usage }) => usage.outputTokens),
    cacheReadTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
    cacheWriteTokens: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    reasoningTokens: sum(({ reasoningTokens }) => reasoningTokens),
  }
}

/** From the first word to the end, with one decimal; 0 without words. */
export function tokensPerSecond({ attempts, endedAt, firstWordAt }: TurnOutcome): number {
  const speakingMs = firstWordAt === null ? 0 : endedAt - firstWordAt
  const { outputTokens } = tokensByKind(attempts)
  return speakingMs <= 0 ? 0 : Math.round((outputTokens * 10_000) / speakingMs) / 10
}
