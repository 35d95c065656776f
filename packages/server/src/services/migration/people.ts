// The parts of a move that belong to people: conversations, logs of turns that readers may still ask for, budgets, and questions that wait
// for an answer.
import { isDeepStrictEqual } from 'node:util'
import { inOrderAsked } from '#domain/turn/turn-order.ts'
import type { DeferredStore } from '#ports/deferred-store/port.ts'
import type { AccountImport, AccountUse, SessionImport, TurnLogImport } from '#ports/migration/imports.ts'
import type { SessionStore } from '#ports/session-store/port.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import type { Part, PartOptions } from './part.ts'

/** More conversations than a shopper has; a longer list is compared up to here. */
const LISTED_MAX = 1000
/** No store lists its conversations: this many are looked up to see whether the shop was moved to it before. */
const SAMPLE = 100

export function conversationsPart(
  options: PartOptions<{ readonly imports: SessionImport; readonly sessions: SessionStore }>,
): Part {
  const { counts, source, store, target } = options
  return {
    name: 'conversations',
    store,
    total: counts.conversations,
    async hasData() {
      let asked = 0
      for (const { session } of source.conversations()) {
        if ((await target.sessions.find(session.id)) !== undefined) return true
        asked += 1
        if (asked === SAMPLE) break
      }
      return false
    },
    move: (each) =>
      each(source.conversations(), async ({ session, turns }) => void (await target.imports.add(session, turns))),
    async verify(each, differs) {
      await each(source.conversations(), async ({ session, turns }) => {
        const [found, foundTurns] = await Promise.all([
          target.sessions.find(session.id),
          target.sessions.recentTurns(session.id, session.version + 1),
        ])
        if (!isDeepStrictEqual(found, session))
          differs(`${session.id}: ${found === undefined ? 'missing' : 'the head'}`)
        else if (!isDeepStrictEqual(foundTurns, inOrderAsked(turns))) differs(`${session.id}: its turns`)
      })
      await each(source.principals(), async (principalId) => {
        const [own, found] = await Promise.all([
          source.sessions.listOf(principalId, LISTED_MAX),
          target.sessions.listOf(principalId, LISTED_MAX),
        ])
        const ids = new Set(found.map(({ id }) => id))
        for (const { id } of own) if (!ids.has(id)) differs(`${id}: not in the list of its owner`)
        return 0
      })
    },
  }
}

export function turnLogsPart(
  options: PartOptions<{ readonly imports: TurnLogImport; readonly turnLog: Pick<TurnLog, 'read'> }>,
): Part {
  const { counts, source, store, target } = options
  return {
    name: 'logs of ended turns',
    store,
    total: counts.turnLogs,
    move: (each) => each(source.turnLogs(), async (records) => void (await target.imports.add(records))),
    verify: (each, differs) =>
      each(source.turnLogs(), async (records) => {
        const turnId = records[0]?.kind === 'start' ? records[0].start.turnId : ''
        if (!isDeepStrictEqual(await target.turnLog.read(turnId, -1), records)) differs(turnId)
      }),
  }
}

export function accountsPart({ counts, source, store, target }: PartOptions<AccountImport>): Part {
  return {
    name: 'budgets: days, conversations, turns, keys',
    store,
    total: counts.accountUses,
    move: (each) => each(source.accountUses(), ({ account, use }) => target.add(account, use)),
    verify: (each, differs) =>
      each(source.accountUses(), async ({ account, use }) => {
        const found = await target.read(account, use)
        if (!isDeepStrictEqual(comparable(found), comparable(use))) differs(`${account}: ${use.kind}`)
      }),
  }
}

/** The expiry of a conversation's use or of a charged turn is not data: a store may set it by its own clock. */
function comparable(found: AccountUse | undefined): unknown {
  return found?.kind === 'session' || found?.kind === 'turn' ? { ...found.use, until: 0 } : found
}

export function deferredPart({ counts, source, store, target }: PartOptions<DeferredStore>): Part {
  return {
    name: 'questions that wait',
    store,
    total: counts.deferred,
    move: (each) => each(source.deferred(), async (question) => void (await target.accept(question))),
    verify: (each, differs) =>
      each(source.deferred(), async (question) => {
        const found = await target.ofPrincipal(question.principal.id)
        if (!found.some((one) => isDeepStrictEqual(one, question))) differs(question.turnId)
      }),
  }
}
