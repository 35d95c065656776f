// A continued answer whose owner was lost: the text that it continues is in the first record of its log, and is never lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { plainEstimates } from '#fixtures/turns/estimates.ts'
import { settleParts, testPorts } from '#fixtures/stores/ports.ts'
import { sampleAsk, sampleSession } from '#fixtures/turns/samples.ts'
import { PRICED, sampleAdmitted } from '#fixtures/turns/turns.ts'
import { plainLimits } from '#fixtures/budgets/plain-limits.ts'
import { createRecover } from './recover.ts'
import { createSettle } from '../settlement/settle.ts'
import type { Admitted } from '../turn.ts'

const { leaseMs, holdMs } = testConfig.turns

test('it begins with the text that it continues, and that text stays when it is not continued', async () => {
  const ports = await testPorts()
  await ports.sessions.create(sampleSession())
  const resumed: Admitted[] = []
  const recover = createRecover({
    ...ports,
    config: testConfig,
    settle: createSettle(settleParts(ports)),
    priceOf: () => PRICED,
    estimates: plainEstimates,
    typical: { answerTokens: () => undefined },
    principalLimits: plainLimits(),
    isOurs: () => false,
    room: () => 1000,
    run: (admitted) => void resumed.push(admitted),
  })
  const answer = await ports.budgets.admit(sampleAsk({ turnId: 'turn_1', sessionId: 'sess_1', leaseMs: holdMs }))
  assert.equal(answer.kind, 'granted')
  const place = { replaces: 'turn_0', continued: '進撃の巨人', hold: answer.hold }
  await ports.turnLog.open(sampleAdmitted({ turnId: 'turn_1', ...place }).start, leaseMs)
  await ports.turnLog.append('turn_1', 1, [{ kind: 'text', offset: 0, text: '進撃' }])
  await ports.clock.advance(leaseMs)
  assert.equal(await recover(), 1)
  assert.deepEqual(resumed[0]?.begun, { text: '進撃の巨人', attempts: [] })
  // Past its deadline it is not continued.
  await ports.clock.advance(testConfig.deadlines.stream.endMs)
  assert.equal(await recover(), 1)
  const [stored] = await ports.sessions.recentTurns('sess_1', 1)
  assert.deepEqual([stored?.finishReason, stored?.answer, stored?.replaces], ['interrupted', '進撃の巨人', 'turn_0'])
})
