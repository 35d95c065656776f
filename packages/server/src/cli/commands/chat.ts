// `mangaassist chat`: a conversation in the terminal, or one question from a script. Ctrl-C stops the answer in flight;
// at the prompt it exits.
import { createClient } from '@mangaassist/client'
import { systemClock } from '#adapters/system/clock.ts'
import { jsonView, textView } from '../chat/answer-view.ts'
import { CHAT_TEXTS } from '../chat/chat-texts.ts'
import { Conversation } from '../chat/conversation.ts'
import { talk } from '../chat/talk.ts'
import { waitingSign } from '../chat/waiting-sign.ts'
import { parseFlags } from '../command.ts'
import type { Command } from '../command.ts'
import { interfaceLanguage, localeLanguage } from '../output/interface-language.ts'
import { screenOf } from '../output/screen.ts'
import { findServer } from '../server/find-server.ts'
import { guestCookie } from '../server/guest-cookie.ts'

const flags = {
  url: { type: 'string' },
  message: { type: 'string' },
  session: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const chat: Command = {
  summary: 'Chat with a running server, or with one started for it',
  usage: `Usage: mangaassist chat [flags]

Reads one question a line and streams the answers. In a terminal /help lists the commands of the
chat, the number of a suggestion asks it, Ctrl-C stops an answer, and /quit or Ctrl-D leaves. The
interface is Japanese where the locale is (LC_ALL, LC_MESSAGES or LANG). Colours are used in a
terminal unless NO_COLOR is set. Input from a pipe is answered in plain text.

  --url URL        the server (default: the one on PORT if it answers, else one that is started
                   on a free port)
  --message TEXT   ask this and exit
  --session ID     continue a conversation
  --json           a line of JSON for each answer: sessionId, text, products, suggestions, done,
                   verified

Exit code 0 when every question of a pipe or of --message was answered in full, else 1.`,

  async run(args, terminal) {
    const { url, message, session, json } = parseFlags(args, flags)
    const clock = systemClock()
    const screen = screenOf(terminal)
    const texts = CHAT_TEXTS[interfaceLanguage(terminal.env)]
    const isTalk = message === undefined && json !== true && terminal.stdin.isTTY === true
    using sign = waitingSign(screen, clock)
    if (json !== true) sign.show(texts.starting)
    await using server = await findServer(url, terminal)
    const client = createClient({ url: server.url, headers: { cookie: await guestCookie(server) } })
    sign.hide()
    const view =
      json === true
        ? jsonView(terminal)
        : textView({ terminal, screen, clock, texts, url: server.url, showsSuggestions: isTalk })
    const conversation = new Conversation({
      client,
      view,
      texts,
      sessionId: session,
      interfaceLanguage: localeLanguage(terminal.env) === undefined ? undefined : interfaceLanguage(terminal.env),
    })
    try {
      if (message === undefined) return await talk({ conversation, terminal, screen, texts, isTalk })
      using _listening = terminal.onSignal(() => conversation.interrupt())
      await conversation.ask(message)
      return 0
    } finally {
      client.close()
    }
  },
}
