// Installs the packages that a script needs: those to run the server, or with `withDev` also those of tests and checks.
// A stamp in node_modules says which of the two is there and for which lockfile; while it is right, nothing is done.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { thisMachine } from '../packages/server/bin/find-node.js'
import { digest, fail, readIfThere, root } from './workspace.js'

const modules = join(root, 'node_modules')
const stampPath = join(modules, '.mangaassist-stamp')
const npmRecordPath = join(modules, '.package-lock.json')

export function ensureInstalled({ withDev = true } = {}) {
  const machine = thisMachine()
  const lock = readIfThere(join(root, 'package-lock.json'))
  const stampOf = (extent) => `${extent} ${digest([lock, platformOf(machine), readIfThere(npmRecordPath) ?? ''])}`
  const isEnough = (extent) => extent === 'all' || (extent === 'run' && !withDev)
  const stamp = readIfThere(stampPath)
  if (['all', 'run'].some((extent) => stamp === stampOf(extent) && isEnough(extent))) return

  const found = installedExtent(JSON.parse(lock).packages, npmRecord(), machine)
  if (!isEnough(found)) install({ withDev, isPart: found === 'run' })
  writeFileSync(stampPath, stampOf(isEnough(found) ? found : withDev ? 'all' : 'run'))
}

/**
 * What of the lockfile is installed, by npm's own record of it: everything, what running needs, or not even that.
 * An `npm ci` by hand is therefore not repeated.
 */
export function installedExtent(locked, installed, machine) {
  const missing = Object.entries(locked).filter(([path, entry]) => {
    if (path === '') return false
    const found = installed[path]
    return found ? found.version !== entry.version : isNeededOn(machine, entry)
  })
  if (missing.length === 0) return 'all'
  return missing.every(([, entry]) => entry.dev) ? 'run' : undefined
}

/** A package that is not optional is needed everywhere, another one on the machines that it names. */
export function isNeededOn(machine, { cpu, devOptional, libc, optional, os }) {
  if (!optional && !devOptional) return true
  if (!os && !cpu) return false
  const names = (wanted, value) => !wanted || [wanted].flat().includes(value)
  return names(os, machine.platform) && names(cpu, machine.arch) && names(libc, machine.isMusl ? 'musl' : 'glibc')
}

/** The script of npm itself, to be run by this Node: the npm that runs this script, else the one beside this Node. */
export function npmScript(env = process.env, nodePath = process.execPath) {
  if (env.npm_execpath && basename(env.npm_execpath) === 'npm-cli.js') return env.npm_execpath
  const folder = dirname(nodePath)
  const places = [
    join(folder, 'node_modules/npm/bin/npm-cli.js'),
    join(folder, '../lib/node_modules/npm/bin/npm-cli.js'),
    join(folder, '../share/nodejs/npm/bin/npm-cli.js'),
  ]
  return places.find((path) => existsSync(path))
}

function install({ isPart, withDev }) {
  // Completing an installation must not remove it first: a server may be running from it.
  const verb = isPart ? ['install', '--no-save'] : ['ci']
  const kinds = [withDev ? '--include=dev' : '--omit=dev', '--include=optional']
  console.log(`Installing packages (npm ${[...verb, withDev ? '' : '--omit=dev'].join(' ').trim()}) …`)
  const npm = npmScript()
  if (!npm) fail('npm was not found: run this as an npm script, or run npm ci yourself.')
  const args = [npm, ...verb, '--no-audit', '--no-fund', ...kinds]
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: 'pipe', encoding: 'utf8' })
  if (result.status !== 0)
    fail(
      `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}\nThe packages could not be installed (see above).`,
    )
  if (process.platform === 'win32') unlinkCarriedNode()
}

// npm puts `.bin` first on the path of its scripts. Windows cannot replace a program that runs, so a script that runs
// under the carried Node could never install another one.
function unlinkCarriedNode() {
  for (const name of ['node', 'node.cmd', 'node.ps1']) rmSync(join(modules, '.bin', name), { force: true })
}

function npmRecord() {
  return JSON.parse(readIfThere(npmRecordPath) ?? '{"packages":{}}').packages
}

// The running Node's version is no part of it: the first start of a fresh clone may run under another Node than the second.
function platformOf({ arch, isMusl, platform }) {
  return `${platform} ${arch} ${isMusl ? 'musl' : ''}`
}
