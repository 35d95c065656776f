// A test in the wrong place is found, and one in the right place is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPlaceViolations } from './test-places.ts'

const found = (path: string, source: string) =>
  testPlaceViolations([{ path: `packages/server/${path}`, source }]).map(({ what }) => what)

const APP = "import { createApp } from '#app/app.ts'\nconst app = createApp(ports, config)"
const PROCESS = "import { startServer } from './server-process.ts'"

test('the whole app is run in the tests of several layers, and in the test of its own file', () => {
  assert.deepEqual(found('src/app/app-adoption.test.ts', APP), [
    'runs the whole app: its place is packages/server/test/',
  ])
  for (const path of ['src/app/app.test.ts', 'test/app-adoption.test.ts', 'src/app/app.ts'])
    assert.deepEqual(found(path, APP), [], path)
})

test('processes are started only in e2e, and every test there starts one', () => {
  assert.deepEqual(found('test/e2e/some.test.ts', PROCESS), [])
  assert.deepEqual(found('test/e2e/some.test.ts', APP), ['starts no process: its place is packages/server/test/'])
  const outside = ['starts processes: its place is packages/server/test/e2e/']
  assert.deepEqual(found('test/some.test.ts', "import { launch } from './e2e/server-process.ts'"), outside)
  assert.deepEqual(found('src/cli/some.test.ts', "import { launch } from '../../test/e2e/server-process.ts'"), outside)
  assert.deepEqual(found('test/long/some.test.ts', "import { launch } from '../e2e/server-process.ts'"), [])
})
