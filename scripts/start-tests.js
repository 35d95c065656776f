// `npm test`: installs what the tests need, then runs them under the pinned Node. `npm test -- path …` runs those files,
// folders or patterns only; flags are handed to `node --test` (write --flag=value). `npm run test:unit` runs the quick tests that
// need packages only, `npm run test:long` those in `test/long`, which need more time or more tools.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, ensureWebBuilt, pinnedNode, root } from './bootstrap.js'

ensureInstalled()
const given = process.argv.slice(2)
if (!given.includes('--unit')) ensureWebBuilt()
const args = ['scripts/run-tests.js', ...given]
const result = spawnSync(pinnedNode(), args, { cwd: root, stdio: 'inherit' })
process.exit(result.status ?? 1)
