// Tests, for every port on Redis, what callers rely on when Redis is unavailable.
import { once } from 'node:events'
import { unavailableContract } from '#ports/unavailable.contract.ts'
import { createCarts } from '#stores/carts.ts'
import { createHandoverRequests } from '#stores/handover-requests.ts'
import { createOrderBook } from '#stores/order-book.ts'
import { LANES_LEASE_MS, random, testPolicies } from '#fixtures/lanes/shared-lanes.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { memoryTelemetry } from '../memory/telemetry.ts'
import { systemClock } from '../system/clock.ts'
import { redisAdminStore } from './admin-store/admin-store.ts'
import { redisAlarmBoard } from './alarm-board/alarm-board.ts'
import { redisAnswerCache } from './answer-cache/answer-cache.ts'
import { redisBudgets } from './budgets/budgets.ts'
import { openRedis } from './client/connection.ts'
import { redisDeferredStore } from './deferred-store/deferred-store.ts'
import { redisEstimatorStore } from './estimator-store/estimator-store.ts'
import { redisLanes } from './lanes/lanes.ts'
import { redisLedger } from './ledger/ledger.ts'
import { redisNodeRegistry } from './node-registry/node-registry.ts'
import { redisRateChunks } from './rate-chunks/rate-chunks.ts'
import { redisSessionStore } from './session-store/session-store.ts'
import { redisSpendChunks } from './spend-chunks/spend-chunks.ts'
import { redisRecords } from './records/records.ts'
import { redisTasks } from './tasks/tasks.ts'
import { redisTurnLog } from './turn-log/turn-log.ts'
import { redisTurnRecords } from './turn-records/turn-records.ts'

const LIMITS = { keepMs: 1000, countMax: 10, answerBytesMax: 1000, perPrincipalMax: 3 }
const BOUNDS = { recordsMax: 10, bytesMax: 1000 }
const CALL_MS = 500

unavailableContract('redis', async (context) => {
  const server = await startRedis()
  context.after(() => server[Symbol.asyncDispose]())
  const [clock, telemetry] = [systemClock(), memoryTelemetry()]
  const parts = { clock, random, telemetry, nodeId: 'node_1', keepMs: 1000 }
  const redis = await openRedis({ ...parts, url: server.url, callMs: CALL_MS, connectMs: 10_000 })
  context.after(() => redis[Symbol.asyncDispose]())
  const turnLog = redisTurnLog({ ...parts, redis, bounds: BOUNDS })
  context.after(() => turnLog[Symbol.dispose]())
  const exited = once(server.process, 'exit')
  server.process.kill('SIGKILL')
  await exited
  const records = redisRecords({ redis })
  return {
    sessions: redisSessionStore({ ...parts, redis }),
    turnLog,
    budgets: redisBudgets({ redis }),
    rateChunks: redisRateChunks({ redis }),
    spendChunks: redisSpendChunks({ redis }),
    ledger: redisLedger({ redis, clock }),
    admin: redisAdminStore({ redis }),
    estimators: redisEstimatorStore({ redis }),
    lanes: redisLanes({ ...parts, redis, policies: testPolicies, leaseMs: LANES_LEASE_MS }),
    answers: redisAnswerCache({ redis, clock, limits: LIMITS }),
    deferred: redisDeferredStore({ redis, limits: LIMITS }),
    handovers: createHandoverRequests({ records }),
    tasks: redisTasks({ redis }),
    alarms: redisAlarmBoard({ redis }),
    registry: redisNodeRegistry({ redis, self: { id: 'node_1', host: '', version: '', startedAt: 1 } }),
    turnRecords: redisTurnRecords({ ...parts, redis }),
    carts: createCarts({ ...parts, records }),
    orders: createOrderBook({ ...parts, records }),
  }
})
