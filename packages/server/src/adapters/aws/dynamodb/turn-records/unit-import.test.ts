// Runs the contract of the import of units on DynamoDB.
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { unitImportContract } from '#ports/migration/imports.contract.ts'
import { turnRecordsTable } from './table.ts'
import { dynamoTurnRecords } from './turn-records.ts'
import { dynamoUnitImport } from './unit-import.ts'

const open = cleanDynamo([turnRecordsTable])

unitImportContract('dynamodb unit import', async (context) => {
  const clock = manualClock()
  const { dynamo } = await open(context)
  return { imports: dynamoUnitImport({ dynamo, clock }), records: dynamoTurnRecords({ dynamo, clock, keepMs: 60_000 }) }
})
