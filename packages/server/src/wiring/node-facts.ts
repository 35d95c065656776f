// What a process says about itself to the other nodes and to operators.
import { hostname } from 'node:os'
import { softwareVersion } from '#config/installation.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { NodeFacts } from '#ports/node-registry/port.ts'

export function nodeFacts(id: string, clock: Pick<Clock, 'now'>): NodeFacts {
  return { id, host: hostname(), version: softwareVersion(), startedAt: clock.now() }
}
