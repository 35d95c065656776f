// The priority class of a call in the queue.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TypicalTimes } from '#domain/model/typical-times.ts'
import { NO_PROMISE } from '#domain/turn/first-word.ts'
import { Rejections } from '#domain/model/rejections.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { plainEstimates } from '#fixtures/turns/estimates.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { GUEST, sampleAdmitted, sampleRouted, sampleRung } from '#fixtures/turns/turns.ts'
import { NORMAL } from '#fixtures/turns/normal-settings.ts'
import type { Routed } from '../turn.ts'
import { createCallRung } from './call-rung.ts'
import type { Entry } from './waiting-queue.ts'
import { AnswerDraft } from './answer-draft.ts'

const turnOf = (over: Partial<Routed['start']>) => sampleRouted(sampleAdmitted(over))

async function enteredBy(routed: Routed): Promise<Entry | undefined> {
  const ports = await testPorts()
  const entries: Entry[] = []
  const line = { enter: async (_: string, entry: Entry) => (entries.push(entry), { kind: 'left' } as const) }
  const typical = new TypicalTimes(ports.clock)
  const extend = async () => true
  const parts = {
    ...ports,
    config: testConfig,
    estimates: plainEstimates,
    line,
    typical,
    rejections: new Rejections(ports.clock),
    extend,
    settings: NORMAL,
    nodes: () => 1,
  }
  const rung = sampleRung(scriptedModel(ports.clock, answering('a')))
  const place = {
    rung,
    isBelow: false,
    reason: '',
    othersCan: () => false,
    isThirdFree: () => false,
    second: () => undefined,
    othersWork: () => false,
  }
  const running = {
    draft: new AnswerDraft(routed, () => {}),
    routed,
    firstWord: NO_PROMISE,
    signal: AbortSignal.abort(),
  }
  await createCallRung(parts)(running, place)
  return entries[0]
}

test('premium goes before the others, and a deferred question, which no reader awaits, after them', async () => {
  const premium = { ...GUEST, kind: 'user', tier: 'premium' } as const
  const deferredFrom = { turnId: 'turn_0', isOver: false }
  assert.equal((await enteredBy(turnOf({})))?.priority, 'normal')
  assert.equal((await enteredBy(turnOf({ principal: premium })))?.priority, 'high')
  assert.equal((await enteredBy(turnOf({ deferredFrom })))?.priority, 'low')
})
