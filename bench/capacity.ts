// `npm run bench -- capacity`: what one turn uses of a node, Redis and DynamoDB, measured on a local cluster of one node, and from that
// the fleet and its monthly cost for 1, 10 and 100 million messages a day. Prices are inputs (data/capacity.yaml).
import { readInputs } from './capacity/inputs.ts'
import { measureCall } from './capacity/measure-call.ts'
import { measureTurn } from './capacity/measure.ts'
import { planFor } from './capacity/plan.ts'
import type { Plan, TurnUse } from './capacity/plan.ts'
import { startCluster } from './cluster/cluster.ts'

const TURNS = Number(process.env['TURNS'] ?? 400)
const CONCURRENT = Number(process.env['CONCURRENT'] ?? 8)
const MESSAGES = [1e6, 10e6, 100e6]

const inputs = readInputs()
const { turnsPerConversation } = inputs.traffic
const settings = {
  // Every turn is answered as for a new question, and no guest is refused.
  MANGA_ANSWERS__FRESHMS: '1',
  MANGA_ANSWERS__FOLLOWMS: '1',
  MANGA_TIERS__FREE__REQUESTSPERMINUTE: '100000',
  MANGA_RATES__USERPERSECOND: '1000',
  MANGA_RATES__USERBURST: '1000',
  MANGA_SERVER__LOGLEVEL: 'warn',
}
const cluster = await startCluster({
  nodes: 1,
  balancer: 'built-in',
  answers: 'plain',
  durable: 'dynamodb',
  settings,
  onStep: (what) => console.log(`starting ${what}`),
})
try {
  if (cluster.dynamo === undefined) throw new Error('the emulator of DynamoDB is not installed for this platform')
  const use = await measureTurn(cluster, { turns: TURNS, concurrent: CONCURRENT, turnsPerConversation })
  console.log(shown(use))
  const call = await measureCall()
  const { inputTokens, maxOutputTokens, outputTokens } = call.call
  console.log(
    `One call: ${Math.round(inputTokens)} tokens of input, ${Math.round(outputTokens)} of output; ${Math.round(maxOutputTokens)} may be asked for`,
  )
  console.log(table(MESSAGES.map((messages) => planFor(messages, { turn: use, call }, inputs))))
  console.log(`Prices of ${inputs.priceDate}, ${inputs.region}, on demand; models are not included.`)
} finally {
  await cluster.close()
}

function shown(use: TurnUse): string {
  const tables = Object.entries(use.dynamodb).map(
    ([name, { calls, reads, writes }]) =>
      `  DynamoDB ${name}: ${calls.toFixed(2)} calls, ${reads.toFixed(2)} read units, ${writes.toFixed(2)} write units`,
  )
  return [
    `One turn (${TURNS} turns, ${turnsPerConversation} a conversation):`,
    `  node: ${use.nodeCpuMs.toFixed(1)} ms of CPU`,
    `  Redis: ${use.redisCalls.toFixed(1)} commands, ${use.redisCpuMs.toFixed(2)} ms of CPU, ${Math.round(use.redisBytes)} bytes`,
    ...tables,
    `  stored: ${Math.round(use.storedBytes.sessions)} bytes of conversation, ${Math.round(use.storedBytes.ledger)} bytes of ledger`,
  ].join('\n')
}

function table(plans: readonly Plan[]): string {
  const row = (name: string, of: (plan: Plan) => string) => `| ${[name, ...plans.map(of)].join(' | ')} |`
  const usd = (amount: number) => `$${Math.round(amount).toLocaleString('en')}`
  const costs = Object.keys(plans[0]?.usdPerMonth ?? {}) as (keyof Plan['usdPerMonth'])[]
  return [
    row('', ({ messagesPerDay }) => `${messagesPerDay / 1e6} million a day`),
    `|---|${plans.map(() => '---').join('|')}|`,
    row('peak, messages a second', ({ peakPerSecond }) => peakPerSecond.toFixed(0)),
    row('nodes of one core', ({ nodes }) => String(nodes)),
    row('shards of Redis', ({ redisShards }) => String(redisShards)),
    row('write units a second at the peak', ({ writesPerSecondAtPeak }) => writesPerSecondAtPeak.toFixed(0)),
    row('nodes of OpenSearch', ({ opensearchNodes }) => String(opensearchNodes)),
    ...(plans[0]?.quota.models ?? []).flatMap(({ name }, index) => [
      row(`tokens a minute of ${name}`, ({ quota }) =>
        (quota.models[index]?.tokensPerMinute ?? 0).toLocaleString('en'),
      ),
      row(`calls in flight of ${name}`, ({ quota }) => (quota.models[index]?.callsInFlight ?? 0).toLocaleString('en')),
    ]),
    row('nodes, by their connections to a model', ({ quota }) => quota.nodes.toLocaleString('en')),
    ...costs.map((name) => row(`${name}, a month`, ({ usdPerMonth }) => usd(usdPerMonth[name]))),
  ].join('\n')
}
