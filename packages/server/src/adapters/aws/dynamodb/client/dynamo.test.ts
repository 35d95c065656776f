// The client of DynamoDB: what each kind of failure becomes, and that unprocessed parts of batches are sent again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import type { DynamoFault } from '#fixtures/stores/dynamo-faults.ts'
import { systemClock } from '../../../system/clock.ts'
import { deleteItems, getItems, putItems } from './batches.ts'
import { cancellationCodes } from './failure.ts'
import type { TableShape } from './table-shape.ts'

const shape: TableShape = {
  name: 'things',
  partition: { name: 'pk', type: 'S' },
  sort: { name: 'sk', type: 'S' },
  actions: ['BatchGetItem', 'BatchWriteItem', 'GetItem', 'PutItem', 'Query'],
  indexes: [
    {
      name: 'by-owner',
      partition: { name: 'owner', type: 'S' },
      sort: { name: 'at', type: 'N' },
      projects: ['title'],
    },
  ],
}
const open = cleanDynamo([shape])

test('what was put is read back, by key and by index, and its units are counted', async (context) => {
  const { dynamo, telemetry } = await open(context)
  const TableName = dynamo.tableName(shape)
  await dynamo.put({ TableName, Item: { pk: 'a', sk: '1', owner: 'o', at: 5, title: '進撃', other: undefined } })
  const { Item } = await dynamo.get({ TableName, Key: { pk: 'a', sk: '1' }, ConsistentRead: true })
  assert.deepEqual(Item, { pk: 'a', sk: '1', owner: 'o', at: 5, title: '進撃' })
  const { Items } = await dynamo.query({
    TableName,
    IndexName: 'by-owner',
    KeyConditionExpression: '#owner = :owner',
    ExpressionAttributeNames: { '#owner': 'owner' },
    ExpressionAttributeValues: { ':owner': 'o' },
  })
  assert.deepEqual(Items, [{ pk: 'a', sk: '1', owner: 'o', at: 5, title: '進撃' }])
  const units = telemetry.observed.filter(({ name }) => name === 'dynamodb_units')
  assert.deepEqual(
    units.map(({ fields }) => fields),
    [
      { kind: 'write', table: 'things' },
      { kind: 'read', table: 'things' },
      { kind: 'read', table: 'things' },
    ],
  )
  assert.ok(units.every(({ value }) => value > 0))
})

const UNAVAILABLE: readonly [DynamoFault, { readonly mayHaveHappened: boolean; readonly happened: boolean }][] = [
  ['fail', { mayHaveHappened: true, happened: false }],
  ['deny', { mayHaveHappened: false, happened: false }],
  ['throttle', { mayHaveHappened: false, happened: false }],
  ['hang', { mayHaveHappened: true, happened: false }],
  ['lose-reply', { mayHaveHappened: true, happened: true }],
  ['late', { mayHaveHappened: true, happened: true }],
]
for (const [fault, { happened, mayHaveHappened }] of UNAVAILABLE) {
  test(`a put that meets "${fault}" is unavailable, and says whether it may have happened`, async (context) => {
    const { another, dynamo, faults } = await open(context, { callMs: 1000 })
    const TableName = dynamo.tableName(shape)
    faults.spoil(() => fault)
    await assert.rejects(dynamo.put({ TableName, Item: { pk: 'a', sk: '1' } }), (error) => {
      assert.ok(error instanceof StoreUnavailable)
      assert.equal(error.mayHaveHappened, mayHaveHappened)
      return true
    })
    assert.ok(dynamo.troubledAt() > 0)
    const { Item } = await another().get({ TableName, Key: { pk: 'a', sk: '1' } })
    assert.equal(Item !== undefined, happened)
  })
}

test('no connection, or no table, means that nothing happened', async (context) => {
  const { another, dynamo, faults } = await open(context)
  await assert.rejects(another().get({ TableName: 'missing', Key: { pk: 'a', sk: '1' } }), { mayHaveHappened: false })
  await faults[Symbol.asyncDispose]()
  await assert.rejects(dynamo.get({ TableName: dynamo.tableName(shape), Key: { pk: 'a', sk: '1' } }), {
    name: 'StoreUnavailable',
    mayHaveHappened: false,
  })
})

test('a throttled call, and a transaction that meets another, succeed when they are repeated', async (context) => {
  const { dynamo, faults, telemetry } = await open(context)
  const TableName = dynamo.tableName(shape)
  const spoilTwice = (fault: DynamoFault) => {
    let left = 2
    faults.spoil(() => ((left -= 1) >= 0 ? fault : undefined))
  }
  spoilTwice('throttle')
  await dynamo.put({ TableName, Item: { pk: 'a', sk: '1' } })
  spoilTwice('conflict')
  await dynamo.transactWrite({ TransactItems: [{ Put: { TableName, Item: { pk: 'a', sk: '2' } } }] })
  const count = (name: string) => telemetry.counted.filter((counted) => counted.name === name).length
  assert.deepEqual([count('dynamodb_call_total'), count('dynamodb_call_throttled_total')], [2, 4])
})

test('a failed condition and a wrong request are thrown as they are, and open no circuit', async (context) => {
  const { dynamo } = await open(context)
  const TableName = dynamo.tableName(shape)
  const Put = { TableName, Item: { pk: 'a', sk: '1' }, ConditionExpression: 'attribute_not_exists(pk)' }
  await dynamo.put(Put)
  await assert.rejects(dynamo.put(Put), { name: 'ConditionalCheckFailedException' })
  await assert.rejects(dynamo.transactWrite({ TransactItems: [{ Put }] }), (error) => {
    assert.deepEqual(cancellationCodes(error), ['ConditionalCheckFailed'])
    return true
  })
  await assert.rejects(dynamo.get({ TableName, Key: { pk: 'a' } }), { name: 'ValidationException' })
  assert.equal(dynamo.troubledAt(), 0)
})

test('while replies are late few calls are made, and none of those that are refused may have happened', async (context) => {
  const { dynamo, faults, telemetry } = await open(context, { callMs: 50 })
  const call = () => dynamo.get({ TableName: dynamo.tableName(shape), Key: { pk: 'a', sk: '1' } })
  faults.spoil(() => 'hang')
  for (let calls = 0; calls < 12; calls += 1) await assert.rejects(call(), StoreUnavailable)
  assert.ok(telemetry.counted.some(({ name }) => name === 'dynamodb_call_refused_total'))
  await assert.rejects(call(), { mayHaveHappened: false })
})

test('transactions that meet others do not open the circuit, however often', async (context) => {
  const { dynamo, faults, telemetry } = await open(context, { callMs: 5000 })
  const TableName = dynamo.tableName(shape)
  const call = () => dynamo.transactWrite({ TransactItems: [{ Put: { TableName, Item: { pk: 'a', sk: '2' } } }] })
  faults.spoil(() => 'conflict')
  for (let rounds = 0; rounds < 3; rounds += 1)
    await Promise.all(Array.from({ length: 12 }, () => assert.rejects(call(), StoreUnavailable)))
  faults.spoil(() => undefined)
  await call()
  assert.ok(!telemetry.counted.some(({ name }) => name === 'dynamodb_call_refused_total'))
})

test('a batch that is not processed pauses for two seconds in all', async (context) => {
  const { dynamo, faults } = await open(context)
  let pausesMs = 0
  const clock = { sleep: async (ms: number) => void (pausesMs += ms) }
  faults.spoil(() => 'partial')
  const keys = Array.from({ length: 60 }, (_, index) => ({ pk: 'a', sk: String(index) }))
  await assert.rejects(getItems({ dynamo, clock, table: dynamo.tableName(shape) }, keys), StoreUnavailable)
  assert.ok(pausesMs > 0 && pausesMs <= 2000, `${pausesMs} ms`)
})

test('a batch of any size is written, read and deleted, also when parts of it come back unprocessed', async (context) => {
  const { dynamo, faults } = await open(context)
  const parts = { dynamo, clock: { ...systemClock(), sleep: async () => {} }, table: dynamo.tableName(shape) }
  const items = Array.from({ length: 130 }, (_, index) => ({ pk: 'a', sk: String(index) }))
  let calls = 0
  faults.spoil(() => ((calls += 1) % 3 === 1 ? 'partial' : undefined))
  await putItems(parts, items)
  const found = await getItems(parts, [...items, { pk: 'a', sk: 'missing' }], { consistent: true })
  const order = (some: readonly { readonly sk?: unknown }[]) => some.map(({ sk }) => Number(sk)).sort((a, b) => a - b)
  assert.deepEqual(order(found), order(items))
  await deleteItems(parts, items.slice(1))
  assert.deepEqual(await getItems(parts, items), [items[0]])
  faults.spoil(() => 'partial')
  await assert.rejects(getItems(parts, items), StoreUnavailable)
})

test('a call is a span of the stage that made it, with its table and nothing of its items; a failed condition is no failure', async (context) => {
  const { dynamo, faults, telemetry } = await open(context, { callMs: 1000 })
  const TableName = dynamo.tableName(shape)
  const stage = telemetry.scope({ door: 'ws', name: 'chat' }).span('settlement')
  const Put = { TableName, Item: { pk: 'guest_1', sk: '1' }, ConditionExpression: 'attribute_not_exists(pk)' }
  const PutRequest = { Item: { pk: 'guest_1', sk: '2' } }
  await dynamo.get({ TableName, Key: { pk: 'guest_1', sk: '1' } })
  await stage.within(async () => {
    await dynamo.transactWrite({ TransactItems: [{ Put }, { Put: { ...Put, Item: { pk: 'guest_1', sk: '3' } } }] })
    await assert.rejects(dynamo.put(Put), { name: 'ConditionalCheckFailedException' })
    await dynamo.batchWrite({ RequestItems: { [TableName]: [{ PutRequest }] } })
    faults.spoil(() => 'fail')
    await assert.rejects(dynamo.get({ TableName, Key: { pk: 'guest_1', sk: '1' } }), StoreUnavailable)
    faults.spoil(() => 'hang')
    await assert.rejects(dynamo.get({ TableName, Key: { pk: 'guest_1', sk: '1' } }), StoreUnavailable)
  })
  const about = { dbSystem: 'aws.dynamodb', dbCollection: TableName, serverAddress: new URL(faults.url).host }
  const refused = { dbStatus: 'ConditionalCheckFailedException' }
  const failed = { dbStatus: 'InternalServerError', errorClass: 'unavailable' }
  assert.deepEqual(
    telemetry.spans.map(({ attributes: { requestId: _, turnId: __, ...said }, outcome }) => [outcome, said]),
    [
      ['completed', { ...about, dbOperation: 'TransactWriteItems', dbBatchSize: 2 }],
      ['completed', { ...about, dbOperation: 'PutItem', ...refused }],
      ['completed', { ...about, dbOperation: 'BatchWriteItem' }],
      ['failed', { ...about, dbOperation: 'GetItem', ...failed }],
      ['failed', { ...about, dbOperation: 'GetItem', errorClass: 'timeout' }],
    ],
  )
  assert.ok(telemetry.spans.every(({ parentSpanId }) => parentSpanId === stage.trace?.spanId))
})
