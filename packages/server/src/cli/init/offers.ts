// The models that `init` offers, each with its price: the built-in responder, models for which keys or credentials are
// in the environment, and servers on this machine. It only checks that keys are set; no vendor is called.
import { existsSync } from 'node:fs'
import { isInstalled } from '#adapters/ai-sdk/client.ts'
import { installCommand } from '#config/installation.ts'
import type { Provider } from '#config/schema/model.ts'
import type { KnownModel, ModelBook } from '#wiring/models/model-facts.ts'
import { mayHaveBedrockCredentials } from '#wiring/models/model-secrets.ts'
import type { ModelConfig, RemoteVendor, Vendor } from '#wiring/models/vendor.ts'
import { VENDORS } from '#wiring/models/vendors.ts'
import type { Terminal } from '../command.ts'
import type { LocalServer } from './local-servers.ts'

export interface Offer {
  /** The name by which it is chosen: `embedded`, or the provider, a colon and the vendor's id. */
  readonly name: string
  readonly model: ModelConfig
  /** In words, for the person who chooses. */
  readonly price: string
  /** Where it was found. */
  readonly source: string
  /** A command that must be run before it can be used. */
  readonly install?: string
}

export const EMBEDDED: Offer = {
  name: 'embedded',
  model: { provider: 'embedded' },
  price: 'free',
  source: 'the built-in responder: no language model, no account, no network',
}

/** A server on this machine may be a proxy, and the protocol does not say whether its models cost money. */
const NO_PRICE_KNOWN = 'no price known; set one if the server relays to a paid vendor'

const OFFERS_PER_VENDOR_MAX = 8
const AWS_CREDENTIALS = 'AWS credentials'

const REMOTE = (Object.entries(VENDORS) as [Provider, Vendor][]).flatMap(([provider, vendor]) =>
  vendor.kind === 'remote' ? [{ provider, vendor }] : [],
)

export interface OfferParts {
  readonly env: Terminal['env']
  readonly book: Pick<ModelBook, 'factsOf' | 'known'>
  readonly servers: readonly LocalServer[]
}

/** The built-in responder and this machine's servers first, then the models of each vendor, the cheapest first. */
export function offersHere({ book, env, servers }: OfferParts): readonly Offer[] {
  const vendors = REMOTE.flatMap((remote) => {
    const found = foundIn(env, remote.vendor)
    return found === undefined ? [] : vendorOffers(book, remote, { found, countMax: OFFERS_PER_VENDOR_MAX })
  })
  return [EMBEDDED, ...servers.flatMap(serverOffers), ...vendors]
}

/** The offer with that name, found here or of any known vendor; undefined when there is none. */
export function offerNamed(name: string, parts: OfferParts): Offer | undefined {
  const all = [...offersHere(parts), ...REMOTE.flatMap((remote) => vendorOffers(parts.book, remote))]
  return all.find((offer) => offer.name === name) ?? all.find((offer) => offer.model.id === name)
}

/** What gives access to the vendor's models here: the variable with its key, or AWS credentials. */
function foundIn(env: Terminal['env'], { credentials }: RemoteVendor): string | undefined {
  if (credentials.kind === 'key') return credentials.variables.find((name) => env[name])
  return mayHaveBedrockCredentials({ provider: 'bedrock' }, env, existsSync) ? AWS_CREDENTIALS : undefined
}

function vendorOffers(
  { known }: Pick<ModelBook, 'known'>,
  { provider, vendor }: (typeof REMOTE)[number],
  { found, countMax = Infinity }: { readonly found?: string; readonly countMax?: number } = {},
): Offer[] {
  const usual = vendor.credentials.kind === 'key' ? vendor.credentials.variables[0] : AWS_CREDENTIALS
  const apiKey = found === undefined || found === usual ? {} : { apiKeyEnv: found }
  const { package: packageName } = vendor
  const install = packageName === undefined || isInstalled(packageName) ? {} : { install: installCommand(packageName) }
  const source = found ?? (vendor.credentials.kind === 'key' ? `needs ${usual}` : AWS_CREDENTIALS)
  return known
    .filter((model) => model.vendor === provider)
    .toSorted((a, b) => (a.price[1] ?? 0) - (b.price[1] ?? 0))
    .slice(0, countMax)
    .map((model) => ({
      name: `${provider}:${model.id}`,
      model: { provider, id: model.id, ...apiKey },
      price: priceInWords(model),
      source,
      ...install,
    }))
}

function serverOffers({ baseURL, models }: LocalServer): Offer[] {
  return models.map((id) => ({
    name: `openai-compatible:${id}`,
    model: { provider: 'openai-compatible', id, baseURL, price: [0, 0] },
    price: NO_PRICE_KNOWN,
    source: `the server at ${baseURL}`,
  }))
}

function priceInWords({ price: [input = 0, output = 0], priceDate }: KnownModel): string {
  return `${input.toFixed(2)} USD in, ${output.toFixed(2)} USD out per million tokens (${priceDate})`
}
