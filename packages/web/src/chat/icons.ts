// The icons of the chat, drawn in the colour of their text.
import { html } from 'lit'
import type { TemplateResult } from 'lit'
import { balloonPath } from './shell/launcher.ts'

const icon = (d: string): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d=${d}></path></svg>`

export const balloonIcon = icon(balloonPath)
export const closeIcon = icon('M6 6l12 12M18 6L6 18')
export const newIcon = icon('M12 5v14M5 12h14')
export const sendIcon = icon('M12 20V5M5.5 11.5L12 5l6.5 6.5')
export const stopIcon = icon('M7 7h10v10H7z')
/** A thumb that points up; styles turn it. */
export const thumbIcon = icon(
  'M7.5 10.5v9.5h-4v-9.5zM7.5 11l3.8-7.5c1.5 0 2.5 1.1 2.2 2.6l-.7 3.6h5.4c1.4 0 2.4 1.3 2.1 2.6l-1.4 6c-.2 1-1.1 1.7-2.1 1.7H7.5',
)
export const downIcon = icon('M12 5v14M5.5 12.5L12 19l6.5-6.5')
export const copyIcon = icon('M9 9h11v11H9zM5 15H4V4h11v1')
export const againIcon = icon('M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6')
export const speakerIcon = icon('M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11')
export const editIcon = icon('M4 20l1-4L16.5 4.5l3 3L8 19zM14 7l3 3')
export const microphoneIcon = icon(
  'M12 15a3.5 3.5 0 0 0 3.5-3.5v-5a3.5 3.5 0 0 0-7 0v5A3.5 3.5 0 0 0 12 15zM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21',
)
export const backIcon = icon('M15 5l-7 7 7 7')
export const deleteIcon = icon('M5 7h14M10 7V4.5h4V7M7 7l1 12.5h8L17 7M10.5 10.5v6M13.5 10.5v6')
/** Lines of a list, with a mark before each. */
export const historyIcon = icon('M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01')
export const menuIcon = icon('M12 5.5h.01M12 12h.01M12 18.5h.01')
/** A window, and how much of it the panel takes. */
export const layoutIcons = {
  float: icon('M3.5 5h17v14h-17zM13.5 12h7v7h-7z'),
  wide: icon('M3.5 5h17v14h-17zM9 8.5h11.5V19H9z'),
  dock: icon('M3.5 5h17v14h-17zM14 5v14'),
  full: icon('M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5'),
} as const
export const personIcon = icon('M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.8-4 3.8-6 7.5-6s6.7 2 7.5 6')
