// Metrics and events of the alarms themselves: which fire, and whether people are reached.
import { counter, event, gauge } from './entry.ts'
import { ALARM, SENDER } from './label-bounds.ts'

export const alarmMetrics = {
  alarm_principal_spend_total: counter(
    'Steps of a day’s limit of cost that a user, guest or key has reached: 50, 80 or 100 percent. About once per step and day.',
    { kind: ['user', 'guest', 'key'], percent: [50, 80, 100] },
  ),
  alarm_firing: gauge('1 while an alarm fires on this node; absent otherwise.', 'count', { alarm: ALARM }),
  alarm_fired_total: counter('Incidents that began: an alarm fires somewhere in the cluster. The leader counts them.', {
    alarm: ALARM,
  }),
  alarm_messages_total: counter(
    'Messages about alarms, by sender: taken, or not although it was tried several times.',
    {
      sender: SENDER,
      outcome: ['delivered', 'failed'],
    },
  ),
}

export const alarmEvents = {
  'alarm.fired': event(
    ['info', 'warn', 'error'],
    'An alarm fires somewhere in the cluster; the leader logs it once. `error` for one that wakes people.',
    ['alarm', 'severity', 'since', 'series', 'hosts', 'value'],
  ),
  'alarm.resolved': event('info', 'An alarm no longer fires on any node.', ['alarm', 'severity', 'firingMs']),
  'alarm.message-failed': event('warn', 'A message about an alarm could not be delivered; it is tried again.', [
    'alarm',
    'sender',
    'reason',
  ]),
  'alarm.message-lost': event('error', 'A message about an alarm was given up after several tries.', [
    'alarm',
    'senders',
  ]),
  'alarm.standalone-began': event(
    'warn',
    'The shared state of alarms is unavailable; this node reports what fires on it by itself.',
  ),
  'alarm.standalone-ended': event('info', 'The shared state of alarms is available again; the leader reports.'),
}
