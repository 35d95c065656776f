// DynamoDB: where its tables are, and how long a node waits for it. Used by the ports that `stores` puts there. A part of `config.ts`.
import Type from 'typebox'
import { Positive, section } from './section.ts'

export const dynamodbShapes = {
  dynamodb: section({
    /** The AWS region of the tables. Default: AWS_REGION, else ap-northeast-1. */
    region: Type.Optional(Type.String({ pattern: '^[a-z0-9-]+$', description: 'a region such as ap-northeast-1' })),
    /** Replaces AWS's own address, for an emulator or a VPC endpoint. */
    endpoint: Type.Optional(
      Type.String({
        pattern: '^https?://[^/]+$',
        description: 'an address such as http://127.0.0.1:8000, without a path',
      }),
    ),
    /** Begins the name of every table: one account can hold the tables of several shops. */
    tablePrefix: Type.String({
      pattern: '^[a-zA-Z0-9_.-]{2,100}$',
      description: 'at most 100 letters, digits, dashes, dots and underscores, such as mangaassist',
    }),
    /** The deadline of a call, with the repetitions after a throttle. */
    callMs: Positive,
    /** The deadline of connecting. */
    connectMs: Positive,
    /** The most connections of a node. */
    connectionsMax: Positive,
  }),
}

export const dynamodbDefaults = {
  dynamodb: { tablePrefix: 'mangaassist', callMs: 500, connectMs: 1000, connectionsMax: 50 },
}
