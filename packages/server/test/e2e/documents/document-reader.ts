// Follows a document from its first block to its last, as a reader on a machine of their own: runs its commands, saves its
// files, starts a server with its configuration, and inserts a command's output where the document has an ellipsis.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { configure } from '#wiring/configure.ts'
import { freePort } from '#fixtures/stores/free-port.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { cookieOf, postChat, startServer } from '../server-process.ts'
import type { CodeBlock } from './code-blocks.ts'
import { openReaderShell } from './reader-shell.ts'
import type { copyWorkspace } from './workspace-copy.ts'

/** Ports in documents; each is replaced by a free one. */
const PORTS = ['8080', '8081', '8082', '8181'] as const
const REDIS_PORT = '6379'
/** The environment of a real reader: vendors' keys, which are never sent, and a shop's secret. */
const READERS_ENV = {
  AWS_ACCESS_KEY_ID: 'reader',
  AWS_SECRET_ACCESS_KEY: 'reader',
  ANTHROPIC_API_KEY: 'reader',
  OPENAI_API_KEY: 'reader',
  SHOP_TOKEN_SECRET: 'a secret of the shop, 32 bytes or more',
  MANGA_PROBE__EVERYMS: '0',
  MANGA_SERVER__LOGLEVEL: 'warn',
}
const SOME_DIGEST = `sha256:${'0'.repeat(64)}`
const CURLRC = 'fail-with-body\nmax-time = 30\n'
const SEEN_ENTRY = /name: '(?<name>[^']+)', hash: '(?<digest>sha256:[0-9a-f]{64})'/g
const SEEN_SECRET = /\b(?<prefix>ma[ak])_[\w-]+/g

type Workspace = Awaited<ReturnType<typeof copyWorkspace>>
type Server = Awaited<ReturnType<typeof startServer>>

export async function openReader(workspace: Workspace) {
  const { home, root, tools } = workspace
  const opened = new AsyncDisposableStack()
  const local = join(root, 'data/local')
  const configFile = join(root, 'mangaassist.config.ts')
  const blocks = join(root, 'blocks')
  for (const path of [local, configFile, blocks]) await rm(path, { recursive: true, force: true })
  await mkdir(blocks)
  await writeFile(join(home, '.curlrc'), CURLRC)
  const ports = new Map<string, string>()
  for (const port of PORTS) ports.set(port, String(await freePort()))
  const PORT = ports.get('8080') ?? ''
  // A compile cache, because some forty processes run the same code.
  const NODE_COMPILE_CACHE = join(home, 'compiled')
  const env = { ...READERS_ENV, NODE_COMPILE_CACHE, HOME: home, PATH: `${tools}:${process.env['PATH'] ?? ''}`, PORT }
  const shell = opened.use(openReaderShell({ cwd: root, env, scratch: blocks }))
  const printed = new Map<string, string>()
  let server: Server | undefined
  opened.defer(async () => server?.kill())
  let count = 0

  const serve = async (): Promise<Server> => {
    const bin = join(root, 'packages/server/bin/mangaassist.js')
    return (server ??= await startServer({ dataDir: local, env, bin, cwd: root }))
  }

  const restart = async (): Promise<void> => {
    await server?.kill()
    server = undefined
    await serve()
  }

  /** A guest with a conversation of one turn, for documents that mention them. */
  const guest = async (): Promise<string> => {
    const known = printed.get('guest')
    if (known !== undefined) return known
    const { address } = await serve()
    const response = await postChat(address, { message: 'something like Berserk' })
    const cookie = cookieOf(response)
    const { data } = (await response.json()) as { data: { turnId: string } }
    const id = /guest_[\w-]+/.exec(decodeURIComponent(cookie))?.[0]
    assert.ok(id !== undefined, `no guest in ${cookie}`)
    printed.set('guest', id)
    printed.set('turn', data.turnId)
    return id
  }

  const filledIn = async (text: string): Promise<string> => {
    let filled = text
    for (const [port, free] of ports) filled = filled.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), free)
    if (text.includes('guest_…')) filled = filled.replaceAll('guest_…', await guest())
    if (text.includes('turn_…')) {
      await guest()
      filled = filled.replaceAll('turn_…', printed.get('turn') ?? '')
    }
    return filled
      .replaceAll('https://assistant.example', `http://127.0.0.1:${PORT}`)
      .replaceAll(/ma[ak]_…/g, (placeholder) => printed.get(placeholder) ?? placeholder)
      .replaceAll(/name: '([^']+)', hash: 'sha256:…'/g, (_all, name: string) => {
        return `name: '${name}', hash: '${printed.get(name) ?? SOME_DIGEST}'`
      })
  }

  const remember = (output: string): void => {
    for (const { groups } of output.matchAll(SEEN_ENTRY)) printed.set(groups?.['name'] ?? '', groups?.['digest'] ?? '')
    for (const { 0: secret, groups } of output.matchAll(SEEN_SECRET)) printed.set(`${groups?.['prefix']}_…`, secret)
  }

  const type = async ({ marker, text }: CodeBlock): Promise<void> => {
    if (text.includes(REDIS_PORT) && !ports.has(REDIS_PORT)) {
      const redis = opened.use(await startRedis())
      ports.set(REDIS_PORT, String(redis.port))
    }
    await serve()
    remember(await shell.run(await filledIn(text), { fails: marker?.kind === 'fails' }))
  }

  const load = async ({ marker, text }: CodeBlock): Promise<void> => {
    const folder = join(blocks, `configuration-${(count += 1)}`)
    await mkdir(folder)
    await symlink(join(root, 'data'), join(folder, 'data'))
    const filled = await filledIn(text)
    await writeFile(join(folder, 'mangaassist.config.ts'), filled)
    await configure({ env, workspaceRoot: folder })
    if (marker?.kind !== 'serves') return
    await writeFile(configFile, filled)
    await restart()
  }

  /** With imports of the server's own (`#…`) it belongs to the server's package. */
  const runScript = async ({ text }: CodeBlock): Promise<void> => {
    await serve()
    const folder = text.includes("from '#") ? join(root, 'packages/server') : blocks
    const file = join(folder, `block-${(count += 1)}.ts`)
    await writeFile(file, await filledIn(text))
    const child = spawn(process.execPath, [file], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => (output += part))
    const [code] = await once(child, 'close')
    assert.equal(code, 0, output)
  }

  const save = async ({ text }: CodeBlock): Promise<void> => {
    const name = /^# (?<name>[\w.-]+\.ya?ml)$/m.exec(text.split('\n')[0] ?? '')?.groups?.['name']
    assert.ok(name !== undefined, 'a YAML block begins with a comment that names its file')
    await writeFile(join(root, name), await filledIn(text))
  }

  const fetchScripts = async ({ text }: CodeBlock): Promise<void> => {
    const { address } = await serve()
    const sources = [...text.matchAll(/<script src="https:\/\/[^/"]+(?<path>\/[^"]+)"/g)]
    assert.ok(sources.length > 0, 'an HTML block has a script of the server')
    for (const { groups } of sources)
      assert.equal((await fetch(`${address}${groups?.['path']}`)).status, 200, groups?.['path'])
  }

  const ways: Readonly<Record<ReturnType<typeof wayOf> & string, (block: CodeBlock) => Promise<void>>> = {
    configuration: load,
    html: fetchScripts,
    script: runScript,
    sh: type,
    yaml: save,
    // Checked by the compiler together with the TypeScript of all other documents.
    typed: async () => {},
    text: async () => {},
  }
  return {
    follow: (block: CodeBlock) => {
      const way = wayOf(block)
      assert.ok(way !== undefined, `a block of ${block.language} cannot be run: mark it <!-- not run: reason -->`)
      return ways[way](block)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** How a block is run; undefined when it cannot be. */
export function wayOf({ language, text }: Pick<CodeBlock, 'language' | 'text'>) {
  switch (language) {
    case 'sh':
    case 'html':
    case 'yaml':
    case 'text':
      return language
    case 'ts':
      if (text.includes('defineConfig')) return 'configuration'
      return /^import .* from '(?:#|@mangaassist\/|openai)/m.test(text) ? 'script' : 'typed'
    default:
      return undefined
  }
}
