// Runs the contract of the turn log on SQLite, and tests what only a file can promise.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { LOG_BOUNDS } from '#domain/turn/log-bounds.ts'
import { replay } from '#domain/turn/turn-state.ts'
import { turnLogContract } from '#ports/turn-log/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { oldChat, oldCompletion } from '#fixtures/turns/old-starts.ts'
import { sampleEnd, sampleStart } from '#fixtures/turns/samples.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { fullDisk } from '#fixtures/stores/full-disk.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { openDatabase } from '../files/database.ts'
import type { Database } from '../files/database.ts'
import { APPLICATION_ID, migrations } from '../files/migrations.ts'
import { sqliteTurnLog } from './turn-log.ts'

turnLogContract('sqlite turn log', async (context, bounds = LOG_BOUNDS) => {
  const clock = manualClock()
  return { log: sqliteTurnLog({ database: tempDatabase(context, clock), clock, bounds }), clock }
})

const say = (offset: number, text = 'x') => ({ kind: 'text', offset, text }) as const
const end = { kind: 'turn-end', end: sampleEnd() } as const

/** The turns that have rows in the tail, in order. */
function tailOf(database: Database): readonly string[] {
  const rows = database.statement('SELECT turn_id FROM turn_tail ORDER BY id').all()
  return rows.map((row) => String(row['turn_id']))
}

test('sqlite turn log: after a restart every open turn has no owner at once, and still has its text and its stop request', async (context) => {
  const clock = manualClock()
  const path = join(tempDir(context), 'test.sqlite')
  const before = openDatabase({ path, clock })
  const earlier = sqliteTurnLog({ database: before, clock })
  await earlier.open(sampleStart(), 10_000)
  await earlier.append('turn_1', 1, [{ kind: 'text', offset: 0, text: '鬼滅' }])
  await earlier.requestStop('turn_1')
  await earlier.open(sampleStart({ turnId: 'turn_ended' }), 10_000)
  await earlier.append('turn_ended', 1, [{ kind: 'turn-end', end: sampleEnd() }])
  before.close()

  const after = openDatabase({ path, clock })
  context.after(() => after.close())
  const log = sqliteTurnLog({ database: after, clock })
  assert.deepEqual(await log.orphans(10), ['turn_1'])
  let wasStopped = false
  using _ = log.onStop('turn_1', () => (wasStopped = true))
  const follower = log.follow('turn_1', 0, new AbortController().signal)[Symbol.asyncIterator]()
  assert.deepEqual((await follower.next()).value, [{ seq: 1, epoch: 1, kind: 'text', offset: 0, text: '鬼滅' }])
  assert.equal(wasStopped, true)

  const epoch = await log.takeOver('turn_1', 10_000)
  assert.equal(epoch, 2)
  await log.append('turn_1', 2, [{ kind: 'turn-end', end: sampleEnd() }])
  assert.deepEqual((await follower.next()).value, [{ seq: 2, epoch: 2, kind: 'turn-end', end: sampleEnd() }])
  assert.equal((await follower.next()).done, true)
  assert.equal((await log.read('turn_1', -1))?.length, 3)
})

test('sqlite turn log: a reader of a running turn sends no query to the database', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  let reads = 0
  const counted = {
    write: database.write.bind(database),
    onGroupEnd: database.onGroupEnd.bind(database),
    truncateLog: () => database.truncateLog(),
    close: () => database.close(),
    statement: (sql: string) => {
      if (sql.startsWith('SELECT')) reads += 1
      return database.statement(sql)
    },
  }
  const log = sqliteTurnLog({ database: counted, clock })
  reads = 0
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

test('sqlite turn log: a trimmed turn reads the same from the file as from memory, and trimming continues', async (context) => {
  const clock = manualClock()
  const path = join(tempDir(context), 'test.sqlite')
  const bounds = { recordsMax: 8, bytesMax: 4096 }
  const before = openDatabase({ path, clock })
  const earlier = sqliteTurnLog({ database: before, clock, bounds })
  await earlier.open(sampleStart(), 10_000)
  for (let index = 0; index < 20; index += 1)
    await earlier.append('turn_1', 1, [{ kind: 'text', offset: index, text: 'x' }])
  const records = await earlier.read('turn_1', -1)
  before.close()

  const after = openDatabase({ path, clock })
  context.after(() => after.close())
  const log = sqliteTurnLog({ database: after, clock, bounds })
  assert.deepEqual(await log.start('turn_1'), sampleStart())
  assert.deepEqual(await log.read('turn_1', -1), records)
  assert.equal(await log.takeOver('turn_1', 10_000), 2)
  for (let index = 20; index < 40; index += 1)
    await log.append('turn_1', 2, [{ kind: 'text', offset: index, text: 'x' }])
  await log.append('turn_1', 2, [{ kind: 'turn-end', end: sampleEnd() }])
  const ended = (await log.read('turn_1', -1)) ?? []
  assert.equal(replay(ended).text, 'x'.repeat(40))
  assert.ok(ended.length <= bounds.recordsMax + 2)
  const kept = 'SELECT json_array_length(records) AS kept FROM turn_logs'
  assert.equal(after.statement(kept).get()?.['kept'], ended.length)
})

test('sqlite turn log: appends of one commit are trimmed one after another', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const log = sqliteTurnLog({ database, clock, bounds: { recordsMax: 8, bytesMax: 4096 } })
  await log.open(sampleStart(), 10_000)
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => log.append('turn_1', 1, [{ kind: 'text', offset: index, text: 'x' }])),
  )
  const running = (await log.read('turn_1', -1)) ?? []
  assert.equal(replay(running).text, 'x'.repeat(40))
  await log.append('turn_1', 1, [{ kind: 'turn-end', end: sampleEnd() }])
  assert.deepEqual((await log.read('turn_1', -1))?.slice(0, -1), running)
})

test('sqlite turn log: after a restart a turn counts as unattended from the restart, not from its opening', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const earlier = sqliteTurnLog({ database, clock })
  await earlier.open(sampleStart(), 10_000)
  await clock.advance(60_000)
  const log = sqliteTurnLog({ database, clock })
  await clock.advance(2000)
  assert.equal(await log.takeOver('turn_1', 10_000), 2)
  assert.deepEqual(await log.renew('turn_1', 2, 10_000), { unattendedMs: 2000 })
})

test('sqlite turn log: the tail begins with the first row of an open turn', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const log = sqliteTurnLog({ database, clock })
  for (const turnId of ['turn_a', 'turn_b', 'turn_c']) {
    await log.open(sampleStart({ turnId }), 10_000)
    await log.append(turnId, 1, [say(0)])
  }
  await log.append('turn_b', 1, [end])
  assert.deepEqual(tailOf(database), ['turn_a', 'turn_a', 'turn_b', 'turn_b', 'turn_c', 'turn_c'])
  await log.append('turn_a', 1, [end])
  assert.deepEqual(tailOf(database), ['turn_c', 'turn_c'])
  await log.append('turn_c', 1, [end])
  assert.deepEqual(tailOf(database), [])
})

test('sqlite turn log: a turn that makes the tail too long is rewritten, and is complete after a restart', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const log = sqliteTurnLog({ database, clock, tailRowsMax: 5 })
  await log.open(sampleStart({ turnId: 'turn_long' }), 10_000)
  await log.append('turn_long', 1, [say(0, 'a'), say(1, 'b')])
  for (let index = 0; index < 6; index += 1) {
    await log.open(sampleStart({ turnId: `turn_${index}` }), 10_000)
    await log.append(`turn_${index}`, 1, [say(0), end])
  }
  assert.ok(!tailOf(database).includes('turn_long'))
  assert.deepEqual(await sqliteTurnLog({ database, clock }).read('turn_long', -1), await log.read('turn_long', -1))
  await log.append('turn_long', 1, [say(2, 'c')])
  const again = sqliteTurnLog({ database, clock })
  assert.deepEqual(await again.read('turn_long', -1), await log.read('turn_long', -1))
  assert.equal(await again.takeOver('turn_long', 10_000), 2)
  await again.append('turn_long', 2, [say(3, 'd'), end])
  assert.equal(replay((await again.read('turn_long', -1)) ?? []).text, 'abcd')
})

test('sqlite turn log: the changes of a failed group are undone in memory too', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const log = sqliteTurnLog({ database, clock })
  await log.open(sampleStart(), 10_000)
  await log.append('turn_1', 1, [say(0, 'a')])
  await clock.advance(10_000)
  // A deferred foreign key is checked by the commit, so the failure comes there and not before.
  database.statement('CREATE TABLE owners (id TEXT PRIMARY KEY)').run()
  database.statement('CREATE TABLE owned (id TEXT REFERENCES owners (id) DEFERRABLE INITIALLY DEFERRED)').run()
  const results = await Promise.allSettled([
    log.append('turn_1', 1, [say(1, 'lost')]),
    log.takeOver('turn_1', 10_000),
    log.open(sampleStart({ turnId: 'turn_2' }), 10_000),
    log.append('turn_2', 1, [say(0, 'lost')]),
    log.append('turn_1', 2, [say(5, 'lost'), end]),
    database.write(() => database.statement(`INSERT INTO owned VALUES ('nobody')`).run()),
  ])
  assert.ok(results.every(({ status }) => status === 'rejected'))
  assert.equal(await log.read('turn_2', -1), undefined)
  assert.equal(await log.append('turn_2', 1, [say(0)]), false)
  assert.deepEqual(await log.orphans(10), ['turn_1'])
  assert.equal(await log.append('turn_1', 1, [say(1, 'b')]), true)
  assert.equal(await log.takeOver('turn_1', 10_000), 2)
  assert.equal(await log.open(sampleStart({ turnId: 'turn_2' }), 10_000), true)
  for (const one of [log, sqliteTurnLog({ database, clock })]) {
    const records = (await one.read('turn_1', 0)) ?? []
    assert.deepEqual(
      records.map(({ seq, epoch }) => [seq, epoch]),
      [
        [1, 1],
        [2, 1],
      ],
    )
    assert.equal(replay(records).text, 'ab')
    assert.equal((await one.read('turn_2', -1))?.length, 1)
  }
})

test('sqlite turn log: a database from before the tail existed keeps its turns, and open ones stay open', async (context) => {
  const clock = manualClock()
  const path = join(tempDir(context), 'test.sqlite')
  const old = new DatabaseSync(path)
  for (const step of migrations.slice(0, 3)) old.exec(step)
  old.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 3`)
  const turn = old.prepare(`INSERT INTO turns (id, session_id, epoch, leased_until, records, stop_wished, ended_at)
    VALUES (?, 'sess_1', 2, 0, 3, ?, ?)`)
  const record = old.prepare('INSERT INTO turn_records (turn_id, seq, record) VALUES (?, ?, ?)')
  const written = (turnId: string) => [
    { seq: 0, epoch: 1, kind: 'start', start: sampleStart({ turnId }) },
    { seq: 1, epoch: 1, ...say(0, '鬼滅') },
    { seq: 2, epoch: 2, ...say(2, 'の刃') },
  ]
  for (const [turnId, stopRequested, endedAt] of [
    ['turn_open', 1, null],
    ['turn_ended', 0, 5],
  ] as const) {
    turn.run(turnId, stopRequested, endedAt)
    for (const one of written(turnId)) record.run(turnId, one.seq, JSON.stringify(one))
  }
  old.close()

  const database = openDatabase({ path, clock })
  context.after(() => database.close())
  const log = sqliteTurnLog({ database, clock })
  for (const turnId of ['turn_open', 'turn_ended']) assert.deepEqual(await log.read(turnId, -1), written(turnId))
  assert.deepEqual(await log.orphans(10), ['turn_open'])
  let wasStopped = false
  using _ = log.onStop('turn_open', () => (wasStopped = true))
  assert.equal(await log.takeOver('turn_open', 10_000), 3)
  assert.equal(wasStopped, true)
  assert.equal(await log.append('turn_open', 3, [say(4, '！')]), true)
  const again = sqliteTurnLog({ database, clock })
  assert.equal(replay((await again.read('turn_open', -1)) ?? []).text, '鬼滅の刃！')
  assert.deepEqual(await log.forgetSession('sess_1'), ['turn_ended'])
})

test('sqlite turn log: turns of a version that knew no kinds are read, open and ended', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const olds = [oldChat('turn_chat'), oldCompletion('turn_own')]
  const put = (table: string, ...values: readonly (string | number | null)[]) =>
    database.statement(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values)
  for (const [index, { written, read }] of olds.entries()) {
    const record = { seq: 0, epoch: 1, kind: 'start', start: written }
    const ended = `${read.turnId}_ended`
    put('turns (id, session_id, epoch, tail_from)', read.turnId, 'sess_1', 1, index + 1)
    put(
      'turn_tail (id, turn_id, epoch, entries)',
      index + 1,
      read.turnId,
      1,
      JSON.stringify([{ kind: 'start', start: written }]),
    )
    put('turns (id, session_id, epoch, tail_from, ended_at)', ended, 'sess_1', 1, 1, 5)
    put('turn_logs (turn_id, records)', ended, JSON.stringify([record, { seq: 1, epoch: 1, ...end }]))
  }
  const log = sqliteTurnLog({ database, clock })
  for (const { read } of olds) {
    assert.deepEqual(await log.start(read.turnId), read)
    assert.deepEqual(await log.start(`${read.turnId}_ended`), read)
    assert.deepEqual(replay((await log.read(`${read.turnId}_ended`, -1)) ?? []).start, read)
    assert.equal(await log.takeOver(read.turnId, 10_000), 2)
    assert.equal(await log.append(read.turnId, 2, [end]), true)
    // Written again by its end, and read again from the file.
    assert.deepEqual(await sqliteTurnLog({ database, clock }).start(read.turnId), read)
  }
})

test('sqlite turn log: while the disk is full readers get an error instead of waiting, and then continue', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const log = sqliteTurnLog({ database, clock })
  await log.open(sampleStart(), 60_000)
  const follow = () => log.follow('turn_1', 0, new AbortController().signal)[Symbol.asyncIterator]()
  const long = say(0, 'x'.repeat(20_000))
  const waiting = follow().next()
  {
    using _full = fullDisk(database)
    await assert.rejects(log.append('turn_1', 1, [long]), /readonly/)
    const failed = assert.rejects(waiting, StoreUnavailable)
    await clock.advance(3000)
    await failed
    await assert.rejects(follow().next(), StoreUnavailable)
  }
  assert.equal(await log.append('turn_1', 1, [long]), true)
  const reader = follow()
  assert.equal((await reader.next()).value?.length, 1)
  const next = reader.next()
  await log.append('turn_1', 1, [end])
  assert.equal((await next).value?.at(-1)?.kind, 'turn-end')
})

test('sqlite turn log: one write that failed ends no reader', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const log = sqliteTurnLog({ database, clock })
  await log.open(sampleStart(), 60_000)
  const waiting = log.follow('turn_1', 0, new AbortController().signal)[Symbol.asyncIterator]().next()
  {
    using _full = fullDisk(database)
    await assert.rejects(log.append('turn_1', 1, [say(0, 'x'.repeat(20_000))]), /readonly/)
  }
  await clock.advance(3000)
  await log.append('turn_1', 1, [say(0)])
  assert.equal((await waiting).value?.length, 1)
})
