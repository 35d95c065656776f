// Opens a node's client of DynamoDB, for the ports that are stored there. Credentials come from the environment, else from the
// SDK's own search: profiles, containers, instances.
import type { Dynamo } from '#adapters/aws/dynamodb/client/dynamo.ts'
import type { TableShape } from '#adapters/aws/dynamodb/client/table-shape.ts'
import { awsKeysIn } from '#adapters/aws/credentials.ts'
import type { Config } from '#config/config.ts'
import type { NodeLane } from '#domain/lane/node-lane.ts'
import { dependencyPolicy } from '#domain/lane/policy-for.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Probes } from '#edge/http/health.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Environment } from '../models/model-secrets.ts'
import { StartError } from '../start-error.ts'
import type { SystemParts } from '../system.ts'
import { checkTable, readNothing } from './check-table.ts'

const HOME_REGION = 'ap-northeast-1'
const REFUSED_MIN = 400
const FAILED_MIN = 500

export interface DynamoParts extends Omit<SystemParts, 'metrics'> {
  readonly env: Environment
}

/** The client that all ports of a process on DynamoDB share, opened for the first of them. */
export interface SharedDynamo {
  /** For a port that uses the table. Throws a StartError if the table is missing or may not be read. */
  open(shape: TableShape): Promise<Dynamo>
  /** The same for a port that a node can do without for a while: it may be that DynamoDB does not answer. */
  openPatiently(shape: TableShape): Promise<Dynamo>
  /** The circuit of the client; none while no port uses it. */
  lanes(): readonly NodeLane[]
  /** Probes the same client. */
  probes(): Probes
  /** When a call to it last failed on this node; 0 for never. */
  troubledAt(): number
}

export function sharedDynamo(config: Config, parts: DynamoParts, opened: AsyncDisposableStack): SharedDynamo {
  let opening: Promise<Dynamo> | undefined
  const clients: Dynamo[] = []
  let probes: Probes = {}
  const begin = async (shape: TableShape) => {
    const dynamo = opened.use(await openConfiguredDynamo(config, parts))
    clients.push(dynamo)
    probes = { dynamodb: () => probe(dynamo, shape, parts.clock) }
    return dynamo
  }
  const open = async (shape: TableShape) => {
    const dynamo = await (opening ??= begin(shape))
    await checkTable(dynamo, shape)
    return dynamo
  }
  return {
    open,
    async openPatiently(shape) {
      try {
        return await open(shape)
      } catch (error) {
        if (!(error instanceof StartError) || !isUnanswered(error.cause)) throw error
        return (opening ??= begin(shape))
      }
    },
    lanes: () => clients.map(({ lane }) => lane),
    probes: () => probes,
    troubledAt: () => Math.max(0, ...clients.map((dynamo) => dynamo.troubledAt())),
  }
}

/** Not a missing table, nor a missing right. */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof StoreUnavailable)) return false
  const { $metadata: reply } = (error.cause ?? {}) as { $metadata?: { httpStatusCode?: number } }
  const status = reply?.httpStatusCode ?? 0
  return status < REFUSED_MIN || status >= FAILED_MIN
}

async function probe(dynamo: Dynamo, shape: TableShape, clock: Clock): Promise<Readonly<Record<string, number>>> {
  const at = clock.now()
  await readNothing(dynamo, shape)
  return { roundTripMs: clock.now() - at }
}

/** A client of its own, whose tables are not checked. */
export async function openConfiguredDynamo(config: Config, parts: DynamoParts): Promise<Dynamo> {
  // Loaded on demand: a shop without DynamoDB does not load its client.
  const { openDynamo } = await import('#adapters/aws/dynamodb/client/dynamo.ts')
  const { callMs, connectMs, connectionsMax, tablePrefix } = config.dynamodb
  const { clock, random, telemetry } = parts
  return openDynamo({
    ...awsPlaceOf(config, parts.env),
    clock,
    random,
    telemetry,
    tablePrefix,
    callMs,
    limits: { connectMs, connectionsMax },
    policy: dependencyPolicy(config, 'dynamodb'),
  })
}

/** Where the tables are, and as whom they are read. */
export function awsPlaceOf({ dynamodb }: Pick<Config, 'dynamodb'>, env: Environment) {
  return awsAddressOf(dynamodb, env)
}

export function awsAddressOf({ endpoint, region }: Pick<Config['dynamodb'], 'region' | 'endpoint'>, env: Environment) {
  const keys = awsKeysIn(env)
  return {
    region: region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? HOME_REGION,
    ...(endpoint === undefined ? {} : { baseURL: endpoint }),
    ...(keys === undefined ? {} : { credentials: keys }),
  }
}
