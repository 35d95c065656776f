// Sends a message about an alarm to people: by a webhook, a command or a topic. It tries a few times within a bounded time and never
// rejects. An address may be a secret, so no reason contains it. A receiver may get a message twice, and recognises it by its `key`.
import type { AlarmMessage } from '#domain/alarms/message.ts'

export type SendEnd =
  | { readonly outcome: 'delivered' }
  /** In a few words, for operators. */
  | { readonly outcome: 'failed'; readonly reason: string }

export interface AlarmSender {
  /** The name in the configuration. */
  readonly name: string
  readonly kind: 'webhook' | 'command' | 'sns'
  send(message: AlarmMessage): Promise<SendEnd>
}
