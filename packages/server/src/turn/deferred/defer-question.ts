// Stores a question for which every model was too busy, so that it is answered later as a new turn of its conversation
// (`answer-deferred.ts`).
import type { Config } from '#config/config.ts'
import { joinNetworks } from '#domain/identity/networks.ts'
import type { RunSettings } from '#domain/settings/run-settings.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { DeferredStore } from '#ports/deferred-store/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface DeferQuestionParts {
  readonly store: Pick<DeferredStore, 'accept'>
  readonly clock: Pick<Clock, 'now'>
  readonly telemetry: Telemetry
  readonly config: Pick<Config, 'deferred'>
  readonly settings: Pick<RunSettings, 'isOff'>
}

/** Returns whether the question is stored; false when there is no room, or the switch is off. Never rejects. */
export type DeferQuestion = (start: TurnStart) => Promise<boolean>

export function createDeferQuestion({ store, clock, telemetry, config, settings }: DeferQuestionParts): DeferQuestion {
  return async function deferQuestion(start) {
    if (settings.isOff('deferred-questions')) return false
    const { turnId, sessionId, principal, message, language, networkHold, wideNetwork } = start
    const { interfaceLanguage, page, trace } = start
    const context = {
      ...(interfaceLanguage === undefined ? {} : { interfaceLanguage }),
      ...(page === undefined ? {} : { page }),
      ...(trace === undefined ? {} : { trace }),
    }
    const at = clock.now()
    const network = networkHold === undefined ? {} : { network: networkNameOf(networkHold.principalId, wideNetwork) }
    const expiresAt = at + config.deferred.waitMs
    try {
      const question = { turnId, sessionId, principal, message, language, ...network, at, expiresAt, ...context }
      const isKept = await store.accept(question)
      telemetry.count('deferred_accepted_total', { outcome: isKept ? 'stored' : 'no-room' })
      return isKept
    } catch (error) {
      telemetry.log('warn', 'deferred.accept-failed', { turnId }, error)
      return false
    }
  }
}

/** As admission got it, so that the same accounts limit the question when it is asked again. */
function networkNameOf(network: string, wide: string | undefined): string {
  return wide === undefined ? network : joinNetworks(network, wide)
}
