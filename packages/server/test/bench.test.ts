// `npm run bench` knows every benchmark, and lists them for --help and for an unknown name.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { test } from 'node:test'

const ROOT = resolve(import.meta.dirname, '../../..')
const names = globSync(['bench/*.ts', 'packages/simulation/bench/*.ts'], { cwd: ROOT }).map((path) =>
  basename(path, '.ts'),
)

function bench(...args: string[]) {
  return spawnSync(process.execPath, [join(ROOT, 'scripts/bench.js'), ...args], { encoding: 'utf8' })
}

test('--help lists every benchmark with a line about it', () => {
  const { status, stderr, stdout } = bench('--help')
  assert.deepEqual([status, stderr], [0, ''])
  for (const name of names) assert.match(stdout, new RegExp(`^  ${name} +\\S.{20}`, 'm'))
})

test('a name that does not exist is refused with the list', () => {
  const { status, stderr, stdout } = bench('no-such')
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^There is no benchmark "no-such"\.\n/)
  for (const name of names) assert.match(stderr, new RegExp(`^  ${name} `, 'm'))
})

test('a benchmark’s --help shows its settings and runs nothing', () => {
  const { status, stdout } = bench('completions', '--help')
  assert.equal(status, 0)
  assert.match(stdout, /^completions: .*\nEnvironment variables: ANSWERS, CONCURRENT\.\n$/)
})

test('every benchmark is on the page of results', () => {
  const page = readFileSync(join(ROOT, 'bench/README.md'), 'utf8')
  const missing = names.filter((name) => !new RegExp(`npm run (?:bench -- )?${name}\\b`).test(page) && name !== 'turn')
  assert.deepEqual(missing, [])
})
