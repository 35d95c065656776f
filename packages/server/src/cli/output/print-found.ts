// What a command prints of what it found, as JSON or in words. Names and texts in it may be anyone's (shoppers, vendors, issuers, earlier
// operators), so nothing in it controls the terminal; as JSON it keeps every character.
import { escapedJson, readable } from '#lib/text/readable.ts'
import type { Terminal } from '../command.ts'

export interface FoundOutput {
  readonly stdout: Terminal['stdout']
  readonly isJson: boolean
}

export function printFound<Found>(
  { isJson, stdout }: FoundOutput,
  found: Found,
  words: (found: Found) => string,
): void {
  stdout.write(`${isJson ? escapedJson(found) : readable(words(found))}\n`)
}
