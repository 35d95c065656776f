// The registry of a cluster's nodes in Redis: one hash, a field for each node with the times at which it joined and last announced
// itself. Every announcement removes fields whose lease has lapsed, and the hash expires when no node announces itself any more.
import { NODE_LEASE_MS, NODES_MAX } from '#ports/node-registry/port.ts'
import type { NodeFacts, NodeRegistry } from '#ports/node-registry/port.ts'
import { boundedNode, inOrder, readNode } from '#ports/node-registry/stored-node.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'

const KEY = 'ma:{nodes}'

/**
 * ARGV from 2: the node, its description, the lease, the most nodes. Replies four values for each node: its id, when it joined,
 * the milliseconds since its announcement, its description.
 */
const ANNOUNCE = script(
  'node-announce',
  `local lease, nodesMax = tonumber(ARGV[4]), tonumber(ARGV[5])
local all, nodes, joined, count, last = redis.call('HGETALL', KEYS[1]), {}, nil, 0, 0
local function add(id, since, ago, node)
  for _, value in ipairs({ id, string.format('%.0f', since), string.format('%.0f', ago), node }) do nodes[#nodes + 1] = value end
end
for i = 1, #all, 2 do
  local since, at, node = string.match(all[i + 1], '^(%d+) (%d+) (.*)$')
  if not at or now - tonumber(at) >= lease then redis.call('HDEL', KEYS[1], all[i])
  else
    count, last = count + 1, math.max(last, tonumber(since))
    if all[i] == ARGV[2] then joined = tonumber(since)
    else add(all[i], tonumber(since), now - tonumber(at), node) end
  end
end
if joined or count < nodesMax then
  -- Later than every other, also in the same millisecond and after a step of the clock: a node that leads is never overtaken.
  joined = joined or math.max(now, last + 1)
  redis.call('HSET', KEYS[1], ARGV[2], string.format('%.0f %.0f ', joined, now) .. ARGV[3])
  redis.call('PEXPIRE', KEYS[1], lease)
  add(ARGV[2], joined, 0, ARGV[3])
end
return nodes`,
)

export interface RedisNodeRegistryOptions {
  readonly redis: Redis
  readonly self: NodeFacts
}

export function redisNodeRegistry({ redis, self }: RedisNodeRegistryOptions): NodeRegistry {
  return {
    self,
    async announce(state) {
      const node = JSON.stringify(boundedNode(self, state))
      const reply = (await redis.run(ANNOUNCE, [KEY], [self.id, node, NODE_LEASE_MS, NODES_MAX])) as readonly string[]
      const nodes = Array.from({ length: reply.length / 4 }, (_, index) => {
        const [id = '', joinedAt, announcedMsAgo, text = ''] = reply.slice(4 * index)
        return readNode(text, { id, joinedAt: Number(joinedAt), announcedMsAgo: Number(announcedMsAgo) })
      })
      return inOrder(nodes)
    },
    async leave() {
      await redis.command(KEY, 'HDEL', KEY, self.id)
    },
  }
}
