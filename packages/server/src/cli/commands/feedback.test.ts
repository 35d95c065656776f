// `mangaassist feedback` with a real server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sampleSession, sampleStoredTurn, sampleTurnRecord } from '#fixtures/turns/samples.ts'
import type { TurnRecord } from '#ports/turn-records/port.ts'
import { operatorTerminal } from '../testing/operator-terminal.ts'

async function served(context: TestContext) {
  const { doors, run } = await operatorTerminal(context, 'feedback')
  const { sessions, turnRecords } = doors.app.operators
  const { at: first } = sampleTurnRecord()
  const add = async (turnId: string, value: 'up' | 'down' | undefined, over: Partial<TurnRecord> = {}) => {
    const feedback = value === undefined ? {} : { feedback: { value, at: first, ...(value === 'down' && WHY) } }
    await turnRecords.add([sampleTurnRecord({ turnId, ...over, received: feedback })])
  }
  return { doors, run, add, sessions, first }
}

const WHY = { reason: 'too\u001b[31m long' }

test('thumbs are counted by model, with shares and intervals, as a table and as JSON', async (context) => {
  const { add, run } = await served(context)
  assert.equal((await run()).out, 'No thumbs.\n')
  for (let n = 0; n < 9; n += 1) await add(`a${n}`, n < 8 ? 'up' : 'down', { model: 'claude' })
  await add('b1', 'down', { model: 'haiku' })
  await add('b2', undefined, { model: 'haiku' })
  const { code, out } = await run()
  assert.equal(code, 0)
  assert.match(out, /^model +thumbs +up +down +up % +95 % interval$/m)
  assert.match(out, /^claude +9 +8 +1 +88\.9 +56\.5 – 98\.0$/m)
  assert.match(out, /^haiku +1 +0 +1 +0\.0 +0\.0 – 79\.3$/m)
  assert.match(out, /^total +10 +8 +2 +80\.0 +49\.0 – 94\.3$/m)
  const json = JSON.parse((await run('--by', 'language', '--json')).out)
  assert.deepEqual([json.groups.length, json.groups[0].key, json.totals.up, json.isCut], [1, 'ja', 8, false])
})

test('only turns of the named days count, both included', async (context) => {
  const { add, first, run } = await served(context)
  const dayMs = 86_400_000
  for (const [index, at] of [first - dayMs, first, first + dayMs, first + 2 * dayMs].entries())
    await add(`t${index}`, 'up', { at })
  const counted = async (...args: string[]) => JSON.parse((await run('--json', ...args)).out).totals.up
  assert.equal(await counted('--from', '2026-11-04'), 3)
  assert.equal(await counted('--to', '2026-11-05'), 3)
  assert.equal(await counted('--from', '2026-11-04', '--to', '2026-11-05'), 2)
  assert.equal(await counted('--from', '2026-11-04', '--to', '2026-11-04'), 1)
  const { code, err } = await run('--from', '2026-02-30')
  assert.deepEqual([code, err.includes('INVALID_REQUEST')], [1, true])
})

test('the worst turns are listed newest first with their reason and what answered, and no text is read', async (context) => {
  const { add, doors, first, run } = await served(context)
  assert.equal((await run('--worst')).out, 'No thumbs down.\n')
  const judged = { level: 'simple', probability: 0.9, floor: 'simple' } as never
  const choice = { first: 'economy', rule: 'complexity', why: 'economy: simple, 0.90', judged }
  const routing = { choice, exposures: [{ experiment: 'haiku', arm: 'short' }], unit: 'u' }
  await add('old', 'down', { model: 'haiku', promptVersion: 'v7', routing, mismatches: ['price'], at: first })
  await add('new', 'down', { model: 'claude', at: first + 1000 })
  await add('good', 'up', { at: first + 2000 })
  const { code, out } = await run('--worst')
  assert.equal(code, 0)
  assert.deepEqual(
    out.match(/^\S+Z {2}\w+/gm)?.map((line) => line.slice(26)),
    ['new', 'old'],
  )
  assert.match(
    out,
    /old {2}haiku {2}prompt v7 {2}economy: simple, 0\.90 {2}haiku\/short {2}mismatches: price {2}ja\n {2}reason: too\[31m long/,
  )
  assert.doesNotMatch(out, /Q:|A:/)
  const one = await run('--worst', '--limit', '1')
  assert.match(one.out, /There are more/)
  assert.deepEqual(
    JSON.parse((await run('--worst', '--json')).out).map(({ turnId }: { turnId: string }) => turnId),
    ['new', 'old'],
  )
  assert.deepEqual(await doors.app.admin.audit({ limit: 10 }), [])
})

test('texts are read with a reason, one audit line for each conversation that still exists', async (context) => {
  const { add, doors, first, run, sessions } = await served(context)
  await sessions.create(sampleSession())
  for (const [version, turnId] of ['t1', 't2'].entries())
    await sessions.append('sess_1', version, sampleStoredTurn({ turnId, question: `q ${turnId}`, answer: 'a\nb' }))
  for (const turnId of ['t1', 't2', 't3'])
    await add(turnId, 'down', { sessionId: turnId === 't3' ? 'gone' : 'sess_1', at: first })
  const { code, out } = await run('--worst', '--text', '--reason', 'many complaints')
  assert.equal(code, 0)
  assert.match(out, / {2}Q: q t1\n {2}A: a\n {5}b/)
  assert.deepEqual(out.match(/Q: q \w+/g)?.toSorted(), ['Q: q t1', 'Q: q t2'])
  assert.deepEqual(
    (await doors.app.admin.audit({ limit: 10 })).map(({ action, by, reason, subject }) => [
      action,
      by,
      reason,
      subject,
    ]),
    [['transcript-read', 'aki', 'many complaints', 'sess_1']],
  )
})

test('mistakes in the command are explained', async (context) => {
  const { run } = await served(context)
  for (const args of [
    ['claude'],
    ['--by', 'weather'],
    ['--by', 'model', '--worst'],
    ['--limit', '5'],
    ['--worst', '--limit', '0'],
    ['--worst', '--text'],
    ['--worst', '--reason', 'x'],
    ['--from', 'monday'],
  ])
    assert.equal((await run(...args)).code, 2, args.join(' '))
})
