// The embedder as `doctor` finds it: what is configured, and with --live what it answers.
import type { Config } from '#config/config.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import { NEVER } from '#lib/async/never.ts'
import type { Clock } from '#ports/clock/port.ts'
import { readEmbedderBook } from '#wiring/embedder/embedder-book.ts'
import { openEmbedder } from '#wiring/embedder/open-embedder.ts'
import type { Terminal } from '../command.ts'
import type { Finding } from './checks.ts'

export interface EmbedderToCheck {
  readonly config: Pick<Config, 'search'>
  /** Whether to ask it for the vector of a word. */
  readonly isLive: boolean
  readonly parts: { readonly clock: Clock; readonly env: Terminal['env'] }
  /** Removes secrets from a vendor's message. */
  readonly hide: (text: string) => string
}

const CHECK = 'embedder'
const LIVE_MS = 10_000

/** No finding when none is configured. */
export async function checkEmbedder({ config, hide, isLive, parts }: EmbedderToCheck): Promise<Finding[]> {
  const { embedder: settings } = config.search
  if (settings === undefined) return []
  try {
    const embedder = await openEmbedder(settings, { ...parts, book: await readEmbedderBook() })
    const named = `${settings.provider} ${embedder.model}, ${embedder.dimensions} dimensions`
    if (!isLive) return [{ check: CHECK, ok: true, detail: named }]
    const at = parts.clock.now()
    const answer = await withDeadline(parts.clock, { ms: LIVE_MS, signal: NEVER }, (signal) =>
      embedder.embed({ texts: ['漫画'], purpose: 'question', signal }),
    )
    if (answer === LATE) return [{ check: CHECK, ok: false, detail: `${named}: no answer within ${LIVE_MS} ms` }]
    if (answer.kind === 'vectors')
      return [{ check: CHECK, ok: true, detail: `${named}: answered within ${parts.clock.now() - at} ms` }]
    const { class: reason, message } = answer.failure
    return [{ check: CHECK, ok: false, detail: `${named}: ${reason}: ${hide(message)}` }]
  } catch (error) {
    return [{ check: CHECK, ok: false, detail: error instanceof Error ? error.message : String(error) }]
  }
}
