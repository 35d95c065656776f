// `mangaassist models` with a real server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import { fullTurnRecord } from '#fixtures/turns/samples.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

const TOKEN = 'maa_cli'

test('models, errors in the words of the vendor and changes of circuits are printed, and as JSON', async (context) => {
  const doors = await openDoors({ auth: { admins: [{ name: 'aki', hash: secretHash(TOKEN), role: 'viewer' }] } })
  context.after(() => doors[Symbol.asyncDispose]())
  const { admin, operators } = doors.app
  const lane = (await admin.lanes())[0]?.lane ?? ''
  const at = Date.now() - 1000
  const call = { attempt: 1, model: 'm', name: 'primary', tier: 'primary', inputTokens: 1, outputTokens: 1 } as const
  const fault = { status: 503, code: 'Overloaded', message: 'try later' }
  operators.modelMeter.turnEnded(
    fullTurnRecord({
      at,
      turnId: 'turn_7',
      model: 'm',
      tier: 'primary',
      isCached: false,
      calls: [
        { ...call, outcome: 'unavailable', fault, costMicroUsd: 0 },
        { ...call, attempt: 2, outcome: 'end', firstTokenMs: 250, tookMs: 900, costMicroUsd: 1500 },
      ],
    }),
  )
  const opened = { id: 'x', lane, at, from: 'closed', to: 'open', why: 'failures', calls: 3, failures: 3 } as const
  operators.modelMeter.laneChanged(opened)
  const probing = { ...opened, id: 'p', at: at + 10, from: 'open', to: 'half-open', why: 'probing' } as const
  operators.modelMeter.laneChanged(probing)
  operators.modelMeter.laneChanged({
    ...probing,
    id: 'q',
    at: at + 20,
    from: 'half-open',
    to: 'open',
    why: 'probe-failed',
  })
  operators.modelMeter.laneChanged({
    ...opened,
    id: 'y',
    at: at + 30,
    from: 'open',
    to: 'closed',
    why: 'reset',
    by: 'aki',
  })
  const { port } = new URL(await doors.listen())
  const terminal = fakeTerminal(context, { env: { MANGAASSIST_ADMIN_TOKEN: TOKEN, PORT: port } })
  const run = async (...args: readonly string[]) => {
    terminal.printed.out = terminal.printed.err = ''
    const code = await main(['models', ...args], terminal)
    return { code, ...terminal.printed }
  }
  const { code, out } = await run()
  assert.equal(code, 0)
  assert.match(out, /: 1 turns \(primary 1\)$/m)
  assert.match(out, /^primary +1 +100 % +2 +1 +250 ms +295 ms +850 ms +985 ms +0\.001500$/m)
  assert.match(out, /^primary +\+3\.1 % +4\.2 % +94\.0 % +1,240 +yes$/m)
  assert.match(out, /^primary +unavailable +503 +1 +turn_7 +Overloaded: try later$/m)
  assert.match(out, /^embedded +\S+Z +\S+Z +0 s +3 of 3 calls failed +1$/m)
  assert.doesNotMatch(out, /probing|probe-failed/)
  assert.match(out, /^embedded +\S+Z +working → stopped +3 of 3 calls failed$/m)
  assert.match(out, /^embedded +\S+Z +stopped → working +reset by aki$/m)
  const json = JSON.parse((await run('--json', '--hours', '1')).out)
  assert.deepEqual([json.turns, json.lanes[0].openings, json.lanes[0].changes.length], [1, 1, 4])
  assert.equal((await run('--hours', '0')).code, 2)
  assert.equal((await run('--to', 'yesterday')).code, 0)
  assert.match((await run('--to', 'soon')).err, /--to must be a day such as 2026-11-04, today or yesterday, or a time/)
})
