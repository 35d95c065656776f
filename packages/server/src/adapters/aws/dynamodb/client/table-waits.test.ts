// What AWS makes slowly, and an emulator at once: an index that is being filled, and the first backup of a new table.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createServer as createSilentServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { TEST_KEYS, TEST_REGION } from '#fixtures/stores/clean-dynamo.ts'
import { systemClock } from '../../../system/clock.ts'
import { SETUP_CALL_MS } from '../../setup-calls.ts'
import { TableSetups } from './table-setup.ts'
import type { TableShape } from './table-shape.ts'

const shape: TableShape = {
  name: 'things',
  partition: { name: 'pk', type: 'S' },
  sort: { name: 'sk', type: 'S' },
  indexes: [{ name: 'by-at', partition: { name: 'pk', type: 'S' }, sort: { name: 'at', type: 'N' }, projects: 'all' }],
  actions: ['Query'],
}

type Reply = object & { readonly error?: string }

/** The setups of a DynamoDB that gives these replies; a wait takes no time. */
async function open(context: TestContext, reply: (operation: string) => Reply) {
  const server = createServer((request, response) => {
    const { error, ...body } = reply(String(request.headers['x-amz-target']).replace(/^.*\./, ''))
    const type = { 'content-type': 'application/x-amz-json-1.0' }
    if (error === undefined) response.writeHead(200, type).end(JSON.stringify(body))
    else response.writeHead(400, type).end(JSON.stringify({ __type: error, message: error }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const tables = new TableSetups({
    region: TEST_REGION,
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: TEST_KEYS,
    clock: { ...systemClock(), sleep: async () => {} },
    limits: { connectMs: 5000, connectionsMax: 5 },
    tablePrefix: 'shop',
  })
  context.after(() => {
    tables[Symbol.dispose]()
    server.closeAllConnections()
    server.close()
  })
  return tables
}

function described(IndexStatus: string) {
  const keys = (range: string) => [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ]
  const index = { IndexName: 'by-at', IndexStatus, KeySchema: keys('at'), Projection: { ProjectionType: 'ALL' } }
  return {
    Table: {
      TableStatus: 'ACTIVE',
      KeySchema: keys('sk'),
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      DeletionProtectionEnabled: true,
      GlobalSecondaryIndexes: [index],
    },
  }
}

test('an index that is still being filled is not there yet, and setup waits for it', async (context) => {
  let describes = 0
  const tables = await open(context, (operation) => {
    if (operation !== 'DescribeTable') return { error: 'UnknownOperationException' }
    describes += 1
    return described(describes < 4 ? 'CREATING' : 'ACTIVE')
  })
  const index = async () => (await tables.examine(shape)).steps.find(({ what }) => what.startsWith('index'))
  const first = await index()
  assert.equal(first?.state, 'missing')
  await first?.apply?.()
  assert.equal((await index())?.state, 'present')
})

test('recovery is switched on as soon as DynamoDB allows it for a new table', async (context) => {
  let updates = 0
  const tables = await open(context, (operation) => {
    if (operation === 'DescribeTable') return described('ACTIVE')
    if (operation === 'DescribeContinuousBackups') return { ContinuousBackupsDescription: {} }
    updates += 1
    return updates < 3 ? { error: 'ContinuousBackupsUnavailableException' } : {}
  })
  const { steps } = await tables.examine(shape)
  await steps.find(({ what }) => what.startsWith('recovery'))?.apply?.()
  assert.equal(updates, 3)
})

test('a table that DynamoDB does not describe at once after making it is waited for', async (context) => {
  let describes = 0
  const tables = await open(context, (operation) => {
    if (operation !== 'DescribeTable') return {}
    describes += 1
    return describes < 4 ? { error: 'ResourceNotFoundException' } : described('ACTIVE')
  })
  const { steps } = await tables.examine(shape)
  await steps[0]?.apply?.()
  assert.equal(describes, 4)
})

test('a throttled call of setup is made again', async (context) => {
  let calls = 0
  const tables = await open(context, (operation) => {
    if (operation !== 'DescribeTable') return { error: 'UnknownOperationException' }
    calls += 1
    return calls < 4 ? { error: 'ThrottlingException' } : described('ACTIVE')
  })
  assert.equal((await tables.examine(shape)).steps[0]?.state, 'present')
})

test('an endpoint that accepts a connection and does not answer ends setup, with a reason', async (context) => {
  const server = createSilentServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => server.close())
  const system = systemClock()
  using tables = new TableSetups({
    region: TEST_REGION,
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: TEST_KEYS,
    clock: { ...system, after: (ms, action) => system.after(ms === SETUP_CALL_MS ? 50 : ms, action) },
    limits: { connectMs: 5000, connectionsMax: 5 },
    tablePrefix: 'shop',
  })
  const [step] = (await tables.examine(shape)).steps
  assert.equal(step?.state, 'unknown')
  assert.match(step?.detail ?? '', /no answer within 15 seconds/)
})

test('a key of another type is reported as a difference', async (context) => {
  const { Table } = described('ACTIVE')
  const types = (at: string) => [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'at', AttributeType: at },
  ]
  let at = 'S'
  const tables = await open(context, (operation) =>
    operation === 'DescribeTable'
      ? { Table: { ...Table, AttributeDefinitions: types(at) } }
      : { error: 'UnknownOperationException' },
  )
  const index = async () => (await tables.examine(shape)).steps.find(({ what }) => what.startsWith('index'))
  assert.equal((await index())?.state, 'differs')
  at = 'N'
  assert.equal((await index())?.state, 'present')
})
