// The editions of the nodes of one process, in memory: for tests and simulations.
import type { Clock } from '#ports/clock/port.ts'
import { ANNOUNCED_MS } from '#ports/edition-board/port.ts'
import type { EditionBoard } from '#ports/edition-board/port.ts'

export type AnnouncedEditions = Map<string, { readonly edition: string; readonly at: number }>

export interface MemoryEditionBoardOptions {
  readonly announced: AnnouncedEditions
  readonly nodeId: string
  readonly clock: Pick<Clock, 'now'>
}

export function memoryEditionBoard({ announced, clock, nodeId }: MemoryEditionBoardOptions): EditionBoard {
  return {
    async announce(edition) {
      const now = clock.now()
      announced.set(nodeId, { edition, at: now })
      for (const [node, { at }] of announced) if (now - at > ANNOUNCED_MS) announced.delete(node)
      return [...announced].filter(([node]) => node !== nodeId).map(([, other]) => other.edition)
    },
  }
}
