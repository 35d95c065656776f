// `npm run bench`: a measurement of `bench/` under the pinned Node, by default what a turn costs.
// `npm run bench -- name` runs another; what follows is handed to it.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, pinnedNode, root } from './bootstrap.js'

ensureInstalled()
const [name = 'turn', ...args] = process.argv.slice(2)
const result = spawnSync(pinnedNode(), [`bench/${name}.ts`, ...args], { cwd: root, stdio: 'inherit' })
process.exit(result.status ?? 1)
