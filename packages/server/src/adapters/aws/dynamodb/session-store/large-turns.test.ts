// Turns of any length: compressed, cut into parts, and read back as they were.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '#adapters/system/random.ts'
import { seededFloats } from '#lib/collections/seeded-floats.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import { itemsIn } from '#fixtures/stores/conversation-items.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { dynamoSessionStore } from './session-store.ts'
import { sessionsTable } from './table.ts'

const open = cleanDynamo([sessionsTable])
const ITEM_BYTES_MAX = 310 * 1024
const MEGABYTES_2 = 2 * 1024 * 1024
const SENTENCE = '鬼滅の刃は全23巻で、在庫がございます。次は「呪術廻戦」はいかがでしょうか。🙂\n'

/** Characters in no order, which hardly become smaller. */
function noise(characters: number): string {
  const float = seededFloats('kanji')
  const kanji = Array.from({ length: characters }, () => String.fromCodePoint(0x4e00 + Math.floor(float() * 20_000)))
  return kanji.join('')
}

const ANSWERS = {
  'of 2 MB in Japanese': SENTENCE.repeat(Math.ceil(MEGABYTES_2 / Buffer.byteLength(SENTENCE))),
  'of 2 MB that cannot be compressed': noise(MEGABYTES_2 / 3),
  'of 641 bytes': 'a'.repeat(641),
  'that is empty': '',
}

for (const [name, answer] of Object.entries(ANSWERS)) {
  test(`an answer ${name} is read back on another node, no item is too large, and a removal leaves no part`, async (context) => {
    const { another, dynamo } = await open(context)
    const clock = manualClock()
    const [one, two] = [dynamo, another()].map((client) =>
      dynamoSessionStore({ dynamo: client, clock, random: systemRandom(), keepMs: 60_000 }),
    )
    const turn = sampleStoredTurn({ answer })
    await one?.create(sampleSession())
    assert.deepEqual(await one?.append('sess_1', 0, turn), { kind: 'appended', version: 1 })
    assert.deepEqual(await one?.append('sess_1', 0, turn), { kind: 'appended', version: 1 })
    for (const node of [one, two]) assert.deepEqual(await node?.recentTurns('sess_1', 5), [turn])
    const items = await itemsIn(dynamo, 'conversation#sess_1')
    for (const { body } of items) assert.ok(((body as Uint8Array | undefined)?.length ?? 0) < ITEM_BYTES_MAX)
    await two?.remove('sess_1')
    assert.deepEqual(await itemsIn(dynamo, 'conversation#sess_1'), [])
  })
}

test('a long summary is compressed too', async (context) => {
  const { dynamo } = await open(context)
  const store = dynamoSessionStore({ dynamo, clock: manualClock(), random: systemRandom(), keepMs: 60_000 })
  await store.create(sampleSession())
  await store.append('sess_1', 0, sampleStoredTurn())
  const text = SENTENCE.repeat(200)
  assert.equal(await store.summarise('sess_1', 1, text), true)
  assert.equal((await store.find('sess_1'))?.summary?.text, text)
})
