// Compares a table with its shape, and makes what is missing: the table and its indexes, expiry, recovery to a point in time,
// protection against deletion. What cannot be changed, such as a key, is reported.
import {
  CreateTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import type { GlobalSecondaryIndexDescription, TableDescription } from '@aws-sdk/client-dynamodb'
import type { SetupStep } from '#domain/setup-step.ts'
import type { Clock } from '#ports/clock/port.ts'
import { awsClientSettings } from '../../client.ts'
import type { AwsClientParts } from '../../client.ts'
import { setupCall } from '../../setup-calls.ts'
import { createTableInput } from './table-shape.ts'
import type { IndexShape, TableKey, TableShape } from './table-shape.ts'

export interface TableSetup {
  readonly steps: readonly SetupStep[]
  /** The account that owns the table; undefined before it exists. */
  readonly account: string | undefined
}

const WAIT_MS = 2000
/** Ten minutes: adding an index to a large table takes that long. */
const WAITS_MAX = 300
const PROTECTED = 'deletion protection'
const RECOVERY = 'recovery to any second of the last 35 days'

export interface TableSetupOptions extends AwsClientParts {
  readonly clock: Clock
  readonly tablePrefix: string
}

export class TableSetups implements Disposable {
  readonly #client: DynamoDBClient
  readonly #clock: Clock
  readonly #prefix: string

  constructor(options: TableSetupOptions) {
    this.#client = new DynamoDBClient(awsClientSettings(options))
    this.#clock = options.clock
    this.#prefix = options.tablePrefix
  }

  async examine(shape: TableShape): Promise<TableSetup> {
    const name = `${this.#prefix}-${shape.name}`
    const described = await this.#describe(name)
    if (described instanceof Error) {
      return { steps: [{ what: `table ${name}`, state: 'unknown', detail: saidBy(described) }], account: undefined }
    }
    const steps = [
      this.#table(shape, name, described),
      ...(described === undefined ? [] : shape.indexes.map((index) => this.#index(name, index, described))),
      ...(await this.#expiry(shape, name, described)),
      ...(await this.#recovery(name, described)),
      ...(described === undefined ? [] : [this.#protection(name, described)]),
    ]
    return { steps, account: described?.TableArn?.split(':')[4] }
  }

  [Symbol.dispose](): void {
    this.#client.destroy()
  }

  #send<Output>(call: (to: { readonly abortSignal: AbortSignal }) => Promise<Output>): Promise<Output> {
    return setupCall(this.#clock, call)
  }

  async #describe(name: string): Promise<TableDescription | undefined | Error> {
    try {
      const { Table } = await this.#send((to) => this.#client.send(new DescribeTableCommand({ TableName: name }), to))
      return Table
    } catch (error) {
      if (!(error instanceof Error)) throw error
      return error.name === 'ResourceNotFoundException' ? undefined : error
    }
  }

  #table(shape: TableShape, name: string, described: TableDescription | undefined): SetupStep {
    const what = `table ${name}`
    if (described === undefined) {
      const indexes = shape.indexes.map((index) => `index ${index.name}`)
      const detail = ['paid by request', ...indexes, PROTECTED].join(', ')
      const apply = async () => {
        await this.#send((to) => this.#client.send(new CreateTableCommand(createTableInput(shape, name)), to))
        await this.#untilReady(name)
      }
      return { what, state: 'missing', detail, apply }
    }
    if (!sameKeys(described, shape)) {
      const detail = `its keys are others than ${keyText(shape.partition)} and ${keyText(shape.sort)}: choose another dynamodb.tablePrefix, or remove the table`
      return { what, state: 'differs', detail }
    }
    if (described.TableStatus === 'CREATING') return this.#beingMade(what, name)
    if (described.BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST') return { what, state: 'present' }
    const apply = () => this.#update({ TableName: name, BillingMode: 'PAY_PER_REQUEST' })
    const detail = 'it has provisioned capacity; it will be paid by request'
    return { what, state: 'differs', detail, isOptional: true, apply }
  }

  #index(name: string, index: IndexShape, described: TableDescription): SetupStep {
    const what = `index ${index.name} of ${name}`
    const there = described.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index.name)
    if (there === undefined) return { what, state: 'missing', apply: () => this.#addIndex(name, index) }
    if (isAsDescribed(described, there, index))
      return there.IndexStatus === 'ACTIVE' ? { what, state: 'present' } : this.#beingMade(what, name)
    return { what, state: 'differs', detail: 'its keys or attributes are others: delete the index and run setup again' }
  }

  /** DynamoDB refuses to read from a table or an index until all of it is there. */
  #beingMade(what: string, name: string): SetupStep {
    return { what, state: 'missing', detail: 'it is being made: wait for it', apply: () => this.#untilReady(name) }
  }

  async #addIndex(name: string, index: IndexShape): Promise<void> {
    const shape = { name, partition: index.partition, sort: index.sort, indexes: [index], actions: [] }
    const { AttributeDefinitions, GlobalSecondaryIndexes = [] } = createTableInput(shape, name)
    const [Create] = GlobalSecondaryIndexes
    const { Table } = await this.#send((to) => this.#client.send(new DescribeTableCommand({ TableName: name }), to))
    const known = Table?.AttributeDefinitions ?? []
    const all = new Map([...known, ...(AttributeDefinitions ?? [])].map((one) => [one.AttributeName, one]))
    await this.#update({
      TableName: name,
      AttributeDefinitions: [...all.values()],
      GlobalSecondaryIndexUpdates: [{ Create }],
    })
  }

  async #expiry(
    { expiresBy }: TableShape,
    name: string,
    described: TableDescription | undefined,
  ): Promise<readonly SetupStep[]> {
    if (expiresBy === undefined) return []
    const what = `expiry of ${name} by ${expiresBy}`
    const apply = async () => {
      const TimeToLiveSpecification = { Enabled: true, AttributeName: expiresBy }
      await this.#send((to) =>
        this.#client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification }), to),
      )
    }
    if (described === undefined) return [{ what, state: 'missing', apply }]
    return this.#asked(what, async () => {
      const { TimeToLiveDescription: found } = await this.#send((to) =>
        this.#client.send(new DescribeTimeToLiveCommand({ TableName: name }), to),
      )
      const isOn = found?.TimeToLiveStatus === 'ENABLED' || found?.TimeToLiveStatus === 'ENABLING'
      if (!isOn) return { what, state: 'missing', apply }
      if (found?.AttributeName === expiresBy) return { what, state: 'present' }
      const detail = `it expires by ${found?.AttributeName}: turn that off, wait an hour, and run setup again`
      return { what, state: 'differs', detail }
    })
  }

  async #recovery(name: string, described: TableDescription | undefined): Promise<readonly SetupStep[]> {
    const what = `${RECOVERY} of ${name}`
    const apply = () => this.#recoverable(name)
    if (described === undefined) return [{ what, state: 'missing', isOptional: true, apply }]
    return this.#asked(what, async () => {
      const { ContinuousBackupsDescription: found } = await this.#send((to) =>
        this.#client.send(new DescribeContinuousBackupsCommand({ TableName: name }), to),
      )
      const status = found?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus
      return status === 'ENABLED' ? { what, state: 'present' } : { what, state: 'missing', isOptional: true, apply }
    })
  }

  /** DynamoDB makes the first backup of a new table by itself, and refuses this until it has begun. */
  async #recoverable(name: string): Promise<void | 'not-offered'> {
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true }
    for (let waits = 0; ; waits += 1) {
      try {
        const input = { TableName: name, PointInTimeRecoverySpecification }
        await this.#send((to) => this.#client.send(new UpdateContinuousBackupsCommand(input), to))
        return undefined
      } catch (error) {
        if (isNotOffered(error)) return 'not-offered'
        const isTooEarly = error instanceof Error && error.name === 'ContinuousBackupsUnavailableException'
        if (!isTooEarly || waits === WAITS_MAX) throw error
        await this.#clock.sleep(WAIT_MS)
      }
    }
  }

  #protection(name: string, { DeletionProtectionEnabled: isOn }: TableDescription): SetupStep {
    const what = `${PROTECTED} of ${name}`
    if (isOn === true) return { what, state: 'present' }
    const apply = () => this.#update({ TableName: name, DeletionProtectionEnabled: true })
    return { what, state: 'missing', isOptional: true, apply }
  }

  async #asked(what: string, ask: () => Promise<SetupStep>): Promise<readonly SetupStep[]> {
    try {
      return [await ask()]
    } catch (error) {
      if (!(error instanceof Error)) throw error
      return [isNotOffered(error) ? { what, state: 'not-offered' } : { what, state: 'unknown', detail: saidBy(error) }]
    }
  }

  async #update(input: ConstructorParameters<typeof UpdateTableCommand>[0]): Promise<void> {
    await this.#send((to) => this.#client.send(new UpdateTableCommand(input), to))
    await this.#untilReady(input.TableName ?? '')
  }

  async #untilReady(name: string): Promise<void> {
    for (let waits = 0; waits < WAITS_MAX; waits += 1) {
      const described = await this.#describe(name)
      if (described instanceof Error) throw described
      // A table that was just made may not be described yet.
      const { GlobalSecondaryIndexes: indexes = [], TableStatus } = described ?? {}
      const states = [TableStatus, ...indexes.map(({ IndexStatus }) => IndexStatus)]
      if (states.every((state) => state === 'ACTIVE')) return
      await this.#clock.sleep(WAIT_MS)
    }
    throw new Error(`${name} is not ready after ten minutes: look at it in the console, and run setup again`)
  }
}

/** Names and types. A type that is not described counts as the wanted one. */
function sameKeys(
  found: Pick<TableDescription, 'KeySchema' | 'AttributeDefinitions'>,
  { partition, sort }: Pick<TableShape, 'partition' | 'sort'>,
): boolean {
  const types = new Map(found.AttributeDefinitions?.map((one) => [one.AttributeName, one.AttributeType]))
  const isKey = (at: number, { name, type }: TableKey) =>
    found.KeySchema?.[at]?.AttributeName === name && (types.get(name) ?? type) === type
  return found.KeySchema?.length === 2 && isKey(0, partition) && isKey(1, sort)
}

function keyText({ name, type }: TableKey): string {
  return `${name} (${type})`
}

function isAsDescribed(table: TableDescription, found: GlobalSecondaryIndexDescription, index: IndexShape): boolean {
  const { NonKeyAttributes = [], ProjectionType } = found.Projection ?? {}
  const { AttributeDefinitions } = table
  if (!sameKeys({ ...found, AttributeDefinitions }, index)) return false
  if (ProjectionType === 'ALL') return true
  return index.projects !== 'all' && index.projects.every((name) => NonKeyAttributes.includes(name))
}

/** Emulators know only a part of the operations. */
function isNotOffered(error: unknown): boolean {
  return error instanceof Error && error.name === 'UnknownOperationException'
}

function saidBy(error: Error): string {
  const { code } = error as { code?: string }
  const name = error.name === 'Error' ? (code ?? '') : error.name
  return [name, error.message].filter((part) => part !== '' && part !== 'UnknownError').join(': ')
}
