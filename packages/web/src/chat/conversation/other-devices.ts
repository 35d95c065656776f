// Adds the turns of other devices to the shown conversation while the panel is visible: a watch on the session reports
// new turns, and missed turns are loaded. One answer is followed at a time.
import type { Client, ConnectionState } from '@mangaassist/client'
import type { StoredSession, LoadSession } from './sessions.ts'

export interface OtherDevicesParts {
  readonly client: Pick<Client, 'watch'>
  readonly load: LoadSession
  readonly sessionId: () => string | undefined
  /** No answer is in flight, and the conversation is not being restored. */
  readonly isIdle: () => boolean
  readonly knows: (turnId: string) => boolean
  readonly show: (session: StoredSession) => void
  readonly resume: (turn: NonNullable<StoredSession['running']>) => void
}

export interface OtherDevices {
  setVisible(isVisible: boolean): void
  /** Must be called each time `sessionId` is set, even to the same value. */
  sessionSet(hasChanged: boolean): void
  connectionChanged(state: ConnectionState): void
  /** Shows the reported turns that could not be shown yet. */
  catchUpIfBehind(): void
}

/** `mayBeBehind`: the connection was lost, and turns of that time are not reported again. */
type Visibility =
  | { readonly type: 'hidden'; readonly mayBeBehind: boolean }
  /** Visible without a watch: no session, or the watch failed. The next connection or question starts one again. */
  | { readonly type: 'visible'; readonly mayBeBehind: boolean }
  | { readonly type: 'watching'; readonly mayBeBehind: boolean; readonly watch: AbortController }

export function createOtherDevices(parts: OtherDevicesParts): OtherDevices {
  const { client, load, sessionId, isIdle, knows, show, resume } = parts
  let visibility: Visibility = { type: 'hidden', mayBeBehind: false }
  /** Turns that the watch reported and that are not shown yet. */
  const unseen = new Set<string>()

  function watch(): void {
    const watched = sessionId()
    if (visibility.type !== 'visible' || watched === undefined) return
    const controller = new AbortController()
    visibility = { ...visibility, type: 'watching', watch: controller }
    const end = (): void => {
      if (visibility.type === 'watching' && visibility.watch === controller) unwatch('visible')
    }
    void follow(watched, controller.signal).then(end, end)
  }

  function unwatch(type: 'visible' | 'hidden'): void {
    visibility = { type, mayBeBehind: visibility.mayBeBehind }
  }

  function abortWatch(type: 'visible' | 'hidden'): void {
    if (visibility.type === 'watching') visibility.watch.abort()
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
      // The question could not be loaded: the answer is shown without it.
      if (!knows(turnId)) resume({ turnId, question: undefined })
    }
  }

  return {
    setVisible(isVisible) {
      if (isVisible === (visibility.type !== 'hidden')) return
      if (!isVisible) return abortWatch('hidden')
      unwatch('visible')
      watch()
      void catchUp()
    },
    sessionSet(hasChanged) {
      if (hasChanged) abortWatch(visibility.type === 'hidden' ? 'hidden' : 'visible')
      watch()
    },
    connectionChanged(state) {
      if (state === 'lost') visibility = { ...visibility, mayBeBehind: true }
      if (state !== 'open' || visibility.type === 'hidden') return
      const { mayBeBehind } = visibility
      visibility = { ...visibility, mayBeBehind: false }
      watch()
      if (mayBeBehind) void catchUp()
    },
    catchUpIfBehind() {
      for (const turnId of unseen) if (knows(turnId)) unseen.delete(turnId)
      if (unseen.size > 0) void catchUp()
    },
  }
}
