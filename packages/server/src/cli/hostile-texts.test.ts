// Texts that a command gets from a server may be anyone's: shoppers, vendors, issuers and operators wrote them. A server whose every text
// tries to control the terminal is asked by each command; what is printed controls nothing.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import { main } from './main.ts'
import { fakeTerminal } from './testing/fake-terminal.ts'

const HOSTILE = 'x\u001B[2J\u001B]0;title\u0007\u009B31m\u202Etxt\u2066\u{E0041}\r\ny'
const CONTROLLING = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u206F\u{E0000}-\u{E007F}]/u
const TIME = '2026-11-18T05:00:00.000Z'
const TIMES = new Set([
  'at',
  'since',
  'from',
  'to',
  'until',
  'changedAt',
  'createdAt',
  'lastActiveAt',
  'startedAt',
  'seenAt',
])

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly minimum?: number
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, Reply> }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Reply {
  readonly content?: { readonly 'application/json': { readonly schema: Schema } }
}

/** A value of the schema with everything that it may have, whose texts are hostile. */
function valueOf(schema: Schema, { components }: Contract, name = ''): unknown {
  const below = (child: Schema, of = name) => valueOf(child, { components } as Contract, of)
  const { additionalProperties, anyOf, items, patternProperties, properties } = schema
  if (schema.$ref !== undefined) return below(components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (anyOf !== undefined) return below(anyOf.find(({ type }) => type !== 'null') ?? {})
  if (properties !== undefined)
    // Without `next` a page is the last one.
    return Object.fromEntries(
      Object.entries(properties).flatMap(([key, child]) => (key === 'next' ? [] : [[key, below(child, key)]])),
    )
  const entry = Object.values(patternProperties ?? {})[0] ?? additionalProperties
  if (typeof entry === 'object') return { [HOSTILE]: below(entry) }
  if (items !== undefined) return [below(items)]
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (schema.type === 'boolean') return true
  if (schema.type === 'object') return {}
  return TIMES.has(name) ? TIME : HOSTILE
}

async function hostileServer(context: TestContext) {
  const doors = await openDoors()
  context.after(() => doors[Symbol.asyncDispose]())
  const contract = (await doors.http.inject({ url: '/openapi.json' })).json() as Contract
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const [, methods] = Object.entries(contract.paths).find(([route]) =>
      new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    ) ?? ['', undefined]
    const schema =
      methods?.[(request.method ?? '').toLowerCase()]?.responses['200']?.content?.['application/json'].schema
    response.writeHead(schema === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(schema === undefined ? {} : valueOf(schema, contract)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  context.after(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const COMMANDS = [
  'alarms --all',
  'alarms test --reason r',
  'block list',
  'block guest_1 --reason r',
  'conversation sess_1 --reason r',
  'conversation --user guest_1',
  'experiment list',
  'experiment report one',
  'feedback',
  'feedback --worst --text --reason r',
  'handovers --state all',
  'handovers take hand_1 --reason r',
  'lanes',
  'limits',
  'mode reduced --reason r',
  'models',
  'nodes',
  'search manga',
  'settings',
  'top --once',
  'turn turn_1',
  'turn turn_1 --log',
  'turns --limit 1',
  'usage',
  'usage --rows',
  'usage --turn turn_1',
  'usage quota --user guest_1',
] as const

/** Prints JSON without being asked to. */
const JSON_ONLY = 'export --user guest_1'

test('no command prints what controls the terminal, in words or as JSON, and as JSON nothing is lost', async (context) => {
  const url = await hostileServer(context)
  const run = async (args: readonly string[]) => {
    const terminal = fakeTerminal(context, { env: { MANGAASSIST_ADMIN_TOKEN: 'maa_x' } })
    const code = await main([...args, '--url', url], terminal)
    assert.doesNotMatch(`${terminal.printed.out}${terminal.printed.err}`, CONTROLLING, args.join(' '))
    assert.ok(code < 2 && terminal.printed.out !== '', `${args.join(' ')}: ${terminal.printed.err}`)
    return terminal.printed.out
  }
  for (const command of COMMANDS) await run(command.split(' '))
  for (const command of [...COMMANDS.map((one) => `${one} --json`), JSON_ONLY]) {
    const printed = await run(command.split(' '))
    const texts = JSON.stringify(
      printed
        .trimEnd()
        .split(command === JSON_ONLY ? '\0' : '\n')
        .map((line) => JSON.parse(line)),
    )
    assert.ok(texts.includes(JSON.stringify(HOSTILE)), command)
  }
})

test('a refusal of a server is printed without what controls the terminal', async (context) => {
  const error = { code: 'INVALID_REQUEST', message: HOSTILE, details: { field: HOSTILE, reason: HOSTILE } }
  const server = createServer((_request, response) =>
    response.writeHead(400).end(JSON.stringify({ success: false, error })),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  context.after(() => server.close().closeAllConnections())
  const terminal = fakeTerminal(context, { env: { MANGAASSIST_ADMIN_TOKEN: 'maa_x' } })
  const { port } = server.address() as AddressInfo
  assert.equal(await main(['handovers', '--url', `http://127.0.0.1:${port}`], terminal), 1)
  assert.match(terminal.printed.err, /INVALID_REQUEST/)
  assert.doesNotMatch(terminal.printed.err, CONTROLLING)
})
