// Tables are made as their shapes say, once; what is missing is added, and what cannot be changed is reported.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'
import { TEST_KEYS, TEST_REGION } from '#fixtures/stores/clean-dynamo.ts'
import { faultyDynamo } from '#fixtures/stores/dynamo-faults.ts'
import type { DynamoFault, FaultyDynamo } from '#fixtures/stores/dynamo-faults.ts'
import { startDynamo } from '#fixtures/stores/dynamo-server.ts'
import type { DynamoServer } from '#fixtures/stores/dynamo-server.ts'
import { systemClock } from '../../../system/clock.ts'
import { systemRandom } from '../../../system/random.ts'
import { openDynamo } from './dynamo.ts'
import { makingPolicy, servingPolicy } from './table-policy.ts'
import { deniedActions } from './table-rights.ts'
import { TableSetups } from './table-setup.ts'
import type { TableShape } from './table-shape.ts'
import { memoryTelemetry } from '../../../memory/telemetry.ts'

const byOwner = {
  name: 'by-owner',
  partition: { name: 'owner', type: 'S' },
  sort: { name: 'at', type: 'N' },
  projects: ['title'],
} as const
const shape: TableShape = {
  name: 'things',
  partition: { name: 'pk', type: 'S' },
  sort: { name: 'sk', type: 'S' },
  indexes: [byOwner],
  actions: [
    'GetItem',
    'Query',
    'BatchGetItem',
    'BatchWriteItem',
    'PutItem',
    'DeleteItem',
    'UpdateItem',
    'ConditionCheckItem',
  ],
  expiresBy: 'expiresAt',
}

let server: DynamoServer | undefined
before(async () => {
  server = await startDynamo()
})
after(async () => server?.[Symbol.asyncDispose]())

interface Opened {
  readonly faults: FaultyDynamo
  /** The states of the parts of a table, as they are printed. */
  examine(of?: TableShape): Promise<readonly string[]>
  apply(of?: TableShape): Promise<void>
  readonly tablePrefix: string
}

async function open(context: TestContext): Promise<Opened> {
  const faults = await faultyDynamo(server?.url ?? '')
  context.after(() => faults[Symbol.asyncDispose]())
  const tablePrefix = systemRandom().id('shop')
  const limits = { connectMs: 5000, connectionsMax: 5 }
  const options = { region: TEST_REGION, baseURL: faults.url, credentials: TEST_KEYS, clock: systemClock(), limits }
  const tables = new TableSetups({ ...options, tablePrefix })
  context.after(() => tables[Symbol.dispose]())
  return {
    faults,
    tablePrefix,
    async examine(of = shape) {
      const { steps } = await tables.examine(of)
      return steps.map(({ what, state }) => `${state}: ${what.replaceAll(tablePrefix, 'shop')}`)
    },
    async apply(of = shape) {
      const { steps } = await tables.examine(of)
      for (const step of steps) await step.apply?.()
    },
  }
}

const RECOVERY = 'recovery to any second of the last 35 days of shop-things'

test('a missing table is made with its index, expiry and protection; a second run makes nothing', async (context) => {
  const { apply, examine, faults } = await open(context)
  assert.deepEqual(await examine(), [
    'missing: table shop-things',
    'missing: expiry of shop-things by expiresAt',
    `missing: ${RECOVERY}`,
  ])
  await apply()
  assert.deepEqual(await examine(), [
    'present: table shop-things',
    'present: index by-owner of shop-things',
    'present: expiry of shop-things by expiresAt',
    `not-offered: ${RECOVERY}`,
    'present: deletion protection of shop-things',
  ])
  const sent = faults.calls.find(({ operation }) => operation === 'UpdateContinuousBackups')
  assert.deepEqual(sent?.body['PointInTimeRecoverySpecification'], { PointInTimeRecoveryEnabled: true })
  const before = faults.calls.length
  await apply()
  const later = faults.calls.slice(before).map(({ operation }) => operation)
  assert.ok(
    later.every((operation) => operation.startsWith('Describe')),
    later.join(),
  )
})

test('an index that a newer version needs is added to an old table', async (context) => {
  const { apply, examine } = await open(context)
  await apply({ ...shape, indexes: [] })
  assert.ok((await examine()).includes('missing: index by-owner of shop-things'))
  await apply()
  assert.ok((await examine()).includes('present: index by-owner of shop-things'))
})

test('other keys, another index and another expiry are reported, and nothing is changed', async (context) => {
  const { apply, examine, faults } = await open(context)
  const old: TableShape = {
    ...shape,
    partition: { name: 'id', type: 'S' },
    indexes: [{ ...byOwner, projects: [] }],
    expiresBy: 'ttl',
  }
  await apply(old)
  const before = faults.calls.length
  await apply()
  assert.deepEqual((await examine()).slice(0, 3), [
    'differs: table shop-things',
    'differs: index by-owner of shop-things',
    'differs: expiry of shop-things by expiresAt',
  ])
  const later = faults.calls.slice(before).map(({ operation }) => operation)
  assert.ok(
    later.every((operation) => operation.startsWith('Describe')),
    later.join(),
  )
})

test('without rights or a connection nothing is known about a table, and why is said', async (context) => {
  const { faults, tablePrefix } = await open(context)
  const limits = { connectMs: 5000, connectionsMax: 5 }
  const options = { region: TEST_REGION, credentials: TEST_KEYS, clock: systemClock(), limits, tablePrefix }
  faults.spoil(() => 'deny')
  using denied = new TableSetups({ ...options, baseURL: faults.url })
  const [step] = (await denied.examine(shape)).steps
  assert.equal(step?.state, 'unknown')
  assert.match(step?.detail ?? '', /AccessDenied/)
  using unreachable = new TableSetups({ ...options, baseURL: 'http://127.0.0.1:9' })
  assert.match((await unreachable.examine(shape)).steps[0]?.detail ?? '', /ECONNREFUSED/)
})

test('rights are found out without a change of the table', async (context) => {
  const { apply, faults, tablePrefix } = await open(context)
  await apply()
  using dynamo = openDynamo({
    region: TEST_REGION,
    baseURL: faults.url,
    credentials: TEST_KEYS,
    clock: systemClock(),
    random: systemRandom(),
    telemetry: memoryTelemetry(),
    tablePrefix,
    callMs: 5000,
    limits: { connectMs: 5000, connectionsMax: 5 },
  })
  assert.deepEqual(await deniedActions(dynamo, shape), [])
  const deny = new Map<string, DynamoFault>([
    ['Query', 'deny'],
    ['TransactWriteItems', 'deny'],
  ])
  faults.spoil(({ operation }) => deny.get(operation))
  assert.deepEqual(await deniedActions(dynamo, shape), ['Query', 'ConditionCheckItem'])
  faults.spoil(({ body }) => (body['IndexName'] === 'by-owner' ? 'deny' : undefined))
  assert.deepEqual(await deniedActions(dynamo, shape), ['Query'], 'a policy may have the table without its indexes')
  faults.spoil(() => undefined)
  const key = { pk: 'doctor-looks-for-nothing', sk: 'doctor-looks-for-nothing' }
  assert.equal((await dynamo.get({ TableName: dynamo.tableName(shape), Key: key })).Item, undefined)
})

test('the policy of the server names its actions, the table and its indexes, and nothing else', () => {
  const place = { region: 'ap-northeast-1', account: '123456789012' }
  const arn = 'arn:aws:dynamodb:ap-northeast-1:123456789012:table/shop-things'
  assert.deepEqual(servingPolicy({ ...shape, actions: ['Query', 'GetItem'] }, 'shop-things', place), {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Sid: 'ReadAndWriteItems',
        Action: ['dynamodb:GetItem', 'dynamodb:Query'],
        Resource: [arn, `${arn}/index/by-owner`],
      },
      {
        Effect: 'Allow',
        Sid: 'DescribeTable',
        Action: ['dynamodb:DescribeContinuousBackups', 'dynamodb:DescribeTable', 'dynamodb:DescribeTimeToLive'],
        Resource: [arn],
      },
    ],
  })
  const making = JSON.stringify(makingPolicy(['shop-things'], { region: 'cn-north-1' }))
  assert.match(making, /arn:aws-cn:dynamodb:cn-north-1:\*:table\/shop-things/)
  assert.doesNotMatch(making, /Delete/)
})
