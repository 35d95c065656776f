// Alarms: thresholds, and how people are notified. A part of `config.ts`.
import Type from 'typebox'
import type { Static } from 'typebox'
import { SEVERITIES } from '#domain/alarms/alarm.ts'
import { ALARM_IDS } from '#domain/alarms/alarm-table.ts'
import { EnvironmentName, Positive, section, Whole } from './section.ts'

const SENDERS_MAX = 5
const Name = Type.String({
  pattern: '^[a-z][a-z0-9-]{0,31}$',
  description: 'a name of lower-case letters, digits and dashes that begins with a letter',
})

/** What all senders have. */
const sender = {
  /** In the log, in metrics and in `mangaassist alarms test`. */
  name: Name,
  /** Only alarms of these severities are sent. Default: `page` and `warn`. */
  severities: Type.Optional(Type.Array(Type.Enum([...SEVERITIES]), { minItems: 1 })),
  /** The deadline of one attempt. Default: 5 s; of a command 20 s. */
  deadlineMs: Type.Optional(Positive),
  /** The most attempts of one message. Default: 3. */
  triesMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
}

const Rule = section({
  /** False switches the alarm off, in the process and in what is exported. */
  enabled: Type.Optional(Type.Boolean()),
  /** The threshold, in the unit of the alarm. Of a burn rate: the share that may be bad. */
  above: Type.Optional(Type.Number({ minimum: 0 })),
  /** How long the condition must hold. */
  forMs: Type.Optional(Whole),
  /** The window in which occurrences are counted; alarms without a window and burn rates ignore it. */
  windowMs: Type.Optional(Type.Integer({ minimum: 10_000, maximum: 86_400_000 })),
  severity: Type.Optional(Type.Enum([...SEVERITIES])),
})

const rules = Object.fromEntries(ALARM_IDS.map((id) => [id, Type.Optional(Rule)])) as Record<
  (typeof ALARM_IDS)[number],
  Type.TOptional<typeof Rule>
>

export const alarmsShapes = {
  /** Alarms to operators. */
  alarms: section({
    /** A user who costs more than this in a day, in micro-dollars. */
    userMicroUsdPerDay: Positive,
    /** How often each node evaluates its alarms. */
    everyMs: Type.Integer({ minimum: 1000, maximum: 30_000 }),
    /** How long an alarm waits for other lanes, models or nodes before people are notified, so that they get one message. */
    groupMs: Whole,
    /** Where the runbooks are; the id of the alarm and `.md` follow. */
    runbookUrl: Type.String({ minLength: 1 }),
    /** The language of messages. */
    language: Type.Enum(['ja', 'en']),
    /** Changes to single alarms, by their id. */
    rules: section(rules),
    /** Webhooks that get each message as JSON. */
    webhooks: Type.Array(
      section({
        ...sender,
        /** The address. Either this or `urlEnv` is needed. */
        url: Type.Optional(Type.String({ pattern: '^https?://.+', description: 'an https address' })),
        /** The environment variable that holds the address, when the address itself is a secret. */
        urlEnv: Type.Optional(EnvironmentName),
        /** `slack` is what Slack, and services compatible with it, take. Default: `json`. */
        format: Type.Optional(Type.Enum(['json', 'slack'])),
      }),
      { maxItems: SENDERS_MAX },
    ),
    /** Commands that get each message as JSON on their standard input; no shell is used. */
    commands: Type.Array(
      section({ ...sender, argv: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 32 }) }),
      { maxItems: SENDERS_MAX },
    ),
    /** Topics of Amazon SNS. */
    topics: Type.Array(
      section({
        ...sender,
        topicArn: Type.String({
          pattern: '^arn:aws[a-z-]*:sns:[a-z0-9-]+:[0-9]+:[A-Za-z0-9_.-]+$',
          description: 'the ARN of a topic, such as arn:aws:sns:ap-northeast-1:123456789012:alarms',
        }),
        /** Another address than that of the region in the ARN. */
        endpoint: Type.Optional(Type.String({ pattern: '^https?://.+', description: 'an https address' })),
      }),
      { maxItems: SENDERS_MAX },
    ),
  }),
}

export const alarmsDefaults: Static<Type.TObject<typeof alarmsShapes>> = {
  alarms: {
    userMicroUsdPerDay: 10_000_000,
    everyMs: 5000,
    groupMs: 10_000,
    runbookUrl: 'docs/runbooks/',
    language: 'en',
    rules: {},
    webhooks: [],
    commands: [],
    topics: [],
  },
}
