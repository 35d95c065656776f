// Checks of the configured embedder that a schema cannot make: an unknown model, a missing key, a package that is not installed.
// Problems are reported at start-up with all others, each with its fix.
import { sharesOf } from '#domain/turn/first-word.ts'
import { embeddingFamilyOf } from '#adapters/aws/bedrock/embed-request.ts'
import type { ConfigCheck, ConfigProblem } from '#config/load-config.ts'
import { readEmbedderBook } from '../embedder/embedder-book.ts'
import type { EmbedderBook, EmbedderConfig } from '../embedder/embedder-book.ts'
import { asModel } from '../embedder/open-embedder.ts'
import type { Environment } from '../models/model-secrets.ts'
import {
  checkAddress,
  checkAwsCredentials,
  checkId,
  checkKey,
  checkKeyIsPrivate,
  checkPackage,
} from '../models/vendor-checks.ts'

const PATH = 'search.embedder'
const SETTINGS = { bedrock: ['region'], 'ai-sdk': ['package'] } as const
const CHECKS = {
  bedrock: [checkId, checkAddress, checkKeyIsPrivate, checkAwsCredentials],
  'ai-sdk': [checkId, checkAddress, checkKeyIsPrivate, checkPackage, checkKey],
}

export function checkEmbedder({ env }: { readonly env: Environment }): ConfigCheck {
  return async (config, isWrong) => {
    const { embedder } = config.search
    if (embedder === undefined) return []
    const paths = ['search', PATH, ...Object.keys(embedder).map((name) => `${PATH}.${name}`), `${PATH}.provider`]
    if (paths.some(isWrong)) return []
    const checked = { path: PATH, ...asModel(embedder), env, book: undefined }
    return [
      ...misplaced(embedder),
      ...CHECKS[embedder.provider].flatMap((check) => check(checked)),
      ...(embedder.id === undefined ? [] : knownModel(embedder, embedder.id, await readEmbedderBook())),
      ...deadline(embedder, sharesOf(config.answers.firstWordMs).retrievalMs),
    ]
  }
}

function knownModel(embedder: EmbedderConfig, id: string, book: EmbedderBook): readonly ConfigProblem[] {
  if (embedder.provider === 'bedrock' && embeddingFamilyOf(id) === undefined) {
    const allowed = 'amazon.titan-embed-text-v2:0, or an id that begins with cohere.embed-'
    const fix = `Write one of them, such as cohere.embed-multilingual-v3: ${JSON.stringify(id)} has another request.`
    return [{ path: `${PATH}.id`, given: JSON.stringify(id), allowed, fix }]
  }
  const entry = book.find(id)
  const meant = entry === undefined ? book.nearestTo(id) : undefined
  const lacking = (['dimensions', 'price'] as const).filter((name) => (embedder[name] ?? entry?.[name]) === undefined)
  const unknown = lacking.map((name) => {
    const hint = meant === undefined ? 'Add' : `Did you mean ${meant}? Else add`
    const what = name === 'price' ? 'USD per million tokens; 0 is free' : 'the length of its vectors'
    const given = `nothing, and data/embedders.yaml does not know ${JSON.stringify(id)}`
    return { path: `${PATH}.${name}`, given, allowed: what, fix: `${hint} ${PATH}.${name}: ${what}.` }
  })
  const { dimensions } = embedder
  const lengths = entry?.dimensionsAllowed
  if (dimensions === undefined || lengths === undefined || lengths.includes(dimensions)) return unknown
  const fix = `Write one of them, or remove ${PATH}.dimensions for ${entry?.dimensions}.`
  const allowed = `${lengths.join(', ')} for ${id}`
  return [...unknown, { path: `${PATH}.dimensions`, given: String(dimensions), allowed, fix }]
}

/** A search that waits longer than retrieval may take finds nothing at all. */
function deadline({ questionMs }: EmbedderConfig, retrievalMs: number): readonly ConfigProblem[] {
  if (questionMs === undefined || questionMs < retrievalMs) return []
  const allowed = `less than a third of answers.firstWordMs, which is ${Math.floor(retrievalMs)}`
  const fix = 'Lower it: while a question waits, its shopper does.'
  return [{ path: `${PATH}.questionMs`, given: String(questionMs), allowed, fix }]
}

function misplaced(embedder: EmbedderConfig): readonly ConfigProblem[] {
  return (['bedrock', 'ai-sdk'] as const)
    .filter((owner) => owner !== embedder.provider)
    .flatMap((owner) =>
      SETTINGS[owner]
        .filter((name) => embedder[name] !== undefined)
        .map((name) => ({
          path: `${PATH}.${name}`,
          given: 'a value',
          allowed: `nothing here: only ${owner} has it`,
          fix: 'Remove it, or change the provider.',
        })),
    )
}
