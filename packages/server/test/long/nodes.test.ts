// Two server processes over a real Redis, of which the leader is stopped (SIGSTOP) for longer than its lease: the other leads, and
// the one that continues does not lead any more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NodesView } from '@mangaassist/protocol/admin'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { startServer, temporaryFolder } from '../e2e/server-process.ts'

const TOKEN = 'maa_fleet'

async function nodesAt(address: string): Promise<NodesView['nodes']> {
  const response = await fetch(`${address}/api/admin/nodes`, { headers: { authorization: `Bearer ${TOKEN}` } })
  return ((await response.json()) as { data: NodesView }).data.nodes
}

test('a leader that is paused for longer than its lease is followed, and is the last when it continues', async () => {
  await using opened = new AsyncDisposableStack()
  const redis = opened.use(await startRedis())
  const start = async () => {
    const folder = opened.use(await temporaryFolder())
    const env = {
      MANGA_STATE__REDIS: redis.url,
      MANGA_STATE__CALLMS: '5000',
      MANGA_AUTH__ADMINS: JSON.stringify([{ name: 'aki', hash: secretHash(TOKEN) }]),
    }
    return opened.use(await startServer({ dataDir: folder.path, env }))
  }
  const [first, second] = [await start(), await start()]
  await waitUntil('both are registered', async () => (await nodesAt(first.address)).length === 2)
  const [tokyo, osaka] = await nodesAt(first.address)
  assert.deepEqual([tokyo?.self, tokyo?.leader, osaka?.leader], [true, true, false])
  first.child.kill('SIGSTOP')
  await waitUntil('the other leads', async () => (await nodesAt(second.address))[0]?.self === true)
  first.child.kill('SIGCONT')
  await waitUntil('it is back', async () => (await nodesAt(second.address)).length === 2)
  const nodes = await nodesAt(first.address)
  assert.deepEqual(
    nodes.map(({ id, leader, self }) => [id, leader, self]),
    [
      [osaka?.id, true, false],
      [tokyo?.id, false, true],
    ],
  )
})
