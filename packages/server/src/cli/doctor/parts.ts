// The parts that `doctor` loads with the functions of `serve`: catalogue, FAQ, the files of understanding and search, prompts,
// models, web pages, webhook and sign-in. An error that would stop `serve` is a failed finding with the same message.
import { join } from 'node:path'
import { systemRandom } from '#adapters/system/random.ts'
import { systemClock } from '#adapters/system/clock.ts'
import type { Config } from '#config/config.ts'
import { bundled } from '#config/installation.ts'
import { probeModels } from '#main.ts'
import type { ProbedModel } from '#main.ts'
import {
  readCatalogue,
  readComplexity,
  readFaq,
  readFaqWeights,
  readUnderstanding,
  readVectors,
} from '#wiring/bundled-data.ts'
import { wireHandover } from '#wiring/handover.ts'
import { wireIdentity } from '#wiring/identity/identity.ts'
import type { ModelBook } from '#wiring/models/model-facts.ts'
import { wireModels } from '#wiring/models/models.ts'
import { readPrompts } from '#wiring/prompts.ts'
import { findWebRoot } from '#wiring/web-root.ts'
import type { Terminal } from '../command.ts'
import type { Finding } from './checks.ts'
import { checkEmbedder } from './embedder.ts'
import { secretsNamedIn } from './sources.ts'
import { NO_TELEMETRY } from '#ports/telemetry/plain-scope.ts'

const MESSAGE_LENGTH_MAX = 300

function asFinding({ message, name, reason, status }: ProbedModel, hide: (text: string) => string): Finding {
  const check = `model ${name}`
  const said =
    message === undefined
      ? ''
      : `: ${hide(message)
          .replaceAll(/\p{Cc}+/gu, ' ')
          .slice(0, MESSAGE_LENGTH_MAX)}`
  if (status === 'ok') return { check, ok: true, detail: 'answered' }
  const detail = `${reason}${said}`
  return status === 'error' ? { check, ok: false, detail } : { check, ok: true, isWarning: true, detail }
}

/** A loader that throws is a failed finding; one without a detail gives no finding. */
async function tried(check: string, load: () => Promise<string | undefined>): Promise<Finding[]> {
  try {
    const detail = await load()
    return detail === undefined ? [] : [{ check, ok: true, detail }]
  } catch (error) {
    return [{ check, ok: false, detail: error instanceof Error ? error.message : String(error) }]
  }
}

/** The parts that need no configuration. */
export async function checkFiles(): Promise<Finding[]> {
  return [
    ...(await checkCatalogue()),
    ...(await tried('FAQ', async () => `${(await readFaq()).length} entries`)),
    ...(await tried('understanding', async () => (await readUnderstanding(await readVectors())) && 'can be read')),
    ...(await tried('complexity', async () => (await readComplexity()) && 'can be read')),
    ...(await tried('recognition of the FAQ', async () => `${(await readFaqWeights()).subjects.length} entries`)),
    ...(await tried('word vectors', async () => `${(await readVectors()).size} words`)),
    ...(await checkPages()),
  ]
}

async function checkCatalogue(): Promise<Finding[]> {
  const findings = await tried('catalogue', async () => `${(await readCatalogue()).products.length} series`)
  const fix = `Add the series that the shop sells to ${join(bundled.data, 'catalogue.jsonl')}, one per line.`
  return findings.map((finding) => (finding.detail === '0 series' ? { ...finding, isWarning: true, fix } : finding))
}

async function checkPages(): Promise<Finding[]> {
  const check = 'web pages'
  const findings = await tried(check, async () => {
    const { isBuilt, path } = await findWebRoot()
    return isBuilt ? path : ''
  })
  const detail = 'not built: only the API is served'
  return findings.map((finding) =>
    finding.detail === '' ? { ...finding, isWarning: true, detail, fix: 'npm start builds them.' } : finding,
  )
}

export interface PartsToLoad {
  readonly config: Config
  /** Whether to ask every vendor's model for a few words. */
  readonly asksModels: boolean
  /** Whether to ask the embedder. */
  readonly isLive: boolean
  readonly env: Terminal['env']
  readonly readBook: () => Promise<ModelBook>
}

export async function checkParts({ asksModels, config, env, isLive, readBook }: PartsToLoad): Promise<Finding[]> {
  const telemetry = NO_TELEMETRY
  const parts = { clock: systemClock(), random: systemRandom(), telemetry, env, readBook }
  const secrets = secretsNamedIn(config).flatMap((name) => env[name] || [])
  // The message of a vendor may contain the key that it refuses.
  const hide = (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '(hidden)'), text)
  let models: Awaited<ReturnType<typeof wireModels>> = new Map()
  return [
    ...(await tried('models', async () => {
      models = await wireModels(config, parts)
      return `asked in this order: ${config.ladder.join(', ')}`
    })),
    ...(asksModels ? (await probeModels(config, { ...parts, models })).map((probed) => asFinding(probed, hide)) : []),
    ...(await checkEmbedder({ config, isLive, parts, hide })),
    ...(await tried('prompts', async () => {
      const { version } = await readPrompts(config.store.prompts)
      return `${version}, ${config.store.prompts === undefined ? 'bundled' : config.store.prompts}`
    })),
    ...(await tried('hand-over', async () => (wireHandover(config, parts) === undefined ? undefined : 'configured'))),
    ...(await tried('sign-in', async () => {
      // Any key will do: no session is opened here.
      await wireIdentity(config, { ...parts, cookieKeys: [new Uint8Array(32)] })
      const { admins, apiKeys, issuers } = config.auth
      if (admins.length + apiKeys.length + issuers.length === 0) return undefined
      return `issuers ${issuers.length}, API keys ${apiKeys.length}, administrators ${admins.length}`
    })),
  ]
}
