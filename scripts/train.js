// `npm run train`: trains the understanding from the labelled utterances, and writes its weights. `npm run train:faq`: the same
// for the recognition of the FAQ. See packages/bookseller/training/README.md.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, pinnedNode, root } from './bootstrap.js'

ensureInstalled()
const script = process.argv[2] === 'faq' ? 'train-faq.ts' : 'train.ts'
const trained = spawnSync(pinnedNode(), [`packages/bookseller/training/${script}`], { cwd: root, stdio: 'inherit' })
process.exitCode = trained.status ?? 1
