// Tells the other tabs of this browser which conversation this tab writes in, so that a tab is not called another device.
// Nothing but the id of a conversation is sent, and only within the browser and the origin.

/** The part of `BroadcastChannel` that is used here. */
export interface TabChannel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  close(): void
}

export interface Tabs {
  /** This tab asks in the conversation. */
  writes(sessionId: string): void
  /** Another tab has just asked in the conversation. */
  wroteLately(sessionId: string): boolean
  close(): void
}

/** The server's message that another connection writes arrives within this time of the other tab's own message. */
const latelyMs = 10_000

export function createTabs(open: (() => TabChannel) | undefined, onWrite: (sessionId: string) => void): Tabs {
  const channel = tryOpen(open)
  const wroteAtMs = new Map<string, number>()
  channel?.addEventListener('message', ({ data }) => {
    const sessionId = sessionOf(data)
    if (sessionId === undefined) return
    // One conversation is shown at a time: only the latest matters.
    wroteAtMs.clear()
    wroteAtMs.set(sessionId, Date.now())
    onWrite(sessionId)
  })
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    writes: (sessionId) => channel?.postMessage({ type: 'writes', sessionId }),
    wroteLately: (sessionId) => Date.now() - (wroteAtMs.get(sessionId) ?? 0) < latelyMs,
    close: () => channel?.close(),
  }
}

/** A browser without channels, or one that refuses them, knows no other tabs. */
function tryOpen(open: (() => TabChannel) | undefined): TabChannel | undefined {
  try {
    return open?.()
  } catch {
    return undefined
  }
}

function sessionOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'writes') return undefined
  return 'sessionId' in data && typeof data.sessionId === 'string' ? data.sessionId : undefined
}
