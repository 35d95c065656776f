// Writes what invocation yields to the log.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { toCard } from '@mangaassist/bookseller/catalogue/catalogue'
import { introducing, suggesting } from '@mangaassist/bookseller/fixtures/dialogue'
import { NOTHING } from '#domain/budget/quota.ts'
import { quotaView } from '#domain/budget/quota-view.ts'
import { policyOf } from '#domain/turn/turn-policy.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import type { LogRecord } from '#ports/turn-log/port.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { fails, hangs, recordsOf, testPorts, textIn, withVerbs } from '#fixtures/stores/ports.ts'
import { sampleAttempt, sampleAttemptStart, sampleMeta, sampleShelves, sampleStart } from '#fixtures/turns/samples.ts'
import { NOON } from '#fixtures/time/manual-clock.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { sampleAdmitted, sampleQuota, sampleRouted } from '#fixtures/turns/turns.ts'
import type { Invocation, InvocationEnd, InvocationPart, Routed } from '../turn.ts'
import { createCheckAnswer } from '../answers/check-answer.ts'
import { createStreams } from '../ownership/stream.ts'
import { createDeliver } from './deliver.ts'

const SOURCE: InvocationPart = { type: 'source', tier: 'primary', model: 'model-1', degraded: false, confidence: 1 }
const MESSAGE: InvocationPart = {
  type: 'source',
  tier: 'message',
  model: 'message',
  degraded: true,
  confidence: 0.1,
  reason: 'timeout',
}
const SOURCE_OF = { tier: 'primary', model: 'model-1', finishReason: 'stop' } as const
const END: InvocationEnd = { finishReason: 'stop', attempts: [] }
const text = (said: string): InvocationPart => ({ type: 'text-delta', text: said })
const recommending: Partial<Routed> = {
  grounding: suggesting(),
  productIds: ['kimetsu-no-yaiba', 'one-piece'],
}

/** An invocation that yields these parts and then ends. */
const draft =
  (parts: readonly InvocationPart[], end: InvocationEnd = END): Invocation =>
  async (emit) => {
    for (const part of parts) {
      emit(part)
      await Promise.resolve()
    }
    return end
  }

async function deliverAll(parts: readonly InvocationPart[], over: Partial<Routed> = {}, end: InvocationEnd = END) {
  const ports = await testPorts()
  const routed = sampleRouted(over)
  await ports.turnLog.open(routed.start, 10_000)
  const deliver = createDeliver({ ...ports, config: testConfig, check: createCheckAnswer(ports) })
  const delivered = await deliver(
    routed,
    draft(parts, end),
    turn(() => assert.fail('nothing was lost')),
  )
  return { ports, delivered, records: await recordsOf(ports.turnLog) }
}
/** The stream and the signal of a new turn; `onAbort` is called when the turn is aborted. */
function turn(onAbort: (reason: unknown) => unknown) {
  const own = new AbortController()
  own.signal.addEventListener('abort', () => void onAbort(own.signal.reason))
  return { stream: createStreams(memoryTelemetry()).begin(false), own }
}

const metaIn = (records: readonly LogRecord[]) => records.find((record) => record.kind === 'meta')?.meta

test('the log has the meta, then the text, then the outcome', async () => {
  const { delivered, records } = await deliverAll([SOURCE, text('はい、'), text('あります。')])
  assert.deepEqual([records.at(0)?.kind, records.at(1)?.kind, records.at(-1)?.kind], ['start', 'meta', 'text-end'])
  assert.equal(textIn(records), 'はい、あります。')
  assert.equal(delivered.text, 'はい、あります。')
  const { length, finishReason, tier, model } = delivered.outcome
  assert.deepEqual(
    { length, finishReason, tier, model },
    { length: 8, finishReason: 'stop', tier: 'primary', model: 'model-1' },
  )
})

test('a hedged call that ends is in the log, and the stream continues', async () => {
  const record = sampleAttempt({ outcome: 'cancelled' })
  const seen: string[] = []
  const ports = await testPorts()
  const routed = sampleRouted()
  await ports.turnLog.open(routed.start, 10_000)
  const own = turn(() => assert.fail('nothing was lost'))
  const stream = { ...own.stream, apply: (event: { type: string }) => void seen.push(event.type) }
  const parts: InvocationPart[] = [SOURCE, text('a'), { type: 'attempt-end', record, isBeside: true }, text('b')]
  await createDeliver({ ...ports, config: testConfig, check: createCheckAnswer(ports) })(routed, draft(parts), {
    ...own,
    stream,
  })
  assert.deepEqual(seen, ['word', 'word', 'text-end'])
  assert.ok((await recordsOf(ports.turnLog)).some(({ kind }) => kind === 'attempt-end'))
})

test('an answer about products shows their cards, and the outcome has their ids', async () => {
  const { delivered, records } = await deliverAll([SOURCE, text('『鬼滅の刃』か One Piece を。')], recommending)
  assert.deepEqual(
    metaIn(records)?.products.map(({ id }) => id),
    ['kimetsu-no-yaiba', 'one-piece'],
  )
  assert.equal(metaIn(records)?.products[0]?.author, '吾峠呼世晴')
  assert.deepEqual(delivered.outcome.productIds, ['kimetsu-no-yaiba', 'one-piece'])
})

test('a product that the answer did not name has no card in the end, and is not in the outcome', async () => {
  const { delivered, records } = await deliverAll([SOURCE, text('ＯＮＥ　ＰＩＥＣＥをどうぞ。')], recommending)
  const metas = records.flatMap((record) => (record.kind === 'meta' ? [record.meta.products.map(({ id }) => id)] : []))
  assert.deepEqual(metas, [['kimetsu-no-yaiba', 'one-piece'], ['one-piece']])
  assert.deepEqual(delivered.outcome.productIds, ['one-piece'])
})

test('a card has a reason, except where the shopper named the series', async () => {
  const whyOf = async (grounding: Routed['grounding']) => {
    const { records } = await deliverAll([SOURCE, text('鬼滅の刃')], { ...recommending, grounding })
    return metaIn(records)?.products[0]?.why
  }
  assert.equal(await whyOf(suggesting()), 'ダークなアクション')
  assert.equal(await whyOf(introducing()), undefined)
})

test('an apology has no cards, and links to a person', async () => {
  const { records, delivered } = await deliverAll([MESSAGE, text('申し訳')], recommending)
  assert.deepEqual(metaIn(records)?.products, [])
  assert.equal(metaIn(records)?.contact, testConfig.store.contact.ja)
  assert.equal(delivered.outcome.contact, testConfig.store.contact.ja)
  assert.deepEqual([metaIn(records)?.degraded, metaIn(records)?.reason], [true, 'timeout'])
  assert.deepEqual(delivered.outcome.productIds, [])
})

test('a prompt with less history or retrieval makes a model’s answer degraded, with the reason', async () => {
  const metaOf = async (source: InvocationPart) =>
    (await deliverAll([source, text('a')], { cutShort: ['history', 'retrieval'] })).records.flatMap((record) =>
      record.kind === 'meta' ? [record.meta] : [],
    )[0]
  const ofModel = await metaOf(SOURCE)
  assert.deepEqual([ofModel?.degraded, ofModel?.reason], [true, 'less-history less-retrieval'])
  const embedded = await metaOf({ ...SOURCE, tier: 'embedded' })
  assert.deepEqual([embedded?.degraded, embedded?.reason], [false, undefined])
})

test('missing grounding makes the answer degraded, with the reason', async () => {
  const { records } = await deliverAll([SOURCE, text('a')], { missing: ['history', 'retrieval'] })
  assert.deepEqual([metaIn(records)?.degraded, metaIn(records)?.reason], [true, 'no-history no-retrieval'])
})

test('a low budget causes a warning in the shopper’s language', async () => {
  const quota = sampleQuota({ used: { ...NOTHING, outputTokens: 41_000 } })
  const { records } = await deliverAll([SOURCE, text('a')], { quota })
  assert.match(metaIn(records)?.warning ?? '', /残り約18％/)
  assert.equal(metaIn((await deliverAll([SOURCE, text('a')])).records)?.warning, undefined)
})

test('a turn stopped before any text ends without text and without a meta', async () => {
  const { records, delivered } = await deliverAll([], {}, { finishReason: 'stopped', attempts: [] })
  assert.deepEqual(
    records.map(({ kind }) => kind),
    ['start', 'text-end'],
  )
  const { finishReason, tier, length, firstWordAt } = delivered.outcome
  assert.deepEqual(
    { finishReason, tier, length, firstWordAt },
    { finishReason: 'stopped', tier: 'message', length: 0, firstWordAt: null },
  )
})

test('a drained turn keeps its text, and is not ended', async () => {
  const ports = await testPorts()
  await ports.turnLog.open(sampleRouted().start, 10_000)
  const handedOver = turn(() => {})
  const delivering = createDeliver({ ...ports, config: testConfig, check: createCheckAnswer(ports) })(
    sampleRouted(),
    async (emit) => {
      for (const part of [SOURCE, text('a'), text('b')]) emit(part)
      handedOver.own.abort(new TurnAbort('handed-over'))
      return { finishReason: 'interrupted', attempts: [] }
    },
    handedOver,
  )
  await assert.rejects(delivering, TurnAbort)
  const records = await recordsOf(ports.turnLog)
  assert.deepEqual([textIn(records), records.at(-1)?.kind], ['ab', 'text'])
})

test('a lost lease aborts the model and is thrown after the last write', async () => {
  const ports = await testPorts()
  const controller = new AbortController()
  const deliver = createDeliver({ ...ports, config: testConfig, check: createCheckAnswer(ports) })
  // No log was opened at this epoch: this node does not own it.
  const delivering = deliver(
    sampleRouted(),
    draft([SOURCE, text('a')]),
    turn((reason) => controller.abort(reason)),
  )
  await assert.rejects(delivering, TurnAbort)
  assert.ok(controller.signal.reason instanceof TurnAbort)
})

test('a log that is down aborts the model with its own error', async () => {
  const ports = await testPorts()
  const reasons: unknown[] = []
  const deliver = createDeliver({
    ...ports,
    turnLog: withVerbs(ports.turnLog, { append: fails }),
    config: testConfig,
    check: createCheckAnswer(ports),
  })
  await assert.rejects(
    deliver(
      sampleRouted(),
      draft([SOURCE]),
      turn((reason) => reasons.push(reason)),
    ),
    /the store is down/,
  )
  assert.match(String(reasons), /the store is down/)
})

test('a queue position and a cached answer are marked as such', async () => {
  const place = { position: 2, etaMs: 500 }
  const cached: InvocationPart = { ...SOURCE, tier: 'cached', cached: true }
  const { records } = await deliverAll([{ type: 'queued', place }, cached, text('はい')])
  assert.deepEqual(records.find(({ kind }) => kind === 'queued')?.kind, 'queued')
  const meta = records.find((record) => record.kind === 'meta')?.meta
  assert.deepEqual([meta?.tier, meta?.cached], ['cached', true])
})

test('a new owner’s meta keeps the source of the lost owner’s text', async () => {
  const before = { tier: 'cached', model: 'model-1', degraded: true, confidence: 0.5, cached: true } as const
  const meta = { ...before, reason: 'timeout no-history', products: sampleShelves().map((each) => toCard(each, 'ja')) }
  const begun = { text: '鬼滅の刃です。', attempts: [], meta: { ...meta, quota: quotaView(sampleQuota()) } }
  const { records } = await deliverAll([], { ...recommending, begun, missing: ['history'] })
  const last = records.findLast((record) => record.kind === 'meta')?.meta
  assert.deepEqual([last?.reason, last?.cached, last?.products.length], ['timeout no-history', true, 1])
})

test('the last meta has the sources of the answer and what it offers, and so has the outcome', async () => {
  const said = [SOURCE, text('『鬼滅の刃』をどうぞ。')]
  const { delivered, records } = await deliverAll(said, recommending)
  const metas = records.flatMap((record) => (record.kind === 'meta' ? [record.meta] : []))
  const sources = [{ kind: 'product', id: 'kimetsu-no-yaiba', at: isoTime(NOON) }]
  assert.deepEqual([metas[0]?.sources, metas[0]?.suggestions], [undefined, undefined])
  assert.deepEqual(metas.at(-1)?.sources, sources)
  assert.ok((metas.at(-1)?.suggestions?.length ?? 0) > 0)
  assert.deepEqual([delivered.outcome.sources, delivered.outcome.suggestions], [sources, metas.at(-1)?.suggestions])
})

test('a cached answer shows its own sources, and an answer without any has no second meta', async () => {
  const sources = [{ kind: 'faq', id: 'returns', at: '2026-11-01T00:00:00.000Z' }] as const
  const cached: InvocationPart = { ...SOURCE, tier: 'cached', cached: true, shownWith: { sources } }
  const { delivered } = await deliverAll([cached, text('鬼滅の刃')], recommending)
  assert.deepEqual(delivered.outcome.sources, sources)
  const { delivered: plain, records } = await deliverAll([MESSAGE, text('申し訳ございません。')])
  assert.equal('sources' in plain.outcome, false)
  assert.equal(records.filter(({ kind }) => kind === 'meta').length, 1)
})

test('the outcome has the language of the answer, which the conversation decides', async () => {
  const { delivered } = await deliverAll([SOURCE, text('a')], { start: sampleStart({ language: 'en' }) })
  assert.equal(delivered.outcome.language, 'en')
})

const WRONG = '『鬼滅の刃』は1巻600円です。'
const NOTE = '\n\n※訂正：『鬼滅の刃』は、正しくは1巻484円（全巻で11,132円）、当店の取り扱いは23巻です。'

test('a claim that the store contradicts is corrected by a note at the end, which is a part of the answer', async () => {
  const telemetry = memoryTelemetry()
  const scope = telemetry.scope({ door: 'ws', name: 'chat' }).becomeTurn('turn_1')
  const { delivered, records } = await deliverAll([SOURCE, text(WRONG)], { ...recommending, scope })
  assert.equal(delivered.text, WRONG + NOTE)
  assert.equal(textIn(records), WRONG + NOTE)
  const { length, mismatches, sha256 } = delivered.outcome
  assert.equal(length, (WRONG + NOTE).length)
  assert.equal(
    sha256,
    createHash('sha256')
      .update(WRONG + NOTE)
      .digest('hex'),
  )
  assert.deepEqual(mismatches, [{ kind: 'price', productId: 'kimetsu-no-yaiba' }])
  assert.deepEqual(
    telemetry.counted.filter(({ name }) => name === 'answer_mismatches_total').map(({ fields }) => fields),
    [{ kind: 'price' }],
  )
  const logged = telemetry.logged.find(({ event }) => event === 'answer.mismatch')
  const fields = { modelId: 'model-1', kinds: 'price', productIds: 'kimetsu-no-yaiba' }
  assert.deepEqual({ ...logged?.fields, turnId: undefined }, { turnId: undefined, ...fields })
})

test('the note and the end of the text are written in one step, so that no other owner finds one without the other', async () => {
  const ports = await testPorts()
  const routed = sampleRouted(recommending)
  await ports.turnLog.open(routed.start, 10_000)
  const steps: (readonly string[])[] = []
  const turnLog = withVerbs(ports.turnLog, {
    append(turnId, epoch, entries) {
      steps.push(entries.map((entry) => (entry.kind === 'text' ? entry.text : entry.kind)))
      return ports.turnLog.append(turnId, epoch, entries)
    },
  })
  const deliver = createDeliver({ ...ports, turnLog, config: testConfig, check: createCheckAnswer(ports) })
  await deliver(
    routed,
    draft([SOURCE, text(WRONG)]),
    turn(() => assert.fail('nothing was lost')),
  )
  assert.deepEqual(
    steps.filter((step) => step.includes(NOTE) || step.includes('text-end')),
    [[NOTE, 'meta', 'text-end']],
  )
})

test('after a takeover the whole answer is checked, and corrected once', async () => {
  const { quota, ...meta } = sampleMeta({ tier: 'primary', model: 'model-1' })
  assert.ok(quota)
  const begun = { text: '『鬼滅の刃』は1巻600円', attempts: [], meta: { ...meta, quota: quotaView(sampleQuota()) } }
  const { delivered } = await deliverAll([SOURCE, text('です。')], { ...recommending, begun })
  assert.equal(delivered.text, WRONG + NOTE)
})

test('answers of the built-in responder, cached answers and prompts of the caller’s own are not checked', async () => {
  for (const tier of ['embedded', 'cached', 'faq', 'message'] as const) {
    const { delivered } = await deliverAll([{ ...SOURCE, tier }, text(WRONG)], recommending)
    assert.deepEqual([delivered.text, delivered.outcome.mismatches], [WRONG, undefined], tier)
  }
  const completion = { system: '', messages: [], models: ['model-1'] }
  const { start } = sampleAdmitted({ completion })
  const { delivered } = await deliverAll([SOURCE, text(WRONG)], { ...recommending, start, policy: policyOf(start) })
  assert.equal(delivered.text, WRONG)
})

test('nothing follows an answer that the shopper stopped, and a figure that broke off is no claim', async () => {
  const stopped = await deliverAll([SOURCE, text(WRONG)], recommending, { ...END, finishReason: 'stopped' })
  assert.equal(stopped.delivered.text, WRONG)
  assert.equal(stopped.delivered.outcome.mismatches?.length, 1)
  const cut = '『鬼滅の刃』は人気です。1巻48'
  const broken = await deliverAll([SOURCE, text(`${cut}円`)], recommending, { ...END, finishReason: 'interrupted' })
  assert.equal(broken.delivered.text, `${cut}円`)
})

test('a series besides the retrieved ones is checked when its title is quoted; without the catalogue nothing is concluded', async () => {
  const { delivered } = await deliverAll([SOURCE, text('『よつばと!』は全99巻です。')])
  assert.match(delivered.text, /正しくは当店の取り扱いは23巻です/u)
  const unknown = await deliverAll([SOURCE, text('『存在しない本』は1巻500円です。')])
  assert.deepEqual(unknown.delivered.outcome.mismatches, [{ kind: 'title' }])
  const ports = await testPorts()
  for (const edition of [fails, hangs]) {
    const check = createCheckAnswer({ ...ports, products: withVerbs(ports.products, { edition }) })
    const checking = check(sampleRouted(recommending), { ...SOURCE_OF, text: '『存在しない本』は1巻500円。' + WRONG })
    await ports.clock.advance(1000)
    assert.deepEqual((await checking).mismatches, [{ kind: 'price', productId: 'kimetsu-no-yaiba' }])
  }
})

test('the version of the prompt is in the meta of a model’s answer, and in no other', async () => {
  const promptVersion = 'bookseller-1.5f3a9c21'
  for (const tier of ['primary', 'economy', 'cached'] as const) {
    const { records } = await deliverAll([{ ...SOURCE, tier }, text('はい。')], { promptVersion })
    assert.deepEqual(metaIn(records)?.prompt, { version: promptVersion })
  }
  for (const tier of ['embedded', 'faq', 'message'] as const) {
    const { records } = await deliverAll([{ ...SOURCE, tier }, text('はい。')], { promptVersion })
    assert.equal(metaIn(records)?.prompt, undefined)
  }
  assert.equal(metaIn((await deliverAll([SOURCE, text('はい。')])).records)?.prompt, undefined)
})

test('the first record after routing has the route, for an owner who finds no outcome', async () => {
  const routing = { exposures: [{ experiment: 'prompt', arm: 'short' }], unit: 'guest_1' }
  const call: InvocationPart = { type: 'attempt-start', attempt: sampleAttemptStart() }
  for (const parts of [
    [call, SOURCE, call, text('はい。')],
    [SOURCE, text('はい。'), call],
  ]) {
    const [, first, ...others] = (await deliverAll(parts, { routing })).records
    assert.deepEqual(first !== undefined && 'route' in first && first.route, { routing })
    assert.ok(others.every((record) => !('route' in record)))
  }
})

test('the outcome has the route, the prompt and whether the answer was cached or below the first choice', async () => {
  const routing = { exposures: [{ experiment: 'prompt', arm: 'short' }], unit: 'guest_1' }
  const over = { routing, promptVersion: 'bookseller-1.5f3a9c21' }
  const of = async (source: InvocationPart, given: Partial<Routed> = over) => {
    const { outcome } = (await deliverAll([source, text('はい。')], given)).delivered
    return [outcome.routing, outcome.promptVersion, outcome.isCached, outcome.isDegraded]
  }
  assert.deepEqual(await of(SOURCE), [routing, over.promptVersion, false, false])
  const cached = { ...SOURCE, tier: 'cached', cached: true } as const
  assert.deepEqual(await of(cached), [{ ...routing, exposures: [] }, over.promptVersion, true, false])
  assert.deepEqual(await of(MESSAGE), [routing, undefined, false, true])
  assert.deepEqual(await of(SOURCE, {}), [undefined, undefined, false, false])
})
