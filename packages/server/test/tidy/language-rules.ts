// Plain English as a rule: comments, test names, descriptions and identifiers use the words of docs/glossary.md. A machine finds only
// words that were once used here and have a usual replacement; the message names the replacement.
import { commentsOf, isSyntaxNode, programOf } from './source-file.ts'
import type { SourceFile, SyntaxNode, Violation } from './source-file.ts'

interface BannedPhrase {
  readonly pattern: RegExp
  readonly instead: string
}

const phrases: readonly BannedPhrase[] = [
  { pattern: /\btold\b/i, instead: 'reported, sent, logged, stated' },
  { pattern: /\bheard\b/i, instead: 'received, seen, known' },
  { pattern: /\b(whoever|those who|he who)\b/i, instead: 'the caller, the reader, the owner' },
  { pattern: /\b(nobody|anybody|somebody)\b/i, instead: 'no caller, no reader, another node' },
  { pattern: /\banew\b/i, instead: 'again, restarted' },
  { pattern: /\bunder ?way\b/i, instead: 'in flight, running' },
  { pattern: /\b(go|goes|going|gone|went) on\b/i, instead: 'continue, continued' },
  { pattern: /\bof before\b/i, instead: 'cached, previous' },
  { pattern: /\baway\b/i, instead: 'unavailable, at once' },
  { pattern: /\b(for want of|be it|lest|thereof|thereby|hence)\b/i, instead: 'a plain clause' },
  { pattern: /\b(a|the|one|each|every|next|last|first|second) looks?\b/i, instead: 'poll, check, lookup' },
  { pattern: /^\s*Of\b/, instead: 'a sentence with a subject' },
]

/** Words that no name may contain, each with the usual ones. */
const nameWords: ReadonlyMap<string, string> = new Map([
  ['told', 'reported, sent, stated'],
  ['heard', 'received'],
  ['telling', 'draft'],
  ['whoever', 'caller'],
  ['nobody', 'none'],
  ['anew', 'again'],
  ['away', 'unavailable'],
  ['look', 'poll, check, lookup'],
  ['looked', 'polled, checked'],
])
/** `goingAway` is the name that the WebSocket protocol has for its close code. */
const exemptNames: ReadonlySet<string> = new Set(['goingAway'])

export function languageViolations(files: readonly SourceFile[]): Violation[] {
  return files.flatMap((file) => [
    ...commentsOf(file).flatMap((comment) => phraseViolations(file.path, 'comment', comment)),
    ...testNamesIn(programOf(file)).flatMap((name) => phraseViolations(file.path, 'test name', name)),
    ...descriptionsIn(programOf(file)).flatMap((text) => phraseViolations(file.path, 'description', text)),
    ...identifierViolations(file),
  ])
}

function phraseViolations(path: string, place: string, text: string): Violation[] {
  return phrases
    .filter(({ pattern }) => pattern.test(text))
    .map(({ pattern, instead }) => ({
      path,
      what: `has "${pattern.exec(text)?.[0].trim()}" in a ${place} (${instead}): ${text.trim().replace(/\s+/g, ' ')}`,
    }))
}

function identifierViolations(file: SourceFile): Violation[] {
  return [...new Set(namesIn(programOf(file)))].flatMap((name) => {
    const word = exemptNames.has(name) ? undefined : wordsOf(name).find((candidate) => nameWords.has(candidate))
    if (word === undefined) return []
    return [{ path: file.path, what: `has the word "${word}" in the name ${name} (${nameWords.get(word)})` }]
  })
}

/** `lookUp` and `lookAlike` are usual names. */
function wordsOf(name: string): string[] {
  return name
    .replace(/look(?=Up|up|ing|s|Alike)|Look(?=Up|up|s|Alike)/g, 'find')
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .map((word) => word.toLowerCase())
}

function namesIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(namesIn)
  if (!isSyntaxNode(node)) return []
  const own = (node.type === 'Identifier' || node.type === 'PrivateIdentifier') && typeof node.name === 'string'
  return [...(own ? [String(node.name)] : []), ...Object.values(node).flatMap(namesIn)]
}

/** The texts of an API's contract, of a command's help and of a metric. */
function descriptionsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(descriptionsIn)
  if (!isSyntaxNode(node)) return []
  return [...descriptionOf(node), ...Object.values(node).flatMap(descriptionsIn)]
}

function descriptionOf({ type, key, value }: SyntaxNode): string[] {
  if (type !== 'Property' || !isSyntaxNode(key) || !isSyntaxNode(value)) return []
  const isDescription = ['summary', 'description', 'help'].includes(String(key['name']))
  return isDescription && typeof value['value'] === 'string' ? [value['value']] : []
}

function testNamesIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(testNamesIn)
  if (!isSyntaxNode(node)) return []
  return [...testNameOf(node), ...Object.values(node).flatMap(testNamesIn)]
}

function testNameOf(node: SyntaxNode): string[] {
  if (node.type !== 'CallExpression' || !isSyntaxNode(node.callee)) return []
  const callee = node.callee.type === 'MemberExpression' ? node.callee.property : node.callee
  if (!isSyntaxNode(callee) || !['test', 'it', 'describe', 'suite'].includes(String(callee.name))) return []
  const [name] = Array.isArray(node.arguments) ? node.arguments : []
  if (!isSyntaxNode(name)) return []
  if (name.type === 'Literal' && typeof name.value === 'string') return [name.value]
  if (name.type !== 'TemplateLiteral' || !Array.isArray(name.quasis)) return []
  return [name.quasis.map((quasi: { value: { cooked: string } }) => quasi.value.cooked).join('…')]
}
