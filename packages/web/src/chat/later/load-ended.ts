// Loads what stands below an ended answer, after the panel is shown. When it cannot be loaded, or takes long, the panel shows the
// cards in a plain form (exchange/plain-ended-view.ts): an answer is never shown as though it had none.
import { loadPart } from './load-part.ts'
import type { Ended } from '../exchange/ended.ts'
import type { ToolsParts } from '../exchange/exchange-tools.ts'

export interface EndedLoader {
  /** Undefined until it is loaded. */
  readonly loaded: Ended | undefined
  /** It could not be loaded, or takes long. A later attempt may still succeed. */
  readonly isMissing: boolean
  /** Undefined when it cannot be loaded now. */
  load(): Promise<Ended | undefined>
  /** Tries again at once. */
  reload(): void
  close(): void
}

const retryAfterMs = 5000
/** A download that takes longer counts as failed until it is there. */
const loadPatienceMs = 8000

export function createEndedLoader(parts: ToolsParts): EndedLoader {
  let loaded: Ended | undefined
  let loading: Promise<Ended | undefined> | undefined
  let isMissing = false
  let triedAtMs = 0
  let isClosed = false

  function setMissing(): void {
    if (loaded !== undefined || isMissing) return
    isMissing = true
    parts.host.requestUpdate()
  }

  async function start(): Promise<Ended | undefined> {
    const { createEnded } = await loadPart({
      name: 'ended',
      server: parts.server,
      own: () => import('../exchange/ended.ts'),
    })
    if (isClosed) return undefined
    loaded ??= createEnded(parts)
    isMissing = false
    parts.host.requestUpdate()
    return loaded
  }

  function attempt(): Promise<Ended | undefined> {
    triedAtMs = Date.now()
    const patience = setTimeout(setMissing, loadPatienceMs)
    loading = start().catch(() => {
      setMissing()
      return undefined
    })
    void loading.then(() => clearTimeout(patience))
    return loading
  }

  return {
    get loaded() {
      return loaded
    },
    get isMissing() {
      return isMissing
    },
    load() {
      const isDue = loaded === undefined && Date.now() - triedAtMs > retryAfterMs
      return loading === undefined || isDue ? attempt() : loading
    },
    reload: () => void attempt(),
    close() {
      isClosed = true
      loaded?.close()
    },
  }
}
