// Fires the events of `<manga-assist>`, whose types are public (`@mangaassist/react/element`). None has a text of the conversation:
// what a shopper writes is not for the page's analytics.
import type { MangaAssistEvents } from '@mangaassist/react/element'

export type EmitEvent = <Name extends keyof MangaAssistEvents>(name: Name, detail: MangaAssistEvents[Name]) => void

/** Never throws into the caller: an error of a listener is the page's own. */
export function emitterOf(element: HTMLElement): EmitEvent {
  return (name, detail) => {
    element.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}
