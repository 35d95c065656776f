// Runs the contract of the session store on DynamoDB.
import { sessionStoreContract } from '#ports/session-store/contract.ts'
import { unavailableContract } from '#ports/unavailable.contract.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { dynamoSessionStore } from './session-store.ts'
import { sessionsTable } from './table.ts'

const KEEP_MS = 60_000
const open = cleanDynamo([sessionsTable])
const random = systemRandom()

sessionStoreContract(
  'dynamodb session store',
  async (context) => {
    const clock = manualClock()
    const { dynamo } = await open(context)
    return { store: dynamoSessionStore({ dynamo, clock, random, keepMs: KEEP_MS }), clock }
  },
  { expiresAfterMs: KEEP_MS },
)

unavailableContract('dynamodb session store', async (context) => {
  const clock = manualClock()
  const { dynamo, faults } = await open(context)
  const sessions = dynamoSessionStore({ dynamo, clock, random, keepMs: KEEP_MS })
  faults.spoil(() => 'fail')
  return { sessions }
})
