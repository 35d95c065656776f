// `npm run check`: all static checks. All of them run, so that one run shows everything that needs a fix.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, root, runTool } from './bootstrap.js'

const checks = [
  { name: 'lint', tool: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'format', tool: 'oxfmt', args: ['--check'] },
  { name: 'types', tool: 'tsc', args: ['--project', 'tsconfig.json'] },
  {
    name: 'types of the web pages',
    tool: 'tsc',
    args: ['--project', 'packages/web'],
    needs: 'packages/web/tsconfig.json',
  },
  { name: 'unused code', tool: 'knip', args: [] },
]

ensureInstalled()
const failed = checks
  .filter(({ needs }) => !needs || existsSync(join(root, needs)))
  .filter(({ name, tool, args }) => {
    console.log(`\n── ${name} (${[tool, ...args].join(' ')})`)
    return runTool(tool, args).status !== 0
  })
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.map(({ name }) => name).join(', ')}.`)
process.exit(failed.length === 0 ? 0 : 1)
