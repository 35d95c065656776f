// Where files are in the workspace. The same for an installed package is tried by `npm run test:packages`.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { baseFolder, bundled, commandLine, installCommand, modelsGuide, startCommand } from './installation.ts'

const workspace = resolve(import.meta.dirname, '../../../..')

test('anywhere in the workspace the configuration is at its root', () => {
  for (const folder of ['', 'packages/server/src', '..data'])
    assert.equal(baseFolder(join(workspace, folder)), workspace)
})

test('outside the workspace the configuration is in the current folder, also for the sources', () => {
  for (const folder of [resolve(workspace, '..'), `${workspace}-copy`, resolve('/elsewhere')])
    assert.equal(baseFolder(folder), folder)
})

test('in the workspace the bundled files are those that a person edits and builds', () => {
  assert.equal(bundled.web, join(workspace, 'packages/web/dist'))
  for (const name of ['catalogue.jsonl', 'faq.yaml', 'models.yaml']) assert.ok(existsSync(join(bundled.data, name)))
})

test('in the workspace a package is added to the server', () => {
  assert.equal(installCommand('@ai-sdk/google'), 'npm install @ai-sdk/google --workspace packages/server')
})

test('the next commands and the guide are those of the workspace, or of a package, where npm start does not exist', () => {
  assert.deepEqual(
    [commandLine('doctor'), startCommand(), modelsGuide()],
    ['npx mangaassist doctor', 'npm start', 'docs/models.md'],
  )
  assert.equal(commandLine('doctor', false), 'npx --no mangaassist doctor')
  assert.equal(startCommand(false), 'npx --no mangaassist serve')
  assert.equal(modelsGuide(false), 'node_modules/@mangaassist/server/README.md')
  assert.match(readFileSync(join(workspace, 'packages/server/README.md'), 'utf8'), /^## Models$/m)
})
