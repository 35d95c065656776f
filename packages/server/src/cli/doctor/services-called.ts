// The services over HTTP that a server with this configuration calls, by their origin, and whether requests to them are signed with the time.
import type { Config } from '#config/config.ts'
import { chosenStores } from '#config/chosen-stores.ts'
import { regionOf } from '#wiring/search/open-search-engine.ts'
import type { Terminal } from '../command.ts'

export interface CalledService {
  readonly url: string
  /** By AWS's signature, which contains the time. */
  readonly isSigned: boolean
}

export function servicesCalled(config: Config, env: Terminal['env']): readonly CalledService[] {
  const stores = Object.values(chosenStores(config))
  const { dynamodb, s3, search } = config
  const models = [...Object.values(config.models), ...(search.embedder === undefined ? [] : [search.embedder])]
  const called: readonly (CalledService | undefined)[] = [
    ...models.map(({ baseURL, provider, region }) => {
      const isSigned = provider === 'bedrock'
      const url =
        baseURL ?? (isSigned ? `https://bedrock-runtime.${regionOf({ region }, env)}.amazonaws.com` : undefined)
      return url === undefined || !URL.canParse(url) ? undefined : { url: new URL(url).origin, isSigned }
    }),
    stores.includes('dynamodb')
      ? { url: dynamodb.endpoint ?? `https://dynamodb.${regionOf(dynamodb, env)}.amazonaws.com`, isSigned: true }
      : undefined,
    stores.includes('s3')
      ? { url: s3.endpoint ?? `https://s3.${regionOf(s3, env)}.amazonaws.com`, isSigned: true }
      : undefined,
    ...config.alarms.topics.map(({ endpoint, topicArn }) => ({
      url: endpoint ?? `https://sns.${topicArn.split(':')[3] ?? ''}.amazonaws.com`,
      isSigned: true,
    })),
  ]
  const byUrl = new Map(called.flatMap((one) => (one === undefined ? [] : [[one.url, one] as const])))
  return [...byUrl.values()]
}
