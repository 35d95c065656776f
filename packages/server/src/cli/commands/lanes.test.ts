// `mangaassist lanes` with a real server.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import { sampleNode } from '#fixtures/stores/wire-test.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

const TOKEN = 'maa_cli'

async function served(context: TestContext) {
  const doors = await openDoors({ auth: { admins: [{ name: 'aki', hash: secretHash(TOKEN) }] } })
  context.after(() => doors[Symbol.asyncDispose]())
  const { host, port } = new URL(await doors.listen())
  const terminal = fakeTerminal(context, { env: { MANGAASSIST_ADMIN_TOKEN: TOKEN, PORT: port } })
  const run = async (...args: readonly string[]) => {
    terminal.printed.out = terminal.printed.err = ''
    const code = await main(['lanes', ...args], terminal)
    return { code, ...terminal.printed }
  }
  /** The output of another command. */
  const printed = async (...args: readonly string[]) => {
    terminal.printed.out = ''
    await main(args, terminal)
    return terminal.printed.out + terminal.printed.err
  }
  const { lanes } = doors.app.operators
  const lane = (await doors.app.admin.lanes())[0]?.lane ?? ''
  return { doors, run, printed, lanes, lane, url: `http://${host}` }
}

test('the lanes are printed as a table, with the actions of operators, and as JSON', async (context) => {
  const { run, lanes, lane, url } = await served(context)
  await lanes.permit(lane, { id: 'permit_1', ask: { kind: 'first' } })
  const plain = await run()
  assert.equal(plain.code, 0)
  assert.match(
    plain.out,
    /^model or dependency +state +in flight +limit +pace +retries left +10 s: calls +failed +retried +sent to others$/m,
  )
  assert.match(plain.out, /^embedded +working +1 +– +– +\d+\/\d+ +\d +0 +0 +0$/m)
  assert.ok(plain.out.includes(`embedded: ${lane}`))
  assert.match(plain.out, /^search +working +0 +– +– +– +0 +0 +0 +0$/m)
  assert.match(plain.out, /^search, sessions: of this node only$/m)
  assert.doesNotMatch(plain.out, /MAINTENANCE| by /)
  const json = JSON.parse((await run('--json', '--url', url)).out)
  assert.deepEqual([json.lanes[0].lane, json.lanes[0].inFlight, json.maintenance], [lane, 1, null])
})

test('a model that its vendor rejects is shown by cause in place of the state, by every command', async (context) => {
  const { run, doors, printed } = await served(context)
  const { registryOf, rejections } = doors.app.operators
  for (let call = 0; call < 3; call += 1)
    rejections.ended('embedded', { outcome: 'access-denied', fault: { status: 403 } })
  const line = /embedded is rejected by its vendor: access-denied, HTTP 403, 3 calls in a row since 20\S+Z$/m
  assert.match((await run()).out, /^embedded +rejected: access-denied +0/m)
  assert.match((await run()).out, line)
  assert.match(await printed('top', '--once'), /^embedded +rejected: access-denied +0/m)
  assert.match(await printed('models'), line)
  await registryOf(sampleNode('node_2')).announce({
    turns: 0,
    connections: 0,
    isDraining: false,
    edition: 'a',
    rejected: rejections.all(),
  })
  assert.match(await printed('nodes'), /^node_2: embedded is rejected by its vendor/m)
})

test('a lane is forced open, disabled and reset by its name or a model’s, and the audit line is printed', async (context) => {
  const { run, lanes, lane } = await served(context)
  const shut = await run('force-open', 'embedded', '--reason', 'it lies')
  assert.deepEqual([shut.code, shut.out], [0, `lane-forced-open: ${lane}, by aki; line 1 of the audit\n`])
  assert.equal(lanes.seen(lane).operator?.action, 'force-open')
  assert.match((await run()).out, new RegExp(`^force-open of ${lane} by aki at 20`, 'm'))
  assert.equal((await run('disable', lane, '--reason', 'x')).code, 0)
  const reset = JSON.parse((await run('reset', lane, '--reason', 'over', '--json')).out)
  assert.deepEqual([reset.action, reset.reason, lanes.seen(lane).operator?.action], ['lane-reset', 'over', 'reset'])
})

test('the circuit of a dependency is operated by its name', async (context) => {
  const { run, doors } = await served(context)
  const shut = await run('force-open', 'search', '--reason', 'it finds nothing')
  assert.deepEqual([shut.code, shut.out], [0, 'lane-forced-open: search, by aki; line 1 of the audit\n'])
  const [search] = doors.app.operators.nodeLanes
  assert.equal(search?.view().phase, 'open')
  const shown = (await run()).out
  assert.match(shown, /^search +stopped/m)
  assert.match(shown, /^force-open of search by aki at 20/m)
  const json = JSON.parse((await run('--json')).out)
  assert.deepEqual(
    json.lanes.map(({ scope }: { scope: string }) => scope),
    ['fleet', 'node', 'node'],
  )
  assert.equal((await run('reset', 'search', '--reason', 'fixed')).code, 0)
  assert.equal(search?.view().phase, 'closed')
})

test('maintenance is switched on and off, and shown while it is on', async (context) => {
  const { run, doors } = await served(context)
  assert.equal((await run('maintenance', 'on', '--reason', 'a move')).code, 0)
  assert.equal(doors.app.admin.maintenance()?.by, 'aki')
  assert.match((await run()).out, /^MAINTENANCE since 20\S+, by aki$/m)
  assert.match((await run('maintenance', 'off', '--reason', 'moved')).out, /^setting-cleared: mode, by aki; line 2/)
  assert.equal(doors.app.admin.maintenance(), null)
})

test('a failed action is reported on standard error with 1, wrong arguments with 2', async (context) => {
  const { run, lane } = await served(context)
  for (const [args, code, message] of [
    [['force-open', 'nobody', '--reason', 'x'], 1, /The server refused: NOT_FOUND .*"lane"/],
    [['force-open', 'redis', '--reason', 'x'], 1, /INVALID_REQUEST .*does not use Redis/],
    [['reset', lane, '--reason', 'x'.repeat(501)], 1, /The server refused: INVALID_REQUEST .*"reason"/],
    [['--url', 'http://127.0.0.1:1'], 1, /No MangaAssist answers at http:\/\/127\.0\.0\.1:1\. Is it running/],
    [['--url', 'nowhere'], 1, /nowhere is not the address/],
    [['open', lane, '--reason', 'x'], 2, /Unknown argument "open"/],
    [['force-open', '--reason', 'x'], 2, /LANE is missing/],
    [['force-open', lane], 2, /--reason WHY is missing/],
    [['force-open', lane, '--reason', ' '], 2, /--reason WHY is missing/],
    [['force-open', lane, 'now', '--reason', 'x'], 2, /Unknown argument "now"/],
    [['maintenance', '--reason', 'x'], 2, /maintenance needs on or off/],
    [['maintenance', 'maybe', '--reason', 'x'], 2, /maintenance needs on or off/],
    [['--reason', 'x'], 2, /--reason needs an action/],
    [['--csv'], 2, /--csv/],
  ] as const) {
    const result = await run(...args)
    assert.deepEqual([result.code, result.out], [code, ''], args.join(' '))
    assert.match(result.err, message)
  }
})

test('the token comes from the environment; a wrong token and an unreachable server have different messages', async (context) => {
  const { url } = await served(context)
  const without = fakeTerminal(context)
  assert.equal(await main(['lanes', '--url', url], without), 1)
  assert.match(
    without.printed.err,
    /Put the admin token into MANGAASSIST_ADMIN_TOKEN\. To get one: npx mangaassist keygen --name NAME --admin/,
  )
  const wrong = fakeTerminal(context, { env: { MANGAASSIST_ADMIN_TOKEN: 'maa_other' } })
  assert.equal(await main(['lanes', '--url', url], wrong), 1)
  assert.match(wrong.printed.err, /does not accept the admin token in .* To get one: npx mangaassist keygen/)
})

test('a response that is not from MangaAssist is reported with its status', async (context) => {
  let status = 502
  const other = createServer((_request, response) => response.writeHead(status).end('<html>'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  context.after(() => other.close())
  const terminal = fakeTerminal(context, { env: { MANGAASSIST_ADMIN_TOKEN: TOKEN } })
  const { port } = other.address() as AddressInfo
  for (status of [502, 200]) {
    assert.equal(await main(['lanes', '--url', `http://127.0.0.1:${port}`], terminal), 1)
    assert.match(terminal.printed.err, new RegExp(`The server refused: status ${status}`))
  }
})
