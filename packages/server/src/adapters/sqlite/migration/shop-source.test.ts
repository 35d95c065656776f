// What is read of a folder for a move: everything that has not expired, under the names of the target.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { fillFolder } from '#fixtures/stores/filled-folder.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { CARTS } from '#stores/carts.ts'
import { orderKind } from '#stores/order-book.ts'
import { DataDirError } from '../files/data-dir-error.ts'
import { openShopSource } from './shop-source.ts'

const WEEK_MS = 7 * 86_400_000
const ORDERS = orderKind(2 * WEEK_MS)

async function filled(context: TestContext) {
  const path = tempDir(context)
  await fillFolder({ path })
  const clock = systemClock()
  const open = () => {
    const shop = openShopSource(path, {
      clock,
      accountsOf: () => (name) => (name.startsWith('acct_') ? name : `acct_of_${name}`),
      idleBefore: clock.now() - WEEK_MS,
      endedBefore: clock.now() - WEEK_MS,
      recordsBefore: clock.now() - WEEK_MS,
      historyBefore: clock.now() - WEEK_MS,
      expiresBefore: clock.now() + WEEK_MS,
    })
    context.after(() => shop[Symbol.dispose]())
    return shop
  }
  const change = (sql: string) => {
    using database = new DatabaseSync(join(path, 'mangaassist.sqlite'))
    database.exec(sql)
  }
  return { path, open, change, now: clock.now() }
}

test('every conversation comes with its turns in order, and the counts are those of the items', async (context) => {
  const { open } = await filled(context)
  const { source } = open()
  const conversations = [...source.conversations()]
  const counts = source.counts()
  assert.deepEqual(
    [conversations.length, [...source.turnLogs()].length, [...source.accountUses()].length],
    [counts.conversations, counts.turnLogs, counts.accountUses],
  )
  assert.deepEqual(
    [
      [...source.records(CARTS)].length,
      [...source.records(ORDERS)].length,
      source.countOf(CARTS),
      source.countOf(ORDERS),
    ],
    [6, 6, 6, 6],
    'without the order of long ago',
  )
  for (const { session, turns } of conversations) {
    assert.equal(turns.length, session.version)
    assert.deepEqual(
      turns.map(({ turnId }) => turnId),
      turns.map((_, index) => `turn_${session.id.slice(5)}_${index}`),
    )
  }
  assert.equal(conversations.find(({ session }) => session.id === 'sess_1')?.session.inheritedFrom, 'guest_1')
  assert.deepEqual([counts.turnRecords, counts.refusals], [33, 3], 'without the turn of long ago')
  assert.deepEqual(source.unfinished(), { turns: 0, holds: 0 })
})

test('what has expired, or soon does, is left out', async (context) => {
  const { change, now, open } = await filled(context)
  change(`UPDATE sessions SET last_active_at = ${now - WEEK_MS - 1} WHERE id IN ('sess_2', 'sess_3')`)
  change(`UPDATE day_use SET forget_at = ${now + 1000}; UPDATE claims SET until = ${now}`)
  change(`UPDATE holds SET forget_at = ${now + 1000}`)
  change(`UPDATE carts SET expires_at = ${now + 1000} WHERE principal_id <> 'guest_2'`)
  change(`UPDATE turns SET ended_at = ${now - WEEK_MS - 1} WHERE id = 'turn_1_0'`)
  const { source } = open()
  const ids = [...source.conversations()].map(({ session }) => session.id)
  assert.equal(ids.length, 10)
  assert.ok(!ids.includes('sess_2'))
  assert.deepEqual([...new Set([...source.accountUses()].map(({ use }) => use.kind))], ['session'])
  assert.equal([...source.turnLogs()].length, source.counts().turnLogs)
  assert.deepEqual(
    [...source.records(CARTS)].map(({ principalId }) => principalId),
    ['guest_2'],
  )
})

test('every turn that was charged is known as such, long after its key has expired', async (context) => {
  const { change, now, open } = await filled(context)
  change(`UPDATE claims SET until = ${now}`)
  const uses = [...open().source.accountUses()].map(({ use }) => use)
  assert.equal(uses.filter(({ kind }) => kind === 'turn').length, 33)
  assert.equal(uses.filter(({ kind }) => kind === 'claim').length, 0)
})

test('the use of a conversation counts for the account of its owner, also after an adoption', async (context) => {
  const { open } = await filled(context)
  const uses = [...open().source.accountUses()]
  const adopted = uses.find(({ use }) => use.kind === 'session' && use.use.sessionId === 'sess_1')
  assert.equal(adopted?.account, 'acct_of_user:shop:aki')
  const claim = uses.find(({ use }) => use.kind === 'claim')
  assert.match(claim?.account ?? '', /^acct_[0-9a-f]{32}$/)
})

test('the spending is what the ledger has, and what was leased where the ledger is elsewhere', async (context) => {
  const { change, open } = await filled(context)
  {
    using shop = open()
    const [store] = [...shop.source.spending()]
    // Two rows of 7 micro-dollars for each of the 33 turns.
    assert.deepEqual([store?.takenMicroUsd, store?.highestMicroUsd], [462, 5000])
  }
  change('DELETE FROM ledger')
  assert.equal([...open().source.spending()][0]?.takenMicroUsd, 5000)
})

test('the digest changes with the data, and one process at a time has the folder', async (context) => {
  const { change, open } = await filled(context)
  const first = open()
  const seen = new Set([first.source.digest()])
  assert.throws(() => open(), DataDirError)
  first[Symbol.dispose]()
  for (const changed of [
    `UPDATE sessions SET version = version + 1 WHERE id = 'sess_1'`,
    `UPDATE carts SET expires_at = expires_at + 86400000 WHERE principal_id = 'guest_2'`,
    `DELETE FROM orders WHERE principal_id = 'guest_2'`,
    `UPDATE model_history SET count = count + 1`,
    `UPDATE alarm_state SET version = version + 1`,
    `UPDATE handover_requests SET state = 'taken' WHERE id = 'hand_open'`,
  ]) {
    change(changed)
    using shop = open()
    assert.ok(!seen.has(shop.source.digest()), changed)
    seen.add(shop.source.digest())
  }
})

/** The tables whose rows are moved by the parts of their port, and why others are not. */
const TABLES: Readonly<Record<string, 'moved' | `stays: ${string}`>> = {
  sessions: 'moved',
  session_turns: 'moved',
  turns: 'moved',
  turn_logs: 'moved',
  turn_tail: 'stays: what open turns were given; a folder with open turns is refused',
  unwritten_turns: 'stays: they are written when the server starts, and only exist beside a store elsewhere',
  day_use: 'moved',
  session_use: 'moved',
  holds: 'moved',
  claims: 'moved',
  spend_use: 'moved',
  spend_operations: 'stays: a repeat comes within seconds, from a process that has ended',
  ledger: 'moved',
  turn_records: 'moved',
  turn_record_exposures: 'stays: an index, which the target makes',
  turn_record_traits: 'stays: an index, which the target makes',
  turn_record_units: 'moved',
  turn_record_notes: 'stays: they wait for records of a process that has ended',
  turn_records_forgotten: 'stays: no record of an erased person can come late from a process that has ended',
  tier_overrides: 'moved',
  user_overrides: 'moved',
  settings: 'moved',
  experiments: 'moved',
  experiment_key: 'moved',
  audit: 'moved',
  calibrations: 'moved',
  deferred_questions: 'moved',
  handover_requests: 'moved',
  carts: 'moved',
  orders: 'moved',
  alarm_state: 'moved',
  model_history: 'moved',
  model_history_batches: 'stays: a repeat comes within seconds, from a process that has ended',
  edition_products: 'stays: the catalogue is imported again',
  edition_offers: 'stays: the catalogue is imported again',
  current_edition: 'stays: the catalogue is imported again',
  imported_faq: 'stays: the catalogue is imported again',
  probes: 'stays: whether the disk can be written',
}

test('of every table it is known whether it is moved, and those that are have rows in the folder of the tests', async (context) => {
  const { path } = await filled(context)
  using database = new DatabaseSync(join(path, 'mangaassist.sqlite'), { readOnly: true })
  const select = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
  const names = database
    .prepare(select)
    .all()
    .map(({ name }) => String(name))
  assert.deepEqual(names.toSorted(), Object.keys(TABLES).toSorted())
  for (const name of names.filter((one) => TABLES[one] === 'moved'))
    assert.ok(Number(database.prepare(`SELECT count(*) AS n FROM ${name}`).get()?.['n']) > 0, name)
})
