// A node under load whose real Redis pauses or dies: questions are answered from a small allowance, no request hangs,
// spending is limited, and after the outage ledger and budgets agree.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { ResilientBudgets } from '#resilience/budgets.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { RedisUnavailable } from '#adapters/redis/client/connection.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { createApp } from '#app/app.ts'
import type { App } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import type { ModelFacts } from '#domain/model/model-facts.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { tierLimits } from '#domain/budget/tier-limits.ts'
import { configure } from '#wiring/configure.ts'
import { wireCluster } from '#wiring/profiles/cluster.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { lendIndex } from '#fixtures/stores/stored-index.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { PRICED } from '#fixtures/turns/turns.ts'
import { NO_SCOPE } from '#ports/telemetry/plain-scope.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'

/** Longer than a healthy Redis needs on a busy machine: only a lost one is late. */
const CALL_MS = 300
const SHOPPERS = 6
const FACTS: Omit<ModelFacts, 'price'> = {
  contextTokensMax: 200_000,
  outputTokensMax: 4096,
  trailingAssistant: true,
  temperature: true,
  tokenizer: 'claude',
}
/** A turn uses 20 tokens of input and 2 of output: 90 micro-dollars. */
const TURN_MICRO_USD = 90
/** Less than 64 tokens of output is useless, and refused. */
const TURNS_ALLOWED = 31
const ALLOWED_OUTPUT = 64 + 2 * (TURNS_ALLOWED - 1)

async function startNode(context: TestContext, url: string) {
  const folder = tempDir(context)
  const env = { DATA_DIR: folder, MANGA_STATE__REDIS: url, MANGA_STATE__CALLMS: String(CALL_MS) }
  const { config: base, readBook } = await configure({ env, workspaceRoot: folder })
  const config = quick(base)
  const telemetry = memoryTelemetry()
  const clock = systemClock()
  const storeIndex = lendIndex(folder)
  const wiring = await wireCluster(config, { clock, random: systemRandom(), telemetry, env, readBook })
  storeIndex()
  const model = { ...scriptedModel(clock, answering('はい', '。')), facts: { ...FACTS, price: PRICED } }
  const ports = { ...wiring.ports, models: new Map([['embedded', model]]) }
  const app = createApp(ports, config)
  app.start()
  context.after(async () => {
    await app.drain()
    await wiring[Symbol.asyncDispose]()
  })
  const day = dayOf(clock.now(), config.store.timeZone)
  const agree = async ({ id }: Principal) => {
    const { used, reserved } = await ports.budgets.quota(id, tierLimits(config, 'free'), day)
    const { costMicroUsd, inputTokens, outputTokens } = await ports.ledger.totals({ principalId: id, day: day.key })
    return { used, reserved, booked: { inputTokens, outputTokens, costMicroUsd } }
  }
  return { app, agree, telemetry, state: wiring.ports.budgets as ResilientBudgets }
}

/**
 * No rates. A hold lasts longer than several late calls in a row, as by default, and is short enough to see leftovers
 * expire.
 */
function quick(config: Config): Config {
  const free = { ...config.tiers['free'], requestsPerMinute: 100_000, rateFactor: 100 } as Config['tiers'][string]
  return {
    ...config,
    tiers: { ...config.tiers, free },
    rates: { ...config.rates, messagesPerDay: 1_000_000 },
    turns: { ...config.turns, leaseMs: 4000, renewMs: 1500, holdMs: 12_000 },
    state: {
      ...config.state,
      alone: { ...config.state.alone, nodes: 1, outputTokensPerUser: ALLOWED_OUTPUT },
    },
  }
}

const shoppers: readonly Principal[] = Array.from({ length: SHOPPERS }, (_, index) => ({
  id: `guest_${index}`,
  kind: 'guest',
  tier: 'free',
}))

class Shopper {
  readonly #app: App
  readonly #principal: Principal
  answered = 0
  sessionId: string | undefined

  constructor(app: App, principal: Principal) {
    this.#app = app
    this.#principal = principal
  }

  /** One question to the end of its answer; returns the refusal when it is refused. */
  async ask(): Promise<Refusal | undefined> {
    const asked = {
      principal: this.#principal,
      requestId: 'req',
      route: 'stream',
      // A question of its own: another shopper's answer may come from the cache, and costs nothing.
      message: `質問 ${this.#principal.id} ${this.answered}`,
      scope: NO_SCOPE,
    } as const
    try {
      const session = this.sessionId === undefined ? {} : { sessionId: this.sessionId }
      const { sessionId, turnId } = await this.#app.chat({ ...asked, ...session })
      this.sessionId = sessionId
      let text = ''
      let isDone = false
      for await (const frame of await this.#app.read(
        this.#principal,
        { turnId, offset: 0 },
        new AbortController().signal,
      )) {
        if (frame.type === 'chunk') text += frame.text
        isDone ||= frame.type === 'done'
      }
      assert.deepEqual([text, isDone], ['はい。', true])
      this.answered += 1
      return undefined
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return error
    }
  }

  async askTimes(times: number): Promise<void> {
    for (let asked = 0; asked < times; asked += 1) assert.equal(await this.ask(), undefined)
  }

  /** Asks until the allowance is used up; returns the refusal. */
  async askUntilRefused(): Promise<Refusal> {
    for (let asked = 0; asked <= TURNS_ALLOWED; asked += 1) {
      const refusal = await this.ask()
      if (refusal !== undefined) return refusal
    }
    return assert.fail('it was granted more than the allowance')
  }
}

type Node = Awaited<ReturnType<typeof startNode>>

/** Whether the node is standalone, by its last log line about it. */
const lastOf = ({ telemetry }: Node) =>
  telemetry.logged.findLast(({ event }) => event === 'budget.standalone-began' || event === 'budget.standalone-ended')
    ?.event

/** What must hold between `lose` and `restore`. */
async function outlive(node: Node, lose: () => void | Promise<void>, restore: () => Promise<void>): Promise<void> {
  const crowd = shoppers.map((principal) => new Shopper(node.app, principal))
  await Promise.all(crowd.map((shopper) => shopper.askTimes(5)))
  const busy = Promise.all(crowd.map((shopper) => shopper.askTimes(10)))
  await lose()
  await busy
  await waitUntil('the node is standalone', async () => {
    await node.app.quota(shoppers[0] as Principal)
    return lastOf(node) === 'budget.standalone-began'
  })
  const before = crowd.map(({ answered }) => answered)
  // Redis is lost until all of them have ended: a request that waited for it would hang.
  const refusals = await Promise.all(crowd.map((shopper) => shopper.askUntilRefused()))
  for (const { code, details, retryAfterMs } of refusals) {
    assert.deepEqual([code, details], ['MAINTENANCE', { reason: 'state-unavailable' }])
    assert.ok((retryAfterMs ?? 0) > 0)
  }
  for (const [index, shopper] of crowd.entries()) {
    const alone = shopper.answered - (before[index] ?? 0)
    assert.ok(alone > 0, 'it is answered within the allowance')
    assert.ok(alone <= TURNS_ALLOWED, `${alone} turns are within the allowance`)
  }
  assert.ok(node.telemetry.counted.some(({ name }) => name === 'budget_standalone_granted_total'))

  await restore()
  await waitUntil('the node uses Redis again', async () => {
    await node.app.quota(shoppers[0] as Principal)
    return lastOf(node) === 'budget.standalone-ended' && node.state.waiting === 0
  })
  await Promise.all(crowd.map((shopper) => shopper.askTimes(3)))
  for (const [index, principal] of shoppers.entries()) {
    await waitUntil('every turn is booked', () => isBooked(node, principal, crowd[index]?.answered ?? 0))
  }
}

/** Whether ledger and budget have these turns, and nothing is held. */
async function isBooked(node: Node, principal: Principal, turns: number): Promise<boolean> {
  try {
    const { booked, reserved, used } = await node.agree(principal)
    const isAll = booked.costMicroUsd === turns * TURN_MICRO_USD
    return isAll && JSON.stringify(used) === JSON.stringify(booked) && reserved.outputTokens === 0
  } catch (error) {
    // A late reply, as on a busy machine: ask again.
    if (error instanceof RedisUnavailable) return false
    throw error
  }
}

test('while Redis is paused shoppers are answered within the allowance, and afterwards the ledger agrees', async (context) => {
  await using server = await startRedis()
  const node = await startNode(context, server.url)
  await outlive(
    node,
    () => void server.process.kill('SIGSTOP'),
    async () => void server.process.kill('SIGCONT'),
  )
})

test('when Redis is killed and returns with its data, the ledger agrees', async (context) => {
  const durable = ['--dir', tempDir(context), '--appendonly', 'yes', '--appendfsync', 'always']
  const server = await startRedis({ args: durable })
  const node = await startNode(context, server.url)
  await outlive(
    node,
    async () => {
      await server[Symbol.asyncDispose]()
    },
    async () => {
      const again = await startRedis({ args: durable, port: server.port })
      context.after(() => again[Symbol.asyncDispose]())
    },
  )
})
