// Opens the configured senders of alarms. The address of a webhook is in the configuration or, if it is a secret, in the environment;
// a missing address or two senders of one name stop the start. The client of SNS is loaded only where a topic is configured.
import { alarmWebhook } from '#adapters/http/alarm-webhook.ts'
import { alarmCommand } from '#adapters/system/alarm-command.ts'
import { awsKeysIn } from '#adapters/aws/credentials.ts'
import type { Config } from '#config/config.ts'
import type { AlarmSender } from '#ports/alarm-sender/port.ts'
import type { Environment } from './models/model-secrets.ts'
import { StartError } from './start-error.ts'
import type { SystemParts } from './system.ts'

const POST_DEFAULTS = { deadlineMs: 5000, triesMax: 3 }
const COMMAND_DEFAULTS = { deadlineMs: 20_000, triesMax: 2 }
const SNS_LIMITS = { connectMs: 3000, connectionsMax: 2 }

export interface AlarmSendersParts extends Pick<SystemParts, 'clock' | 'random'> {
  readonly env: Environment
  /** Senders add to it what must be closed with them. */
  readonly opened: DisposableStack
}

export async function wireAlarmSenders(
  { alarms }: Pick<Config, 'alarms'>,
  { clock, env, opened, random }: AlarmSendersParts,
): Promise<readonly AlarmSender[]> {
  const { commands, topics, webhooks } = alarms
  const names = [...webhooks, ...commands, ...topics].map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw new StartError(`Two senders of alarms are named ${twice}. Give each a name of its own.`)
  const senders: AlarmSender[] = [
    ...webhooks.map(({ deadlineMs, format = 'json', name, triesMax, url, urlEnv }, index) => {
      const place =
        urlEnv === undefined
          ? `alarms.webhooks[${index}].url`
          : `the variable ${urlEnv} (alarms.webhooks[${index}].urlEnv)`
      const limits = given({ deadlineMs, triesMax })
      return alarmWebhook({
        ...POST_DEFAULTS,
        ...limits,
        name,
        format,
        url: addressIn(url ?? env[urlEnv ?? ''], place),
        clock,
        random,
      })
    }),
    ...commands.map(({ argv, deadlineMs, name, triesMax }) =>
      alarmCommand({ ...COMMAND_DEFAULTS, ...given({ deadlineMs, triesMax }), name, argv, env, clock }),
    ),
  ]
  if (topics.length === 0) return senders
  const { alarmTopic } = await import('#adapters/aws/sns/alarm-topic.ts')
  const credentials = awsKeysIn(env)
  for (const { deadlineMs, endpoint, name, topicArn, triesMax } of topics) {
    const topic = alarmTopic({
      ...POST_DEFAULTS,
      ...given({ deadlineMs, triesMax }),
      name,
      topicArn,
      region: topicArn.split(':')[3] ?? '',
      ...(endpoint === undefined ? {} : { baseURL: endpoint }),
      ...(credentials === undefined ? {} : { credentials }),
      clock,
      random,
      limits: SNS_LIMITS,
    })
    senders.push(opened.use(topic))
  }
  return senders
}

function addressIn(url: string | undefined, place: string): string {
  if (url === undefined || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new StartError(`${place} holds no http address. Set it to the address of the webhook, or remove the webhook.`)
  return url
}

/** Without what was not given, so that it does not replace a default. */
function given(limits: { readonly deadlineMs: number | undefined; readonly triesMax: number | undefined }) {
  const { deadlineMs, triesMax } = limits
  return { ...(deadlineMs === undefined ? {} : { deadlineMs }), ...(triesMax === undefined ? {} : { triesMax }) }
}
