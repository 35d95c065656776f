// When an installation is sufficient, and which npm is run for another one.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { installedExtent, isNeededOn } from './install.js'
import { npmScript } from './npm.js'

const linux = { platform: 'linux', arch: 'x64', isMusl: false }
const alpine = { ...linux, isMusl: true }
const mac = { platform: 'darwin', arch: 'arm64', isMusl: false }
const locked = {
  '': {},
  'node_modules/fastify': { version: '5.0.0' },
  'node_modules/knip': { version: '6.0.0', dev: true },
  'node_modules/binding-linux': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
  'node_modules/binding-musl': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
  'node_modules/node-mac': { version: '26.0.0', optional: true, os: 'darwin', cpu: 'arm64' },
}
const pick = (...names) =>
  Object.fromEntries(names.map((name) => [`node_modules/${name}`, locked[`node_modules/${name}`]]))

test('an installation with everything that this machine needs is complete', () => {
  assert.equal(installedExtent(locked, pick('fastify', 'knip', 'binding-linux'), linux), 'all')
  assert.equal(installedExtent(locked, pick('fastify', 'knip', 'binding-musl'), alpine), 'all')
  assert.equal(installedExtent(locked, pick('fastify', 'knip', 'node-mac'), mac), 'all')
})

test('an installation without the packages of tests and checks is enough to run the server', () => {
  assert.equal(installedExtent(locked, pick('fastify', 'binding-linux'), linux), 'run')
})

test('a missing package, a missing binding, another version or the modules of another machine are not enough', () => {
  assert.equal(installedExtent(locked, {}, linux), undefined)
  assert.equal(installedExtent(locked, pick('fastify', 'knip'), linux), undefined)
  assert.equal(installedExtent(locked, pick('fastify', 'knip', 'binding-linux'), mac), undefined)
  const older = { ...pick('fastify', 'knip', 'binding-linux'), 'node_modules/fastify': { version: '4.0.0' } }
  assert.equal(installedExtent(locked, older, linux), undefined)
})

test('a platform may be written as one word or as a list', () => {
  assert.equal(isNeededOn(mac, { optional: true, os: 'darwin', cpu: 'arm64' }), true)
  assert.equal(isNeededOn({ ...mac, platform: 'win32' }, { optional: true, os: 'darwin', cpu: 'arm64' }), false)
})

test('the npm that runs the script is used again, and no other package manager', () => {
  assert.equal(npmScript({ npm_execpath: '/x/npm/bin/npm-cli.js' }, '/nowhere/bin/node'), '/x/npm/bin/npm-cli.js')
  assert.equal(npmScript({ npm_execpath: '/x/pnpm/bin/pnpm.cjs' }, '/nowhere/bin/node'), undefined)
})

for (const [place, node] of [
  ['Program Files/nodejs/node_modules/npm', 'Program Files/nodejs/node.exe'],
  ['usr/lib/node_modules/npm', 'usr/bin/node'],
]) {
  test(`without one, the npm beside the running Node is found in ${place}`, (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'mangaassist-npm-'))
    context.after(() => rmSync(folder, { recursive: true, force: true }))
    const script = join(folder, place, 'bin/npm-cli.js')
    mkdirSync(dirname(script), { recursive: true })
    writeFileSync(script, '')
    assert.equal(npmScript({}, join(folder, node)), script)
  })
}
