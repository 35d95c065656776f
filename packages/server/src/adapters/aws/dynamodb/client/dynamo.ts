// A node's client of DynamoDB: a few verbs, each with one deadline and behind one circuit. A throttled call is repeated within its
// deadline; a failed condition is thrown as the SDK's own error, for the adapter to handle; any other failure is a
// StoreUnavailable. It counts calls and capacity units, by table.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import type {
  BatchGetCommandInput,
  BatchGetCommandOutput,
  BatchWriteCommandInput,
  BatchWriteCommandOutput,
  DeleteCommandInput,
  DeleteCommandOutput,
  GetCommandInput,
  GetCommandOutput,
  PutCommandInput,
  PutCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  TransactGetCommandInput,
  TransactGetCommandOutput,
  TransactWriteCommandInput,
  TransactWriteCommandOutput,
  UpdateCommandInput,
  UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb'
import { CallCircuit } from '#domain/lane/call-circuit.ts'
import type { NodeLane } from '#domain/lane/node-lane.ts'
import type { LanePolicy } from '#domain/lane/policy.ts'
import { hostOf } from '#domain/model/vendor-fault.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { SpanFields } from '#domain/telemetry/span-attributes.ts'
import { NEVER } from '#lib/async/never.ts'
import { fairTimers } from '#lib/time/fair-timers.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { awsClientSettings } from '../../client.ts'
import type { AwsClientParts } from '../../client.ts'
import { dynamoCallFields, dynamoCallEnd } from './call-span.ts'
import type { DynamoInput, DynamoVerb } from './call-span.ts'
import { countUnits } from './capacity.ts'
import { dynamoFailureOf } from './failure.ts'
import type { TableShape } from './table-shape.ts'

export interface DynamoOptions extends AwsClientParts {
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
  /** Begins the name of every table. */
  readonly tablePrefix: string
  /** The deadline of a call with its repetitions. */
  readonly callMs: number
  readonly policy?: LanePolicy
}

export interface Dynamo extends Disposable {
  readonly lane: NodeLane
  /** When a call last got no reply on this node; 0 for never. */
  troubledAt(): number
  tableName(shape: Pick<TableShape, 'name'>): string
  get(input: GetCommandInput): Promise<GetCommandOutput>
  put(input: PutCommandInput): Promise<PutCommandOutput>
  update(input: UpdateCommandInput): Promise<UpdateCommandOutput>
  delete(input: DeleteCommandInput): Promise<DeleteCommandOutput>
  query(input: QueryCommandInput): Promise<QueryCommandOutput>
  /** At most 100 keys; `UnprocessedKeys` are the caller's (`batches.ts`). */
  batchGet(input: BatchGetCommandInput): Promise<BatchGetCommandOutput>
  /** At most 25 items; `UnprocessedItems` are the caller's (`batches.ts`). */
  batchWrite(input: BatchWriteCommandInput): Promise<BatchWriteCommandOutput>
  transactGet(input: TransactGetCommandInput): Promise<TransactGetCommandOutput>
  transactWrite(input: TransactWriteCommandInput): Promise<TransactWriteCommandOutput>
}

interface Repeated {
  readonly name: string
  readonly signal: AbortSignal
  /** Whether the call waits for its repetition after a conflict. */
  readonly repeats: { isConflict: boolean }
}

type Send<Output> = (options: { readonly abortSignal: AbortSignal }) => Promise<Output>

const TRIES_MAX = 5
const REPEAT_FIRST_MS = 10
const COUNTED = { ReturnConsumedCapacity: 'TOTAL' } as const

export function openDynamo(options: DynamoOptions): Dynamo {
  // Numbers of ours are safe integers, so the client's plain numbers are exact. Absent fields are left out.
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(awsClientSettings(options)), {
    marshallOptions: { removeUndefinedValues: true },
  })
  const calls = new DynamoCalls(options)
  return {
    lane: calls.lane,
    troubledAt: () => calls.troubledAt,
    tableName: ({ name }) => `${options.tablePrefix}-${name}`,
    get: (input) => calls.read('get', input, (to) => client.send(new GetCommand({ ...input, ...COUNTED }), to)),
    put: (input) => calls.write('put', input, (to) => client.send(new PutCommand({ ...input, ...COUNTED }), to)),
    update: (input) =>
      calls.write('update', input, (to) => client.send(new UpdateCommand({ ...input, ...COUNTED }), to)),
    delete: (input) =>
      calls.write('delete', input, (to) => client.send(new DeleteCommand({ ...input, ...COUNTED }), to)),
    query: (input) => calls.read('query', input, (to) => client.send(new QueryCommand({ ...input, ...COUNTED }), to)),
    batchGet: (input) =>
      calls.read('batch-get', input, (to) => client.send(new BatchGetCommand({ ...input, ...COUNTED }), to)),
    batchWrite: (input) =>
      calls.write('batch-write', input, (to) => client.send(new BatchWriteCommand({ ...input, ...COUNTED }), to)),
    transactGet: (input) =>
      calls.read('transact-get', input, (to) => client.send(new TransactGetCommand({ ...input, ...COUNTED }), to)),
    transactWrite: (input) =>
      calls.write('transact-write', input, (to) => client.send(new TransactWriteCommand({ ...input, ...COUNTED }), to)),
    [Symbol.dispose]: () => client.destroy(),
  }
}

class DynamoCalls {
  readonly #options: DynamoOptions
  /** In every span of a call. */
  readonly #address: SpanFields
  readonly #timers: ReturnType<typeof fairTimers>
  readonly #circuit: CallCircuit
  troubledAt = 0

  constructor(options: DynamoOptions) {
    this.#options = options
    this.#address = { serverAddress: hostOf(options.baseURL ?? '') ?? `dynamodb.${options.region}.amazonaws.com` }
    this.#timers = fairTimers({ clock: options.clock })
    this.#circuit = new CallCircuit({ ...options, store: 'dynamodb' })
  }

  get lane(): NodeLane {
    return this.#circuit.lane
  }

  async read<Output>(name: DynamoVerb, input: DynamoInput, send: Send<Output>): Promise<Output> {
    const output = await this.#call(name, input, send)
    countUnits(this.#options, 'read', output)
    return output
  }

  async write<Output>(name: DynamoVerb, input: DynamoInput, send: Send<Output>): Promise<Output> {
    const output = await this.#call(name, input, send)
    countUnits(this.#options, 'write', output)
    return output
  }

  async #call<Output>(name: DynamoVerb, input: DynamoInput, send: Send<Output>): Promise<Output> {
    const { callMs, telemetry } = this.#options
    const id = this.#circuit.enter()
    if (id === undefined) {
      telemetry.count('dynamodb_call_refused_total', { command: name })
      throw this.#trouble(`DynamoDB was not asked for ${name}: it keeps not answering`, { mayHaveHappened: false })
    }
    const span = telemetry.currentSpan()?.storeCall({ ...this.#address, ...dynamoCallFields(name, input) })
    let outcome: 'answered' | 'late' | 'failed' = 'answered'
    const repeats = { isConflict: false }
    try {
      telemetry.count('dynamodb_call_total', { command: name })
      const answer = await withDeadline(this.#timers, { ms: callMs, signal: NEVER }, (signal) =>
        this.#repeatedly({ name, signal, repeats }, () => send({ abortSignal: signal })),
      )
      if (answer !== LATE) {
        span?.end()
        return answer
      }
      span?.end('failed', { errorClass: 'timeout' })
      // It answered each time: other calls for the same item were faster, which says nothing about the store.
      if (!repeats.isConflict) outcome = 'late'
      telemetry.count('dynamodb_call_timeout_total', { command: name })
      throw this.#trouble(`DynamoDB took longer than ${callMs} ms for ${name}`, {})
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error
      const failure = dynamoFailureOf(error)
      span?.end(...dynamoCallEnd(error, failure))
      if (failure.kind === 'condition' || failure.kind === 'defect') throw error
      // A throttled table is as good as a late one: fewer calls help it. A conflict is an answer.
      if (failure.kind !== 'throttled') outcome = 'failed'
      else if (!failure.isConflict) outcome = 'late'
      telemetry.count('dynamodb_call_failed_total', { command: name })
      const mayHaveHappened = failure.kind === 'unavailable' && failure.mayHaveHappened
      throw this.#trouble(`DynamoDB failed at ${name}`, { cause: error, mayHaveHappened })
    } finally {
      this.#circuit.report(id, outcome)
    }
  }

  /** Repeats a throttled call, which was not executed, until the deadline ends it. */
  async #repeatedly<Output>({ name, repeats, signal }: Repeated, send: () => Promise<Output>): Promise<Output> {
    const { clock, random, telemetry } = this.#options
    for (let tries = 1; ; tries += 1) {
      try {
        repeats.isConflict = false
        return await send()
      } catch (error) {
        const failure = dynamoFailureOf(error)
        if (failure.kind !== 'throttled') throw error
        repeats.isConflict = failure.isConflict
        telemetry.count('dynamodb_call_throttled_total', { command: name })
        if (tries === TRIES_MAX || signal.aborted) throw error
        await clock.sleep(REPEAT_FIRST_MS * 2 ** tries * (0.5 + random.float()), signal)
      }
    }
  }

  #trouble(message: string, options: ConstructorParameters<typeof StoreUnavailable>[1]): StoreUnavailable {
    this.troubledAt = this.#options.clock.now()
    return new StoreUnavailable(message, options)
  }
}
