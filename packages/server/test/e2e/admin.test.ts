// Operators at a real server: their changes apply, the ledger is exact to the micro-dollar, a user over budget is refused
// with the reset time, and `usage` reads all of it from the file and over the API.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import type { QuotaView } from '@mangaassist/protocol'
import type { LedgerRow, LedgerTotals } from '#domain/ledger/ledger-row.ts'
import type { Amounts } from '#domain/budget/quota.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { cookieOf, inherited, postChat, startServer, temporaryFolder } from './server-process.ts'

interface UserShown {
  readonly quota: QuotaView
  readonly override: { readonly limits: object }
}
interface AuditShown {
  readonly action: string
  readonly by: string
  readonly reason: string
  readonly before: Amounts
}
interface UsageShown {
  readonly groups: readonly { readonly key: object }[]
  readonly totals: LedgerTotals
}

const TOKEN = 'maa_e2e'
const folder = await temporaryFolder()
const server = await startServer({
  dataDir: folder.path,
  env: {
    MANGA_AUTH__ADMINS: JSON.stringify([{ name: 'aki', hash: secretHash(TOKEN) }]),
    MANGA_MODELS__EMBEDDED__PROVIDER: 'embedded',
    MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '0',
  },
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

async function admin<Data>(method: string, path: string, body?: object): Promise<Data> {
  const response = await fetch(`${server.address}/api/admin${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  assert.equal(response.status, 200, `${method} ${path}`)
  return ((await response.json()) as { data: Data }).data
}

const BIN = join(import.meta.dirname, '../../bin/mangaassist.js')
async function usage(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const own = { ...inherited(), DATA_DIR: folder.path, ...env }
  const options = { cwd: folder.path, env: own }
  return (await promisify(execFile)(process.execPath, [BIN, 'usage', ...args], options)).stdout
}

/** A guest who has asked once, by its name in the ledger. */
async function guest() {
  const first = await postChat(server.address, { message: '送料はいくらですか' })
  const cookie = cookieOf(first)
  const id = cookie.slice('ma_guest='.length).split('.')[0] ?? ''
  const { sessionId, turnId } = ((await first.json()) as { data: { sessionId: string; turnId: string } }).data
  return { cookie, id, sessionId, turnId, ask: (message: string) => postChat(server.address, { message }, { cookie }) }
}

test('an answer is in the ledger with its estimate by part, and usage shows it from the file and over the API', async () => {
  const { id, turnId } = await guest()
  const [row] = await admin<readonly Required<LedgerRow>[]>('GET', `/usage/rows?user=${id}`)
  assert.ok(row !== undefined)
  assert.deepEqual([row.turnId, row.attempt, row.userTier, row.estimated], [turnId, 1, 'free', false])
  const { system, retrieval, history, message, total } = row.estimate
  assert.ok(system > 0 && message > 0 && total >= system + retrieval + history)
  const beside: UsageShown = JSON.parse(await usage(['--by', 'user,model', '--user', id, '--json']))
  const remote = { MANGAASSIST_ADMIN_TOKEN: TOKEN, DATA_DIR: '/nowhere' }
  const over: UsageShown = JSON.parse(
    await usage(['--by', 'user,model', '--user', id, '--json', '--url', server.address], remote),
  )
  assert.deepEqual(over, beside)
  assert.deepEqual(beside.groups[0]?.key, { user: id, model: row.model })
  assert.equal(beside.totals.inputTokens, row.inputTokens)
  const rows = ['--rows', '--csv', '--user', id]
  assert.equal(await usage([...rows, '--url', server.address], remote), await usage(rows))
  assert.match(await usage(['quota', '--user', id, '--url', server.address], remote), /tier free/)
  await assert.rejects(usage(['--url', server.address], { MANGAASSIST_ADMIN_TOKEN: 'maa_wrong' }), /does not accept/)
})

test('a user whose limit is lowered is refused with the reset time, and a reset admits them', async () => {
  const { id, ask } = await guest()
  await admin('PUT', `/users/${id}/override`, { limits: { outputTokensPerDay: 20 }, reason: 'a test' })
  const refused = await ask('もう一つ教えて')
  assert.equal(refused.status, 429)
  const { error } = (await refused.json()) as { error: { code: string; details: Record<string, unknown> } }
  const { resetsAt, ...details } = error.details
  assert.deepEqual([error.code, details], ['QUOTA_EXCEEDED', { scope: 'day-output', retryable: false }])
  const untilMs = Date.parse(String(resetsAt)) - Date.now()
  assert.ok(Math.abs(Number(refused.headers.get('retry-after')) * 1000 - untilMs) < 60_000)
  assert.deepEqual(
    ['limit', 'remaining', 'policy'].map((name) => refused.headers.get(`ratelimit-${name}`)),
    ['10', '9', '10;w=60'],
  )
  const user = await admin<UserShown>('GET', `/users/${id}`)
  assert.deepEqual([user.quota.output.limit, user.override.limits], [20, { outputTokensPerDay: 20 }])

  const { output } = user.quota
  await admin('PUT', `/users/${id}/override`, { limits: { outputTokensPerDay: output.used + 64 }, reason: 'a test' })
  const warned = await ask('他には？')
  assert.equal(warned.status, 200)
  assert.equal((await ask('他には？？')).status, 429)
  const reset = await admin<AuditShown>('POST', `/users/${id}/reset`, { scope: 'day', reason: 'our mistake' })
  assert.ok(reset.before.outputTokens > output.used)
  assert.equal((await ask('他には？？？')).status, 200)

  const audit = await admin<readonly AuditShown[]>('GET', `/audit?subject=${id}`)
  assert.deepEqual(
    audit.map(({ action, by, reason }) => [action, by, reason]),
    [
      ['day-reset', 'aki', 'our mistake'],
      ['user-set', 'aki', 'a test'],
      ['user-set', 'aki', 'a test'],
    ],
  )
  // The ledger still has the use that was reset.
  assert.equal((await admin<{ totals: LedgerTotals }>('GET', `/usage?user=${id}`)).totals.rows, 3)
})

test('a changed tier applies to all its users, until it is reset', async () => {
  const { cookie } = await guest()
  const perMinute = async () => {
    const response = await fetch(`${server.address}/api/quota`, { headers: { cookie } })
    return ((await response.json()) as { data: { requestsPerMinute: { limit: number } } }).data.requestsPerMinute.limit
  }
  await admin('PUT', '/tiers/free', { limits: { requestsPerMinute: 7 }, reason: 'a storm' })
  assert.equal(await perMinute(), 7)
  await admin('DELETE', '/tiers/free?reason=over')
  assert.equal(await perMinute(), 10)
})

test('the shopper gets warnings at 80 % and 90 %, in their own language', async () => {
  const { id, cookie, ask } = await guest()
  const spentOutput = async (): Promise<number> => (await admin<UserShown>('GET', `/users/${id}`)).quota.output.used
  const allow = (outputTokensPerDay: number) =>
    admin('PUT', `/users/${id}/override`, {
      limits: { outputTokensPerDay, requestsPerMinute: 1000, rateFactor: 100 },
      reason: 'a test',
    })
  await allow(100_000)
  // Leaves a useful answer in the last tenth.
  for (let asked = 0; asked < 40 && (await spentOutput()) < 900; asked += 1)
    assert.equal((await ask(`泣ける完結作品のおすすめを教えて その${asked}`)).status, 200)
  const warningOf = async (message: string): Promise<string> => {
    const headers = { cookie, accept: 'text/event-stream' }
    const events = await (await postChat(server.address, { message }, headers)).text()
    return /"warning":"([^"]*)"/.exec(events)?.[1] ?? ''
  }
  await allow(Math.floor((await spentOutput()) / 0.7))
  assert.equal(await warningOf('ありがとう'), '')
  await allow(Math.floor((await spentOutput()) / 0.82))
  assert.match(await warningOf('thank you'), /about 1[0-8] % is left/)
  await allow(Math.floor((await spentOutput()) / 0.91))
  assert.match(await warningOf('こんにちは'), /残り約[1-9]％/)
})
