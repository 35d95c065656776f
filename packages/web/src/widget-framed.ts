// The script of `/widget/frame`: the chat in a frame on another site's page, which sends the settings. The frame is on the server's own
// origin, and so is the panel.
import { joinPage } from './chat/shell/framed-chat.ts'
import { panelLoader } from './chat/shell/load-panel.ts'
import { defineMangaAssist } from './chat/shell/manga-assist.ts'
import { panelAddress } from './module-address.ts'

joinPage((element) => {
  defineMangaAssist(panelLoader(panelAddress))
  document.body.append(element)
})
