// The icons of the chat, drawn in the colour of their text.
import { html } from 'lit'
import type { TemplateResult } from 'lit'

const icon = (d: string): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d=${d}></path></svg>`

/** A speech balloon with lines of text. */
export const balloonIcon = icon(
  'M12 3C6.5 3 2.5 6.5 2.5 11c0 2.6 1.4 4.9 3.6 6.3L5 21.5l4.7-2.7c.7.1 1.5.2 2.3.2 5.5 0 9.5-3.5 9.5-8S17.5 3 12 3zM8 9.5h8M8 12.7h5',
)
export const closeIcon = icon('M6 6l12 12M18 6L6 18')
export const newIcon = icon('M12 5v14M5 12h14')
export const sendIcon = icon('M12 20V5M5.5 11.5L12 5l6.5 6.5')
export const stopIcon = icon('M7 7h10v10H7z')
/** A thumb that points up; styles turn it. */
export const thumbIcon = icon(
  'M7.5 10.5v9.5h-4v-9.5zM7.5 11l3.8-7.5c1.5 0 2.5 1.1 2.2 2.6l-.7 3.6h5.4c1.4 0 2.4 1.3 2.1 2.6l-1.4 6c-.2 1-1.1 1.7-2.1 1.7H7.5',
)
export const downIcon = icon('M12 5v14M5.5 12.5L12 19l6.5-6.5')
