// What a typed line means.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTypedLine } from './typed-line.ts'

const shown = [
  { label: 'Cheaper', message: 'Something cheaper, please' },
  { label: 'Longer', message: 'Something longer' },
]
const kindOf = (line: string) => readTypedLine(line, shown).kind

test('commands are known in any case and in full width; other words are questions', () => {
  assert.deepEqual(['/help', '/NEW', ' /quit ', 'exit', 'Quit', '／ｈｅｌｐ', '  '].map(kindOf), [
    'help',
    'new',
    'quit',
    'quit',
    'quit',
    'help',
    'nothing',
  ])
  for (const message of ['exit music for a film', 'help', 'quit it', '1 volume'])
    assert.deepEqual(readTypedLine(message, shown), { kind: 'question', message, isChosen: false })
})

test('an unknown command is named, with the nearest one', () => {
  assert.deepEqual(readTypedLine('/hepl me', []), { kind: 'unknown', name: '/hepl', meant: '/help' })
  assert.deepEqual(readTypedLine('/somethingelse', []), { kind: 'unknown', name: '/somethingelse', meant: undefined })
})

test('a number asks the suggestion of that place while suggestions are shown', () => {
  const second = { kind: 'question', message: 'Something longer', isChosen: true }
  assert.deepEqual([readTypedLine('2', shown), readTypedLine('２', shown)], [second, second])
  assert.deepEqual(readTypedLine('3', shown), { kind: 'question', message: '3', isChosen: false })
  assert.deepEqual(readTypedLine('1', []), { kind: 'question', message: '1', isChosen: false })
})
