// Runs the contracts of the product store, and of a store that is unavailable, on DynamoDB.
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import { productStoreContract } from '#ports/product-store/contract.ts'
import { unavailableContract } from '#ports/unavailable.contract.ts'
import { systemClock } from '../../../system/clock.ts'
import { systemRandom } from '../../../system/random.ts'
import { dynamoProductStore } from './product-store.ts'
import { productsTable } from './table.ts'

const open = cleanDynamo([productsTable])

/** Imports are paced for a real table. */
const clock = { ...systemClock(), sleep: async () => {} }

unavailableContract('dynamodb product store', async (context) => {
  const { dynamo, faults } = await open(context)
  await faults[Symbol.asyncDispose]()
  return { products: dynamoProductStore({ dynamo, clock, random: systemRandom() }) }
})

productStoreContract('dynamodb product store', async (context) => {
  const { dynamo } = await open(context)
  return dynamoProductStore({ dynamo, clock, random: systemRandom() })
})
