// Opens every port that the nodes of a cluster share, each in the store that the configuration chooses for it.
import { chosenStores } from '#config/chosen-stores.ts'
import { adminStores } from './admin.ts'
import { alarmBoards } from './alarms.ts'
import { answerCaches } from './answers.ts'
import { budgetStores } from './budgets.ts'
import { deferredStores } from './deferred.ts'
import { estimatorStores } from './estimators.ts'
import { laneStores, modelHistories } from './lanes.ts'
import { ledgers } from './ledger.ts'
import { rateChunkStores } from './rate-chunks.ts'
import { cartStores, handoverStores, orderBooks } from './records.ts'
import { sessionStores } from './sessions.ts'
import { spendChunkStores } from './spend-chunks.ts'
import type { StoreParts, Stores } from './store-parts.ts'
import { taskStores } from './tasks.ts'
import { timedStores } from './timed-stores.ts'
import { turnLogs } from './turn-log.ts'
import { turnRecordStores } from './turn-records.ts'

export async function openStores(parts: StoreParts): Promise<Stores> {
  const chosen = chosenStores(parts.config)
  const stores: Stores = {
    sessions: await sessionStores[chosen.sessions](parts),
    turnLog: await turnLogs[chosen.turnLog](parts),
    budgets: await budgetStores[chosen.budgets](parts),
    rateChunks: await rateChunkStores[chosen.rateChunks](parts),
    spendChunks: await spendChunkStores[chosen.spendChunks](parts),
    ledger: await ledgers[chosen.ledger](parts),
    turnRecords: await turnRecordStores[chosen.turnRecords](parts),
    admin: await adminStores[chosen.admin](parts),
    estimators: await estimatorStores[chosen.estimators](parts),
    lanes: await laneStores[chosen.lanes](parts),
    answers: await answerCaches[chosen.answers](parts),
    deferred: await deferredStores[chosen.deferred](parts),
    handovers: await handoverStores[chosen.handovers](parts),
    tasks: await taskStores[chosen.tasks](parts),
    alarms: await alarmBoards[chosen.alarms](parts),
    carts: await cartStores[chosen.carts](parts),
    orders: await orderBooks[chosen.orders](parts),
    modelHistory: await modelHistories[chosen.modelHistory](parts),
  }
  return timedStores(parts, stores, chosen)
}
