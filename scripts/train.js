// `npm run train`: trains the understanding from the labelled utterances, and writes its weights. See
// packages/bookseller/training/README.md.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, pinnedNode, root } from './bootstrap.js'

ensureInstalled()
const trained = spawnSync(pinnedNode(), ['packages/bookseller/training/train.ts'], { cwd: root, stdio: 'inherit' })
process.exitCode = trained.status ?? 1
