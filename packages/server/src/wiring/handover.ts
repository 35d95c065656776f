// The configured way to call a person, if there is one. Its address is the configuration's or, where it is a secret, the
// environment's; one that is not there stops the start.
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
  const { url: told, urlEnv, perMinuteMax = PER_MINUTE_MAX, ...given } = store.handover
  const url = told ?? env[urlEnv ?? ''] ?? ''
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    const place = urlEnv === undefined ? 'store.handover.url' : `the variable ${urlEnv} (store.handover.urlEnv)`
    throw new StartError(`${place} holds no http address. Set it to the address of the webhook, or remove it.`)
  }
  const handover = httpHandover({ ...DEFAULTS, ...given, url, clock, random, telemetry })
  return ratedHandover(handover, { clock, telemetry, perMinuteMax })
}
