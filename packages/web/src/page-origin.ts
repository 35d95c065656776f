// The origin of the page that the shopper sees. In a frame on another site that is the page around it, not our own document: the
// browser blocks our cookie there, and a link must not open inside of the frame.

/** Our frame sets it on its own document before the chat starts. */
export function setPageOrigin(origin: string): void {
  document.documentElement.dataset['mangaAssistPage'] = origin
}

export function pageOrigin(): string {
  return document.documentElement.dataset['mangaAssistPage'] ?? location.origin
}

/** In our frame the surrounding page handles whatever belongs to a page, such as the history entry of the open chat. */
export function isFramed(): boolean {
  return document.documentElement.dataset['mangaAssistPage'] !== undefined
}

/** Empty in a frame, whose own path is not that of the surrounding page. */
export function pagePath(): string {
  return pageOrigin() === location.origin ? location.pathname : ''
}
