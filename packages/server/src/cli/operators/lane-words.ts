// The state of a model or another dependency in words, as `lanes`, `top`, `models` and `nodes` print it. JSON has the names of the API.
import type { LaneView, NodeView } from '@mangaassist/protocol/admin'

type Rejected = NodeView['rejected'][number]
type Seen = Pick<LaneView, 'lane' | 'level' | 'models' | 'phase' | 'rejected' | 'scope'>

export function rejectedText({ calls, cause, model, since, status }: Rejected): string {
  const by = status === undefined ? cause : `${cause}, HTTP ${status}`
  return `${model} is rejected by its vendor: ${by}, ${calls} calls in a row since ${since}`
}

/** By the configured names of the models that share it. */
export function laneTitle({ lane, models, scope }: Pick<Seen, 'lane' | 'models' | 'scope'>): string {
  return scope === 'node' ? lane : models.join(', ')
}

const PHASES = { closed: 'working', open: 'stopped', 'half-open': 'being tested', recovering: 'recovering' } as const
const LOADS: Readonly<Record<string, string>> = { slight: 'busy', high: 'overloaded' }

/** A model whose vendor rejects it does not work, whatever its circuit says. */
export function laneState({
  level,
  phase,
  rejected,
}: Pick<Seen, 'rejected'> & { level: string; phase: string }): string {
  const [first] = rejected
  if (first !== undefined) return `rejected: ${first.cause}`
  if (phase === 'closed') return LOADS[level] ?? PHASES.closed
  return phaseText(phase)
}

export function phaseText(phase: string): string {
  return Object.hasOwn(PHASES, phase) ? PHASES[phase as keyof typeof PHASES] : phase
}
