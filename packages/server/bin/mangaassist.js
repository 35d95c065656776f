#!/usr/bin/env node
// The `mangaassist` command. Plain JavaScript, because it may be started by a Node that cannot run the rest:
// then it runs itself again under the Node that the workspace carries, and is that process's hands and ears.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR_MIN = 24
const here = fileURLToPath(import.meta.url)

if (Number.parseInt(process.versions.node) >= NODE_MAJOR_MIN) await runHere()
else runUnder(carriedNode(dirname(here)))

async function runHere() {
  leaveWithParent()
  const { main } = await import('../src/cli/main.ts')
  process.exitCode = await main(process.argv.slice(2))
}

// A parent that was killed cannot forward a signal. Its end of the channel closes, and that is the signal; the
// channel itself must not keep a finished command alive.
function leaveWithParent() {
  if (!process.channel) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}

function runUnder(node) {
  if (node === undefined || process.env.MANGAASSIST_RERUN) return refuse()
  const env = { ...process.env, MANGAASSIST_RERUN: '1' }
  const child = spawn(node, [here, ...process.argv.slice(2)], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.once('error', refuse)
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

function refuse() {
  const carried = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
  const fix = carried
    ? 'It comes with the packages as an optional dependency: run npm ci --include=optional in the workspace.'
    : 'Install it from nodejs.org or with your version manager.'
  console.error(`MangaAssist needs Node ${NODE_MAJOR_MIN} or newer; this is ${process.version}. ${fix}`)
  process.exitCode = 1
}

function carriedNode(folder) {
  const candidate = join(folder, 'node_modules', '.bin', 'node')
  if (existsSync(candidate)) return candidate
  return folder === dirname(folder) ? undefined : carriedNode(dirname(folder))
}
