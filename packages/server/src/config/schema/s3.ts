// S3: in which bucket a fleet stores its samples, and how long a node waits for it. Used where `stores.samples` is `s3`. A part of
// `config.ts`.
import Type from 'typebox'
import { Positive, section } from './section.ts'

export const s3Shapes = {
  s3: section({
    /** The name of the bucket. */
    bucket: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
        description: 'the name of a bucket: 3 to 63 small letters, digits, dashes and dots',
      }),
    ),
    /** Begins the name of every object: several shops can share a bucket. */
    prefix: Type.String({
      pattern: '^([a-zA-Z0-9_.-]+/)*$',
      maxLength: 200,
      description: 'empty, or folders that end with a slash, such as shop/samples/',
    }),
    /** The AWS region of the bucket. Default: AWS_REGION, else ap-northeast-1. */
    region: Type.Optional(Type.String({ pattern: '^[a-z0-9-]+$', description: 'a region such as ap-northeast-1' })),
    /** Replaces AWS's own address, for an emulator or a VPC endpoint. */
    endpoint: Type.Optional(
      Type.String({
        pattern: '^https?://[^/]+$',
        description: 'an address such as http://127.0.0.1:9000, without a path',
      }),
    ),
    /** The deadline of a call. */
    callMs: Positive,
    /** The deadline of connecting. */
    connectMs: Positive,
  }),
}

export const s3Defaults = { s3: { prefix: 'mangaassist/samples/', callMs: 5000, connectMs: 1000 } }
