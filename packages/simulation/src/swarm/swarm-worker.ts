// A thread of the swarm: lives through the seeds that it is given, one after another, and shrinks those that fail. Nothing is
// kept from one seed to the next but the shop, which never changes.
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

/** What was thrown outside of any promise that is waited for. */
const thrown: unknown[] = []
process.on('unhandledRejection', (error) => thrown.push(error))

async function run(plan: SwarmPlan): Promise<SeedRun> {
  const went = await runSeed(plan, { shop, drain, ...(planted === undefined ? {} : { planted }) }).catch(
    (error: unknown): SeedRun => {
      thrown.push(error)
      return { plan, breaches: [], story: [], seen: new Set(), traceHash: '', events: 0, virtualMs: 0, restMs: 0 }
    },
  )
  const breaches = thrown.splice(0).map((error) => `0 ms: something was thrown: ${String((error as Error).stack)}`)
  return breaches.length === 0 ? went : { ...went, breaches: [...breaches, ...went.breaches] }
}

async function live({ seed, twice }: WorkerAsk): Promise<SeedDone> {
  const went = await run(planOf(seed))
  const { events, restMs, seen, virtualMs } = went
  const again = twice && went.breaches.length === 0 ? await run(planOf(seed)) : went
  const isSame = again.traceHash === went.traceHash
  const told = { seed, seen: [...seen], events, virtualMs, restMs }
  if (!isSame) {
    const breaches = ['0 ms: two runs of the seed differ']
    return { ...told, failure: { seed, breaches, story: [], plan: went.plan } }
  }
  if (went.breaches.length === 0) return told
  const { breaches, plan, story } = shrinks ? (await shrink(went, run)).run : went
  return { ...told, failure: { seed, breaches, story, plan } }
}

async function answer(ask: WorkerAsk): Promise<void> {
  const done = await live(ask)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(done)
}

parentPort?.on('message', (ask: WorkerAsk) => void answer(ask))
