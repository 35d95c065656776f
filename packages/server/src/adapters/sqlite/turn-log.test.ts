// Holds the turn log in SQLite to the contract of its port, and to what only a file can promise.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { LOG_BOUNDS } from '#domain/log-trimming.ts'
import { storyOf } from '#domain/turn-story.ts'
import { turnLogContract } from '#ports/turn-log.contract.ts'
import { manualClock } from '../../../test/fixtures/manual-clock.ts'
import { sampleEnd, sampleStart } from '../../../test/fixtures/samples.ts'
import { tempDatabase } from '../../../test/fixtures/temp-database.ts'
import { tempDir } from '../../../test/fixtures/temp-dir.ts'
import { openDatabase } from './database.ts'
import { sqliteTurnLog } from './turn-log.ts'

turnLogContract('sqlite turn log', async (context, bounds = LOG_BOUNDS) => {
  const clock = manualClock()
  return { log: await sqliteTurnLog({ database: tempDatabase(context, clock), clock, bounds }), clock }
})

test('sqlite turn log: after a restart every open turn is an orphan at once, with its text and its wish to stop', async (context) => {
  const clock = manualClock()
  const path = join(tempDir(context), 'test.sqlite')
  const before = openDatabase({ path, clock })
  const earlier = await sqliteTurnLog({ database: before, clock })
  await earlier.open(sampleStart(), 10_000)
  await earlier.append('turn_1', 1, [{ kind: 'text', offset: 0, text: '鬼滅' }])
  await earlier.requestStop('turn_1')
  await earlier.open(sampleStart({ turnId: 'turn_ended' }), 10_000)
  await earlier.append('turn_ended', 1, [{ kind: 'turn-end', end: sampleEnd() }])
  before.close()

  const after = openDatabase({ path, clock })
  context.after(() => after.close())
  const log = await sqliteTurnLog({ database: after, clock })
  assert.deepEqual(await log.orphans(10), ['turn_1'])
  let isStopHeard = false
  using _ = log.onStop('turn_1', () => (isStopHeard = true))
  const follower = log.follow('turn_1', 0, new AbortController().signal)[Symbol.asyncIterator]()
  assert.deepEqual((await follower.next()).value, [{ seq: 1, epoch: 1, kind: 'text', offset: 0, text: '鬼滅' }])
  assert.equal(isStopHeard, true)

  const epoch = await log.takeOver('turn_1', 10_000)
  assert.equal(epoch, 2)
  await log.append('turn_1', 2, [{ kind: 'turn-end', end: sampleEnd() }])
  assert.deepEqual((await follower.next()).value, [{ seq: 2, epoch: 2, kind: 'turn-end', end: sampleEnd() }])
  assert.equal((await follower.next()).done, true)
  assert.equal((await log.read('turn_1', -1))?.length, 3)
})

test('sqlite turn log: a follower of a running turn does not query', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  let reads = 0
  const counted = {
    ...database,
    write: database.write.bind(database),
    close: () => database.close(),
    statement: (sql: string) => {
      if (sql.startsWith('SELECT')) reads += 1
      return database.statement(sql)
    },
  }
  const log = await sqliteTurnLog({ database: counted, clock })
  await log.open(sampleStart(), 10_000)
  const seen: number[] = []
  const following = (async () => {
    for await (const batch of log.follow('turn_1', -1, new AbortController().signal))
      seen.push(...batch.map(({ seq }) => seq))
  })()
  for (let index = 0; index < 10; index += 1)
    await log.append('turn_1', 1, [{ kind: 'text', offset: index, text: 'x' }])
  await log.append('turn_1', 1, [{ kind: 'turn-end', end: sampleEnd() }])
  await following
  assert.equal(seen.length, 12)
  assert.equal(reads, 0)
})

test('sqlite turn log: a trimmed turn is read from the file as it was from memory, and goes on being trimmed', async (context) => {
  const clock = manualClock()
  const path = join(tempDir(context), 'test.sqlite')
  const bounds = { recordsMax: 8, bytesMax: 4096 }
  const before = openDatabase({ path, clock })
  const earlier = await sqliteTurnLog({ database: before, clock, bounds })
  await earlier.open(sampleStart(), 10_000)
  for (let index = 0; index < 20; index += 1)
    await earlier.append('turn_1', 1, [{ kind: 'text', offset: index, text: 'x' }])
  const records = await earlier.read('turn_1', -1)
  before.close()

  const after = openDatabase({ path, clock })
  context.after(() => after.close())
  const log = await sqliteTurnLog({ database: after, clock, bounds })
  assert.deepEqual(await log.start('turn_1'), sampleStart())
  assert.deepEqual(await log.read('turn_1', -1), records)
  assert.equal(await log.takeOver('turn_1', 10_000), 2)
  for (let index = 20; index < 40; index += 1)
    await log.append('turn_1', 2, [{ kind: 'text', offset: index, text: 'x' }])
  await log.append('turn_1', 2, [{ kind: 'turn-end', end: sampleEnd() }])
  const ended = (await log.read('turn_1', -1)) ?? []
  assert.equal(storyOf(ended).text, 'x'.repeat(40))
  assert.ok(ended.length <= bounds.recordsMax + 2)
  assert.deepEqual(after.statement('SELECT COUNT(*) AS kept FROM turn_records').get()?.['kept'], ended.length)
})

test('sqlite turn log: appends of one commit are trimmed one after another', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const log = await sqliteTurnLog({ database, clock, bounds: { recordsMax: 8, bytesMax: 4096 } })
  await log.open(sampleStart(), 10_000)
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => log.append('turn_1', 1, [{ kind: 'text', offset: index, text: 'x' }])),
  )
  const running = (await log.read('turn_1', -1)) ?? []
  assert.equal(storyOf(running).text, 'x'.repeat(40))
  await log.append('turn_1', 1, [{ kind: 'turn-end', end: sampleEnd() }])
  assert.deepEqual((await log.read('turn_1', -1))?.slice(0, -1), running)
})

test('sqlite turn log: after a restart a turn is unattended since then, not since its opening', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const earlier = await sqliteTurnLog({ database, clock })
  await earlier.open(sampleStart(), 10_000)
  await clock.advance(60_000)
  const log = await sqliteTurnLog({ database, clock })
  await clock.advance(2000)
  assert.equal(await log.takeOver('turn_1', 10_000), 2)
  assert.deepEqual(await log.renew('turn_1', 2, 10_000), { unattendedMs: 2000 })
})
