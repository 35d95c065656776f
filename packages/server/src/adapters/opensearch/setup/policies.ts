// The least rights at OpenSearch on AWS: of a server, and of the operator who runs setup. A cluster with users of its own has the same
// rights as index permissions; they are in docs/opensearch.md.
import type { EngineNames } from '../search-engine/template.ts'

export interface PolicyPlace {
  readonly service: 'es' | 'aoss'
  readonly region: string
  readonly names: EngineNames
}

type Policy = { readonly purpose: string; readonly policy: object }

export function openSearchPolicies({ names, region, service }: PolicyPlace): readonly Policy[] {
  return service === 'es' ? domainPolicies(names, region) : collectionPolicies(names, region)
}

function domainPolicies({ alias, pipeline, template }: EngineNames, region: string): readonly Policy[] {
  const domain = `arn:aws:es:${region}:ACCOUNT:domain/DOMAIN`
  const http = (verbs: readonly string[], paths: readonly string[]) => ({
    Effect: 'Allow',
    Action: verbs.map((verb) => `es:ESHttp${verb}`),
    Resource: paths.map((path) => `${domain}/${path}`),
  })
  const reads = http(
    ['Get'],
    [
      '',
      '_cat/plugins',
      `_index_template/${template}`,
      `_search/pipeline/${pipeline}`,
      `_alias/${alias}`,
      `${alias}-*`,
    ],
  )
  const searches = http(['Post', 'Get'], [`${alias}/_search`, `${alias}/_count`])
  const writes = http(['Put', 'Post', 'Delete', 'Get'], [`${alias}-*`, '_bulk', '_aliases'])
  const prepares = http(['Get', 'Put', 'Post'], [`_index_template/${template}`, `_search/pipeline/${pipeline}`])
  return [
    { purpose: 'of the server, for OpenSearch', policy: policyOf([reads, searches, writes]) },
    { purpose: 'of the operator who runs setup --apply', policy: policyOf([prepares]) },
  ]
}

function collectionPolicies({ alias }: EngineNames, region: string): readonly Policy[] {
  const access = {
    Effect: 'Allow',
    Action: ['aoss:APIAccessAll'],
    Resource: [`arn:aws:aoss:${region}:ACCOUNT:collection/COLLECTION-ID`],
  }
  const data = (index: readonly string[], collection: readonly string[]) => [
    {
      Rules: [
        { ResourceType: 'index', Resource: [`index/COLLECTION/${alias}*`], Permission: index },
        { ResourceType: 'collection', Resource: ['collection/COLLECTION'], Permission: collection },
      ],
      Principal: ['ROLE-ARN'],
    },
  ]
  const ofIndex = ['CreateIndex', 'DeleteIndex', 'UpdateIndex', 'DescribeIndex', 'ReadDocument', 'WriteDocument']
  const ofCollection = [
    'CreateCollectionItems',
    'UpdateCollectionItems',
    'DescribeCollectionItems',
    'DeleteCollectionItems',
  ]
  const named = (names: readonly string[]) => names.map((name) => `aoss:${name}`)
  return [
    { purpose: 'of the server and of the operator, for the collection', policy: policyOf([access]) },
    {
      purpose: 'for data access to the collection (an OpenSearch Serverless data access policy)',
      policy: data(named(ofIndex), named(ofCollection)),
    },
  ]
}

const policyOf = (Statement: readonly object[]) => ({ Version: '2012-10-17', Statement })
