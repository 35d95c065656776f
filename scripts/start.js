// `npm start`: makes ready what a fresh clone lacks, then serves in this process; only a Node that is too old
// runs the pinned one as a child. Arguments go to `mangaassist serve`.
import { ensureInstalled, ensureWebBuilt } from './bootstrap.js'

ensureInstalled()
ensureWebBuilt()
process.argv.splice(2, 0, 'serve')
await import('../packages/server/bin/mangaassist.js')
