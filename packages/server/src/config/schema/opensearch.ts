// OpenSearch: where it is, as whom a node signs in, and how long a question waits for it. Used with `stores.search: 'opensearch'`. A
// part of `config.ts`.
import Type from 'typebox'
import type { Static } from 'typebox'
import { EnvironmentName, Positive, section } from './section.ts'

export const opensearchShapes = {
  opensearch: section({
    /** The address of a cluster, a domain of Amazon OpenSearch Service, or a collection of Serverless. */
    node: Type.Optional(
      Type.String({
        pattern: '^https?://[^/?#@]+$',
        description: 'an address such as https://search.shop.example:9200, without a path and without a password',
      }),
    ),
    /** The alias that is searched; the names of the indexes, of the template and of the pipeline begin with it. */
    index: Type.String({
      pattern: '^[a-z][a-z0-9-]{1,60}$',
      description: 'lower-case letters, digits and dashes, such as mangaassist',
    }),
    /** `basic`: a user with a password from the environment. `aws`: requests are signed (SigV4). */
    auth: Type.Enum(['none', 'basic', 'aws']),
    /** The environment variables that hold the user and the password of `basic`. */
    usernameEnv: EnvironmentName,
    passwordEnv: EnvironmentName,
    /** For `aws`: `es` for Amazon OpenSearch Service, `aoss` for Serverless. */
    service: Type.Enum(['es', 'aoss']),
    /** For `aws`. Default: AWS_REGION, else ap-northeast-1. */
    region: Type.Optional(Type.String({ pattern: '^[a-z0-9-]+$', description: 'a region such as ap-northeast-1' })),
    /** How long a question waits for it before the node's own index answers. */
    callMs: Positive,
    /** The deadline of connecting. */
    connectMs: Positive,
  }),
}

export const opensearchDefaults: Static<Type.TObject<typeof opensearchShapes>> = {
  opensearch: {
    index: 'mangaassist',
    auth: 'none',
    usernameEnv: 'OPENSEARCH_USERNAME',
    passwordEnv: 'OPENSEARCH_PASSWORD',
    service: 'es',
    callMs: 250,
    connectMs: 1000,
  },
}
