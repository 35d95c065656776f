// Reports the capacity units of a call, which are what DynamoDB bills, by table.
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface CapacityParts {
  readonly telemetry: Telemetry
  readonly tablePrefix: string
}

export function countUnits({ tablePrefix, telemetry }: CapacityParts, kind: 'read' | 'write', output: unknown): void {
  const { ConsumedCapacity: consumed = [] } = output as { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] }
  for (const { CapacityUnits: units = 0, TableName: name = '' } of [consumed].flat()) {
    telemetry.observe('dynamodb_units', units, { kind, table: name.replace(`${tablePrefix}-`, '') })
  }
}
