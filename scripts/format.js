// `npm run format`: writes the format, with the formatter under the pinned Node. Arguments go to `oxfmt`.
import { ensureInstalled, runTool } from './bootstrap.js'

ensureInstalled()
process.exit(runTool('oxfmt', process.argv.slice(2)).status ?? 1)
