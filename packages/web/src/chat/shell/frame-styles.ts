// Styles of `<manga-assist>` around its frame. A constructed sheet in a shadow root: it needs no `style-src`, and wins over rules of the page that
// are important. What changes is in custom properties that the element sets on the frame.

const styles = `
  :host {
    --ma-safe-top: env(safe-area-inset-top, 0px);
    --ma-safe-right: env(safe-area-inset-right, 0px);
    --ma-safe-bottom: env(safe-area-inset-bottom, 0px);
    --ma-safe-left: env(safe-area-inset-left, 0px);
  }
  :host(:not([inline])) {
    all: initial !important;
    display: contents !important;
  }
  :host([inline]) {
    display: block;
    height: 560px;
  }
  :host([hidden]) {
    display: none !important;
  }
  iframe {
    all: initial;
    position: fixed;
    left: 0;
    top: var(--ma-top, 0);
    width: 100%;
    height: var(--ma-height, 100%);
    z-index: var(--ma-z-index, 2147483000);
    clip-path: var(--clip, inset(100%));
    visibility: var(--visibility, hidden);
    /* As in the frame's document: a browser paints an opaque ground behind a frame of another scheme. */
    color-scheme: light dark;
  }
  :host([inline]) iframe {
    display: block;
    position: static;
    height: 100%;
    clip-path: none;
  }
`

export function frameSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  return sheet
}
