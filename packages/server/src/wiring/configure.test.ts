// A value of another kind, anywhere in the configuration, is a problem with its path, never a crash: the checks read into values that
// the schema refuses.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { ConfigError } from '#config/load-config.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { configure } from './configure.ts'

const whole = {
  ...defaults,
  models: {
    primary: { provider: 'embedded', fallbacks: ['economy'] },
    economy: { provider: 'embedded' },
  },
  ladder: ['primary', 'economy'],
  auth: {
    ...defaults.auth,
    issuers: [
      { issuer: 'https://id.example', name: 'id', jwksUrl: 'https://id.example/keys', tiers: { gold: 'premium' } },
    ],
    admins: [{ name: 'aki', hash: 'x' }],
  },
}

/** The paths of all values that contain others. */
function containersIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return []
  const below = Object.entries(value).flatMap(([name, item]) => containersIn(item, [...path, name]))
  return path.length === 0 ? below : [path, ...below]
}

function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) }
  copy[name] = replaced(copy[name], rest, by)
  return Array.isArray(value) ? Object.values(copy) : copy
}

test('a value of another kind is a problem with its path, wherever it is', async (context) => {
  const folder = tempDir(context)
  const paths = containersIn(whole)
  assert.ok(paths.length > 60, `only ${paths.length} values were found`)
  const cases = paths.flatMap((path) => [null, [null], { x: null }].map((given) => ({ path, given })))
  for (const [index, { given, path }] of cases.entries()) {
    // A folder for each, because a module is loaded once.
    const workspaceRoot = join(folder, String(index))
    mkdirSync(workspaceRoot)
    writeFileSync(join(workspaceRoot, 'package.json'), '{ "type": "module" }')
    const config = JSON.stringify(replaced(whole, path, given))
    writeFileSync(join(workspaceRoot, 'mangaassist.config.ts'), `export default ${config}`)
    const error = await configure({ env: {}, workspaceRoot }).then(
      () => undefined,
      (failed: unknown) => failed,
    )
    assert.ok(error instanceof ConfigError, `${path.join('.')} = ${JSON.stringify(given)}: ${String(error)}`)
    assert.ok(error.problems.length > 0)
  }
})
