// No address of the hostile catalogue entries becomes a link in an answer that repeats them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { answerLink } from './links.ts'

const path = join(import.meta.dirname, '../../../../bookseller/evaluation/hostile.jsonl')
const texts = readFileSync(path, 'utf8')
  .trim()
  .split('\n')
  .flatMap((line) => Object.values(JSON.parse(line) as Record<string, unknown>))
  .filter((value) => typeof value === 'string')

test('an address of another host, or of another scheme, stays text', () => {
  const addresses = texts.flatMap((text) => [
    ...[...text.matchAll(/\]\(([^)]*)\)?/gu)].map(([, address = '']) => address),
    ...[...text.matchAll(/https?:[^\s<>)]+/gu)].map(([address]) => address),
  ])
  assert.ok(addresses.length >= 8)
  for (const address of addresses)
    assert.equal(
      answerLink(address, { base: 'https://shop.example', hosts: ['shop.example'], language: 'en' }),
      undefined,
      address,
    )
})
