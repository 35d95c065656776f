// A node as remote stores write it: bounded JSON. A field that this version does not know is ignored, and one that is missing gets
// an empty value, because nodes of several versions share the registry.
import { readRejected } from '#domain/model/rejections.ts'
import { readSteps } from '#domain/nodes/activity.ts'
import { NODE_TEXT_MAX } from './port.ts'
import type { NodeFacts, NodeState, RegisteredNode } from './port.ts'

type Stored = NodeFacts & NodeState

export function boundedNode(facts: NodeFacts, state: NodeState): Stored {
  const { activity, connections, edition, isDraining, rejected, turns, waiting } = state
  return {
    id: facts.id,
    host: cut(facts.host),
    version: cut(facts.version),
    startedAt: facts.startedAt,
    turns,
    connections,
    isDraining,
    edition: edition === null ? null : cut(edition),
    ...(waiting === undefined ? {} : { waiting }),
    ...(activity === undefined ? {} : { activity: readSteps(activity) }),
    ...(rejected === undefined ? {} : { rejected: readRejected(rejected) }),
  }
}

/** The text may come from another version of the software. */
export function readNode(
  text: string,
  seen: Pick<RegisteredNode, 'id' | 'joinedAt' | 'announcedMsAgo'>,
): RegisteredNode {
  const {
    activity,
    connections = 0,
    edition = null,
    host = '',
    isDraining = false,
    rejected,
    startedAt = 0,
    turns = 0,
    version = '',
    waiting,
  } = parsed(text)
  return {
    host,
    version,
    startedAt,
    turns,
    connections,
    isDraining,
    edition,
    ...(typeof waiting === 'number' ? { waiting } : {}),
    ...(activity === undefined ? {} : { activity: readSteps(activity) }),
    ...(rejected === undefined ? {} : { rejected: readRejected(rejected) }),
    ...seen,
  }
}

/**
 * By the time of joining, the same order on every node. Equal times occur only with nodes of an older version; their
 * ids decide.
 */
export function inOrder(nodes: readonly RegisteredNode[]): readonly RegisteredNode[] {
  return nodes.toSorted((a, b) => a.joinedAt - b.joinedAt || (a.id < b.id ? -1 : 1))
}

function parsed(text: string): Partial<Stored> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function cut(text: string): string {
  return text.slice(0, NODE_TEXT_MAX)
}
