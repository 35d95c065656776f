// The nodes of a cluster, as the node that answers sees them.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Count } from '../vocabulary.ts'
import { RejectedView } from './common.ts'

export const NodeView = Type.Object({
  id: Type.String({ description: 'A restarted server is another node' }),
  host: Type.String({ description: 'The name of its machine' }),
  version: Type.String({ description: 'The version of its software' }),
  startedAt: Type.String(),
  joinedAt: Type.String({
    description: 'Since when it has been registered; later than its start after its lease has lapsed',
  }),
  announcedMsAgo: Count,
  turns: Type.Integer({ minimum: 0, description: 'Turns that it runs' }),
  connections: Type.Integer({ minimum: 0, description: 'WebSocket connections' }),
  edition: Type.Union([Type.String(), Type.Null()], { description: 'The edition of its catalogue' }),
  draining: Type.Boolean({ description: 'It takes no new questions and is about to stop' }),
  leader: Type.Boolean({ description: 'It does what one node does for all' }),
  rejected: Type.Array(RejectedView, { description: 'The models whose vendors reject its calls' }),
  self: Type.Boolean({ description: 'It is the node that answers' }),
})
export type NodeView = Static<typeof NodeView>

export const NodesView = Type.Object({
  at: Type.String({
    description: 'When they were seen: now, or earlier while Redis is unavailable; then none is a leader',
  }),
  nodes: Type.Array(NodeView),
})
export type NodesView = Static<typeof NodesView>
