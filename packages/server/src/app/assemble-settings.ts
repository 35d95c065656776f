// Assembles the settings of operators: what every part reads of them, what is applied when they change, and what a start restores.
import type { Config } from '#config/config.ts'
import { createBlocks } from '#services/operators/blocks.ts'
import type { Blocks } from '#services/operators/blocks.ts'
import { restoreLanes } from '#services/lanes.ts'
import type { Limits } from '#services/principal-limits.ts'
import { createRunSettings } from '#services/operators/run-settings.ts'
import type { WatchedSettings } from '#services/operators/run-settings.ts'
import type { Ports } from './app-ports.ts'
import type { Ladder } from './ladder.ts'

export interface AppSettings extends WatchedSettings {
  /** Which callers operators have blocked. */
  readonly blocks: Blocks
  /** Applies what operators had set before. Never rejects. */
  prepare(): Promise<void>
}

export function createSettings(
  ports: Ports,
  config: Config,
  { ladder, limits }: { readonly ladder: Ladder; readonly limits: Limits },
): AppSettings {
  const { clock, embeddings, lanes, setLogLevel, telemetry } = ports
  const settings = createRunSettings({
    clock,
    config,
    limits,
    telemetry,
    setLogLevel,
    // An embedder is a vendor's, too.
    onMode: (mode) => embeddings?.lane.pause(mode === 'reduced'),
  })
  return {
    ...settings,
    blocks: createBlocks({ clock, limits, telemetry }),
    async prepare() {
      await settings.poll()
      await restoreLanes({ settings: limits.settings(), lanes, names: ladder.list.map(({ lane }) => lane), telemetry })
    },
  }
}
