// The bytes that a page pays for the chat, compressed as the server sends them: little until the launcher stands, and the rest
// only when the chat is opened. A part that is not needed before the first answer belongs into an `import()` of its own.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { moduleGraph } from '../module-graph.ts'

const launcherKilobytesMax = 15
const firstAnswerKilobytesMax = 60
const dist = new URL('../dist/', import.meta.url)
const manifest = JSON.parse(read('widget.json').toString()) as Record<'script' | 'panel', Module> & {
  readonly parts: Record<'ended' | 'history', Module & { readonly imports: readonly Module[] }>
}

interface Module {
  readonly path: string
  readonly integrity: string
}

function read(path: string): Buffer {
  return readFileSync(new URL(path.replace(/^\//, ''), dist))
}

function graph(path: string): string[] {
  return moduleGraph(fileURLToPath(dist), path.replace(/^\//, ''))
}

function kilobytes(paths: Iterable<string>): number {
  return [...paths].reduce((sum, path) => sum + gzipSync(read(path)).length, 0) / 1024
}

test(`the launcher stands after ${launcherKilobytesMax} KB`, () => {
  const weight = kilobytes(['widget.js'])
  assert.ok(weight < launcherKilobytesMax, `${weight} KB`)
  assert.doesNotMatch(read('widget.js').toString(), /marked|litElement/, 'the script contains what the panel needs')
  assert.doesNotMatch(read('widget.js').toString(), /iframe.{0,200}sandbox/s, 'the script contains what a frame needs')
})

test(`the first answer streams after ${firstAnswerKilobytesMax} KB`, () => {
  const weight = kilobytes(['widget.js', ...graph(manifest.panel.path)])
  assert.ok(weight < firstAnswerKilobytesMax, `${weight} KB`)
})

test('the manifest names files that exist, with their hashes, and the script has both names', () => {
  const { ended, history } = manifest.parts
  const later = [ended, history].flatMap(({ imports, ...part }) => [part, ...imports])
  for (const { path, integrity } of [manifest.script, manifest.panel, ...later])
    assert.equal(integrity, `sha384-${createHash('sha384').update(read(path)).digest('base64')}`)
  assert.deepEqual(read(manifest.script.path), read('widget.js'))
  assert.ok(read('widget.js').includes(manifest.panel.integrity))
  for (const part of [ended, history])
    assert.ok(read(manifest.panel.path).includes(part.path.replace('/widget/', './')))
})

test('the storefront loads the panel only when the chat is opened', () => {
  const entry = readdirSync(new URL('assets/', dist)).find((name) => /^index-[^.]+\.js$/.test(name))
  const eager = graph(`assets/${entry}`)
  assert.deepEqual(
    eager.filter((name) => name.includes('panel')),
    [],
  )
})
