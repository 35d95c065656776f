// Holds the conversations of the evaluation files, and reports how many turns were right and what was wrong with the
// others.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Compile } from 'typebox/compile'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { Conversation } from '@mangaassist/bookseller/evaluation/conversation'
import { holdConversation } from '@mangaassist/bookseller/evaluation/hold-conversation'
import type { HeldTurn } from '@mangaassist/bookseller/evaluation/hold-conversation'
import type { LookUp } from '#wiring/profiles/look-up.ts'
import { CommandError } from '../command.ts'
import { converse } from './assistant.ts'

export interface HeldConversation {
  readonly id: string
  readonly writer: string
  readonly turns: readonly HeldTurn[]
}

export interface ConversationReport {
  readonly writer: string
  readonly conversations: number
  readonly turns: number
  /** The share of turns without a fault. */
  readonly right: number
  /** Series shown against a stated dislike, age or limit, or that were forbidden. */
  readonly againstConditions: number
  /** Statements about a series that the catalogue contradicts. */
  readonly falseClaims: number
  readonly repeatedSentences: number
  readonly faults: Readonly<Record<string, number>>
}

export async function holdAll(
  files: readonly string[],
  lookUp: LookUp,
  catalogue: ReadonlyMap<string, Product>,
): Promise<readonly HeldConversation[]> {
  const held: HeldConversation[] = []
  for (const file of files)
    for (const conversation of await conversationsIn(file))
      held.push({
        id: conversation.id,
        writer: conversation.id.replace(/-\d+$/u, ''),
        turns: await holdConversation(conversation, converse(lookUp), catalogue),
      })
  return held
}

export async function conversationFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder)
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(folder, name))
}

const isConversation = Compile(Conversation)

export async function conversationsIn(file: string): Promise<readonly Conversation[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read (${String(error)}).`)
  })
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const value: unknown = JSON.parse(line)
    if (isConversation.Check(value)) return [value]
    const [problem] = isConversation.Errors(value)
    throw new CommandError(`${file}:${index + 1}: ${problem?.instancePath ?? ''} ${problem?.message ?? 'is invalid'}`)
  })
}

export function reportsOf(held: readonly HeldConversation[]): readonly ConversationReport[] {
  return [...Map.groupBy(held, ({ writer }) => writer)].map(([writer, of]) => reportOf(writer, of))
}

export function reportOf(writer: string, held: readonly HeldConversation[]): ConversationReport {
  const turns = held.flatMap((conversation) => conversation.turns)
  const faults = turns.flatMap((turn) => turn.faults)
  const kinds = Map.groupBy(faults, ({ kind }) => kind)
  const count = (...names: readonly string[]) => faults.filter(({ kind }) => names.includes(kind)).length
  return {
    writer,
    conversations: held.length,
    turns: turns.length,
    right: turns.filter((turn) => turn.faults.length === 0).length / (turns.length || 1),
    againstConditions: count('rule', 'forbidden'),
    falseClaims: turns.reduce((sum, { falseClaims }) => sum + falseClaims.length, 0),
    repeatedSentences: turns.reduce((sum, { repeated }) => sum + repeated.length, 0),
    faults: Object.fromEntries([...kinds].map(([kind, of]) => [kind, of.length])),
  }
}

export function describeConversations(held: readonly HeldConversation[], shows: boolean): string {
  const rows = [...reportsOf(held), reportOf('all', held)]
  const header = '  writer   conversations  turns  right  against conditions  false claims  said twice  faults'
  const line = (report: ConversationReport) =>
    [
      `  ${report.writer.padEnd(9)}`,
      String(report.conversations).padStart(13),
      String(report.turns).padStart(7),
      report.right.toFixed(3).padStart(7),
      String(report.againstConditions).padStart(20),
      String(report.falseClaims).padStart(14),
      String(report.repeatedSentences).padStart(12),
      `  ${Object.entries(report.faults)
        .sort(([, a], [, b]) => b - a)
        .map(([kind, count]) => `${kind} ${count}`)
        .join(', ')}`,
    ].join('')
  return ['conversations', header, ...rows.map(line), ...(shows ? held.flatMap(wrongTurns) : [])].join('\n')
}

function wrongTurns({ id, turns }: HeldConversation): readonly string[] {
  return turns.flatMap(({ say, answer, faults, falseClaims }, index) =>
    faults.length + falseClaims.length === 0
      ? []
      : [
          `\n  ${id}, turn ${index + 1}: ${say}`,
          `    ${answer.text} [${answer.cards.join(', ')}]`,
          ...faults.map(({ kind, what }) => `    ${kind}: ${what}`),
          ...falseClaims.map((claim) => `    false claim: ${claim}`),
        ],
  )
}
