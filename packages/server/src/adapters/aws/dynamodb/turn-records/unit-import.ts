// Stores as whom users are assigned to the arms of experiments, as another store has it, in DynamoDB. For `mangaassist migrate`.
import type { Clock } from '#ports/clock/port.ts'
import type { UnitImport } from '#ports/migration/imports.ts'
import { isWritten } from '../client/conditions.ts'
import type { Dynamo } from '../client/dynamo.ts'
import { turnRecordsTable, unitItemKey } from './table.ts'

export interface DynamoUnitImportOptions {
  readonly dynamo: Dynamo
  readonly clock: Pick<Clock, 'now'>
}

export function dynamoUnitImport({ clock, dynamo }: DynamoUnitImportOptions): UnitImport {
  const TableName = dynamo.tableName(turnRecordsTable)
  return {
    async add({ expiresAt, principalId, unit }) {
      const now = clock.now()
      if (expiresAt <= now) return
      await isWritten(() =>
        dynamo.put({
          TableName,
          Item: { ...unitItemKey(principalId), unit, expiresAt: Math.ceil(expiresAt / 1000) },
          // DynamoDB may delete an item days after its time.
          ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
          ExpressionAttributeValues: { ':now': Math.floor(now / 1000) },
        }),
      )
    },
  }
}
