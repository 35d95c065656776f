// After a reload with an open chat, the page has its docked panel's room before it is first painted: the panel comes later, and
// would move everything that is being read. The room is given up as soon as the panel makes its own, or when the chat is closed.
import { createMemory, createTabMemory } from '../memory.ts'

/** In `base.css`, where the window is wide enough for a docked panel. */
const attribute = 'data-room-for-chat'

export function keepRoomForChat(): void {
  const { documentElement: root } = document
  const { layout = 'dock' } = createMemory(location.origin, location.origin).recall()
  if (layout !== 'dock' || !createTabMemory(location.origin).wasOpen()) return
  root.toggleAttribute(attribute, true)
  // The panel's own room is a style of the same element.
  const made = new MutationObserver(() => {
    if (root.style.marginRight !== '') giveUp()
  })
  const giveUp = (): void => {
    made.disconnect()
    root.removeAttribute(attribute)
  }
  made.observe(root, { attributeFilter: ['style'] })
  document.addEventListener('manga-assist-close', giveUp, { once: true })
}
