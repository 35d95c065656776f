// Several devices on two nodes write to one conversation at the same time, while calls fail, lose their replies and meet each other, and a
// guest signs in: the turn is appended by the same stage as in production, which reads the version again after a conflict.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { systemRandom } from '#adapters/system/random.ts'
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import type { DynamoCall, DynamoFault } from '#fixtures/stores/dynamo-faults.ts'
import { settleParts, testPorts } from '#fixtures/stores/ports.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleSession } from '#fixtures/turns/samples.ts'
import { sampleAdmitted, sampleDelivered } from '#fixtures/turns/turns.ts'
import type { Session, SessionStore, StoredTurn } from '#ports/session-store/port.ts'
import { createAppendTurn } from '#turn/settlement/append-turn.ts'
import { dynamoSessionStore } from './session-store.ts'
import { sessionsTable } from './table.ts'

const RUNS = 4
const TRIES_MAX = 60
const DEVICES = 3
const TURNS_EACH = 4
const READS = 8
const USER = 'user:one'
const open = cleanDynamo([sessionsTable])

const fault = fc.constantFrom<DynamoFault | undefined>(
  undefined,
  undefined,
  undefined,
  'lose-reply',
  'fail',
  'throttle',
)

test('of devices that write at the same time every turn is appended once, and no reader sees another order', async (context) => {
  const ports = settleParts(await testPorts())
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { maxLength: 40 }), async (spoiled) => {
      const { another, dynamo, faults } = await open(context)
      const options = { clock: manualClock(), random: systemRandom(), keepMs: 3_600_000 }
      const nodes = [dynamo, another()].map((client) => dynamoSessionStore({ ...options, dynamo: client }))
      const nodeOf = (index: number): SessionStore => nodes[index % nodes.length] ?? assert.fail()
      await nodeOf(1).create(sampleSession())
      const queue = [...spoiled]
      faults.spoil(({ operation }: DynamoCall) => (operation === 'TransactWriteItems' ? queue.shift() : undefined))

      const versions = new Map<string, number>()
      const write = async (device: number) => {
        for (let number = 0; number < TURNS_EACH; number += 1) {
          const turnId = `turn_${device}_${number}`
          // A device moves between the nodes, and asks from what it last saw there.
          await untilAnswered(async (tries) => {
            const sessions = nodeOf(device + number + tries)
            const sessionVersion = (await sessions.find('sess_1'))?.version ?? assert.fail('it is missing')
            const { start } = sampleAdmitted({ turnId, sessionVersion })
            const delivered = sampleDelivered({ start })
            const { version } = await createAppendTurn({ ...ports, sessions })(delivered, false)
            versions.set(turnId, version)
          })
        }
      }
      const seen: (readonly StoredTurn[])[] = []
      const owners: (string | undefined)[] = []
      const read = async () => {
        for (let reads = 0; reads < READS; reads += 1) {
          const [turns, found] = await untilAnswered((tries) => readOn(nodeOf(reads + tries)))
          seen.push(turns)
          owners.push(found?.principalId)
        }
      }
      const adopt = () => untilAnswered((tries) => nodeOf(tries).adopt('guest_1', USER))
      await Promise.all([...Array.from({ length: DEVICES }, (_, device) => write(device)), read(), adopt()])

      const turns = await nodeOf(0).recentTurns('sess_1', 100)
      const ids = turns.map(({ turnId }) => turnId)
      assert.equal(new Set(ids).size, ids.length, 'no turn twice')
      assert.deepEqual(ids.toSorted(), [...versions.keys()].toSorted())
      for (const [index, id] of ids.entries()) assert.equal(versions.get(id), index + 1)
      for (const earlier of seen) assert.deepEqual(earlier, turns.slice(0, earlier.length))
      // First the guest's, then the user's for ever.
      assert.ok(owners.every((owner, index) => owner === USER || (owner === 'guest_1' && owners[index - 1] !== USER)))
      for (const node of nodes) {
        assert.deepEqual(await node.recentTurns('sess_1', 100), turns)
        assert.deepEqual(await node.listOf('guest_1', 10), [])
        assert.deepEqual(
          (await node.listOf(USER, 10)).map(({ id, version }) => [id, version]),
          [['sess_1', ids.length]],
        )
      }
    }),
    { numRuns: RUNS },
  )
})

async function readOn(node: SessionStore): Promise<readonly [readonly StoredTurn[], Session | undefined]> {
  return [await node.recentTurns('sess_1', 100), await node.find('sess_1')]
}

async function untilAnswered<Answer>(ask: (tries: number) => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const answer = await orUnavailable(() => ask(tries))
    if (!(answer instanceof StoreUnavailable)) return answer
  }
  return assert.fail('no answer')
}
