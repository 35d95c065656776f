// Fetches other versions of Node and npm than the pinned one, to try the product as users have it. Both come from npm
// packages and are cached in node_modules/.cache, so that each version is fetched once.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { carriedName, thisMachine } from '../packages/server/bin/find-node.js'
import { npm, outputOf } from './npm.js'
import { fail, root } from './workspace.js'

/** The path of a Node binary of exactly this version, for this machine. */
export function fetchNode(version) {
  const name = carriedName(thisMachine()) ?? fail('No npm package has a Node for this platform.')
  const folder = fetchPackage(name, version)
  return join(folder, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).bin.node)
}

/** The path of npm's script, for any Node: `spawn(node, [fetchNpm('10.8.2'), 'ci'])`. */
export function fetchNpm(version) {
  return join(fetchPackage('npm', version), 'bin', 'npm-cli.js')
}

function fetchPackage(name, version) {
  const home = join(root, 'node_modules', '.cache', 'toolchains', `${name}-${version}`)
  const folder = join(home, 'node_modules', name)
  if (existsSync(join(folder, 'package.json'))) return folder
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{"private":true}\n')
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline']
  const result = npm(['install', ...flags, `${name}@${version}`], { cwd: home })
  if (result.status !== 0) fail(`${outputOf(result)}\n${name}@${version} could not be fetched.`)
  return folder
}
