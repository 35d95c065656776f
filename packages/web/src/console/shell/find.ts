// Where a searched text leads: to a turn, a person, a conversation, a model. The server is asked which of these there are, so that nothing is offered that does
// not exist. The likeliest comes first, by the form of our ids.
import type { AdminClient } from '@mangaassist/client/admin'
import { consoleHref } from '../data/address.ts'
import type { shellWords } from '../words/shell.ts'

export interface FindTarget {
  readonly word: keyof typeof shellWords & `find${string}`
  readonly href: string
}

export type FindApi = Pick<
  AdminClient,
  'audit' | 'blocks' | 'conversationsOf' | 'lanes' | 'overrides' | 'turnRecords' | 'usage'
>

export const FIND_LENGTH_MAX = 256

/** Rejects when the server cannot tell. */
export async function findTargets(typed: string, api: FindApi): Promise<readonly FindTarget[]> {
  const text = typed.trim().slice(0, FIND_LENGTH_MAX)
  if (text === '') return []
  const [turns, requests, conversations, ofUser, person, models, lanes, audit] = await Promise.all([
    hasTurns(api, { turn: text }),
    hasTurns(api, { request: text }),
    hasTurns(api, { session: text }),
    hasTurns(api, { user: text }),
    isPerson(api, text),
    hasTurns(api, { model: text }),
    api.lanes(),
    api.audit({ subject: text, limit: 1 }).then(({ data }) => data.length > 0),
  ])
  const list = (word: FindTarget['word'], query: Record<string, string>): FindTarget => ({
    word,
    href: consoleHref({ screen: 'turns', query }),
  })
  const lane = lanes.find((one) => one.lane === text || one.models.includes(text))
  const found = [
    ...(turns ? [{ word: 'findTurn', href: consoleHref({ screen: 'turns', rest: [text] }) } as const] : []),
    ...(requests ? [list('findRequest', { request: text })] : []),
    ...(conversations ? [list('findSession', { session: text })] : []),
    ...(lane === undefined
      ? []
      : [{ word: 'findLane', href: consoleHref({ screen: 'models', rest: [lane.lane] }) } as const]),
    ...(models ? [list('findModel', { model: text })] : []),
    ...(ofUser || person
      ? [{ word: 'findPerson', href: consoleHref({ screen: 'people', rest: [text] }) } as const]
      : []),
    ...(ofUser ? [list('findUser', { user: text, kind: 'any' })] : []),
    ...(audit
      ? [{ word: 'findAudit', href: consoleHref({ screen: 'audit', query: { subject: text } }) } as const]
      : []),
  ]
  return found
}

async function hasTurns(api: FindApi, query: Parameters<FindApi['turnRecords']>[0]): Promise<boolean> {
  return (await api.turnRecords({ kind: 'any', limit: 1, ...query })).data.length > 0
}

/** Records of turns expire before the ledger, and limits or a block may be set before the first question. */
async function isPerson(api: FindApi, user: string): Promise<boolean> {
  const [usage, conversations, overrides, blocks] = await Promise.all([
    api.usage({ by: 'user', user, limit: 1 }),
    api.conversationsOf(user, { limit: 1 }),
    api.overrides(),
    api.blocks(),
  ])
  return (
    usage.data.groups.length > 0 ||
    conversations.data.length > 0 ||
    overrides.some(({ userId }) => userId === user) ||
    blocks.some(({ target }) => target === user)
  )
}
