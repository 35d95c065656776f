// `npm run release`: checks everything that must be true before a version is published, and prints the commands that
// publish it. It publishes only with `--publish` and an npm that is signed in. `--dry-run` is the default.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fail, root } from './bootstrap.js'
import { npm } from './npm.js'
import { readJson, release } from './pack.js'

/** In this order, because each package needs those before it. The server contains the web pages. */
const published = ['protocol', 'client', 'server', 'simulation']

const flags = process.argv.slice(2)
const unknown = flags.filter((flag) => flag !== '--dry-run' && flag !== '--publish')
if (unknown.length > 0) fail(`Usage: npm run release -- [--dry-run | --publish] (not ${unknown.join(' ')})`)
if (flags.length > 1) fail('Either --dry-run or --publish, not both.')

const publishing = flags.includes('--publish')
const version = agreedVersion()
const obstacles = []
step('the working tree is clean', () => {
  const changed = git('status', '--porcelain')
  if (changed !== '') fail(`These changes are not committed:\n${changed}`)
})
step(`version ${version} is described and new`, () => {
  const described = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split('\n').includes(`## ${version}`)
  if (!described) obstacle(`CHANGELOG.md has no section "## ${version}".`)
  if (git('tag', '--list', `v${version}`) !== '') obstacle(`The tag v${version} exists: raise the version.`)
})
step('npm run check', () => runScript('check.js'))
step('npm run test:packages', () => runScript('try-packages.js'))

const commands = published.map((name) => ['publish', tarballOf(name), '--access', 'public'])
if (publishing) publish()
else {
  const lines = [...commands.map((args) => `npm ${args.join(' ')}`), `git tag v${version}`]
  console.log(`\nNothing was published. These commands publish ${version}; so does npm run release -- --publish:\n`)
  console.log(lines.join('\n'))
  if (obstacles.length > 0) console.log(`\nBut first:\n${obstacles.join('\n')}`)
}

/** Stops a release; a dry run reports it and continues. */
function obstacle(what) {
  if (publishing) fail(what)
  obstacles.push(what)
}

function publish() {
  for (const args of commands) {
    const { status } = npm(args, { cwd: root, stdio: 'inherit' })
    if (status !== 0) fail(`npm ${args.join(' ')} failed; what was published before it stays published.`)
  }
  git('tag', `v${version}`)
}

/** All packages must have one version, also in their dependencies on each other. */
function agreedVersion() {
  const manifests = ['protocol', 'client', 'react', 'web', 'bookseller', 'server', 'simulation'].map((name) =>
    readJson(`packages/${name}/package.json`),
  )
  const named = manifests.flatMap(({ name, version, dependencies, devDependencies }) => [
    { where: name, version },
    ...Object.entries({ ...dependencies, ...devDependencies })
      .filter(([dependency]) => dependency.startsWith('@mangaassist/'))
      .map(([dependency, wanted]) => ({ where: `${dependency} in ${name}`, version: wanted })),
  ])
  const [first] = named
  const others = named.filter(({ version }) => version !== first.version)
  if (others.length === 0) return first.version
  const list = others.map(({ where, version }) => `${where}: ${version}`)
  return fail(`The packages do not agree on a version. ${first.where} is ${first.version}, but\n${list.join('\n')}`)
}

function tarballOf(name) {
  // Starts with ./, because npm takes folder/file for a repository on GitHub.
  return `./${basename(release)}/mangaassist-${name}-${version}.tgz`
}

function step(name, check) {
  console.log(`── ${name}`)
  check()
}

function runScript(name) {
  const { status } = spawnSync(process.execPath, [join('scripts', name)], { cwd: root, stdio: 'inherit' })
  if (status !== 0) fail(`${name} failed (see above).`)
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) fail(`git ${args.join(' ')} failed: ${stderr}`)
  return stdout.trim()
}
