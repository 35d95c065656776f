// A configuration on trial: the whole app with the configured models, on a folder of its own that is removed at the end. It reads
// the shop's catalogue and nothing else of it, writes nothing there, calls no person, and shares no answers.
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Complexity } from '@mangaassist/bookseller/understanding/complexity'
import { judgeComplexity } from '@mangaassist/bookseller/understanding/complexity/judge'
import type { Reading } from '@mangaassist/bookseller/understanding/reading'
import type { DoneFrame, Language, MetaFrame } from '@mangaassist/protocol'
import { openDataDir } from '#adapters/sqlite/files/data-dir.ts'
import { openDatabase } from '#adapters/sqlite/files/database.ts'
import { sqliteProductStore } from '#adapters/sqlite/product-store/product-store.ts'
import { readStoredProducts } from '#adapters/sqlite/product-store/stored-products.ts'
import { createApp, createLookUp } from '#app/app.ts'
import type { App, LookUp, Ports } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { collect } from '#edge/http/collect.ts'
import { NEVER } from '#lib/async/never.ts'
import type { AnswerCache } from '#ports/answer-cache/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Model } from '#ports/model/port.ts'
import { allProducts } from '#ports/product-store/each-product.ts'
import { isTurn } from '#domain/turn-records/records-filter.ts'
import type { TurnRecord, TurnRecords } from '#ports/turn-records/port.ts'
import { NO_SCOPE } from '#ports/telemetry/plain-scope.ts'
import { configure } from '../configure.ts'
import type { ConfigureOptions } from '../configure.ts'
import { wireSystem } from '../system.ts'
import { wireLocal } from './local.ts'

export interface TrialAnswer {
  readonly text: string
  /** Undefined when the turn ended before the source of its answer was known. */
  readonly meta: MetaFrame | undefined
  readonly done: DoneFrame | undefined
}

export interface TrialQuestion {
  readonly message: string
  readonly interfaceLanguage: Language
  /** The id of the product whose page it is asked on. */
  readonly page?: string
}

export interface Trial extends AsyncDisposable {
  readonly config: Config
  readonly clock: Clock
  readonly products: ReadonlyMap<string, Product>
  readonly faq: readonly FaqEntry[]
  readonly models: ReadonlyMap<string, Model>
  readonly lookUp: LookUp
  /** How much a question asks of a model, as the router judges it. */
  weigh(message: string, reading: Reading): Complexity
  /** Begins a conversation of a new shopper; each call asks its next question. Rejects with a Refusal. */
  converse(): (question: TrialQuestion) => Promise<TrialAnswer>
  /** Ends the trial, and returns the records of all its turns. */
  finish(): Promise<readonly TurnRecord[]>
}

export interface TrialOptions extends ConfigureOptions {
  /** The built-in responder answers everything: nothing is sent to a vendor. */
  readonly withoutVendors?: boolean
}

/** Throws a ConfigError or a StartError. */
export async function openTrial(options: TrialOptions): Promise<Trial> {
  const { config: configured, readBook } = await configure(options)
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'mangaassist-trial-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const config = onTrial(options.withoutVendors === true ? withoutVendors(configured) : configured, folder)
  const { clock, random, telemetry } = wireSystem(config)
  await stockAs(configured.server.dataDir, folder, { clock, random })
  const wiring = opened.use(await wireLocal(config, { clock, random, telemetry, env: options.env, readBook }))
  const records = recordsIn(wiring.ports)
  const ports: Ports = { ...wiring.ports, answers: NO_ANSWERS, turnRecords: records.port }
  const app = createApp(ports, config)
  opened.defer(() => app.drain())
  const { embeddings, faq, faqWeights, models, search, understanding, vectors } = ports
  const lookUp = createLookUp({
    products: ports.products,
    faq: faq.entries(),
    embeddings,
    faqWeights,
    search,
    understanding,
    vectors,
    contact: config.store.contact,
  })
  const products = new Map((await allProducts(ports.products)).map((product) => [product.id, product]))
  const keep = opened.move()
  return {
    config,
    clock,
    products,
    faq: faq.entries(),
    models,
    lookUp,
    weigh: (message, reading) => judgeComplexity({ message, reading }, ports.complexity, config.routing).level,
    converse: () => conversation(app, ports),
    async finish() {
      // What waits to be written is written then.
      await app.drain()
      return records.all
    },
    [Symbol.asyncDispose]: () => keep.disposeAsync(),
  }
}

/** The port, and what was added by it. */
function recordsIn({ turnRecords }: Ports): { readonly port: TurnRecords; readonly all: readonly TurnRecord[] } {
  const all: TurnRecord[] = []
  const add: TurnRecords['add'] = async (records) => {
    all.push(...records.filter(isTurn))
    await turnRecords.add(records)
  }
  return { port: { ...turnRecords, add }, all }
}

function withoutVendors(config: Config): Config {
  const routing = { ...config.routing, enabled: false }
  return { ...config, models: { embedded: { provider: 'embedded' } }, ladder: ['embedded'], routing }
}

const UNLIMITED = Number.MAX_SAFE_INTEGER
const MANY_PER_SECOND = 1_000_000

/** Limits that protect a shop from its visitors would only stop the trial; the caller bounds its cost. */
function onTrial(config: Config, folder: string): Config {
  const { handover: _, ...store } = config.store
  const { redis: _shared, ...state } = config.state
  // No embedder: the bought vectors are in the shop's folder, and a trial would buy all of them again.
  const { embedder: _embedder, ...search } = config.search
  const much = { perSecond: MANY_PER_SECOND, burst: MANY_PER_SECOND }
  const tiers = Object.fromEntries(
    Object.entries(config.tiers).map(([name, tier]) => [name, { ...tier, requestsPerMinute: MANY_PER_SECOND }]),
  )
  // The pace of the built-in responder is for the eye.
  const models = Object.fromEntries(
    Object.entries(config.models).map(([name, model]) => [
      name,
      model.provider === 'embedded' ? { ...model, tokensPerSecond: 0 } : model,
    ]),
  )
  return {
    ...config,
    models,
    server: { ...config.server, dataDir: folder, logLevel: 'silent' },
    store: { ...store, prewarm: { ...store.prewarm, enabled: false } },
    state,
    search,
    stores: {},
    tiers,
    rates: {
      ...config.rates,
      userPerSecond: MANY_PER_SECOND,
      userBurst: MANY_PER_SECOND,
      global: much,
      chat: much,
    },
    budgets: { storeMicroUsdPerDay: UNLIMITED, guestsMicroUsdPerDay: UNLIMITED },
  }
}

/** An answer that was made for another conversation is none of the configuration's own. */
const NO_ANSWERS: AnswerCache = {
  find: async () => undefined,
  keep: async () => {},
  claim: async () => false,
  forgetOf: async () => 0,
}

/** Puts the shop's catalogue into the folder before it is opened, and its search index, which else would be built again. */
async function stockAs(dataDir: string, folder: string, { clock, random }: Pick<Ports, 'clock' | 'random'>) {
  const { faq, products } = await readStoredProducts(dataDir)
  if (products.length > 0) {
    using own = openDataDir({ path: folder, random })
    using opened = new DisposableStack()
    const database = opened.adopt(openDatabase({ path: own.databasePath, clock }), (open) => open.close())
    const edition = await sqliteProductStore({ database }).begin()
    await edition.add(products)
    await edition.publish({ source: 'trial', ...(faq === undefined ? {} : { faq }) })
  }
  const [from, to] = [join(dataDir, 'search'), join(folder, 'search')]
  if (!existsSync(from)) return
  await mkdir(to, { mode: 0o700 })
  // A running server may remove one at that moment: then it is built.
  for (const name of await readdir(from)) await copyFile(join(from, name), join(to, name)).catch(() => {})
}

function conversation(app: App, { random }: Pick<Ports, 'random'>): ReturnType<Trial['converse']> {
  const principal: Principal = { id: random.id('guest'), kind: 'guest', tier: 'free' }
  let sessionId: string | undefined
  return async ({ message, interfaceLanguage, page }) => {
    const requestId = random.id('req')
    const accepted = await app.chat({
      principal,
      requestId,
      route: 'stream',
      message,
      interfaceLanguage,
      // A shopper of the evaluation may say the same twice: that is no double tap.
      idempotencyKey: requestId,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(page === undefined ? {} : { page: { productId: page } }),
      scope: NO_SCOPE,
    })
    sessionId = accepted.sessionId
    return collect(() => app.read(principal, { turnId: accepted.turnId, offset: 0 }, NEVER), NEVER)
  }
}
