// A command loads only what it needs: most of them ask a running server, and start in a fraction of the time of one.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { inherited } from './server-process.ts'

const BIN = join(import.meta.dirname, '../../bin/mangaassist.js')
/** Prints the address of every module that is loaded. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) })
`)}`

function loadedBy(...args: readonly string[]): string {
  const { status, stderr } = spawnSync(process.execPath, ['--import', WATCH, BIN, ...args], {
    env: inherited(),
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  return stderr
}

for (const args of [['--version'], ['lanes', '--help'], ['turns', '--help'], ['mode', '--help'], ['top', '--help']])
  test(`mangaassist ${args.join(' ')} loads no server`, () => {
    const loaded = loadedBy(...args)
    assert.match(loaded, /\/src\/cli\/main\.ts$/m)
    assert.doesNotMatch(loaded, /\/src\/main\.ts$|\/node_modules\/(fastify|@redis)\//m)
  })

test('a server loads the client of Redis only for a cluster', () => {
  const loaded = loadedBy('serve', '--help')
  assert.match(loaded, /\/node_modules\/fastify\//)
  assert.doesNotMatch(loaded, /\/node_modules\/@redis\//)
})
