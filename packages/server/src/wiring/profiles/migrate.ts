// Opens a move for the command line: the folder of a one-machine shop, locked and read only, and the stores of the configuration.
import { createHash } from 'node:crypto'
import type { OperableRedis } from '#adapters/redis/client/connection.ts'
import { DataDirError, DataDirInUse } from '#adapters/sqlite/files/data-dir-error.ts'
import { openShopSource } from '#adapters/sqlite/migration/shop-source.ts'
import type { OpenShopSource } from '#adapters/sqlite/migration/shop-source.ts'
import { movePart, verifyPart } from '#app/migration.ts'
import type { Part, PartResult, RunPartOptions } from '#app/migration.ts'
import type { Config } from '#config/config.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { SigningKeys } from '#edge/identity/signature.ts'
import type { Clock } from '#ports/clock/port.ts'
import { HISTORY_KEEP_MS } from '#ports/model-history/port.ts'
import { ACCOUNT_PREFIX, accountNamer } from '../identity/account-names.ts'
import { cookieKeysIn } from '../identity/cookie-keys.ts'
import { beginMove, completeMove, readMarker } from '../migration/marker.ts'
import type { MarkerState, MovedShop, ShopKeys } from '../migration/marker.ts'
import { MigrationRefused } from '../migration/migration-refused.ts'
import { partsToMove } from '../migration/parts-to-move.ts'
import type { Environment } from '../models/model-secrets.ts'
import { openClusterRedis } from '../stores/cluster-redis.ts'
import { sharedDynamo } from '../stores/open-dynamo.ts'
import { wireSystem } from '../system.ts'

export type { Part, PartResult }

/** No shopper waits for a call of the move, and a busy store must not end it. */
const CALL_MS = 10_000
const SOON_MS = 6 * 3_600_000
const DAY_MS = 86_400_000

export type Progress = RunPartOptions['onProgress']

export interface Migration extends AsyncDisposable {
  readonly parts: readonly Part[]
  readonly state: MarkerState
  /** Why the target cannot be moved to. */
  readonly refusal: string | undefined
  /** Whether nodes with this environment recognise the guests of the folder. */
  readonly cookies: 'moved' | 'configured' | 'configured-without'
  /** Copies everything; a run that was interrupted is continued. Throws MigrationRefused when the target is in use. */
  move(onProgress: Progress): Promise<void>
  /** Compares everything. After a move without differences, `complete` lets nodes start. */
  verify(onProgress: Progress): Promise<readonly PartResult[]>
  complete(): Promise<void>
}

export interface MigrationOptions {
  readonly from: string
  readonly config: Config
  readonly env: Environment
}

/** Throws MigrationRefused: the folder or the target cannot be used. */
export async function openMigration({ config, env, from }: MigrationOptions): Promise<Migration> {
  if (config.state.redis === undefined)
    throw new MigrationRefused('Set state.redis (MANGA_STATE__REDIS): a shop is moved to the stores of a cluster.')
  const patient: Config = {
    ...config,
    state: { ...config.state, callMs: CALL_MS },
    dynamodb: { ...config.dynamodb, callMs: CALL_MS },
  }
  const { clock, random, telemetry } = wireSystem({ ...patient, server: { ...patient.server, logLevel: 'silent' } })
  await using opened = new AsyncDisposableStack()
  const shop = opened.use(openFolder(from, config, clock))
  refuseUnfinished(shop)
  const redis = opened.use(await openClusterRedis(patient, { clock, random, telemetry }))
  const nameOf = accountNamer(shop.key)
  const nodeId = random.id('node')
  const dynamo = sharedDynamo(patient, { clock, random, telemetry, env }, opened)
  const given = { config: patient, clock, random, telemetry, nodeId, redis, dynamo, nameOf, opened }
  const parts = await partsToMove(shop.source, given).catch(throwRefusal)
  const moved = { id: createHash('sha256').update(shop.key).digest('hex'), digest: shop.source.digest() }
  const configured = cookieKeysIn(env)
  const state = await readMarker(redis, moved)
  const refusal = REFUSALS[state] ?? (state === 'unused' ? await refusalOfData(parts).catch(throwRefusal) : undefined)
  const keep = opened.move()
  return {
    parts,
    state,
    refusal,
    cookies: cookiesOf(configured, shop.key),
    async move(onProgress) {
      if (refusal !== undefined) throw new MigrationRefused(refusal)
      await begin(redis, moved, { account: shop.key, ...(configured === undefined ? { cookie: shop.key } : {}) })
      for (const part of parts) await movePart(part, { clock, onProgress }).catch(throwRefusal)
    },
    async verify(onProgress) {
      const results: PartResult[] = []
      for (const part of parts) results.push(await verifyPart(part, { clock, onProgress }).catch(throwRefusal))
      return results
    },
    complete: () => completeMove(redis, moved),
    [Symbol.asyncDispose]: () => keep.disposeAsync(),
  }
}

function openFolder(from: string, { retention, sessions, turns }: Config, clock: Clock): OpenShopSource {
  // What would expire during the move, and be missed in the target, is left out.
  const beforeOf = (keptMs: number) => clock.now() - keptMs + Math.min(SOON_MS, keptMs / 8)
  try {
    return openShopSource(from, {
      clock,
      accountsOf(key) {
        const nameOf = accountNamer(key)
        return (name) => (name.startsWith(ACCOUNT_PREFIX) ? name : nameOf(name))
      },
      idleBefore: beforeOf(sessions.idleExpiryMs + sessions.keepMs),
      endedBefore: clock.now() - turns.keepMs,
      recordsBefore: beforeOf(retention.turnRecordsDays * DAY_MS),
      historyBefore: beforeOf(HISTORY_KEEP_MS),
      expiresBefore: clock.now() + SOON_MS,
    })
  } catch (error) {
    return throwRefusal(error)
  }
}

function throwRefusal(error: unknown): never {
  if (error instanceof DataDirInUse) {
    const said = `The data folder ${error.path} is in use by ${error.holder}. Stop that server with SIGTERM, and run this again.`
    throw new MigrationRefused(said, { cause: error })
  }
  // What is wrong with the folder is explained by its message.
  if (error instanceof DataDirError) throw new MigrationRefused(error.message, { cause: error })
  if (!(error instanceof StoreUnavailable)) throw error
  const why = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  throw new MigrationRefused(`${error.message}${why}. Run the command again: it continues.`, { cause: error })
}

function refuseUnfinished({ source }: OpenShopSource): void {
  const { holds, turns } = source.unfinished()
  if (turns === 0 && holds === 0) return
  const found = turns > 0 ? `${turns} answers are not finished` : `${holds} reservations of budgets are not settled`
  throw new MigrationRefused(
    `${found}: the server was killed. Start it once more on this folder, wait until it is idle, stop it with SIGTERM, and run this again.`,
  )
}

function cookiesOf(configured: SigningKeys | undefined, key: Uint8Array): Migration['cookies'] {
  if (configured === undefined) return 'moved'
  return configured.some((one) => Buffer.compare(one, key) === 0) ? 'configured' : 'configured-without'
}

const REFUSALS: Readonly<Partial<Record<MarkerState, string>>> = {
  'in-use': `Nodes have started on this Redis: it has data of its own, which would be mixed with the folder's. Use an empty Redis.`,
  other: 'Another shop was moved to this Redis. Use an empty one.',
  changed: `The folder has been served from since its move began, so what was moved is outdated. Empty the target (Redis, and the tables of the cluster), and run this again.`,
}

/** A Redis that no node has started on says nothing about the other stores: they may be those of a cluster that has lost its Redis. */
async function refusalOfData(parts: readonly Part[]): Promise<string | undefined> {
  for (const part of parts.filter(({ store }) => store !== 'redis')) {
    if ((await part.hasData?.()) === true)
      return `${part.store} has data of a shop already (${part.name}). Use empty tables: another dynamodb.tablePrefix.`
  }
  return undefined
}

async function begin(redis: OperableRedis, moved: MovedShop, keys: ShopKeys): Promise<void> {
  const refusal = REFUSALS[await beginMove(redis, moved, keys)]
  if (refusal !== undefined) throw new MigrationRefused(refusal)
}
