// docs/telemetry.md lists every span and every event of a span, as the tables in the code have them, and names the version of
// the conventions that the code pins.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { GEN_AI, GEN_AI_CONVENTIONS } from '#domain/telemetry/gen-ai-names.ts'
import { spanAttributes } from '#domain/telemetry/span-attributes.ts'
import { spanEvents, spanNames } from '#domain/telemetry/span-names.ts'
import { eventCatalogue } from '#domain/telemetry/catalogue.ts'
import { KEPT } from '#domain/telemetry/tail-sampler.ts'

const workspaceRoot = resolve(import.meta.dirname, '../../..')
const document = readFileSync(join(workspaceRoot, 'docs/telemetry.md'), 'utf8')
const rowsOf = (heading: string) => {
  const [, table = ''] = document.split(`${heading}\n`)
  const [rows = ''] = table.split('\n\n')
  return rows.split('\n').slice(1)
}
const code = (name: string) => `\`${name}\``

test('every span is listed, and no other', () => {
  const rows = Object.entries(spanNames).map(([name, help]) => `| ${code(name)} | ${help} |`)
  assert.deepEqual(rowsOf('| span | what it is |').toSorted(), rows.toSorted())
})

test('every event of a span is listed with its fields and its flag, and no other', () => {
  const rows = Object.entries(spanEvents).map(([name, { fields, help, isFlag }]) => {
    const named = fields.length === 0 ? '–' : fields.map(code).join(', ')
    return `| ${code(name)} | ${isFlag ? 'yes' : '–'} | ${named} | ${help} |`
  })
  assert.deepEqual(rowsOf('| event | flag | fields | meaning |').toSorted(), rows.toSorted())
})

test('every reason of the sampler is explained', () => {
  assert.deepEqual(
    rowsOf('| reason | scopes |').map((row) => row.split('`')[1]),
    [...KEPT],
  )
})

test('the version of the conventions is the pinned one', () => {
  assert.ok(document.includes(GEN_AI_CONVENTIONS.commit))
  assert.ok(document.includes(GEN_AI_CONVENTIONS.repository))
})

test('names of attributes are in the form of OpenTelemetry, and no two fields share one', () => {
  const names = Object.values<string>(spanAttributes)
  assert.equal(new Set(names).size, names.length)
  for (const name of [...names, ...Object.values(GEN_AI)]) assert.match(name, /^[a-z]+[a-z_]*(\.[a-z]+[a-z_]*)+$/, name)
})

test('an event of a span has the form of a log event, and the meaning of the one with its name', () => {
  for (const [name, { help }] of Object.entries(spanEvents)) {
    assert.match(name, /^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/, name)
    assert.match(help, /^[A-Z][^\n|]*\.$/, name)
  }
  const shared = Object.keys(spanEvents).filter((name) => Object.hasOwn(eventCatalogue, name))
  assert.deepEqual(shared, ['turn.taken-over', 'turn.abandoned'])
})
