// The control api under `/_sim`: sets and removes faults and lists attempts, for tests in another process.
import type { Attempt } from './attempts.ts'
import type { VendorFault } from './faults.ts'
import type { Health } from '../provider/health.ts'
import { readFaults, readHealth, ScenarioError } from './scenario.ts'

export interface Control {
  faults(...faults: readonly VendorFault[]): void
  health(model: string, health: Partial<Health>): void
  heal(): void
  attempts(): readonly Attempt[]
  reset(): void
  active(): readonly { readonly fault: VendorFault; readonly hits: number }[]
}

export function controlApi(control: Control, request: string, body: unknown): { status: number; answer: unknown } {
  try {
    return { status: 200, answer: execute(control, request, body) }
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    return { status: 400, answer: { problems: error.problems } }
  }
}

function execute(control: Control, request: string, body: unknown): unknown {
  switch (request) {
    case 'POST /_sim/faults':
      control.faults(...readFaults(Array.isArray(body) ? body : [body]))
      return { faults: control.active() }
    case 'GET /_sim/faults':
      return { faults: control.active() }
    case 'DELETE /_sim/faults':
      control.heal()
      return { faults: [] }
    case 'POST /_sim/health': {
      const { model, ...health } = readHealth(body)
      control.health(model, health)
      return {}
    }
    case 'GET /_sim/attempts':
      return { attempts: control.attempts() }
    case 'POST /_sim/reset':
      control.reset()
      return { faults: control.active() }
    default:
      throw new ScenarioError([`Unknown control request ${request}.`])
  }
}
