// Selects the delay policy for retries from the configuration. It starts again for every model that is tried.
import { BACKOFFS } from './backoff.ts'
import type { JitterStrategy } from './backoff.ts'
import { controllerDelays, plainDelays, pressureDelays, shapedDelays, spreadDelays } from './delays.ts'
import type { Delays } from './delays.ts'

export interface DelayFigures {
  readonly delays: 'controller' | 'pressure' | 'shaped' | 'spread' | 'plain'
  readonly jitter: JitterStrategy
}

const PLAIN_RANGE = { baseMs: 100, capMs: 10_000 }

export function delaysFor({ delays, jitter }: DelayFigures): Delays {
  switch (delays) {
    case 'controller':
      return controllerDelays(jitter)
    case 'pressure':
      return pressureDelays()
    case 'shaped':
      return shapedDelays()
    case 'spread':
      return spreadDelays()
    case 'plain':
      return plainDelays(BACKOFFS[jitter](PLAIN_RANGE))
  }
}
