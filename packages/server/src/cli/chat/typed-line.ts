// What a typed line means: a command of the chat, the number of a suggestion, or a question.
import type { Suggestion } from '@mangaassist/protocol'
import { nearest } from '#lib/text/nearest.ts'

export type TypedLine =
  | { readonly kind: 'nothing' | 'help' | 'new' | 'quit' }
  | { readonly kind: 'unknown'; readonly name: string; readonly meant: string | undefined }
  /** `isChosen`: the question of a suggestion, which was not typed. */
  | { readonly kind: 'question'; readonly message: string; readonly isChosen: boolean }

const COMMANDS = { '/help': 'help', '/new': 'new', '/quit': 'quit' } as const
const LEAVING: ReadonlySet<string> = new Set(['exit', 'quit'])

/** Full-width forms count, because a Japanese keyboard types them. `shown` are the suggestions of the last answer. */
export function readTypedLine(line: string, shown: readonly Suggestion[]): TypedLine {
  const message = line.trim()
  if (message === '') return { kind: 'nothing' }
  const folded = message.normalize('NFKC').toLowerCase()
  if (LEAVING.has(folded)) return { kind: 'quit' }
  const chosen = /^[1-9]$/.test(folded) ? shown[Number(folded) - 1] : undefined
  if (chosen !== undefined) return { kind: 'question', message: chosen.message, isChosen: true }
  if (!folded.startsWith('/')) return { kind: 'question', message, isChosen: false }
  const [name = ''] = folded.split(/\s/u)
  if (Object.hasOwn(COMMANDS, name)) return { kind: COMMANDS[name as keyof typeof COMMANDS] }
  return { kind: 'unknown', name, meant: nearest(name, Object.keys(COMMANDS)) }
}
