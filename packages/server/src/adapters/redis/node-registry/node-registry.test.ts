// Runs the contract of the node registry on a real Redis; also its expiry, and nodes of other versions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { nodeRegistryContract } from '#ports/node-registry/contract.ts'
import type { NodeFacts } from '#ports/node-registry/port.ts'
import { redisNodeRegistry } from './node-registry.ts'

const open = cleanRedis()
const IDLE = { turns: 0, connections: 0, isDraining: false, edition: null }

nodeRegistryContract('redis node registry', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  return { clock, node: (self: NodeFacts) => redisNodeRegistry({ redis, self }) }
})

test('every key expires, and nodes of other versions, or with an unreadable field, are counted', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const registry = redisNodeRegistry({ redis, self: { id: 'one', host: 'a', version: '1.0.0', startedAt: 1 } })
  await registry.announce(IDLE)
  const now = String(clock.now())
  const other = JSON.stringify({ version: '2.0.0', turns: 7, region: 'ap-northeast-1' })
  await redis.command('ma:{nodes}', 'HSET', 'ma:{nodes}', 'two', `${now} ${now} ${other}`, 'three', `${now} ${now} ?`)
  await redis.command('ma:{nodes}', 'HSET', 'ma:{nodes}', 'none', 'what')
  const seen = await registry.announce(IDLE)
  assert.deepEqual(
    seen.map(({ id, version, turns }) => [id, version, turns]),
    [
      ['one', '1.0.0', 0],
      ['three', '', 0],
      ['two', '2.0.0', 7],
    ],
  )
  const keys = (await redis.command(undefined, 'KEYS', '*')) as readonly string[]
  assert.deepEqual(keys, ['ma:{nodes}'])
  assert.ok(Number(await redis.command('ma:{nodes}', 'PTTL', 'ma:{nodes}')) > 0)
})
