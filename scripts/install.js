// Installs the packages that a script needs: those to run the server, or with `withDev` also those of tests and checks.
// A stamp in node_modules records which of the two is installed for which lockfile; while it matches, nothing is done.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { thisMachine } from '../packages/server/bin/find-node.js'
import { exclusively } from './exclusively.js'
import { npm, outputOf } from './npm.js'
import { digest, fail, readIfThere, root } from './workspace.js'

const modules = join(root, 'node_modules')
const lockfilePath = join(root, 'package-lock.json')
const stampPath = join(modules, '.mangaassist-stamp')
const npmRecordPath = join(modules, '.package-lock.json')

export function ensureInstalled({ withDev = true } = {}) {
  if (!isStamped(withDev)) exclusively(() => isStamped(withDev) || bringUpToDate(withDev))
}

function isStamped(withDev) {
  const stamp = readIfThere(stampPath)
  return ['all', 'run'].some((extent) => isEnough(extent, withDev) && stamp === stampOf(extent))
}

function bringUpToDate(withDev) {
  const { packages } = JSON.parse(readIfThere(lockfilePath))
  const found = installedExtent(packages, npmRecord(), thisMachine())
  if (!isEnough(found, withDev)) install({ withDev, isPart: found === 'run' })
  writeFileSync(stampPath, stampOf(isEnough(found, withDev) ? found : withDev ? 'all' : 'run'))
}

function isEnough(extent, withDev) {
  return extent === 'all' || (extent === 'run' && !withDev)
}

function stampOf(extent) {
  const parts = [readIfThere(lockfilePath), platformOf(thisMachine()), readIfThere(npmRecordPath) ?? '']
  return `${extent} ${digest(parts)}`
}

/**
 * The installed part of the lockfile, by npm's own record: everything, what running needs, or less. A manual `npm ci`
 * is therefore not repeated.
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

function install({ isPart, withDev }) {
  // Completing an installation must not remove it first: a server may be running from it.
  const verb = isPart ? ['install', '--no-save'] : ['ci']
  const kinds = [withDev ? '--include=dev' : '--omit=dev', '--include=optional']
  console.log(`Installing packages (npm ${[...verb, withDev ? '' : '--omit=dev'].join(' ').trim()}) …`)
  const args = [...verb, '--no-audit', '--no-fund', '--loglevel=error', ...kinds]
  const result = npm(args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (result.status !== 0) fail(`${outputOf(result)}\nThe packages could not be installed (see above).`)
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

// The running Node's version is not included: the first start of a fresh clone may run under a different Node than the
// second.
function platformOf({ arch, isMusl, platform }) {
  return `${platform} ${arch} ${isMusl ? 'musl' : ''}`
}
