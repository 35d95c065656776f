// The storefront in the browser. The server renders every page; this script adds the chat, and shows the next page without loading
// it, so that the chat stays open. Without it every page works for reading, searching and choosing.
import { startAssistant } from './assistant.ts'
import { startCart } from './cart.ts'
import { createNavigation } from './navigation.ts'
import { revealAnchor, submitOnChange } from './page-parts.ts'
import { keepRoomForChat } from './room-for-chat.ts'

keepRoomForChat()

const assistant = startAssistant({ go: (href) => void navigation.go(href) })
const navigation = createNavigation({
  shown: () => {
    assistant.follow()
    revealAnchor()
  },
})
submitOnChange(navigation)
startCart(navigation)
revealAnchor()
