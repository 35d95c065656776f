// Does what the documents tell a reader to do: every code block of every document, in order, against a fresh server. A
// block that cannot run is marked in the document, with the reason.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { codeBlocksOf } from './documents/code-blocks.ts'
import type { CodeBlock } from './documents/code-blocks.ts'
import { openReader, wayOf } from './documents/document-reader.ts'
import { copyWorkspace } from './documents/workspace-copy.ts'

const ROOT = resolve(import.meta.dirname, '../../../..')
const documents = [
  'README.md',
  'SECURITY.md',
  ...globSync('docs/*.md', { cwd: ROOT }).sort(),
  'packages/client/README.md',
  'packages/web/README.md',
]

// Declarations that a block may leave out: the client, and what a reader's own page has. Appended, so that line numbers
// stay.
const READERS_NAMES = `
declare const createClient: typeof import('@mangaassist/client').createClient
declare const createTickets: typeof import('@mangaassist/client').createTickets
declare const guest: NonNullable<NonNullable<Parameters<typeof createClient>[0]>['guest']>
declare const banner: HTMLElement
declare const hint: HTMLElement
declare const send: HTMLButtonElement
declare const stop: HTMLButtonElement
declare const answer: HTMLElement
declare const retry: HTMLElement
declare let sessionId: string
declare function show(turnId: string, part: unknown): void
`

/** A limit for a command that hangs, not for a slow machine. */
const TIMEOUT_MS = 600_000

async function blocksOf(document: string): Promise<readonly CodeBlock[]> {
  return codeBlocksOf(document, await readFile(join(ROOT, document), 'utf8'))
}

let workspace: Awaited<ReturnType<typeof copyWorkspace>>
before(async () => void (workspace = await copyWorkspace()))
after(() => workspace[Symbol.asyncDispose]())

for (const document of documents) {
  test(`what ${document} says to do works as it is written`, { timeout: TIMEOUT_MS }, async (context) => {
    const blocks = await blocksOf(document)
    await using reader = await openReader(workspace)
    let broken: number | undefined
    for (const block of blocks) {
      const reason = block.marker?.kind === 'not run' ? block.marker.reason : undefined
      const name = `line ${block.line}, ${block.language}${reason === undefined ? '' : `, not run: ${reason}`}`
      await context.test(name, { timeout: TIMEOUT_MS }, async () => {
        if (reason !== undefined) return
        assert.equal(broken, undefined, `not tried, because line ${broken} failed`)
        broken = block.line
        await reader.follow(block)
        broken = undefined
      })
    }
  })
}

test('the TypeScript of the documents has no type errors', async () => {
  const blocks = (await Promise.all(documents.map(blocksOf))).flat()
  const typed = blocks.filter((block) => block.language === 'ts' && block.marker?.kind !== 'not run')
  const folder = join(workspace.root, 'blocks')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  for (const block of typed) {
    const way = wayOf(block)
    const isInside = way === 'script' && block.text.includes("from '#")
    const name = `${block.document.replaceAll(/\W/g, '-')}-${block.line}.ts`
    const place = isInside ? join(workspace.root, 'packages/server') : folder
    await writeFile(join(place, name), `${block.text}\n${way === 'typed' ? READERS_NAMES : ''}export {}\n`)
  }
  const compilerOptions = { lib: ['es2024', 'esnext', 'dom', 'dom.iterable', 'dom.asynciterable'] }
  const include = ['*.ts', '../packages/server/*.ts']
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../tsconfig.json', compilerOptions, include }),
  )
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const result = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  assert.equal(result.status, 0, `${result.stdout}${result.stderr}`)
})

test('a block without a language, an open one and a marker without a reason are refused', () => {
  const refused = (markdown: string, why: RegExp) => assert.throws(() => codeBlocksOf('a.md', markdown), why)
  refused('```\nls\n```', /a\.md:1: the code block names no language/)
  refused('words\n```sh\nls\n', /a\.md:2: the code block is not closed/)
  refused('<!-- not run -->\n```sh\nls\n```', /a\.md:2: the marker "not run" gives no reason/)
  refused('<!-- fails: -->\n\n```sh\nls\n```', /a\.md:3: the marker "fails" gives no reason/)
})

test('a block is found with its line, its language and its marker', () => {
  const markdown = 'words\n\n<!-- not run: needs an AWS account -->\n```sh\nls\n```\n\n```text\nfile\n```\n'
  assert.deepEqual(codeBlocksOf('a.md', markdown), [
    {
      document: 'a.md',
      line: 4,
      language: 'sh',
      text: 'ls',
      marker: { kind: 'not run', reason: 'needs an AWS account' },
    },
    { document: 'a.md', line: 8, language: 'text', text: 'file' },
  ])
})

test('a block in a language that cannot be run here must be marked', () => {
  assert.equal(wayOf({ language: 'nginx', text: 'server {}' }), undefined)
  assert.equal(wayOf({ language: 'csv', text: 'a,b' }), undefined)
})
