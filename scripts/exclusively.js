// One process at a time prepares the workspace: two installations at once would remove each other's packages. The lock is a
// folder that names its process. It appears whole, by a rename, and a dead process's lock is taken over.
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fail, root } from './workspace.js'

const lockPath = join(root, '.setup.lock')
/** More than the bounds of an installation and a build together. */
const WAIT_MS_MAX = 900_000
const POLL_MS = 200

/** Runs the synchronous work when no other process does. The work has to check again whether it is still needed. */
export function exclusively(work, { path = lockPath, waitMsMax = WAIT_MS_MAX } = {}) {
  acquire(path, waitMsMax)
  const release = () => remove(path)
  // A script that cannot continue exits in the middle of its work.
  process.once('exit', release)
  try {
    return work()
  } finally {
    release()
    process.off('exit', release)
  }
}

function acquire(path, waitMsMax) {
  const startedMs = performance.now()
  let isReported = false
  while (!tryAcquire(path)) {
    const holder = holderOf(path)
    if (holder && isDead(holder)) remove(path, holder)
    else {
      const name = holder ? `process ${holder.pid} on ${holder.host}` : 'another process'
      if (!isReported) console.log(`Waiting for ${name}, which installs packages or builds the web pages here …`)
      isReported = true
      if (performance.now() - startedMs >= waitMsMax)
        fail(`Still waiting for ${name}, which prepares this folder. If it does not run, remove ${path} and try again.`)
      sleep(POLL_MS)
    }
  }
}

function tryAcquire(path) {
  const own = mkdtempSync(`${path}-`)
  writeFileSync(join(own, 'holder.json'), JSON.stringify({ host: hostname(), pid: process.pid }))
  const isOurs = tryRename(own, path)
  if (!isOurs) rmSync(own, { recursive: true, force: true })
  return isOurs
}

/**
 * Moves the lock first: a half-removed lock could be taken for a free one. If two processes find the same dead holder,
 * the later one may have moved the lock of the earlier one, and moves it back.
 */
function remove(path, { host, pid } = { host: hostname(), pid: process.pid }) {
  const trash = mkdtempSync(`${path}-`)
  const moved = join(trash, 'lock')
  if (tryRename(path, moved)) {
    const holder = holderOf(moved)
    if (holder?.pid !== pid || holder.host !== host) tryRename(moved, path)
  }
  rmSync(trash, { recursive: true, force: true })
}

// Error codes of an existing target (EPERM on Windows) and of a missing source.
function tryRename(from, to) {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES', 'ENOENT'].includes(error.code)) return false
    throw error
  }
}

/** Undefined when the lock was released in the meantime. */
function holderOf(path) {
  try {
    return JSON.parse(readFileSync(join(path, 'holder.json'), 'utf8'))
  } catch {
    return undefined
  }
}

/** Only a process of this machine can be checked; another one may share the folder, for example a container. */
function isDead({ host, pid }) {
  if (host !== hostname()) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function sleep(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
