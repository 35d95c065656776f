// Finds servers with the OpenAI protocol on this machine, such as Ollama, and their models. Each address gets one
// request with a short timeout and a bounded response. A MangaAssist, which has that protocol too, is left out.
import type { Clock } from '#ports/clock/port.ts'
import { healthOf } from '../server/find-server.ts'

export interface LocalServer {
  readonly baseURL: string
  readonly models: readonly string[]
}

const PROBE_MS_MAX = 700
const ANSWER_BYTES_MAX = 256 * 1024
const MODELS_MAX = 8
/** Models for embedding or ranking, which cannot answer. */
const EMBEDDING = /embed|rerank/i

/** The default addresses of such servers: Ollama, vLLM, LM Studio, llama.cpp. */
export function usualAddresses(ollamaHost: string | undefined): readonly string[] {
  const others = ['http://127.0.0.1:8000', 'http://127.0.0.1:1234', 'http://127.0.0.1:8080']
  return [ollamaAddress(ollamaHost), ...others]
}

/** OLLAMA_HOST is `host`, `host:port` or an address. When Ollama listens on 0.0.0.0, it is reached at 127.0.0.1. */
function ollamaAddress(host: string | undefined): string {
  const usual = 'http://127.0.0.1:11434'
  if (!host) return usual
  const text = /^https?:\/\//.test(host) ? host : `http://${host}`
  if (!URL.canParse(text)) return usual
  const url = new URL(text)
  const port = url.port === '' && !/:\d+\/?$/.test(text) ? '11434' : url.port
  const name = url.hostname === '0.0.0.0' ? '127.0.0.1' : url.hostname
  return `${url.protocol}//${name}${port === '' ? '' : `:${port}`}`
}

export async function findLocalServers(addresses: readonly string[], clock: Clock): Promise<readonly LocalServer[]> {
  const found = await Promise.all([...new Set(addresses)].map((address) => ask(address, clock)))
  return found.filter((server) => server !== undefined)
}

async function ask(address: string, clock: Clock): Promise<LocalServer | undefined> {
  const timeout = new AbortController()
  using _timer = clock.after(PROBE_MS_MAX, () => timeout.abort())
  try {
    const response = await fetch(`${address}/v1/models`, { signal: timeout.signal, redirect: 'error' })
    const models = modelsIn(await boundedText(response))
    const isOurs = models.length > 0 && (await healthOf(address)) !== undefined
    return models.length === 0 || isOurs ? undefined : { baseURL: `${address}/v1`, models }
  } catch {
    // No server there, or one with another protocol.
    return undefined
  }
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.ok && response.body ? response.body : []) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function modelsIn(text: string): string[] {
  const { data } = JSON.parse(text) as { data?: unknown }
  const ids = (Array.isArray(data) ? data : []).map((entry: { id?: unknown } | null) => entry?.id)
  return ids
    .filter((id) => typeof id === 'string' && isPlain(id) && !EMBEDDING.test(id))
    .slice(0, MODELS_MAX) as string[]
}

/** Only plain ids are accepted: they are written to a file and to the terminal. */
function isPlain(id: string): boolean {
  return /^[\w.:/@+-]{1,128}$/.test(id)
}
