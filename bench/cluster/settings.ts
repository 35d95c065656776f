// The environment of the nodes: the shared stores, the simulated models, one administrator. Settings of the developer
// (MANGA_…) apply over it; the configuration file does not, because the nodes run outside the workspace.
import { createHash, randomBytes } from 'node:crypto'

export interface SharedAddresses {
  readonly redis: string
  readonly models: string
}

export interface Administrator {
  readonly token: string
  readonly settings: Readonly<Record<string, string>>
}

export function administrator(): Administrator {
  const token = `adm_${randomBytes(24).toString('base64url')}`
  const hash = `sha256:${createHash('sha256').update(token).digest('hex')}`
  return { token, settings: { MANGA_AUTH__ADMINS: JSON.stringify([{ name: 'developer', hash }]) } }
}

/** `hasVendor`: without one the nodes have no models configured, and the built-in responder answers. */
export function nodeSettings({ models, redis }: SharedAddresses, hasVendor = true): Record<string, string> {
  return {
    MANGA_SERVER__LOGLEVEL: 'info',
    MANGA_SERVER__TRUSTPROXY: 'true',
    MANGA_STATE__REDIS: redis,
    ...(hasVendor ? vendorSettings(models) : {}),
    MANGA_PROBE__EVERYMS: '0',
  }
}

function vendorSettings(models: string): Record<string, string> {
  return {
    ...model('PRIMARY', `${models}/v1`, '[3, 15]'),
    ...model('ECONOMY', `${models}/v1`, '[0.25, 1.25]'),
    MANGA_LADDER: '["primary", "economy"]',
  }
}

function model(name: string, baseUrl: string, price: string): Record<string, string> {
  return {
    [`MANGA_MODELS__${name}__PROVIDER`]: 'openai-compatible',
    [`MANGA_MODELS__${name}__ID`]: `simulated-${name.toLowerCase()}`,
    [`MANGA_MODELS__${name}__BASEURL`]: baseUrl,
    [`MANGA_MODELS__${name}__PRICE`]: price,
  }
}

export function developerSettings(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[0].startsWith('MANGA_') && entry[1] !== undefined,
    ),
  )
}
