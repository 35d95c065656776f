// Cost of an admission compared with a bare PING: one script against one command, alternately over the same connection
// to a real Redis in one run, so that both have the same conditions. The result is the ratio.
import { memoryTelemetry } from '../packages/server/src/adapters/memory/telemetry.ts'
import { openRedis } from '../packages/server/src/adapters/redis/client/connection.ts'
import { redisBudgets } from '../packages/server/src/adapters/redis/budgets/budgets.ts'
import { systemRandom } from '../packages/server/src/adapters/system/random.ts'
import { systemClock } from '../packages/server/src/adapters/system/clock.ts'
import { dayOf } from '../packages/server/src/domain/budget/day.ts'
import type { AdmissionAsk } from '../packages/server/src/ports/budgets/port.ts'
import { startRedis } from '../packages/server/test/fixtures/stores/redis-server.ts'
import { sampleAsk, sampleLimits } from '../packages/server/test/fixtures/turns/samples.ts'

const CALLS = Number(process.env['CALLS'] ?? 20_000)
const SHOPPERS = Number(process.env['SHOPPERS'] ?? 1000)
/** Turns that each shopper already runs: their holds are summed. */
const RUNNING = Number(process.env['RUNNING'] ?? 2)
const WARM_UP = 2000
const CONCURRENT = [1, 32]

const limits = sampleLimits({
  day: { inputTokens: 1e9, outputTokens: 1e9, costMicroUsd: 1e12 },
  requestsPerMinute: 1_000_000,
  messagesPerDay: 1_000_000,
  userRate: { perSecond: 100_000, burst: 100_000 },
})

await using server = await startRedis()
const wait = { callMs: 5000, connectMs: 5000 }
await using redis = await openRedis({
  url: server.url,
  random: systemRandom(),
  clock: systemClock(),
  telemetry: memoryTelemetry(),
  ...wait,
})
const state = redisBudgets({ redis })

let asked = 0
function nextAsk(): AdmissionAsk {
  asked += 1
  const turnId = `turn_${asked}`
  const principalId = `user_${asked % SHOPPERS}`
  return sampleAsk({ turnId, principalId, limits, day: dayOf(Date.now(), 'Asia/Tokyo'), leaseMs: 600_000 })
}

async function timed(times: number[], work: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  await work()
  times.push(performance.now() - began)
}

/** Runs batches of `concurrent` calls of either kind, alternately; grants are settled outside the measurement. */
async function measure(calls: number, concurrent: number): Promise<Record<'ping' | 'admit', number[]>> {
  const times = { ping: [] as number[], admit: [] as number[] }
  const together = (work: () => Promise<void>) => Promise.all(Array.from({ length: concurrent }, work))
  for (let done = 0; done < calls; done += concurrent) {
    await together(() => timed(times.ping, () => redis.command(undefined, 'PING')))
    const asks = Array.from({ length: concurrent }, nextAsk)
    const answers = await Promise.all(
      asks.map(async (ask) => {
        let answer: Awaited<ReturnType<typeof state.admit>> | undefined
        await timed(times.admit, async () => (answer = await state.admit(ask)))
        return answer
      }),
    )
    await Promise.all(
      answers.map((answer) => {
        if (answer?.kind !== 'granted') throw new Error(`an admission was answered ${answer?.kind}`)
        return state.settle(answer.hold, answer.hold.granted, { claimMs: 0 })
      }),
    )
  }
  return times
}

const at = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? 0

for (let number = 0; number < SHOPPERS * RUNNING; number += 1) await state.admit(nextAsk())
await measure(WARM_UP, 8)
console.log(`${CALLS} calls of each, ${SHOPPERS} shoppers with ${RUNNING} turns running each`)
for (const concurrent of CONCURRENT) {
  const { ping, admit } = await measure(CALLS, concurrent)
  const line = [0.5, 0.99].map((share) => {
    const [bare, ours] = [at(ping, share), at(admit, share)]
    return `p${share * 100} PING ${bare.toFixed(3)} ms, admit ${ours.toFixed(3)} ms, ${(ours / bare).toFixed(1)}×`
  })
  console.log(`${String(concurrent).padStart(3)} at once · ${line.join(' · ')}`)
}
