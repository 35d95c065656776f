// What the chosen stores need before a server can use them, for `setup` and `doctor`. Each store that has to be prepared adds its
// part here; SQLite, files and Redis need no preparation.
import { makingPolicy, servingPolicy } from '#adapters/aws/dynamodb/client/table-policy.ts'
import { TABLES } from '#adapters/aws/dynamodb/tables.ts'
import type { StoredTable } from '#adapters/aws/dynamodb/tables.ts'
import type { TableShape } from '#adapters/aws/dynamodb/client/table-shape.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { chosenStores } from '#config/chosen-stores.ts'
import type { Config } from '#config/config.ts'
import type { SetupStep, StoreSetup } from '#domain/setup-step.ts'
import type { Environment } from '../models/model-secrets.ts'
import { planOpenSearch } from '../search/plan-opensearch.ts'
import { awsPlaceOf } from '../stores/open-dynamo.ts'
import { s3PlaceOf } from '../stores/samples.ts'

/** Examines every store that needs a preparation. Changes nothing. */
export async function planSetup(config: Config, env: Environment): Promise<readonly StoreSetup[]> {
  const planned = [planDynamo(config, env), planOpenSearch(config, env), planS3(config, env)]
  return (await Promise.all(planned)).flat()
}

/** The shapes of the tables that the configuration uses. */
export function usedTables(config: Config): readonly TableShape[] {
  const chosen: Readonly<Partial<Record<string, string>>> = config.stores
  return (Object.keys(TABLES) as StoredTable[]).flatMap((port) =>
    chosen[port] === 'dynamodb' ? (TABLES[port] ?? []) : [],
  )
}

async function planDynamo(config: Config, env: Environment): Promise<readonly StoreSetup[]> {
  const shapes = usedTables(config)
  if (shapes.length === 0) return []
  const { TableSetups } = await import('#adapters/aws/dynamodb/client/table-setup.ts')
  const { connectMs, connectionsMax, tablePrefix } = config.dynamodb
  const place = awsPlaceOf(config, env)
  const tables = new TableSetups({
    ...place,
    clock: systemClock(),
    limits: { connectMs, connectionsMax },
    tablePrefix,
  })
  const steps: SetupStep[] = []
  let account: string | undefined
  for (const shape of shapes) {
    const examined = await tables.examine(shape)
    steps.push(...examined.steps)
    account ??= examined.account
  }
  const fullName = ({ name }: TableShape) => `${tablePrefix}-${name}`
  const where = { region: place.region, account }
  const policies = shapes.map((shape) => ({
    purpose: `of the server, for the table ${fullName(shape)}`,
    policy: servingPolicy(shape, fullName(shape), where),
  }))
  const making = {
    purpose: 'of the operator who runs setup --apply',
    policy: makingPolicy(shapes.map(fullName), where),
  }
  const at = config.dynamodb.endpoint ?? place.region
  return [{ store: `DynamoDB (${at})`, steps, policies: [...policies, making] }]
}

async function planS3(config: Config, env: Environment): Promise<readonly StoreSetup[]> {
  const { bucket, endpoint, prefix } = config.s3
  if (chosenStores(config).samples !== 's3' || bucket === undefined) return []
  const { bucketPolicy, bucketSteps, samplesPolicy } = await import('#adapters/aws/s3/bucket-setup.ts')
  const { s3ClientOf } = await import('#adapters/aws/s3/bucket.ts')
  const clock = systemClock()
  const place = s3PlaceOf(config, { clock, env })
  const client = s3ClientOf(place)
  const { region } = place
  const policies = [
    { purpose: `of the server, for the samples in ${bucket}`, policy: samplesPolicy({ bucket, prefix, region }) },
    { purpose: 'of the operator who runs setup --apply', policy: bucketPolicy({ bucket, region }) },
  ]
  return [
    {
      store: `S3 (${endpoint ?? region})`,
      steps: await bucketSteps({ client, clock, region, bucket, prefix }),
      policies,
    },
  ]
}
