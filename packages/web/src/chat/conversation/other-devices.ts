// Keeps the shown conversation up to date with what other devices ask in it, while somebody looks at it: new turns are
// reported by a watch on the session, and turns that were missed are loaded. One answer is followed at a time.
import type { Client, ConnectionState } from '@mangaassist/client'
import type { KeptSession, LoadSession } from './sessions.ts'

export interface OtherDevicesParts {
  readonly client: Pick<Client, 'watch'>
  readonly load: LoadSession
  readonly sessionId: () => string | undefined
  /** Neither an answer is in flight nor the conversation being restored. */
  readonly isIdle: () => boolean
  readonly knows: (turnId: string) => boolean
  readonly show: (session: KeptSession) => void
  readonly resume: (turn: NonNullable<KeptSession['running']>) => void
}

export interface OtherDevices {
  /** Whether somebody looks at the conversation. */
  attend(isSeen: boolean): void
  /** To be called after `sessionId` was set, also when it is the same as before. */
  sessionSet(hasChanged: boolean): void
  connectionChanged(state: ConnectionState): void
  /** Shows the reported turns that could not be shown yet. */
  catchUpIfBehind(): void
}

/** `mayBeBehind`: the connection was lost, and turns of that time are not reported again. */
type Attention =
  | { readonly type: 'unattended'; readonly mayBeBehind: boolean }
  /** Without a watch: there is no session, or the watch failed. The next connection, question or look tries again. */
  | { readonly type: 'attended'; readonly mayBeBehind: boolean }
  | { readonly type: 'watching'; readonly mayBeBehind: boolean; readonly watch: AbortController }

export function createOtherDevices(parts: OtherDevicesParts): OtherDevices {
  const { client, load, sessionId, isIdle, knows, show, resume } = parts
  let attention: Attention = { type: 'unattended', mayBeBehind: false }
  /** Reported by the watch and not shown yet. */
  const unseen = new Set<string>()

  function watch(): void {
    const watched = sessionId()
    if (attention.type !== 'attended' || watched === undefined) return
    const controller = new AbortController()
    attention = { ...attention, type: 'watching', watch: controller }
    const end = (): void => {
      if (attention.type === 'watching' && attention.watch === controller) unwatch('attended')
    }
    void follow(watched, controller.signal).then(end, end)
  }

  function unwatch(type: 'attended' | 'unattended'): void {
    attention = { type, mayBeBehind: attention.mayBeBehind }
  }

  function abortWatch(type: 'attended' | 'unattended'): void {
    if (attention.type === 'watching') attention.watch.abort()
    unwatch(type)
    unseen.clear()
  }

  async function follow(watched: string, signal: AbortSignal): Promise<void> {
    for await (const { turnId, part } of client.watch(watched, { signal })) {
      if (part.type !== 'accepted' || knows(turnId)) continue
      unseen.add(turnId)
      void catchUp()
    }
  }

  async function catchUp(): Promise<void> {
    const loaded = sessionId()
    if (!isIdle() || loaded === undefined) return
    const session = await load(loaded).catch(() => 'gone' as const)
    if (!isIdle() || loaded !== sessionId()) return
    if (session !== 'gone') show(session)
    for (const turnId of unseen) {
      if (!isIdle() && !knows(turnId)) return
      unseen.delete(turnId)
      // Its question is not known here: the answer is shown without it.
      if (!knows(turnId)) resume({ turnId, question: undefined })
    }
  }

  return {
    attend(isSeen) {
      if (isSeen === (attention.type !== 'unattended')) return
      if (!isSeen) return abortWatch('unattended')
      unwatch('attended')
      watch()
      void catchUp()
    },
    sessionSet(hasChanged) {
      if (hasChanged) abortWatch(attention.type === 'unattended' ? 'unattended' : 'attended')
      watch()
    },
    connectionChanged(state) {
      if (state === 'lost') attention = { ...attention, mayBeBehind: true }
      if (state !== 'open' || attention.type === 'unattended') return
      const { mayBeBehind } = attention
      attention = { ...attention, mayBeBehind: false }
      watch()
      if (mayBeBehind) void catchUp()
    },
    catchUpIfBehind() {
      for (const turnId of unseen) if (knows(turnId)) unseen.delete(turnId)
      if (unseen.size > 0) void catchUp()
    },
  }
}
