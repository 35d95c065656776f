// Every alarm has a runbook, and a runbook names only commands, metrics, log events, alarms and settings that exist.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { commands } from '#cli/main.ts'
import { ConfigSchema } from '#config/config.ts'
import { alarmTable } from '#domain/alarms/alarm-table.ts'
import { eventCatalogue } from '#domain/telemetry/catalogue.ts'
import { catalogue, unknownMetrics } from './tidy/telemetry-table.ts'

const folder = resolve(import.meta.dirname, '../../../docs/runbooks')
const SECTIONS = ['What it means', 'What to check', 'What to do', 'When to wake someone']

test('there is a page for each alarm, and no other', () => {
  assert.deepEqual(readdirSync(folder).toSorted(), alarmTable.map(({ id }) => `${id}.md`).toSorted())
})

for (const { id, severity, title } of alarmTable) {
  test(`the runbook of ${id} is complete, and what it names exists`, () => {
    const text = readFileSync(join(folder, `${id}.md`), 'utf8')
    assert.ok(text.startsWith(`# ${id}: ${title.en}\n\nSeverity \`${severity}\`. ${title.ja}。\n`), 'its first lines')
    assert.deepEqual(
      [...text.matchAll(/^## (.*)$/gmu)].map(([, heading]) => heading),
      SECTIONS,
    )
    for (const part of text.split(/^## /mu).slice(1)) assert.ok(part.split('\n').slice(1).join('').trim().length > 2)
    assert.deepEqual(unknownMetrics(text, catalogue), [])
    for (const [, command = ''] of text.matchAll(/npx mangaassist ([a-z-]+)/gu))
      assert.ok(Object.hasOwn(commands, command), command)
    for (const [, link = ''] of text.matchAll(/\]\(([a-z0-9-]+)\.md\)/gu))
      assert.ok(
        alarmTable.some((alarm) => alarm.id === link),
        link,
      )
    assert.deepEqual(
      namesIn(text).filter((name) => !isEvent(name) && !isSetting(name)),
      [],
    )
  })
}

/** Names with a dot in code: log events and settings. */
function namesIn(text: string): readonly string[] {
  const codes = [...text.matchAll(/`([a-zA-Z]+(?:-[a-z]+)*\.[a-zA-Z.-]+)`/gu)].map(([, name = '']) => name)
  return codes.filter((name) => !/\.(yaml|ts|md|json)$/u.test(name))
}

function isEvent(name: string): boolean {
  return Object.hasOwn(eventCatalogue, name)
}

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
}

/** A path into the settings; below a model any name, because models are configured by shops. */
function isSetting(path: string): boolean {
  let shape: Shape | undefined = ConfigSchema as Shape
  for (const name of path.split('.')) {
    if (name === 'NAME') return true
    shape = shape.properties?.[name]
    if (shape === undefined) return false
  }
  return true
}
