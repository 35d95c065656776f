// One question of a prewarm: one call, whatever the number of its wordings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleOutcome } from '#fixtures/turns/samples.ts'
import { sampleRouted, sampleRung } from '#fixtures/turns/turns.ts'
import type { CachedAnswer } from '#ports/answer-cache/port.ts'
import type { CacheLookup, Routed } from '../turn.ts'
import { createPrewarmQuestion } from './prewarm-question.ts'

const QUESTION = { language: 'en', message: 'Is it in stock?', wordings: ['in stock', 'stock'] } as const
const ANSWER: CachedAnswer = { text: 'Yes.', productIds: [], tier: 'primary', model: 'model-1', madeAt: 0 }
const CAP = { hold: async () => undefined }

interface Answers {
  readonly lookup?: CacheLookup
  /** Called with each message that is understood. */
  readonly onUnderstood?: (message: string) => void
  readonly missingFor?: string
}

function setUp({ lookup = { kind: 'none', key: 'k' }, missingFor, onUnderstood }: Answers = {}) {
  const clock = manualClock()
  const ladder = [sampleRung(scriptedModel(clock, answering('x'), 'model-1'))]
  const asked: string[] = []
  const stored: string[] = []
  const messageOf = ({ start }: Pick<Routed, 'start'>) => ('message' in start ? start.message : '')
  const prewarm = createPrewarmQuestion({
    clock,
    random: { id: (prefix) => `${prefix}_1` },
    config: defaults,
    gather: async (admitted) => {
      onUnderstood?.(messageOf(admitted))
      const missing = messageOf(admitted) === missingFor ? (['retrieval'] as const) : []
      return sampleRouted({ start: admitted.start, ladder, missing })
    },
    route: (grounded) => grounded as Routed,
    answers: {
      lookUp: async () => lookup,
      keep: async (routed) => (stored.push(messageOf(routed)), ANSWER),
      keepFor: async (wording, { answer }) => void (answer === ANSWER && stored.push(messageOf(wording))),
    },
    makeAnswer: async (routed) => (
      asked.push(messageOf(routed)),
      { kind: 'answered', outcome: sampleOutcome(), text: 'Yes.' }
    ),
  })
  return { prewarm, asked, stored }
}

test('the answer of one call is stored for every wording', async () => {
  const { asked, prewarm, stored } = setUp()
  assert.deepEqual(await prewarm(QUESTION, CAP, new AbortController().signal), { kind: 'made' })
  assert.deepEqual([asked, stored], [[QUESTION.message], [QUESTION.message, ...QUESTION.wordings]])
})

test('an answer that is in the cache costs no call, and wordings that it lacks are added', async () => {
  const { asked, prewarm, stored } = setUp({ lookup: { kind: 'fresh', key: 'k', answer: ANSWER } })
  assert.deepEqual(await prewarm(QUESTION, CAP, new AbortController().signal), { kind: 'fresh' })
  assert.deepEqual([asked, stored], [[], QUESTION.wordings])
})

test('a question whose wordings a shutdown broke off is not done, so that the next node completes it', async () => {
  const draining = new AbortController()
  const onUnderstood = (message: string) => void (message === QUESTION.wordings[1] && draining.abort())
  const { prewarm, stored } = setUp({ onUnderstood })
  assert.deepEqual(await prewarm(QUESTION, CAP, draining.signal), { kind: 'failed' })
  assert.deepEqual(stored, [QUESTION.message, QUESTION.wordings[0]])
})

test('once retrieval is missing no further wording is tried, and the answer stays', async () => {
  const { prewarm, stored } = setUp({ missingFor: QUESTION.wordings[0] })
  assert.deepEqual(await prewarm(QUESTION, CAP, new AbortController().signal), { kind: 'made' })
  assert.deepEqual(stored, [QUESTION.message])
})
