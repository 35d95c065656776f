// The models that `init` can offer here, each with its price: the built-in responder, what keys and credentials of the
// environment open, and servers on this machine. Keys are only seen to be there; nothing is asked of a vendor.
import { existsSync } from 'node:fs'
import { isInstalled } from '#adapters/ai-sdk/client.ts'
import type { Config } from '#config/config.ts'
import { installCommand } from '#config/installation.ts'
import { VENDOR_PACKAGES } from '#wiring/checks/check-models.ts'
import type { KnownModel, ModelBook } from '#wiring/models/model-facts.ts'
import { mayHaveBedrockCredentials } from '#wiring/models/model-secrets.ts'
import type { Terminal } from '../command.ts'
import type { LocalServer } from './local-servers.ts'

type ModelConfig = Config['models'][string]
type Vendor = KnownModel['vendor']

export interface Offer {
  /** What is typed to choose it: `embedded`, or the provider, a colon and the vendor's id. */
  readonly name: string
  readonly model: ModelConfig
  /** In words, for a person who decides. */
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

/** A server on this machine may be a proxy, and the wire does not say whether its models cost money. */
const NO_PRICE_KNOWN = 'no price known; set one if the server relays to a paid vendor'

const OFFERS_PER_VENDOR_MAX = 8

/** The variables that hold a vendor's key; the first is where we look unless the configuration names another. */
const KEYS: Readonly<Record<Exclude<Vendor, 'bedrock'>, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  mistral: ['MISTRAL_API_KEY'],
}

export interface OfferParts {
  readonly env: Terminal['env']
  readonly book: Pick<ModelBook, 'known'>
  readonly servers: readonly LocalServer[]
}

/** What was found here: the built-in responder and this machine's servers first, then each vendor's, the cheapest first. */
export function offersHere({ book, env, servers }: OfferParts): readonly Offer[] {
  const vendors = (Object.keys(KEYS) as (keyof typeof KEYS)[]).flatMap((vendor) => {
    const variable = KEYS[vendor].find((name) => env[name])
    return variable === undefined ? [] : vendorOffers(book, vendor, variable)
  })
  const hasAws = mayHaveBedrockCredentials({ provider: 'bedrock' }, env, existsSync)
  return [EMBEDDED, ...servers.flatMap(serverOffers), ...vendors, ...(hasAws ? vendorOffers(book, 'bedrock') : [])]
}

/** The offer of that name, of those found here or of any vendor that is known; undefined when there is none. */
export function offerNamed(name: string, parts: OfferParts): Offer | undefined {
  const vendors = ['bedrock', ...Object.keys(KEYS)] as Vendor[]
  const all = [
    ...offersHere(parts),
    ...vendors.flatMap((vendor) => vendorOffers(parts.book, vendor, undefined, Infinity)),
  ]
  return all.find((offer) => offer.name === name) ?? all.find((offer) => offer.model.id === name)
}

function vendorOffers(
  { known }: Pick<ModelBook, 'known'>,
  vendor: Vendor,
  variable?: string,
  countMax = OFFERS_PER_VENDOR_MAX,
): Offer[] {
  const usual = vendor === 'bedrock' ? undefined : KEYS[vendor][0]
  const apiKey = variable === undefined || variable === usual ? {} : { apiKeyEnv: variable }
  const packageName = VENDOR_PACKAGES[vendor]
  const install = packageName === undefined || isInstalled(packageName) ? {} : { install: installCommand(packageName) }
  return known
    .filter((model) => model.vendor === vendor)
    .toSorted((a, b) => (a.price[1] ?? 0) - (b.price[1] ?? 0))
    .slice(0, countMax)
    .map((model) => ({
      name: `${vendor}:${model.id}`,
      model: { provider: vendor, id: model.id, ...apiKey },
      price: priceInWords(model),
      source: sourceOf(vendor, variable),
      ...install,
    }))
}

function sourceOf(vendor: Vendor, variable: string | undefined): string {
  if (vendor === 'bedrock') return 'AWS credentials'
  return variable ?? `needs ${KEYS[vendor][0]}`
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
