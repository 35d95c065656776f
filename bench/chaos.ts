// `npm run chaos`: a local cluster under shoppers who switch devices, tap twice, read slowly and stop, while its nodes are killed, drained
// and paused and its stores are paused and restarted by a plan from a seed. At the end everything is compared: texts, conversations, ledger,
// budgets, the record of the models. Exit code 1 on any violation.
import { parseArgs } from 'node:util'
import { seededFloats } from '../packages/server/src/lib/collections/seeded-floats.ts'
import { checkAnswers } from './chaos/checks/answers.ts'
import { checkBooks } from './chaos/checks/books.ts'
import { checkConversations } from './chaos/checks/conversations.ts'
import { checkKeys, checkRunning, checkUnwritten } from './chaos/checks/left-over.ts'
import { ClusterApi } from './chaos/cluster-api.ts'
import { injectFaults } from './chaos/inject.ts'
import { described, planFaults } from './chaos/plan.ts'
import { sleep } from './chaos/reader.ts'
import { Seen } from './chaos/record.ts'
import { report } from './chaos/report.ts'
import { shop } from './chaos/shopper.ts'
import { startCluster } from './cluster/cluster.ts'
import type { Cluster } from './cluster/cluster.ts'
import { crowd } from './servers/crowd.ts'

const NODES_MIN = 3
const SETTLE_MS = 15_000

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    nodes: { type: 'string', default: '4' },
    arrivals: { type: 'string', default: '0.5' },
    'kill-every': { type: 'string', default: '20' },
    overlap: { type: 'boolean', default: false },
    keep: { type: 'string' },
    durable: { type: 'string', default: 'dynamodb' },
  },
})

function positive(flag: 'minutes' | 'seed' | 'nodes' | 'arrivals' | 'kill-every', min = 0): number {
  const value = Number(values[flag])
  if (value > 0 && value >= min) return value
  console.error(
    `--${flag} takes a number${min > 0 ? ` of at least ${min}` : ' above 0'}, not ${JSON.stringify(values[flag])}.`,
  )
  process.exit(2)
}

const [minutes, seed, nodes] = [positive('minutes'), positive('seed'), positive('nodes', NODES_MIN)]
const arrivalsPerSecond = positive('arrivals')

/** Budgets that no shopper exhausts, and no call of the house: every call belongs to a question. */
const settings = {
  ...crowd,
  MANGA_SERVER__LOGLEVEL: 'warn',
  MANGA_TIERS__FREE__REQUESTSPERMINUTE: '1000',
  MANGA_TIERS__FREE__INPUTTOKENSPERDAY: '100000000',
  MANGA_TIERS__FREE__OUTPUTTOKENSPERDAY: '100000000',
  MANGA_TIERS__FREE__MICROUSDPERDAY: '1000000000',
  MANGA_TOKENS__INPUTPERSESSIONMAX: '100000000',
  MANGA_TOKENS__OUTPUTPERSESSIONMAX: '100000000',
  MANGA_SUMMARIES__ENABLED: 'false',
  // A key that is sent again late in the run still belongs to its turn.
  MANGA_IDEMPOTENCY__AFTERENDMS: '900000',
}

/** Open arrivals: shoppers come at random times, whatever happens to the others. */
async function openDoors(cluster: Cluster, seen: Seen, endsAt: number): Promise<void> {
  const float = seededFloats(`${seed}/arrivals`)
  const inside: Promise<void>[] = []
  for (let number = 1; Date.now() < endsAt; number += 1) {
    const own = seededFloats(`${seed}/shopper ${number}`)
    inside.push(shop({ address: cluster.address, seen, float: own, number, endsAt }))
    await sleep((-Math.log(1 - float()) / arrivalsPerSecond) * 1000)
  }
  await Promise.all(inside)
}

async function run(cluster: Cluster): Promise<boolean> {
  const stores = cluster.stores()
  const plan = planFaults({
    minutes,
    nodes,
    killEveryS: positive('kill-every'),
    stores: [...stores.keys()],
    mayOverlap: values.overlap,
    float: seededFloats(`${seed}/plan`),
  })
  console.log(`Planned faults:\n${plan.map((fault) => `  ${described(fault)}`).join('\n')}\n`)
  const startsAt = Date.now()
  const seen = new Seen({ mayLose: values.overlap })
  const onFault = (line: string) => {
    const running = seen.questions.filter(({ acceptedAt, endedAt }) => acceptedAt && !endedAt).length
    console.log(
      `${line} | ${seen.questions.length} questions, ${running} running, ${seen.violations.length} violations`,
    )
  }
  const [faults] = await Promise.all([
    injectFaults(plan, { cluster, stores, startsAt, onFault }),
    openDoors(cluster, seen, startsAt + minutes * 60_000),
  ])
  console.log('The shoppers have left. Comparing …')
  await sleep(SETTLE_MS)
  const api = new ClusterApi(cluster)
  const running = [...(await checkRunning(api)), ...(await checkUnwritten(cluster))]
  const books = await checkBooks(seen, api)
  const conversations = await checkConversations(seen, api)
  const violations = [...seen.violations, ...checkAnswers(seen), ...running, ...books.violations, ...conversations]
  violations.push(...(await checkKeys(cluster)))
  console.log(`\n${report(seen, { seed, minutes, nodes, faults, books, violations })}`)
  return violations.length === 0
}

const cluster = await startCluster({
  nodes,
  balancer: 'built-in',
  ...(values.keep === undefined ? {} : { keep: values.keep }),
  answers: 'by-question',
  durable: values.durable === 'redis' ? 'redis' : 'dynamodb',
  settings,
  onStep: (what) => console.log(`Starting ${what} …`),
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
const isClean = await run(cluster)
await cluster.close()
process.exit(isClean ? 0 : 1)
