// Ends turns whose owner died. The log holds all that is needed: with `text-end` in it only settlement is left;
// without, the turn ends as `interrupted` with the text that the shopper was shown.
import { createHash } from 'node:crypto'
import type { AnswerTier } from '@mangaassist/protocol'
import type { Config } from '#config.ts'
import { estimateMessages, estimateTokens } from '#domain/estimator.ts'
import { costMicroUsd } from '#domain/money.ts'
import type { Price } from '#domain/money.ts'
import type { AttemptRecord, TurnOutcome, TurnStart } from '#domain/turn-record.ts'
import type { Clock } from '#ports/clock.ts'
import type { Telemetry } from '#ports/telemetry.ts'
import type { LogRecord, TurnLog } from '#ports/turn-log.ts'
import type { Delivered } from './turn.ts'

export interface RecoverParts {
  readonly clock: Clock
  readonly turnLog: TurnLog
  readonly telemetry: Telemetry
  readonly config: Config
  readonly settle: (delivered: Delivered) => Promise<void>
  readonly priceOf: (modelId: string) => Price
  /** Turns that run here: after a pause their lease has lapsed, but their owner is alive and renews it. */
  readonly isOurs: (turnId: string) => boolean
}

const ORPHANS_PER_BATCH = 100
const BATCHES_PER_SCAN = 100
/** Those that a model answers; the others use nothing. */
const MODEL_TIERS: ReadonlySet<AnswerTier> = new Set(['primary', 'economy', 'embedded'])

/** Ends every turn whose lease has lapsed; answers how many. */
export function createRecover(parts: RecoverParts): () => Promise<number> {
  const { clock, turnLog, telemetry, config } = parts

  async function endOrphan(turnId: string): Promise<boolean> {
    const epoch = await turnLog.takeOver(turnId, config.turns.leaseMs)
    if (epoch === undefined) return false
    const records = (await turnLog.read(turnId, -1)) ?? []
    const first = records[0]
    if (first?.kind !== 'start') throw new Error(`the log of ${turnId} does not begin with its start`)
    const known = records.find((record) => record.kind === 'text-end')
    const text = textOf(records)
    const outcome = known?.outcome ?? interrupted(first.start, records, text)
    if (known === undefined && !(await turnLog.append(turnId, epoch, [{ kind: 'text-end', outcome }]))) return false
    await parts.settle({ start: first.start, epoch, text, outcome })
    telemetry.log('warn', 'turn.recovered', { turnId, finishReason: outcome.finishReason })
    return true
  }

  function interrupted(start: TurnStart, records: readonly LogRecord[], text: string): TurnOutcome {
    const meta = records.findLast((record) => record.kind === 'meta')?.meta
    return {
      finishReason: 'interrupted',
      tier: meta?.tier ?? 'message',
      model: meta?.model ?? 'none',
      length: text.length,
      sha256: createHash('sha256').update(text).digest('hex'),
      attempts: meta === undefined || !MODEL_TIERS.has(meta.tier) ? [] : [lostAttempt(start, meta, text)],
      productIds: meta?.products.map((product) => product.id) ?? [],
      firstWordAt: null,
      endedAt: clock.now(),
    }
  }

  /** What the dead owner's call used was never told: it is estimated from what it said, and says so. */
  function lostAttempt(
    start: TurnStart,
    meta: Extract<LogRecord, { kind: 'meta' }>['meta'],
    text: string,
  ): AttemptRecord {
    const usage = {
      // What was really sent is not in the log; of a prompt of the caller's own it is, and else the hold's share for it is.
      inputTokens: Math.min(start.hold.granted.inputTokens, promptTokens(start)),
      outputTokens: estimateTokens(text),
      estimated: true,
    }
    const cost = costMicroUsd(parts.priceOf(meta.model), usage.inputTokens, usage.outputTokens)
    return { attempt: 1, model: meta.model, tier: meta.tier, usage, costMicroUsd: cost, outcome: 'interrupted' }
  }

  async function endBatch(): Promise<{ readonly ended: number; readonly isLast: boolean }> {
    const orphans = await turnLog.orphans(ORPHANS_PER_BATCH)
    let ended = 0
    for (const turnId of orphans.filter((id) => !parts.isOurs(id))) {
      try {
        if (await endOrphan(turnId)) ended += 1
      } catch (error) {
        // One damaged turn must not keep the others from their end; it is tried again at the next scan.
        telemetry.log('error', 'turn.recovery-failed', { turnId }, error)
      }
    }
    return { ended, isLast: orphans.length < ORPHANS_PER_BATCH || ended === 0 }
  }

  function promptTokens({ completion, message }: TurnStart): number {
    if (completion !== undefined) return estimateTokens(completion.system) + estimateMessages(completion.messages)
    return config.tokens.systemShare + config.tokens.retrievalShare + estimateTokens(message)
  }

  return async function recover() {
    let total = 0
    for (let batch = 0; batch < BATCHES_PER_SCAN; batch += 1) {
      const { ended, isLast } = await endBatch()
      total += ended
      if (isLast) break
    }
    return total
  }
}

function textOf(records: readonly LogRecord[]): string {
  return records.map((record) => (record.kind === 'text' ? record.text : '')).join('')
}
