// The editions of a cluster's nodes in Redis: one hash, a field for each node with the time and the edition. Every announcement
// removes fields that are too old.
import { ANNOUNCED_MS } from '#ports/edition-board/port.ts'
import type { EditionBoard } from '#ports/edition-board/port.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'

const KEY = 'ma:{editions}'

const ANNOUNCE = script(
  'edition-announce',
  `local others = {}
redis.call('HSET', KEYS[1], ARGV[2], string.format('%.0f', now) .. ' ' .. ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local at, edition = string.match(all[i + 1], '^(%d+) (.*)$')
  if now - tonumber(at) > tonumber(ARGV[4]) then redis.call('HDEL', KEYS[1], all[i])
  elseif all[i] ~= ARGV[2] then others[#others + 1] = edition end
end
return others`,
)

export interface RedisEditionBoardOptions {
  readonly redis: Redis
  readonly nodeId: string
}

export function redisEditionBoard({ nodeId, redis }: RedisEditionBoardOptions): EditionBoard {
  return {
    async announce(edition) {
      const others = await redis.run(ANNOUNCE, [KEY], [nodeId, edition, ANNOUNCED_MS])
      return Array.isArray(others) ? others.map(String) : []
    },
  }
}
