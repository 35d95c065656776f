// The contract of the answer cache. `make` returns an empty one with these limits and a clock of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { NOTHING_MEANT } from '@mangaassist/bookseller/grounding'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import { sampleCachedAnswer } from '#fixtures/turns/answers.ts'
import type { AnswerCache, AnswerCacheLimits } from './port.ts'

const ROOMY: AnswerCacheLimits = { keepMs: 10_000, countMax: 1000, answerBytesMax: 10_000 }

export function answerCacheContract(
  name: string,
  make: (context: TestContext, clock: ManualClock, limits: AnswerCacheLimits) => Promise<AnswerCache>,
): void {
  const opened = async (context: TestContext, limits: Partial<AnswerCacheLimits> = {}) => {
    const clock = manualClock()
    return { clock, cache: await make(context, clock, { ...ROOMY, ...limits }) }
  }

  test(`${name}: an answer is found unchanged, under its key only`, async (context) => {
    const { cache } = await opened(context)
    const answer = sampleCachedAnswer({
      text: '「鬼滅の刃」は全23巻です。\n🗡️',
      productIds: ['a', 'b'],
      suggestions: [{ label: '全巻', message: '全巻でいくら？' }],
      sources: [{ kind: 'faq', id: 'returns', at: '2026-11-04T03:00:00.000Z' }],
    })
    await cache.keep('one', answer)
    assert.deepEqual(await cache.find('one'), answer)
    assert.equal(await cache.find('two'), undefined)
  })

  test(`${name}: an answer expires exactly its lifetime after it was made`, async (context) => {
    const { cache, clock } = await opened(context)
    await cache.keep('one', sampleCachedAnswer({ madeAt: clock.now() - 1000 }))
    await clock.advance(8999)
    assert.notEqual(await cache.find('one'), undefined)
    await clock.advance(1)
    assert.equal(await cache.find('one'), undefined)
  })

  test(`${name}: a newer answer replaces an older one, never the reverse`, async (context) => {
    const { cache, clock } = await opened(context)
    const older = sampleCachedAnswer({ text: 'older', madeAt: clock.now() })
    const newer = sampleCachedAnswer({ text: 'newer', madeAt: clock.now() + 1 })
    await cache.keep('one', older)
    await cache.keep('one', newer)
    await cache.keep('one', older)
    assert.deepEqual(await cache.find('one'), newer)
  })

  test(`${name}: the number of answers never exceeds the limit, and the last stored one stays`, async (context) => {
    const { cache, clock } = await opened(context, { countMax: 32 })
    for (let number = 0; number < 200; number += 1)
      await cache.keep(`key ${number}`, sampleCachedAnswer({ madeAt: clock.now() + number }))
    const found = await Promise.all(Array.from({ length: 200 }, (_, number) => cache.find(`key ${number}`)))
    const there = found.flatMap((answer, number) => (answer === undefined ? [] : [number]))
    assert.ok(there.length <= 32 && there.length > 0, `${there.length} were there`)
    assert.equal(there.at(-1), 199)
  })

  test(`${name}: an answer that is too large is not stored`, async (context) => {
    const { cache } = await opened(context, { answerBytesMax: 1000 })
    await cache.keep('one', sampleCachedAnswer({ text: 'あ'.repeat(400) }))
    assert.equal(await cache.find('one'), undefined)
  })

  test(`${name}: one of several callers may refresh an answer, until its lease ends`, async (context) => {
    const { cache, clock } = await opened(context)
    const claims = await Promise.all(Array.from({ length: 5 }, () => cache.claim('one', 500)))
    assert.equal(claims.filter(Boolean).length, 1)
    assert.equal(await cache.claim('two', 500), true)
    await clock.advance(499)
    assert.equal(await cache.claim('one', 500), false)
    await clock.advance(1)
    assert.equal(await cache.claim('one', 500), true)
  })

  test(`${name}: the answers made for one principal are removed, and no others`, async (context) => {
    const { cache } = await opened(context)
    for (let number = 0; number < 30; number += 1)
      await cache.keep(`key ${number}`, sampleCachedAnswer({ madeFor: number % 3 === 0 ? 'guest_1' : 'guest_2' }))
    await cache.keep('nobody', sampleCachedAnswer())
    assert.equal(await cache.forgetOf('guest_1'), 10)
    assert.equal(await cache.forgetOf('guest_1'), 0)
    assert.equal(await cache.find('key 3'), undefined)
    assert.notEqual(await cache.find('key 4'), undefined)
    assert.notEqual(await cache.find('nobody'), undefined)
  })

  test(`${name}: a copy with its sources is found unchanged, and is removed without being counted`, async (context) => {
    const { cache } = await opened(context)
    const madeFrom = { key: 'one', meant: NOTHING_MEANT, products: ['a'], liked: [], faq: [] }
    await cache.keep('one', sampleCachedAnswer({ madeFor: 'guest_1' }))
    const copy = sampleCachedAnswer({ madeFor: 'guest_1', madeFrom })
    await cache.keep('words', copy)
    assert.deepEqual(await cache.find('words'), copy)
    assert.equal(await cache.forgetOf('guest_1'), 1)
    assert.equal(await cache.find('words'), undefined)
  })
}
