// Where files are in the workspace. `npm run test:packages` checks the same for an installed package.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { baseFolder, bundled, commandLine, installCommand, modelsGuide, startCommand } from './installation.ts'

const workspace = resolve(import.meta.dirname, '../../../..')

test('inside the workspace, the configuration is at its root', () => {
  for (const folder of ['', 'packages/server/src', '..data'])
    assert.equal(baseFolder(join(workspace, folder)), workspace)
})

test('outside the workspace, the configuration is in the current folder, even when the sources run', () => {
  for (const folder of [resolve(workspace, '..'), `${workspace}-copy`, resolve('/elsewhere')])
    assert.equal(baseFolder(folder), folder)
})

test('in the workspace, the bundled files are the edited and built ones', () => {
  assert.equal(bundled.web, join(workspace, 'packages/web/dist'))
  for (const name of ['catalogue.jsonl', 'faq.yaml', 'models.yaml']) assert.ok(existsSync(join(bundled.data, name)))
})

test('in the workspace, a package is installed into the server’s package', () => {
  assert.equal(installCommand('@ai-sdk/google'), 'npm install @ai-sdk/google --workspace packages/server')
})

test('suggested commands and the guide fit the workspace or the installed package, which has no npm start', () => {
  assert.deepEqual(
    [commandLine('doctor'), startCommand(), modelsGuide()],
    ['npx mangaassist doctor', 'npm start', 'docs/models.md'],
  )
  assert.equal(commandLine('doctor', false), 'npx --no mangaassist doctor')
  assert.equal(startCommand(false), 'npx --no mangaassist serve')
  assert.equal(modelsGuide(false), 'node_modules/@mangaassist/server/README.md')
  assert.match(readFileSync(join(workspace, 'packages/server/README.md'), 'utf8'), /^## Models$/m)
})
