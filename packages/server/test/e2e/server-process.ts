// A real server in a process of its own, with its own data folder, on a free port of loopback. It ends with the test,
// however that ends. It runs outside the workspace, so that the developer's configuration file does not apply.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SocketClient } from '#fixtures/edge/socket-client.ts'
import { lendIndex } from '#fixtures/stores/stored-index.ts'

const BIN = join(import.meta.dirname, '../../bin/mangaassist.js')
const EMPTY_FOLDER = mkdtempSync(join(tmpdir(), 'mangaassist-empty-'))
process.once('exit', () => rmSync(EMPTY_FOLDER, { recursive: true, force: true }))
const READY = /ready at (http:\S+)/

export interface ServerOptions {
  readonly dataDir: string
  /** `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Path of another copy of the workspace. */
  readonly bin?: string
  /** The folder of a configuration file. */
  readonly cwd?: string
}

/** Slow enough to act in mid-answer, and quick enough that its end comes soon. */
export const SLOWLY = { MANGA_MODELS__EMBEDDED__PROVIDER: 'embedded', MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '15' }

export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'mangaassist-e2e-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** The environment of our processes: no settings of the test, but its compile cache. */
export function inherited(): Record<string, string> {
  const { HOME = '', PATH = '', NODE_COMPILE_CACHE } = process.env
  return { HOME, PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) }
}

/** On a busy machine a model’s word may take longer than a shopper should wait; what answers is what most tests are about. */
const PATIENT = { MANGA_ANSWERS__FIRSTWORDMS: '8000' }

/** Runs the command; `ready` is its address, or undefined when it ends without one. */
export function launch({ bin = BIN, cwd = EMPTY_FOLDER, dataDir, env = {} }: ServerOptions) {
  const place = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir }
  const own = { ...inherited(), ...place, MANGA_SERVER__LOGLEVEL: 'warn', ...PATIENT }
  const options = { cwd, env: { ...own, ...env } }
  const storeIndex = lendIndex(dataDir)
  const child = spawn(process.execPath, [bin, 'serve'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const exited = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
  }))
  const ready = new Promise<string | undefined>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      const address = READY.exec(stdout)?.[1]
      if (address === undefined) return
      storeIndex()
      resolve(address)
    })
    void exited.then(() => resolve(undefined))
  })
  return { child, exited, ready, stdout: () => stdout, stderr: () => stderr }
}

export async function startServer(options: ServerOptions) {
  const process = launch(options)
  const address = await process.ready
  if (address === undefined) throw new Error(`the server did not start: ${process.stderr()}`)
  const clients: SocketClient[] = []
  /** A connection that has received `ready`; with a cookie, as its guest. */
  const connect = async (cookie?: string): Promise<SocketClient> => {
    const headers = cookie === undefined ? {} : { cookie }
    const client = new SocketClient(`${address.replace('http', 'ws')}/ws`, { headers })
    client.socket.on('error', () => {})
    clients.push(client)
    await client.until('ready')
    return client
  }
  const kill = async (): Promise<void> => {
    process.child.kill('SIGKILL')
    await process.exited
  }
  const dispose = async (): Promise<void> => {
    for (const client of clients) client.socket.terminate()
    await kill()
  }
  return { ...process, address, connect, kill, [Symbol.asyncDispose]: dispose }
}

export async function postChat(address: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${address}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

export function cookieOf(response: Response): string {
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}
