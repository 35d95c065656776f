// The npm that scripts run: the one that runs the script itself, else the one that came with the running Node.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fail } from './workspace.js'

/** A slow network takes minutes, but a registry that does not answer must not block forever. */
const TIMEOUT_MS = 600_000

/** The result of `spawnSync`, with `error` when npm took too long. */
export function npm(args, options) {
  const script = npmScript() ?? fail('npm was not found: run this as an npm script, or run npm ci yourself.')
  const bounds = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' }
  return spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', ...bounds, ...options })
}

/** The output of a failed run that was not shown while it ran, and why it ended. */
export function outputOf({ error, stderr, stdout }) {
  const ending = error?.code === 'ETIMEDOUT' ? `npm took more than ${TIMEOUT_MS / 60_000} minutes.` : error?.message
  return [stdout, stderr, ending].filter(Boolean).join('')
}

/** The path of npm's own script, to run under the current Node. */
export function npmScript(env = process.env, nodePath = process.execPath) {
  if (env.npm_execpath && basename(env.npm_execpath) === 'npm-cli.js') return env.npm_execpath
  const folder = dirname(nodePath)
  const places = [
    join(folder, 'node_modules/npm/bin/npm-cli.js'),
    join(folder, '../lib/node_modules/npm/bin/npm-cli.js'),
    join(folder, '../share/nodejs/npm/bin/npm-cli.js'),
  ]
  return places.find((path) => existsSync(path))
}
