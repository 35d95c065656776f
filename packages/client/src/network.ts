// The browser's events about the network: that it is lost, and that it may be back. Outside browsers there are none.
import type { Page } from './types.ts'

export interface Network {
  readonly isOffline: () => boolean
  /** `back`: online again, or a page that slept is visible again. Returns a function that unsubscribes. */
  readonly listen: (onChange: (change: 'offline' | 'back') => void) => () => void
}

export function networkOf(page: Page): Network {
  return {
    isOffline: () => page.navigator?.onLine === false,
    listen(onChange) {
      const listeners = {
        offline: () => onChange('offline'),
        online: () => onChange('back'),
        // The page was restored from the back-forward cache, where its sockets were closed or frozen.
        pageshow: () => onChange('back'),
        // The event bubbles from the document to the window.
        visibilitychange: () => page.document?.visibilityState === 'visible' && onChange('back'),
      }
      for (const [type, listener] of Object.entries(listeners)) page.addEventListener?.(type, listener)
      return () => {
        for (const [type, listener] of Object.entries(listeners)) page.removeEventListener?.(type, listener)
      }
    },
  }
}
