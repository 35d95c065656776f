#!/usr/bin/env node
// The `mangaassist` command. Plain JavaScript, because it may be started by a Node that cannot run the rest: then it runs
// itself again under the Node that the packages carry, and passes signals and the exit code between the two.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { carriedNode, isNewEnough, nodeAdvice } from './find-node.js'

if (isNewEnough(process.versions.node)) await runHere()
else runUnder(carriedNode()?.path)

async function runHere() {
  leaveWithParent()
  const { main } = await import('#cli/main.ts')
  process.exitCode = await main(process.argv.slice(2))
  await Promise.all([process.stdout, process.stderr].map(flushed))
  // A timer that the configuration file has set, for example, would keep a command alive that has ended.
  process.exit()
}

function flushed(stream) {
  return new Promise((resolve) => stream.write('', () => resolve()))
}

// A parent that was killed cannot forward a signal. Its end of the channel closes, and that is the signal; the
// channel itself must not keep a finished command alive.
function leaveWithParent() {
  if (!process.channel) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}

function runUnder(node) {
  if (node === undefined) return refuse()
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.once('error', refuse)
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

function refuse() {
  console.error(nodeAdvice())
  process.exitCode = 1
}
