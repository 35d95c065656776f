// `mangaassist turns` and `mangaassist turn` with a real server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { defaults } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { sampleLedgerRow } from '#fixtures/turns/samples.ts'
import { fullTurnRecord, sampleRefusal, sampleTurnRecord } from '#fixtures/turns/turn-records.ts'
import { operatorTerminal } from '../testing/operator-terminal.ts'

const { at: NOON } = sampleTurnRecord()

test('turns are listed newest first, by any filter, as lines and as JSON', async (context) => {
  const { doors, run } = await operatorTerminal(context, 'turns')
  const { turnRecords } = doors.app.operators
  assert.equal((await run('--limit', '5')).out, 'No turns.\n')
  await turnRecords.add([
    sampleTurnRecord({ turnId: 'turn_a', costMicroUsd: 20_000, totalMs: 6000 }),
    sampleTurnRecord({ turnId: 'turn_b', at: NOON + 1000, isDegraded: true, reason: 'throttled', attempts: 3 }),
    sampleRefusal({ at: NOON + 2000 }),
  ])
  const { code, out } = await run()
  assert.equal(code, 0)
  assert.match(
    out,
    /^time .+\n.+turn_b .+ stop .+ model-1 \(primary\) .+degraded: throttled 3 calls\n.+turn_a .+6\.0 s +0\.020000\n$/,
  )
  const ids = async (...args: string[]) =>
    (await run('--json', ...args)).out
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).turnId ?? JSON.parse(line).refusalId)
  assert.deepEqual(await ids('--degraded'), ['turn_b'])
  assert.deepEqual(await ids('--min-cost', '0.02'), ['turn_a'])
  assert.deepEqual(await ids('--max-cost', '0.01'), ['turn_b'])
  assert.deepEqual(await ids('--slow', '5s'), ['turn_a'])
  assert.deepEqual(await ids('--slow', '6001ms'), [])
  assert.deepEqual(await ids('--reason', 'throttled', '--user', 'guest_1'), ['turn_b'])
  assert.deepEqual(await ids('--outcome', 'refused'), ['ref_1'])
  assert.deepEqual(await ids('--kind', 'any', '--limit', '2'), ['ref_1', 'turn_b'])
  assert.deepEqual(await ids('--from', new Date(NOON + 1).toISOString()), ['turn_b'])
  assert.match((await run('--kind', 'refusal')).out, /ref_1 .+ guest_1 .+ RATE_LIMITED +user-rate by ws chat +3×/)
})

test('yesterday and today are days of the shop', async (context) => {
  const first = await listDays(context)
  // The command reads the system's clock, and a midnight in between changes what its words mean. There is no second one soon.
  const { today, yesterday } = first.isOneDay ? first : await listDays(context)
  assert.deepEqual([yesterday.includes('turn_old'), yesterday.includes('turn_new')], [true, false])
  assert.match(today, /^[^\n]*turn_new[^\n]*\n$/)
})

/** What the command lists of a turn of now and of one a day before, and whether it all happened in one day of the shop. */
async function listDays(context: TestContext) {
  const { doors, run } = await operatorTerminal(context, 'turns')
  const now = Date.now()
  const { endsAt } = dayOf(now, defaults.store.timeZone)
  await doors.app.operators.turnRecords.add([
    sampleTurnRecord({ turnId: 'turn_old', at: now - 86_400_000 }),
    sampleTurnRecord({ turnId: 'turn_new', at: now }),
  ])
  const { out: yesterday } = await run('--from', 'yesterday', '--to', 'yesterday', '--json')
  const { out: today } = await run('--from', 'today', '--json')
  return { today, yesterday, isOneDay: Date.now() < endsAt }
}

test('mistakes are reported before the server is asked', async (context) => {
  const { run } = await operatorTerminal(context, 'turns')
  for (const args of [
    ['turn_1'],
    ['--limit', '0'],
    ['--slow', 'long'],
    ['--min-cost', 'much'],
    ['--from', 'soon'],
    ['--kind', 'odd'],
    ['--thumb', 'sideways'],
  ])
    assert.equal((await run(...args)).code, 2, args.join(' '))
})

test('what is recorded is followed until a signal, each once', async (context) => {
  const { doors, run, terminal } = await operatorTerminal(context, 'turns')
  const { turnRecords } = doors.app.operators
  await turnRecords.add([sampleTurnRecord({ turnId: 'turn_a' })])
  let isAdded = false
  terminal.onOutput = (text) => {
    if (text.includes('turn_b')) return terminal.signal()
    if (!text.includes('turn_a') || isAdded) return
    isAdded = true
    void turnRecords.add([sampleTurnRecord({ turnId: 'turn_b', at: NOON + 1000 })])
  }
  const { out } = await run('--follow', '--json')
  assert.deepEqual(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).turnId),
    ['turn_a', 'turn_b'],
  )
})

test('the story of a turn has its calls, times, cost and why the first choice did not answer', async (context) => {
  const { doors, run } = await operatorTerminal(context, 'turn')
  const { ledger, turnRecords } = doors.app.operators
  const [call] = fullTurnRecord().calls ?? []
  assert.ok(call)
  const calls = [
    { ...call, fault: { ...call.fault, message: 'slow\u001b[31m down' } },
    { ...call, attempt: 2, name: 'economy', why: 'next', outcome: 'end', startMs: 120, tookMs: 60 } as const,
  ]
  await turnRecords.add([fullTurnRecord({ turnId: 'turn_a', isCached: false, requestId: 'req_7', calls })])
  await ledger.record([sampleLedgerRow({ turnId: 'turn_a', at: NOON })])
  const { code, out } = await run('turn_a')
  assert.equal(code, 0)
  assert.match(out, /^Turn turn_a: interrupted after 200 ms, model-1 \(primary\), 0\.000003 USD\n/)
  assert.match(
    out,
    /^Why not the first choice: primary failed, last because the vendor throttled it .+; economy answered\.$/m,
  )
  assert.match(out, /^ {2}1 primary, throttled +\| +█+ +\| 120 ms$/m)
  assert.match(out, /^invocation +\| *█+ *\| 150 ms$/m)
  assert.match(out, /^2 +economy \(model-1\) +next +end /m)
  assert.match(out, /^ {2}1: HTTP 429, rate_limit, slow\[31m down, from api\.example:443, request v_1$/m)
  assert.match(out, /^text +40 deltas, written in 9 frames$/m)
  assert.match(out, /^1 +WebSocket +disconnected +5 ms +90 ms +4 +812 +2 +60 ms$/m)
  assert.match(out, /^2 +SSE +still reading +31 +110 ms +6 +904 +0$/m)
  assert.match(out, /^5 others +12 +1,870 +1 +30 ms$/m)
  assert.match(out, /^all +22 +3,586 +3 +90 ms\nBytes are .+ compresses no answer\.$/m)
  assert.match(out, /^Prompt: about 730 tokens \(system 400, retrieval 300, history 0, message 12\)$/m)
  assert.match(
    out,
    /^ {2}estimated for primary by the claude costs, calibrated by calls, 94 % of its recent calls were within 10 %$/m,
  )
  assert.match(out, /^Ledger:\n {2}1: embedded, stop, 10 in, 5 out, 0\.000003 USD$/m)
  assert.equal((await run('req_7')).out, out)
  assert.doesNotMatch(out, /context\.failed/)
  const log =
    /^Log \(without turn\.ended\):\n {2}\S+Z warn context\.failed source=history StoreUnavailable: Redis\n {2}3 more lines .+\n {2}The lines of the owner before /m
  assert.match((await run('turn_a', '--log')).out, log)
  const story = JSON.parse((await run('turn_a', '--json')).out)
  assert.deepEqual([story.record.turnId, story.ledger.length, story.sameRequest], ['turn_a', 1, []])
  assert.deepEqual([story.log.lines.length, story.log.leftOut, story.record.lines], [1, 3, undefined])
})

test('a refusal has a story too, and an unknown id is an error', async (context) => {
  const { doors, run } = await operatorTerminal(context, 'turn')
  await doors.app.operators.turnRecords.add([sampleRefusal()])
  await doors.app.operators.turnRecords.add([sampleTurnRecord({ turnId: 'turn_old' })])
  assert.match((await run('turn_old', '--log')).out, /^Log: the version that recorded this turn stored no lines/m)
  const { out } = await run('ref_1')
  assert.match(out, /^Refusal ref_1: RATE_LIMITED 3 times from .+ to .+\n\nuser +guest_1$/m)
  assert.match(out, /^limit +user-rate$/m)
  const { code, err } = await run('turn_unknown')
  assert.deepEqual([code, err.includes('NOT_FOUND')], [1, true])
  assert.equal((await run()).code, 2)
  assert.equal((await run('a', 'b')).code, 2)
})
