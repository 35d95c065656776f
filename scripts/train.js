// `npm run train`: trains the understanding from the labelled utterances, and writes its weights. `npm run train:faq` and
// `npm run train:complexity`: the same for the recognition of the FAQ and the judgement of complexity. See
// packages/bookseller/training/README.md.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, pinnedNode, root } from './bootstrap.js'

ensureInstalled()
const part = process.argv[2]
const script = part === undefined ? 'train.ts' : `train-${part}.ts`
const trained = spawnSync(pinnedNode(), [`packages/bookseller/training/${script}`], { cwd: root, stdio: 'inherit' })
process.exitCode = trained.status ?? 1
