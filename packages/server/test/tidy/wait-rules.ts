// How a test may wait: in virtual time, for an event, or by `waitUntil`, which is bounded. A raw pause makes a test slow or wrong on a
// busy machine, and a `while` that awaits hangs when its condition never comes.
import { isSyntaxNode, isTestCode, programOf } from './source-file.ts'
import type { SourceFile, SyntaxNode, Violation } from './source-file.ts'

const HELPER = 'packages/server/test/fixtures/time/wait-until.ts'

/** Files in which real time, or a loop that ends with its source, is the subject. */
const exempt: Readonly<Record<string, string>> = {
  'packages/server/src/adapters/system/clock.test.ts': 'holds the real clock to its contract',
  'packages/server/src/adapters/redis/client/connection.test.ts': 'delays replies and blocks the loop at chosen times',
  'packages/server/test/fixtures/edge/token-issuer.ts': 'is an issuer that answers late',
  'packages/server/test/fixtures/stores/cuttable-line.ts': 'is a line that delays what it sends',
  'packages/server/test/long/redis-trouble.test.ts': 'lets a trouble last',
  'packages/server/test/long/shopper.ts': 'is a shopper who pauses between questions',
  'packages/server/test/long/rolling.test.ts': 'has shoppers who pause before they ask again',
  'packages/web/test/fake-server.ts': 'writes an answer at a pace that a browser shows',
  'packages/server/test/fixtures/edge/edge.ts': 'is a turn that a test writes and ends',
  'packages/server/test/fixtures/edge/socket-client.ts': 'waits for frames of a socket, and fails when it closes',
  'packages/web/src/chat/conversation/testing/scripted-conversation.ts': 'is a watch that a test ends',
  'packages/server/test/fixtures/turns/turn-log-reader.ts': 'reads a log to its end, which a test ends',
  'packages/simulation/src/provider/region.test.ts': 'runs virtual time until its test has ended',
  'packages/server/test/alarms.test.ts': 'moves virtual time on in every round',
  'packages/server/test/alarms-redis.test.ts': 'moves virtual time on in every round',
  'packages/server/src/services/alarms/alarm-watch.test.ts': 'moves virtual time on in every round',
}

export const exemptFiles: readonly string[] = Object.keys(exempt)

export function waitViolations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => isTestCode(path) && !path.startsWith('bench/') && path !== HELPER && !(path in exempt))
    .flatMap((file) => {
      const found = new Set<string>()
      search(programOf(file), found, /\b(systemClock|vendorClock)\b/.test(file.source))
      return [...found].map((what) => ({ path: file.path, what: `${what}: use waitUntil or virtual time` }))
    })
}

function search(node: unknown, found: Set<string>, hasRealClock: boolean): void {
  if (Array.isArray(node)) for (const child of node) search(child, found, hasRealClock)
  if (!isSyntaxNode(node)) return
  if (isPause(node)) found.add('pauses with setTimeout')
  if (hasRealClock && isSleep(node)) found.add('sleeps on the real clock')
  if (isOpenLoop(node) && awaits(node)) found.add('awaits in a loop without a bound')
  for (const child of Object.values(node)) search(child, found, hasRealClock)
}

function isPause(node: SyntaxNode): boolean {
  if (node.type === 'ImportDeclaration' && literal(node.source).startsWith('node:timers'))
    return (node.specifiers as readonly SyntaxNode[]).some((one) =>
      /^(setTimeout|scheduler|default)$/.test(imported(one)),
    )
  return node.type === 'CallExpression' && nameOf(node.callee) === 'setTimeout'
}

function isSleep(node: SyntaxNode): boolean {
  return node.type === 'CallExpression' && isSyntaxNode(node.callee) && nameOf(node.callee.property) === 'sleep'
}

function isOpenLoop(node: SyntaxNode): boolean {
  return (
    node.type === 'WhileStatement' || node.type === 'DoWhileStatement' || (node.type === 'ForStatement' && !node.update)
  )
}

/** Whether the loop itself awaits something; an await in a function inside it does not count. */
function awaits(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(awaits)
  if (!isSyntaxNode(node) || /Function/.test(node.type)) return false
  return node.type === 'AwaitExpression' || Object.values(node).some(awaits)
}

function imported(specifier: SyntaxNode): string {
  return specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : 'default'
}

function literal(node: unknown): string {
  return isSyntaxNode(node) && typeof node.value === 'string' ? node.value : ''
}

function nameOf(node: unknown): string {
  return isSyntaxNode(node) && typeof node.name === 'string' ? node.name : ''
}
