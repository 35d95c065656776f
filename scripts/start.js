// `npm start`: makes ready what a fresh clone lacks, then serves in this process; only a Node that is too old
// runs the pinned one as a child. Arguments go to `mangaassist serve`.
import { ensureInstalled, ensureWebBuilt } from './bootstrap.js'

const SHELL_LOOK_MS = 250

ensureInstalled({ withDev: false })
ensureWebBuilt()
if (process.env.npm_lifecycle_event === 'start') leaveWithShell()
process.argv.splice(2, 0, 'serve')
await import('../packages/server/bin/mangaassist.js')

// npm sends a SIGTERM on to the shell that it started us with, and the shell dies of it without a word to us.
function leaveWithShell() {
  const shell = process.ppid
  const look = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(look)
    process.kill(process.pid, 'SIGTERM')
  }, SHELL_LOOK_MS)
  look.unref()
}
