// Finds and loads a provider package of the AI SDK by its name. Nothing is loaded that is not configured, and a package
// that is not installed is reported before anything starts.
import type { CallOptions } from './request.ts'

/** The part of the AI SDK's provider specification (versions 2 to 4) that we use. */
export interface LanguageModel {
  doStream(options: CallOptions): PromiseLike<{
    readonly stream: ReadableStream<unknown>
    readonly response?: { readonly headers?: Readonly<Record<string, unknown>> }
  }>
}

export interface ProviderSettings {
  readonly apiKey?: string
  readonly baseURL?: string
  /** Name of the model as configured; only generic providers need one. */
  readonly name: string
}

/** The part of the specification of embedding models that we use; versions 2 and 3 ignore `dimensions`. */
export interface EmbeddingModel {
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined
  doEmbed(options: EmbedOptions): PromiseLike<{
    readonly embeddings: unknown
    readonly usage?: { readonly tokens?: number } | undefined
  }>
}

interface EmbedOptions {
  readonly values: string[]
  readonly dimensions?: number
  readonly abortSignal: AbortSignal
  readonly providerOptions: Readonly<Record<string, Readonly<Record<string, string>>>>
}

interface Provider {
  languageModel(id: string): LanguageModel
  embeddingModel(id: string): EmbeddingModel
  /** The name in versions 2 and 3. */
  textEmbeddingModel(id: string): EmbeddingModel
}

export function isInstalled(packageName: string): boolean {
  try {
    import.meta.resolve(packageName)
    return true
  } catch {
    return false
  }
}

export async function loadLanguageModel(
  packageName: string,
  id: string,
  settings: ProviderSettings,
): Promise<LanguageModel> {
  const provider = await loadProvider(packageName, settings)
  if (typeof provider.languageModel !== 'function') throw new Error(`${packageName} offers no language models`)
  return provider.languageModel(id)
}

export async function loadEmbeddingModel(
  packageName: string,
  id: string,
  settings: ProviderSettings,
): Promise<EmbeddingModel> {
  const provider = await loadProvider(packageName, settings)
  const make = provider.embeddingModel ?? provider.textEmbeddingModel
  if (typeof make !== 'function') throw new Error(`${packageName} offers no embedding models`)
  return make.call(provider, id)
}

async function loadProvider(packageName: string, settings: ProviderSettings): Promise<Partial<Provider>> {
  const module = (await import(packageName)) as Readonly<Record<string, unknown>>
  const create = factoryOf(packageName, module)
  if (create === undefined) throw new Error(`${packageName} has no create… function: is it an AI SDK provider?`)
  // Only the generic provider must be asked to report usage; the others ignore unknown settings.
  return create({ ...settings, includeUsage: true }) as Partial<Provider>
}

/** `@ai-sdk/mistral` has `createMistral`, `@ai-sdk/google` has `createGoogleGenerativeAI`, and so on. */
function factoryOf(
  packageName: string,
  module: Readonly<Record<string, unknown>>,
): ((settings: ProviderSettings & { includeUsage: true }) => unknown) | undefined {
  const wanted = `create${packageName.slice(packageName.lastIndexOf('/') + 1).replaceAll('-', '')}`.toLowerCase()
  const names = Object.keys(module).filter((name) => /^create[A-Z]/.test(name) && typeof module[name] === 'function')
  const name = names.find((candidate) => candidate.toLowerCase().startsWith(wanted)) ?? names[0]
  return name === undefined ? undefined : (module[name] as (settings: ProviderSettings) => unknown)
}
