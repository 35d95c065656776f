// A shop with a console to visit: a real server over the simulated vendor, with turns, refusals, spending and a thumb, and an
// operator who signs in with a real browser.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import { laneId } from '#domain/lane/lane-id.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { cookieOf, postChat, startServer, temporaryFolder } from './server-process.ts'

const PRIMARY_MODEL = 'anthropic.claude-3-sonnet-20240229-v1:0'

const TOKENS = { admin: 'maa_admin', operator: 'maa_operator', viewer: 'maa_viewer' } as const
type TokenRole = keyof typeof TOKENS

const EXPERIMENT = {
  MANGA_EXPERIMENTS__LIST__SHORT__OUTCOME: 'thumbs-up',
  MANGA_EXPERIMENTS__LIST__SHORT__ARMS__CONTROL__WEIGHT: '1',
  MANGA_EXPERIMENTS__LIST__SHORT__ARMS__SHORT__WEIGHT: '1',
  MANGA_EXPERIMENTS__LIST__SHORT__ARMS__SHORT__CHANGE__MAXTOKENS: '200',
}

/** A model that is down fires an alarm at once. */
export const alarmsSoon = { MANGA_ALARMS__EVERYMS: '1000', 'MANGA_ALARMS__RULES__LANE-DOWN__ABOVE': '0' }

/** The vendor of the first model is down until it is healed, and shoppers have met that. */
export async function outage({ server, simulator }: Pick<Shop, 'server' | 'simulator'>): Promise<void> {
  simulator.faults({ fault: 'error', error: 'unavailable', api: 'converse-stream' })
  for (let question = 0; question < 4; question += 1)
    await postChat(server.address, { message: `${question + 2}巻はありますか？` })
}

/** The server, the vendor whose faults a test sets, and the ids of one guest's turns. */
interface ShopOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Fills the data folder before the server starts; `vendor` is the address of the simulated vendor. */
  readonly prepare?: (dataDir: string, vendor: string) => Promise<void>
}

export async function openShop({ env = {}, prepare }: ShopOptions = {}) {
  await using opened = new AsyncDisposableStack()
  const simulator = await startSimulator({
    clock: systemClock(),
    identicalText: '当店で取り扱いがございます。'.repeat(4),
  })
  opened.defer(() => simulator.close())
  const folder = opened.use(await temporaryFolder())
  const admins = Object.entries(TOKENS).map(([role, token]) => ({ name: `aki-${role}`, role, hash: secretHash(token) }))
  await prepare?.(folder.path, simulator.url)
  const server = opened.use(
    await startServer({
      dataDir: folder.path,
      env: {
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        MANGA_PROBE__EVERYMS: '0',
        ...EXPERIMENT,
        MANGA_AUTH__ADMINS: JSON.stringify(admins),
        MANGA_MODELS__PRIMARY__PROVIDER: 'bedrock',
        MANGA_MODELS__PRIMARY__ID: PRIMARY_MODEL,
        MANGA_MODELS__PRIMARY__BASEURL: simulator.url,
        MANGA_MODELS__ECONOMY__PROVIDER: 'openai-compatible',
        MANGA_MODELS__ECONOMY__ID: 'qwen3:4b',
        MANGA_MODELS__ECONOMY__BASEURL: `${simulator.url}/v1`,
        MANGA_MODELS__ECONOMY__PRICE: '1,2',
        ...env,
      },
    }),
  )
  const guest = await seed(server.address, simulator)
  const lane = laneId({ model: PRIMARY_MODEL, region: new URL(simulator.url).host })
  const kept = opened.move()
  return { server, simulator, guest, lane, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
type Shop = Awaited<ReturnType<typeof openShop>>

/** An answer of the first model, one of the second after the first was throttled, and a thumb down. */
async function seed(address: string, simulator: { faults(fault: object): void; reset(): void }) {
  const first = await postChat(address, { message: '泣ける完結作品のおすすめを教えて' })
  assert.equal(first.status, 200)
  const cookie = cookieOf(first)
  const { sessionId, turnId } = ((await first.json()) as { data: { sessionId: string; turnId: string } }).data
  simulator.faults({ fault: 'error', error: 'throttled', api: 'converse-stream' })
  const second = await postChat(address, { message: '心があたたまる日常ものを教えて', sessionId }, { cookie })
  assert.equal(second.status, 200)
  const { turnId: degradedId } = ((await second.json()) as { data: { turnId: string } }).data
  simulator.reset()
  const thumb = await fetch(`${address}/api/turns/${turnId}/feedback`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ value: 'down', reason: '<b>長い</b>' }),
  })
  assert.equal(thumb.status, 200, await thumb.text())
  const handover = await fetch(`${address}/api/sessions/${sessionId}/handover`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ email: 'mika@mail.example', orderNumber: '48213', note: '<b>まだ</b>届きません。' }),
  })
  assert.equal(handover.status, 200, await handover.text())
  const id = cookie.slice('ma_guest='.length).split('.')[0] ?? ''
  return { id, cookie, sessionId, turnId, degradedId }
}

export async function signIn(page: Page, { server }: Pick<Shop, 'server'>, role: TokenRole = 'admin'): Promise<void> {
  await page.goto(`${server.address}/console`)
  await page.getByTestId('token').fill(TOKENS[role])
  await page.getByTestId('token').press('Enter')
  await page.getByTestId('who').waitFor({ state: 'attached' })
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeNode {
  readonly html: string
  readonly failureSummary: string
}
interface AxeViolation {
  readonly id: string
  readonly nodes: readonly AxeNode[]
}

/** What axe-core finds wrong with the page, each with the element. */
export async function axeProblems(page: Page): Promise<string[]> {
  // Evaluated by the debugger, because the page's policy allows no inline script.
  if (await page.evaluate<boolean>(`typeof axe === 'undefined'`)) await page.evaluate(axeSource)
  const violations = await page.evaluate<readonly AxeViolation[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary, html }) => `${id}: ${html.slice(0, 200)} ${failureSummary.replaceAll(/\s+/g, ' ')}`),
  )
}
