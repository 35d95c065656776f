// Holds the telemetry that remembers to the contract of its port.
import { telemetryContract } from '#ports/telemetry/contract.ts'
import { memoryTelemetry } from './telemetry.ts'

telemetryContract('memory telemetry', () => {
  const telemetry = memoryTelemetry()
  const written = () =>
    [
      ...telemetry.logged.map(
        ({ level, event, fields, cause }) => `${level} ${event} ${JSON.stringify(fields)} ${String(cause)}`,
      ),
      ...telemetry.observed.map(({ name, value, fields }) => `${name} ${value} ${JSON.stringify(fields)}`),
      ...telemetry.counted.map(({ name, fields }) => `${name} ${JSON.stringify(fields)}`),
    ].join('\n')
  return { telemetry, written }
})
