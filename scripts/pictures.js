// `npm run pictures`: makes the pictures of README.md, docs/console.md and docs/widget.md again, with the Chromium of this machine.
// `npm run pictures -- shop`, `-- console` or `-- keyboard` makes one set.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, ensureWebBuilt, fail, pinnedNode, root } from './bootstrap.js'

const sets = ['shop', 'console', 'keyboard']
const named = process.argv.slice(2)
const unknown = named.find((name) => !sets.includes(name))
if (unknown !== undefined) fail(`There are no pictures ${JSON.stringify(unknown)}: ${sets.join(', ')}.`)

ensureInstalled()
ensureWebBuilt()
for (const name of named.length === 0 ? sets : named) {
  const script = `packages/server/test/e2e/${name}-pictures.ts`
  const { status } = spawnSync(pinnedNode(), [script], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
