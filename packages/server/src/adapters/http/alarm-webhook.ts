// Sends alarms to a webhook: the message as JSON, or in the format of Slack, which many services take.
import type { AlarmMessage } from '#domain/alarms/message.ts'
import type { AlarmSender } from '#ports/alarm-sender/port.ts'
import { postJson } from './post-json.ts'
import type { PostOptions } from './post-json.ts'

export interface AlarmWebhookOptions extends PostOptions {
  readonly name: string
  readonly format: 'json' | 'slack'
}

export function alarmWebhook(options: AlarmWebhookOptions): AlarmSender {
  const { format, name } = options
  return {
    name,
    kind: 'webhook',
    async send(message) {
      const posted = await postJson(options, format === 'slack' ? slackBody(message) : message, message.key)
      return posted === 'delivered' ? { outcome: 'delivered' } : { outcome: 'failed', reason: posted }
    },
  }
}

/** Slack refuses longer texts of a block. */
const BLOCK_LENGTH_MAX = 3000

function slackBody({ runbook, text }: AlarmMessage): object {
  const [first = '', ...rest] = text.split('\n').map(escaped)
  const details = rest.filter((line) => !line.includes(escaped(runbook)))
  // A path of the documentation is no link.
  const link = /^https?:/u.test(runbook) ? `<${runbook}>` : escaped(runbook)
  return {
    text: first,
    blocks: [
      section(`*${first}*`),
      ...(details.length === 0 ? [] : [section(details.join('\n'))]),
      { type: 'context', elements: [{ type: 'mrkdwn', text: link }] },
    ],
  }
}

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text: text.slice(0, BLOCK_LENGTH_MAX) } })

/** The characters that have a meaning in Slack's markup. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
