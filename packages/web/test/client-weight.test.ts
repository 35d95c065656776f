// The client library as a page would bundle it: light enough to be nobody's reason not to use it.
import assert from 'node:assert/strict'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const bytesMax = 8 * 1024

test('the client is under 8 KB, gzipped, and brings nothing with it', async () => {
  const entry = fileURLToPath(import.meta.resolve('@mangaassist/client'))
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: true, target: 'es2022', lib: { entry, formats: ['es'] } },
  })
  const chunks = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  assert.deepEqual(
    chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.imports : [])),
    [],
  )
  const code = chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('')
  const bytes = gzipSync(code).length
  assert.ok(bytes > 0 && bytes < bytesMax, `${bytes} bytes`)
})
