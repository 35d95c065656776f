// What AWS makes slowly, and an emulator at once: an index that is being filled, and the first backup of a new table.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { TEST_KEYS, TEST_REGION } from '#fixtures/stores/clean-dynamo.ts'
import { systemClock } from '../../../system/clock.ts'
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
