// Where a searched text can lead: to a turn, a person, a conversation, a model. The likeliest comes first, by the form of our ids.
// Pure; the search field shows the targets and opens the first one with Enter.
import { consoleHref } from '../data/address.ts'
import type { shellWords } from '../words/shell.ts'

export interface FindTarget {
  readonly word: keyof typeof shellWords & `find${string}`
  readonly href: string
}

const TEXT_LENGTH_MAX = 256

export function findTargets(typed: string): FindTarget[] {
  const text = typed.trim().slice(0, TEXT_LENGTH_MAX)
  if (text === '') return []
  const turns = (word: FindTarget['word'], query: Record<string, string>): FindTarget => ({
    word,
    href: consoleHref({ screen: 'turns', query }),
  })
  const targets = {
    turn: { word: 'findTurn', href: consoleHref({ screen: 'turns', rest: [text] }) },
    request: turns('findRequest', { request: text }),
    session: turns('findSession', { session: text }),
    person: { word: 'findPerson', href: consoleHref({ screen: 'people', rest: [text] }) },
    user: turns('findUser', { user: text }),
    model: turns('findModel', { model: text }),
    audit: { word: 'findAudit', href: consoleHref({ screen: 'audit', query: { subject: text } }) },
  } as const satisfies Record<string, FindTarget>
  const first = firstOf(text)
  return [targets[first], ...Object.entries(targets).flatMap(([name, target]) => (name === first ? [] : [target]))]
}

function firstOf(text: string): 'turn' | 'request' | 'session' | 'person' | 'model' {
  if (/^turn[_-]/.test(text)) return 'turn'
  if (/^req[_-]/.test(text)) return 'request'
  if (/^(?:sess|session|conv)[_-]/.test(text)) return 'session'
  // Ids of models contain what ids of people do not.
  if (/[/@]|claude|gpt|nova|llama|qwen/.test(text)) return 'model'
  return 'person'
}
