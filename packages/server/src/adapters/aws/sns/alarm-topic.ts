// Sends alarms to a topic of Amazon SNS: a subject, the text as the message, and attributes by which subscriptions filter. A few tries
// with growing pauses, each within a deadline.
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns'
import type { AlarmMessage } from '#domain/alarms/message.ts'
import { BACKOFFS } from '#domain/retry/backoff.ts'
import { NEVER } from '#lib/async/never.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { AlarmSender } from '#ports/alarm-sender/port.ts'
import type { Random } from '#ports/random/port.ts'
import { awsClientSettings } from '../client.ts'
import type { AwsClientParts } from '../client.ts'

export interface AlarmTopicOptions extends AwsClientParts {
  readonly name: string
  readonly topicArn: string
  /** Timeout of one try. */
  readonly deadlineMs: number
  readonly triesMax: number
  readonly random: Random
}

const PAUSES = { baseMs: 500, capMs: 10_000 }
/** SNS takes ASCII without line breaks, and no more. */
const SUBJECT_LENGTH_MAX = 100

export function alarmTopic(options: AlarmTopicOptions): AlarmSender & Disposable {
  const { clock, name, random, topicArn: TopicArn, triesMax } = options
  const client = new SNSClient(awsClientSettings(options))

  /** Returns why it failed; undefined when it succeeded. */
  async function publish(message: AlarmMessage): Promise<string | undefined> {
    const command = new PublishCommand({
      TopicArn,
      Subject: subjectOf(message),
      Message: message.text,
      MessageAttributes: {
        alarm: attribute(message.alarm),
        kind: attribute(message.kind),
        severity: attribute(message.severity),
        key: attribute(message.key),
      },
    })
    try {
      const limit = { ms: options.deadlineMs, signal: NEVER }
      const sent = await withDeadline(clock, limit, (abortSignal) => client.send(command, { abortSignal }))
      return sent === LATE ? 'timeout' : undefined
    } catch (error) {
      return error instanceof Error ? error.name : 'unknown'
    }
  }

  return {
    name,
    kind: 'sns',
    async send(message) {
      let backoff = BACKOFFS.equal(PAUSES)
      for (let tries = 1; ; tries += 1) {
        const reason = await publish(message)
        if (reason === undefined) return { outcome: 'delivered' }
        if (tries === triesMax || FINAL.has(reason)) return { outcome: 'failed', reason }
        const next = backoff.next(random.float())
        backoff = next.backoff
        await clock.sleep(next.delayMs)
      }
    },
    [Symbol.dispose]: () => client.destroy(),
  }
}

/** Errors that another try does not change. */
const FINAL: ReadonlySet<string> = new Set([
  'AuthorizationErrorException',
  'InvalidParameterException',
  'InvalidParameterValueException',
  'NotFoundException',
  'InvalidSecurityException',
  'CredentialsProviderError',
])

const attribute = (StringValue: string) => ({ DataType: 'String', StringValue })

function subjectOf({ alarm, kind, severity }: AlarmMessage): string {
  return `MangaAssist ${kind}: ${alarm} [${severity}]`.slice(0, SUBJECT_LENGTH_MAX)
}
