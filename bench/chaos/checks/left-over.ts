// Nothing is left over: no call that runs at the models, no key of Redis that never expires except those that are documented so.
import { askRedis } from '../../cluster/redis.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { ClusterApi } from '../cluster-api.ts'
import { sleep } from '../reader.ts'

/** docs/stores.md: what operators set, the keys of the fleet. */
const PERMANENT = /\{(admin|fleet)\}/
const QUIET_MS_MAX = 120_000
const AGAIN_MS = 1000

const KEYS_WITHOUT_EXPIRY = `
local found, cursor = {}, '0'
repeat
  local page = redis.call('SCAN', cursor, 'COUNT', 1000)
  cursor = page[1]
  for _, key in ipairs(page[2]) do
    if redis.call('TTL', key) == -1 then found[#found + 1] = key end
  end
until cursor == '0'
return table.concat(found, '\\n')`

/** Waits until no call runs; the calls of turns without readers end within their deadlines. */
export async function checkRunning(api: ClusterApi): Promise<readonly string[]> {
  const giveUpAt = Date.now() + QUIET_MS_MAX
  for (;;) {
    const running = await api.running()
    if (running === 0) return []
    if (Date.now() > giveUpAt) return [`${running} calls are left running at the models`]
    await sleep(AGAIN_MS)
  }
}

/** Waits until the nodes have written what lost ones could not: conversations and ledger rows of ended turns. */
export async function checkUnwritten({ redis }: Cluster): Promise<readonly string[]> {
  const giveUpAt = Date.now() + QUIET_MS_MAX
  for (;;) {
    const left = await askRedis(redis.port, "return tostring(redis.call('ZCARD', 'ma:{unwritten}'))")
    if (left === '0') return []
    if (Date.now() > giveUpAt) return [`${left} ended turns are not written to their conversation or the ledger`]
    await sleep(AGAIN_MS)
  }
}

export async function checkKeys({ redis }: Cluster): Promise<readonly string[]> {
  const keys = (await askRedis(redis.port, KEYS_WITHOUT_EXPIRY)).split('\n').filter((key) => key !== '')
  return keys.filter((key) => !PERMANENT.test(key)).map((key) => `the key ${key} never expires`)
}
