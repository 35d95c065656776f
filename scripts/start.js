// `npm start`: installs and builds what a fresh clone lacks, then serves in this process; only a Node that is too old
// runs the pinned one as a child. Arguments go to `mangaassist serve`.
import { ensureInstalled, ensureWebBuilt } from './bootstrap.js'

const SHELL_POLL_MS = 250

ensureInstalled({ withDev: false })
ensureWebBuilt()
if (process.env.npm_lifecycle_event === 'start') exitWithShell()
process.argv.splice(2, 0, 'serve')
await import('../packages/server/bin/mangaassist.js')

// npm forwards SIGTERM only to the shell that started this process, and the shell dies without forwarding it.
function exitWithShell() {
  const shell = process.ppid
  const poll = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(poll)
    process.kill(process.pid, 'SIGTERM')
  }, SHELL_POLL_MS)
  poll.unref()
}
