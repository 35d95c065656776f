// A cluster is configured by the file or by the environment, which has precedence; problems are reported without secrets.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { ConfigError } from '#config/load-config.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { configure } from '../configure.ts'

async function redisOf(context: TestContext, file: object, env: Record<string, string> = {}) {
  const workspaceRoot = tempDir(context)
  writeFileSync(join(workspaceRoot, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(workspaceRoot, 'mangaassist.config.ts'), `export default ${JSON.stringify(file)}`)
  return (await configure({ env, workspaceRoot })).config.state.redis
}

test('the address comes from the environment, else from the file, else there is none', async (context) => {
  const file = { state: { redis: 'redis://:secret@one:6379/2' } }
  assert.equal(await redisOf(context, file), 'redis://:secret@one:6379/2')
  assert.equal(await redisOf(context, file, { MANGA_STATE__REDIS: 'rediss://two' }), 'rediss://two')
  assert.equal(await redisOf(context, {}), undefined)
})

test('an invalid address and an invalid key are reported by their setting, and not shown', async (context) => {
  for (const redis of [
    'secret',
    'redis://:sec/ret@one',
    'redis://:sec#ret@one',
    'redis:///secret',
    'redis://one:secret',
  ]) {
    await assert.rejects(redisOf(context, { state: { redis } }, { MANGA_COOKIE_KEY: 'secret' }), (error) => {
      assert.ok(error instanceof ConfigError)
      const paths = error.problems.map(({ path }) => path)
      assert.deepEqual(paths.toSorted(), ['MANGA_COOKIE_KEY', 'state.redis'], redis)
      assert.doesNotMatch(error.message, /secret|sec[/#]|ret@/)
      return true
    })
  }
})

test('a misspelled variable name gets the right one suggested', async (context) => {
  await assert.rejects(redisOf(context, {}, { MANGA_COOKIE_KEYS: 'x' }), /Did you mean MANGA_COOKIE_KEY\?/)
})
