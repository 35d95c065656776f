// `npm run bench`: runs a benchmark of `bench/` under the pinned Node, by default the cost of a turn. `npm run bench --
// name` runs another, with the arguments that follow; `npm run bench -- --help` lists them.
import { spawn } from 'node:child_process'
import { ensureInstalled, pinnedNode, root } from './bootstrap.js'

const DEFAULT = 'turn'
/** Each benchmark with what it measures, and its environment variables or flags. */
const benchmarks = {
  turn: ['CPU, first word and memory of an answer, beside a bare relay', 'ANSWERS CONCURRENT'],
  telemetry: ['CPU of an answer with all telemetry exported, against none', 'PAIRS ANSWERS CONCURRENT WARM_UP SHARE'],
  'first-words': ['time to the first words of a real answer, as served by npm start', 'CONCURRENT ROUNDS'],
  promise: [
    'the first word under single faults, with two models, one and none; needs redis-server',
    '--questions --shops --faults',
  ],
  completions: ['CPU of an answer through /v1, beside a bare HTTP pipe', 'ANSWERS CONCURRENT'],
  streams: ['number of answers that one process streams at once', 'STREAMS REDIS'],
  connections: ['memory of an idle WebSocket, beside a bare ws server', 'CONNECTIONS SETTLE_MS'],
  admission: ['an admission on Redis, beside a PING; needs redis-server', 'CALLS SHOPPERS RUNNING'],
  permit: ['a permit of a lane, in process and on Redis; needs redis-server', 'CALLS SHARED_CALLS'],
  stop: ['time from a stop to the closed connection at the vendor', 'STOPS'],
  outage: ['a minute without the primary model, over real sockets', 'OUTAGE_MS'],
  fleet: ['every scenario by every policy, in virtual time', '--scenarios --seeds --policies --workers'],
  hedge: ['a second model asked beside a slow one: first words and cost, in virtual time', '--seeds --scenarios'],
  prewarm: [
    'the release hour with and without a prewarm: first words and calls, in virtual time',
    '--seeds --scenario',
  ],
  swarm: ['random faults over whole fleets, checked against invariants', '--seeds'],
  repeats: ['requests repeated on other nodes while Redis pauses; needs redis-server', 'MINUTES SHOPPERS'],
  'turn-records': [
    'lists of turn records by every filter over a full SQLite file, while turns are recorded',
    'RECORDS ROUNDS TURNS_PER_SECOND',
  ],
  migration: [
    'a one-machine shop moved to Redis, and DynamoDB, and compared; needs redis-server',
    'CONVERSATIONS DYNAMODB',
  ],
  rush: ['hundreds of questions at once on one node; needs redis-server', 'QUESTIONS ROUNDS'],
  cluster: [
    'no measurement: nodes, stores and a load balancer as processes, to chat with and to break',
    '--nodes --port --balancer --durable --opensearch --keep',
  ],
  chaos: [
    'a cluster whose nodes and stores are killed and paused by a plan, compared at the end; needs redis-server',
    '--minutes --seed --nodes --arrivals --kill-every --overlap --durable --keep',
  ],
  capacity: [
    'what a turn uses of a node, Redis and DynamoDB, and the fleet for 1, 10 and 100 million messages a day',
    'TURNS CONCURRENT',
  ],
  agree: [
    'a blip, a flapping and a brownout on real processes beside the same in the simulation; needs redis-server',
    '--storms --seeds',
  ],
  soak: ['a server that is killed every few seconds under load', 'MINUTES SHOPPERS KILL_EVERY_S SEED'],
  hostile: ['another shopper’s answer beside each attack of one client', 'ANSWERS BLOCKS'],
  'answer-cache': [
    'how often a question that is typed otherwise finds the cached answer, and whether another one does',
    'SHOW',
  ],
  search: ['a query, the index and its memory at several sizes of the catalogue', 'SIZES QUERIES'],
  experiments: [
    'A/A, planted effects and the split of experiments, on simulated shoppers',
    'REPETITIONS SHOPPERS LOOKS',
  ],
  'bundled-turns': [
    'no measurement: writes data/bundled-turns.csv, the turns by which a new shop sees what routing would save',
    '',
  ],
  routing: [
    'what routing saves on a generated day, misrouted complex questions, microseconds a decision',
    'TURNS DAYS SEED LENGTH_FACTOR SHOW',
  ],
  pages: ['pages of the shop and a streaming chat in a real Chromium, on a slow phone; needs Chromium', 'ROUNDS'],
  seams: ['continuations of a broken answer that are accepted or refused', ''],
  estimator: ['the error of the token estimate against real tokenizers', ''],
  'estimator/fit': ['makes a family of tokens from texts (FAMILY FILE…)', ''],
}

/** Benchmarks of the simulation live with it. */
const ofSimulation = new Set(['fleet', 'hedge', 'prewarm', 'swarm'])

const [name = DEFAULT, ...args] = process.argv.slice(2)
if (isHelp(name)) show(listed())
else if (!Object.hasOwn(benchmarks, name)) refuse(name)
else if (args.some(isHelp)) show(described(name))
else run()

function run() {
  ensureInstalled()
  const script = `${ofSimulation.has(name) ? 'packages/simulation/' : ''}bench/${name}.ts`
  const child = spawn(pinnedNode(), [script, ...args], { cwd: root, stdio: 'inherit' })
  // A terminal sends Ctrl-C to both; a signal to this process alone is passed on. The child ends first.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('exit', (code) => process.exit(code ?? 1))
}

function isHelp(arg) {
  return arg === '--help' || arg === '-h'
}

function show(text) {
  console.log(text)
}

function refuse(unknown) {
  console.error(`There is no benchmark ${JSON.stringify(unknown)}.\n\n${listed()}`)
  process.exitCode = 1
}

function listed() {
  const width = Math.max(...Object.keys(benchmarks).map((each) => each.length))
  const lines = Object.entries(benchmarks).map(([each, [what]]) => `  ${each.padEnd(width)}  ${what}`)
  return [
    `Usage: npm run bench -- [name] [arguments]      (default: ${DEFAULT})`,
    '',
    ...lines,
    '',
    'npm run bench -- name --help lists its settings. Results and their meaning: bench/README.md.',
  ].join('\n')
}

function described(each) {
  const [what, settings] = benchmarks[each]
  const isFlags = settings.startsWith('--')
  return [
    `${each}: ${what}.`,
    ...(settings === '' ? [] : [`${isFlags ? 'Flags' : 'Environment variables'}: ${settings.split(' ').join(', ')}.`]),
  ].join('\n')
}
