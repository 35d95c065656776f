// Tasks that the nodes share: a hash for each, with its owner, the end of the lease, and the progress. Time is that of the
// server. Repeating a call after a lost reply changes nothing.
import { TASK_KEEP_MS } from '#ports/tasks/port.ts'
import type { Tasks } from '#ports/tasks/port.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'

export interface RedisTasksOptions {
  readonly redis: Redis
}

/** KEYS: the task. ARGV from 2: owner, leaseMs. Replies 0, or 1 and the progress, if there is any. */
const TAKE = script(
  'task-take',
  `local row = redis.call('HMGET', KEYS[1], 'owner', 'until', 'progress')
if row[1] and row[1] ~= ARGV[2] and tonumber(row[2]) > now then return { 0 } end
redis.call('HSET', KEYS[1], 'owner', ARGV[2], 'until', now + tonumber(ARGV[3]))
redis.call('PEXPIRE', KEYS[1], ${TASK_KEEP_MS})
if row[3] then return { 1, row[3] } end
return { 1 }`,
)

/** KEYS: the task. ARGV from 2: owner, leaseMs, progress. */
const SAVE = script(
  'task-save',
  `local row = redis.call('HMGET', KEYS[1], 'owner', 'until', 'progress')
-- A repeated save that ended the lease has been executed already.
if row[1] == ARGV[2] and ARGV[3] == '0' and row[3] == ARGV[4] then return 1 end
if row[1] ~= ARGV[2] or tonumber(row[2]) <= now then return 0 end
redis.call('HSET', KEYS[1], 'until', now + tonumber(ARGV[3]), 'progress', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ${TASK_KEEP_MS})
return 1`,
)

export function redisTasks({ redis }: RedisTasksOptions): Tasks {
  return {
    async take(task, { owner, leaseMs }) {
      const [isOurs, progress] = (await redis.run(TAKE, [keyOf(task)], [owner, leaseMs])) as readonly [number, string?]
      return isOurs === 1 ? { progress } : undefined
    },
    async save(task, progress, { owner, leaseMs }) {
      return (await redis.run(SAVE, [keyOf(task)], [owner, leaseMs, progress])) === 1
    },
  }
}

function keyOf(task: string): string {
  return `ma:{task:${task}}`
}
