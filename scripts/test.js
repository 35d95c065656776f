// `npm test`: makes ready what the tests need, a real Redis and a real browser among them, then runs every test.
// `npm test -- path …` runs those files or folders only; flags are handed to `node --test` (write --flag=value).
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { ensureInstalled, ensureWebBuilt, pinnedNode, root } from './bootstrap.js'
import { ensureSystemTools } from './system-tools.js'

ensureInstalled()
ensureWebBuilt()
const tools = ensureSystemTools()

const given = process.argv.slice(2)
const flags = given.filter((arg) => arg.startsWith('-'))
const paths = given.filter((arg) => !arg.startsWith('-')).map(asGlob)
const everything = ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts']
const args = [
  '--test',
  '--test-concurrency=2',
  '--test-timeout=120000',
  ...flags,
  ...(paths.length > 0 ? paths : everything),
]
const result = spawnSync(pinnedNode(), args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...tools } })
process.exit(result.status ?? 1)

function asGlob(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? `${path.replace(/\/$/, '')}/**/*.test.ts` : path
}
