// The client library, bundled as a page would, for shoppers and for operators: it is small and contains no schemas.
import assert from 'node:assert/strict'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const bundles = [
  { name: 'client', of: '@mangaassist/client', kilobytesMax: 8 },
  { name: 'admin client', of: '@mangaassist/client/admin', kilobytesMax: 2 },
]

for (const { kilobytesMax, name, of } of bundles) {
  test(`the ${name} is under ${kilobytesMax} KB gzipped and has no dependencies`, async () => {
    const code = await bundled(fileURLToPath(import.meta.resolve(of)))
    assert.doesNotMatch(code, /typebox|~kind/i, 'schemas are in the bundle')
    const bytes = gzipSync(code).length
    assert.ok(bytes > 0 && bytes < kilobytesMax * 1024, `${bytes} bytes`)
  })
}

async function bundled(entry: string): Promise<string> {
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
  return chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('')
}
