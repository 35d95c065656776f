// Behaviour that a comparison with a real Redis cannot test: expiry by the world's clock, failing scripts, and the time
// of delivery of messages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { script } from '@mangaassist/server/adapters/redis/client/script'
import { manualClock } from '@mangaassist/server/fixtures/time/manual-clock'
import { MemoryRedis } from './memory-redis.ts'

const NOW = script('now', 'return now')
const SET_THEN = (rest: string) => script('set-then', `redis.call('SET', KEYS[1], 'done')\n${rest}`)

function opened() {
  const clock = manualClock()
  return { clock, redis: new MemoryRedis(clock) }
}

test('a key expires by the world’s clock, and a new write removes the expiry', async () => {
  const { clock, redis } = opened()
  redis.command(['SET', 'a', '1', 'PX', '1000'])
  redis.command(['HSET', 'h', 'field', '1'])
  redis.command(['PEXPIRE', 'h', '1000'])
  redis.command(['SET', 'b', '1', 'PX', '1000'])
  redis.command(['SET', 'b', '2'])
  await clock.advance(1000)
  assert.equal(redis.command(['EXISTS', 'a', 'b', 'h']), 3)
  await clock.advance(1)
  assert.equal(redis.command(['EXISTS', 'a', 'b', 'h']), 1)
  assert.equal(redis.command(['GET', 'b']), '2')
  assert.equal(redis.command(['HSET', 'h', 'other', '1']), 1)
})

test('a script reads the world’s clock to the millisecond', async () => {
  const { clock, redis } = opened()
  await clock.advance(1234)
  assert.equal(redis.run(NOW, [], []), clock.now())
})

test('a failing script reports the line, its writes remain, and the next script runs', () => {
  const { redis } = opened()
  const failing: readonly (readonly [string, RegExp])[] = [
    [`return redis.call('NOSUCH', KEYS[1])`, /set-then failed: ERR unknown command 'NOSUCH'/],
    [`return redis.call('HGET', KEYS[1], 'a')`, /set-then failed: WRONGTYPE/],
    [`return redis.call('GET', {})`, /arguments must be strings or integers/],
    ['return nil + 1', /set-then:\d+: attempt to perform arithmetic on a nil value/],
    [`error('no more')`, /set-then:\d+: no more/],
    ['made = 1', /Attempt to modify a readonly table: made/],
    ['return os.time()', /nonexistent global variable os/],
    ['return math.random()', /attempt to call field 'random'/],
    ['return { 1, named = 2 }', /not a plain list/],
    ['return (', /set-then failed: .*unexpected symbol/],
  ]
  for (const [rest, reason] of failing) {
    redis.command(['DEL', 'k'])
    assert.throws(() => redis.run(SET_THEN(rest), ['k'], []), reason)
    const isCompiled = rest !== 'return ('
    assert.equal(redis.command(['GET', 'k']), isCompiled ? 'done' : null)
  }
  assert.equal(redis.run(SET_THEN('return #KEYS'), ['k'], []), 1)
})

test('long texts and long lists pass, even when the memory of Lua has to grow', () => {
  const { redis } = opened()
  const text = '本を読む😀'.repeat(200_000)
  const ECHO = script('echo', `redis.call('RPUSH', KEYS[1], ARGV[2]) return redis.call('LRANGE', KEYS[1], 0, -1)`)
  for (let count = 1; count <= 5; count += 1) {
    assert.deepEqual(
      redis.run(ECHO, ['list'], [text]),
      Array.from({ length: count }, () => text),
    )
  }
  const COUNT = script('count', `local all = {} for i = 1, ARGV[2] do all[#all + 1] = i end return all`)
  assert.deepEqual(
    redis.run(COUNT, [], [5000]),
    Array.from({ length: 5000 }, (_, index) => index + 1),
  )
})

test('a message is delivered after the script that published it, and its subscriber may run a script', () => {
  const { redis } = opened()
  const PUBLISH = SET_THEN(`redis.call('SPUBLISH', 'news', '本') redis.call('SET', KEYS[1], 'ended') return 'answer'`)
  const received: unknown[] = []
  const subscriber = {
    receive: (message: string) => received.push([message, redis.command(['GET', 'k']), redis.run(NOW, [], [])]),
  }
  redis.subscribe('news', subscriber)
  redis.subscribe('other', subscriber)
  assert.equal(redis.run(PUBLISH, ['k'], []), 'answer')
  assert.deepEqual(received, [['本', 'ended', redis.run(NOW, [], [])]])
  redis.unsubscribe('news', subscriber)
  redis.run(PUBLISH, ['k'], [])
  assert.equal(received.length, 1)
})

test('lose() removes the selected keys and every subscription', () => {
  const { redis } = opened()
  const received: string[] = []
  redis.subscribe('news', { receive: (message) => received.push(message) })
  redis.command(['SET', 'stays', '1'])
  redis.command(['SET', 'goes', '1'])
  redis.lose((key) => key === 'goes')
  assert.equal(redis.command(['EXISTS', 'stays', 'goes']), 1)
  assert.equal(redis.command(['SPUBLISH', 'news', 'x']), 0)
  assert.deepEqual(received, [])
})

test('two stores share nothing', () => {
  const [{ redis: one }, { redis: two }] = [opened(), opened()]
  one.run(SET_THEN('return 1'), ['k'], [])
  assert.equal(two.command(['EXISTS', 'k']), 0)
})
