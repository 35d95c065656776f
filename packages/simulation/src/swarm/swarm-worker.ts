// A thread of the swarm: runs its seeds one after another and shrinks those that fail. Only the shop, which never
// changes, is shared between seeds.
import { parentPort, workerData } from 'node:worker_threads'
import { promiseDrain } from '@mangaassist/server/adapters/system/promise-drain'
import { openShop } from '../world/shop.ts'
import { planOf } from './plan.ts'
import type { SwarmPlan } from './plan.ts'
import { runSeed } from './run-seed.ts'
import type { SeedRun } from './run-seed.ts'
import { shrink } from './shrink.ts'
import type { SeedDone, WorkerAsk, WorkerGiven } from './swarm.ts'

const { faq, planted, products, shrinks } = workerData as WorkerGiven
const shop = await openShop(products, faq)
const drain = promiseDrain()

/** Errors that no awaited promise reported. */
const thrown: unknown[] = []
process.on('unhandledRejection', (error) => thrown.push(error))

async function run(plan: SwarmPlan): Promise<SeedRun> {
  const result = await runSeed(plan, { shop, drain, ...(planted === undefined ? {} : { planted }) }).catch(
    (error: unknown): SeedRun => {
      thrown.push(error)
      return { plan, breaches: [], history: [], seen: new Set(), traceHash: '', events: 0, virtualMs: 0, restMs: 0 }
    },
  )
  const breaches = thrown.splice(0).map((error) => `0 ms: an error was thrown: ${String((error as Error).stack)}`)
  return breaches.length === 0 ? result : { ...result, breaches: [...breaches, ...result.breaches] }
}

async function runSeedOf({ seed, twice }: WorkerAsk): Promise<SeedDone> {
  const result = await run(planOf(seed))
  const { events, restMs, seen, virtualMs } = result
  const again = twice && result.breaches.length === 0 ? await run(planOf(seed)) : result
  const isSame = again.traceHash === result.traceHash
  const summary = { seed, seen: [...seen], events, virtualMs, restMs }
  if (!isSame) {
    const breaches = ['0 ms: two runs of the seed differ']
    return { ...summary, failure: { seed, breaches, history: [], plan: result.plan } }
  }
  if (result.breaches.length === 0) return summary
  const { breaches, plan, history } = shrinks ? (await shrink(result, run)).run : result
  return { ...summary, failure: { seed, breaches, history, plan } }
}

async function answer(ask: WorkerAsk): Promise<void> {
  const done = await runSeedOf(ask)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(done)
}

parentPort?.on('message', (ask: WorkerAsk) => void answer(ask))
