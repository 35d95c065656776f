// Checks of the configured OpenSearch that a schema cannot make: a password that is missing or would be sent in the clear, a
// deadline that leaves no time for the fallback.
import { sharesOf } from '#domain/turn/first-word.ts'
import type { ConfigCheck, ConfigProblem } from '#config/load-config.ts'
import type { Environment } from '../models/model-secrets.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u

export function checkOpenSearch({ env }: { readonly env: Environment }): ConfigCheck {
  return async ({ answers, opensearch, stores }, isWrong) => {
    if (stores.search !== 'opensearch' || isWrong('opensearch')) return []
    const { auth, callMs, node, passwordEnv, usernameEnv } = opensearch
    if (node === undefined || isWrong('opensearch.node')) return []
    const problems: ConfigProblem[] = []
    if (auth === 'basic')
      for (const [setting, name] of Object.entries({ usernameEnv, passwordEnv }))
        if (!env[name]) problems.push(unset(`opensearch.${setting}`, name))
    const { hostname, protocol } = new URL(node)
    if (auth !== 'none' && protocol === 'http:' && !LOOPBACK.test(hostname)) problems.push(inTheClear)
    const { retrievalMs } = sharesOf(answers.firstWordMs)
    if (!isWrong('opensearch.callMs') && callMs >= retrievalMs) problems.push(tooLong(callMs, retrievalMs))
    return problems
  }
}

const unset = (path: string, name: string): ConfigProblem => ({
  path,
  given: `${name}, which is not set`,
  allowed: 'the name of an environment variable that is set',
  fix: `Set ${name} in the environment, or opensearch.auth to none or aws.`,
})

const inTheClear: ConfigProblem = {
  path: 'opensearch.node',
  given: 'an http:// address on another machine',
  allowed: 'https:// together with opensearch.auth',
  fix: 'Write https://: requests with credentials must not be readable on their way.',
}

const tooLong = (callMs: number, retrievalMs: number): ConfigProblem => ({
  path: 'opensearch.callMs',
  given: `${callMs}`,
  allowed: `less than a third of answers.firstWordMs (${Math.floor(retrievalMs)})`,
  fix: "Lower it: a node's own index must have time to answer in its place.",
})
