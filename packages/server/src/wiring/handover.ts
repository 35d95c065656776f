// Opens the configured hand-over, if there is one. Its address is in the configuration or, if it is a secret, in the
// environment; a missing address stops the start.
import { httpHandover } from '#adapters/http/handover.ts'
import { ratedHandover } from '#adapters/http/rated-handover.ts'
import type { Config } from '#config/config.ts'
import type { Handover } from '#ports/handover/port.ts'
import type { Environment } from './models/model-secrets.ts'
import { StartError } from './start-error.ts'
import type { SystemParts } from './system.ts'

const DEFAULTS = { withText: false, deadlineMs: 5000, triesMax: 3, underWayMax: 8 }
const PER_MINUTE_MAX = 6

export function wireHandover(
  { store }: Pick<Config, 'store'>,
  { clock, random, telemetry, env }: SystemParts & { readonly env: Environment },
): Handover | undefined {
  if (store.handover === undefined) return undefined
  const { url: configured, urlEnv, perMinuteMax = PER_MINUTE_MAX, ...given } = store.handover
  const url = configured ?? env[urlEnv ?? ''] ?? ''
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    const place = urlEnv === undefined ? 'store.handover.url' : `the variable ${urlEnv} (store.handover.urlEnv)`
    throw new StartError(`${place} holds no http address. Set it to the address of the webhook, or remove it.`)
  }
  const handover = httpHandover({ ...DEFAULTS, ...given, url, clock, random, telemetry })
  return ratedHandover(handover, { clock, telemetry, perMinuteMax })
}
