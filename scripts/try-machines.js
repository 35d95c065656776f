// `npm run test:machines`: tries a fresh clone of the last commit with other versions of Node and npm: first start, a
// question, the command line, a test, the format, and a second start that installs nothing. Prints what was observed.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { ensureInstalled, root } from './bootstrap.js'
import { fetchNode, fetchNpm } from './toolchains.js'

/** The npm that comes with Node 20 and 22, and the newest of the next two. Node 26 is what Apple silicon carries. */
const machines = [
  { node: '20.20.2', npm: '10.8.2' },
  { node: '22.23.3', npm: '10.9.9' },
  { node: '24.21.0', npm: '11.21.1' },
  { node: '26.10.0', npm: '12.2.0' },
]
const STEP_MS_MAX = 300_000
const ANSWER_MS_MAX = 30_000
const CHEAP_TEST = 'packages/server/src/lib/text/nearest.test.ts'
const READY = /ready at (http:\S+)/

const steps = [
  { name: 'first start', step: (machine) => tryStart(machine, /npm ci --omit=dev/) },
  {
    name: 'npx mangaassist',
    step: (machine) => tryCommand(machine, ['exec', '--', 'mangaassist', 'doctor'], /✓ port/),
  },
  {
    name: 'npm test',
    step: (machine) => tryCommand(machine, ['test', '--', CHEAP_TEST], /npm install --no-save[^]*pass [1-9]/),
  },
  {
    name: 'npm run format',
    step: (machine) => tryCommand(machine, ['run', 'format', '--', '--check'], /correct format/),
  },
  { name: 'second start', step: (machine) => tryStart(machine, /^(?![^]*Installing)/) },
]

ensureInstalled()
const rows = []
for (const versions of machines) rows.push(await tryMachine(versions))
console.log(`\n${table(['Node', 'npm', 'by their own report', ...steps.map(({ name }) => name)], rows)}`)
process.exit(rows.flat().some((cell) => cell.startsWith('✗')) ? 1 : 0)

async function tryMachine(versions) {
  const home = mkdtempSync(join(tmpdir(), 'mangaassist-machine-'))
  try {
    const machine = setUp(home, versions)
    console.log(`\n── Node ${versions.node}, npm ${versions.npm}`)
    const cells = []
    for (const { name, step } of steps) {
      const { output, problem, seconds } = await timed(() => step(machine))
      console.log(`${problem ? '✗' : '✓'} ${name} (${seconds} s)${problem ? `: ${problem}\n${output}` : ''}`)
      cells.push(problem ? `✗ ${name}` : `✓ ${seconds} s`)
    }
    return [versions.node, versions.npm, provenance(machine), ...cells]
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  }
}

function setUp(home, versions) {
  const clone = join(home, 'clone')
  const { status } = spawnSync('git', ['clone', '--quiet', root, clone], { stdio: 'inherit', timeout: STEP_MS_MAX })
  if (status !== 0) throw new Error('The workspace could not be cloned (see above).')
  const node = fetchNode(versions.node)
  mkdirSync(join(home, 'bin'))
  symlinkSync(node, join(home, 'bin', 'node'))
  const machine = { clone, node, npm: fetchNpm(versions.npm), env: environment(home), versions }
  // Must run before anything is installed: a package may put a Node into `.bin`, which is first on npm's path.
  const { output } = run(machine, ['exec', '-c', 'node --print process.env.npm_config_user_agent+process.version'])
  return { ...machine, output: output.trim() }
}

/** Which Node ran which npm, and which Node npm's scripts get, by their own report. */
function provenance({ output, versions }) {
  const isRight =
    output.startsWith(`npm/${versions.npm} node/v${versions.node} `) && output.endsWith(`v${versions.node}`)
  return isRight ? output.split(' ').slice(0, 3).join(' ') : `✗ ${output}`
}

// The npm under test must inherit nothing from the npm that runs this script but the source of its packages.
function environment(home) {
  const isForeign = (name) => /^(npm_(?!config_(cache|registry)$)|NODE|INIT_CWD|CI$|MANGA|PORT$|HOST$)/i.test(name)
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isForeign(name)))
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  const PATH = [join(home, 'bin'), ...path].join(delimiter)
  return { ...own, PATH, PORT: '0', DATA_DIR: join(home, 'data'), npm_config_prefer_offline: 'true' }
}

function run({ clone, env, node, npm }, args) {
  const options = { cwd: clone, env, encoding: 'utf8', timeout: STEP_MS_MAX, killSignal: 'SIGKILL' }
  const { status, stderr, stdout } = spawnSync(node, [npm, ...args], options)
  // Removes npm's warnings about the machine's settings, which are not part of the output.
  return { status, output: `${stdout}${stderr}`.replaceAll(/^npm (warn|notice).*\n?/gim, '') }
}

function tryCommand(machine, args, expected) {
  const { output, status } = run(machine, args)
  if (status !== 0) return { output, problem: `exit code ${status}` }
  return { output, problem: expected.test(output) ? undefined : `no ${expected}` }
}

async function tryStart({ clone, env, node, npm }, expected) {
  const child = spawn(node, [npm, 'start'], { cwd: clone, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  const exited = new Promise((resolve) => child.once('close', resolve))
  const ready = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
        const address = READY.exec(output)?.[1]
        if (address) resolve(address)
      })
    void exited.then(() => resolve(undefined))
  })
  const timer = setTimeout(() => killGroup(child), STEP_MS_MAX)
  try {
    const address = await ready
    if (!address) return { output, problem: 'it did not become ready' }
    if (!expected.test(output)) return { output, problem: `no ${expected}` }
    const problem = await askQuestion(address)
    child.kill('SIGTERM')
    await exited
    return { output, problem: problem ?? (await stillServes(address)) }
  } finally {
    clearTimeout(timer)
    killGroup(child)
  }
}

async function askQuestion(address) {
  const body = JSON.stringify({ message: 'something like Berserk' })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${address}/api/chat`, {
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  })
  const answer = await response.json()
  return answer.data?.text.includes('Berserk') ? undefined : `answer ${response.status} ${JSON.stringify(answer)}`
}

async function stillServes(address) {
  try {
    await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
    return 'it still serves after SIGTERM'
  } catch (error) {
    return error.name === 'TimeoutError' ? 'it still accepts connections after SIGTERM' : undefined
  }
}

function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The whole group has ended already.
  }
}

async function timed(step) {
  const startedAt = performance.now()
  const result = await step()
  return { ...result, seconds: Math.round((performance.now() - startedAt) / 100) / 10 }
}

function table(head, body) {
  const lines = [head, head.map(() => '---'), ...body]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
