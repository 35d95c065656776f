// Finds and loads a provider package of the AI SDK by its name. Nothing is loaded that is not configured, and a package
// that is not installed is reported before anything starts.
import type { CallOptions } from './request.ts'

/** The part of the AI SDK's provider specification (versions 2 to 4) that we use. */
export interface LanguageModel {
  doStream(options: CallOptions): PromiseLike<{ readonly stream: ReadableStream<unknown> }>
}

export interface ProviderSettings {
  readonly apiKey?: string
  readonly baseURL?: string
  /** Name of the model as configured; only generic providers need one. */
  readonly name: string
}

interface Provider {
  languageModel(id: string): LanguageModel
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
  const module = (await import(packageName)) as Readonly<Record<string, unknown>>
  const create = factoryOf(packageName, module)
  if (create === undefined) throw new Error(`${packageName} has no create… function: is it an AI SDK provider?`)
  // Only the generic provider must be asked to report usage; the others ignore unknown settings.
  const provider = create({ ...settings, includeUsage: true }) as Partial<Provider>
  if (typeof provider.languageModel !== 'function') throw new Error(`${packageName} offers no language models`)
  return provider.languageModel(id)
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
