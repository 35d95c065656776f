// Writes the conversation and the ledger rows of ended turns whose owner could not, because their store was unavailable, and
// may have died since. The log has all that is needed, and both writes are idempotent by turn id, so it does no harm when the
// owner is alive and writes them too.
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { startForOthers } from '#domain/turn/start-for-others.ts'
import { replay } from '#domain/turn/turn-state.ts'
import { isKnownKind, policyOf } from '#domain/turn/turn-policy.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import type { Delivered } from '../turn.ts'
import type { WriteTurn } from './write-turn.ts'

export interface WriteUnwrittenParts {
  readonly turnLog: Pick<TurnLog, 'read' | 'unwritten' | 'written'>
  readonly telemetry: Telemetry
  readonly writeTurn: WriteTurn
}

/** The owner gets this time to write them itself, in the order of its questions. */
const OWNER_FIRST_MS = 30_000
const BATCH = 100
const BATCHES_PER_ROUND = 100
/** So many failures in a row mean that the store is still unavailable: the rest waits for the next round. */
const FAILURES_MAX = 3

/** Returns how many turns were written. */
export function createWriteUnwritten({ telemetry, turnLog, writeTurn }: WriteUnwrittenParts): () => Promise<number> {
  /** Undefined when the log has expired, was erased, or is of a newer version. */
  async function deliveredOf(turnId: string): Promise<Delivered | undefined> {
    const records = await turnLog.read(turnId, -1)
    const { outcome, start, text } = replay(records ?? [])
    if (start === undefined || outcome === undefined || !isKnownKind(start)) return undefined
    // Another owner than the first: the conversation may have continued meanwhile.
    const epoch = Math.max(2, records?.at(-1)?.epoch ?? 0)
    const scope = telemetry.scope({ door: 'takeover', name: 'unwritten', turnId })
    return { start: startForOthers(start), policy: policyOf(start), epoch, text, outcome, scope }
  }

  async function write(turnId: string): Promise<boolean> {
    const delivered = await deliveredOf(turnId)
    if (delivered === undefined) {
      telemetry.log('error', 'turn.unwritten-expired', { turnId })
      await turnLog.written(turnId)
      return false
    }
    try {
      const { isPostponed } = await writeTurn(delivered, false)
      if (isPostponed) throw new StoreUnavailable('the ledger is still unavailable', { mayHaveHappened: false })
      await turnLog.written(turnId)
      delivered.scope.end('completed')
      return true
    } catch (error) {
      delivered.scope.end('failed')
      throw error
    }
  }

  /** Turns that could not be written stay noted; a round sees each once. */
  return async function writeUnwritten() {
    const failed = new Set<string>()
    let written = 0
    for (let batch = 0; batch < BATCHES_PER_ROUND && failed.size < FAILURES_MAX; batch += 1) {
      const noted = await turnLog.unwritten(OWNER_FIRST_MS, BATCH)
      const due = noted.filter((turnId) => !failed.has(turnId))
      for (const turnId of due) {
        try {
          if (await write(turnId)) written += 1
        } catch (error) {
          if (!(error instanceof StoreUnavailable)) telemetry.log('error', 'turn.write-failed', { turnId }, error)
          failed.add(turnId)
          if (failed.size >= FAILURES_MAX) break
        }
      }
      if (due.length < BATCH) break
    }
    if (written > 0) telemetry.log('warn', 'turn.unwritten-written', { turns: written })
    return written
  }
}
