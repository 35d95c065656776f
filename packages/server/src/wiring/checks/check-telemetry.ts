// Checks the variables of OpenTelemetry, and warns where the words of shoppers would leave the machine.
import type { ConfigCheck } from '#config/load-config.ts'
import type { Environment } from '../models/model-secrets.ts'
import { readOtelVariables } from '../telemetry/otel-variables.ts'

export function checkTelemetry({ env }: { readonly env: Environment }): ConfigCheck {
  return async ({ telemetry }, isWrong) => {
    const { problems, settings } = readOtelVariables(env)
    if (isWrong('telemetry') || isWrong('telemetry.messages')) return problems
    if (!telemetry.messages || settings?.signals.traces === undefined) return problems
    return [
      ...problems,
      {
        path: 'telemetry.messages',
        given: 'true',
        allowed: 'false, except on a test system',
        fix: 'Set it to false: the questions and answers of shoppers are sent to the collector, and stored there.',
        isWarning: true,
      },
    ]
  }
}
