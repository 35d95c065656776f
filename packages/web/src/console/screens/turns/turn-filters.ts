// The filters of the list of turns, one for each parameter of the API.
import type { ActionField } from '../../shell/host.ts'
import type { SayFilled } from '../../shell/say.ts'
import type { turnWords } from '../../words/turns.ts'

const KINDS = ['', 'turn', 'chat', 'completion', 'refusal', 'any'] as const
const TIERS = ['', 'primary', 'economy', 'cached', 'faq', 'message', 'embedded'] as const

export function turnFilterFields(say: SayFilled<typeof turnWords>): ActionField[] {
  const text = (name: 'user' | 'session' | 'request' | 'model' | 'door' | 'experiment'): ActionField => ({
    kind: 'text',
    name,
    label: say(name),
  })
  const choice = (name: string, label: string, values: readonly string[]): ActionField => ({
    kind: 'choice',
    name,
    label,
    choices: values.map((value) => ({ value, label: value === '' ? say('any') : value })),
  })
  const figure = (name: string, label: string): ActionField => ({ kind: 'number', name, label, min: 0, step: 1 })
  return [
    text('user'),
    text('session'),
    text('request'),
    text('model'),
    choice('kind', say('kind'), KINDS),
    choice('tier', say('tier'), TIERS),
    { kind: 'text', name: 'outcome', label: say('outcome'), hint: say('outcomeHint') },
    { kind: 'text', name: 'reason', label: say('reason'), hint: say('reasonHint') },
    {
      kind: 'choice',
      name: 'degraded',
      label: say('isDegraded'),
      choices: [
        { value: '', label: say('any') },
        { value: 'true', label: say('yes') },
        { value: 'false', label: say('no') },
      ],
    },
    figure('minCostMicroUsd', say('minCost')),
    figure('maxCostMicroUsd', say('maxCost')),
    figure('minTotalMs', say('minTotal')),
    text('door'),
    text('experiment'),
    choice('feedback', say('feedback'), ['', 'up', 'down']),
    { kind: 'day', name: 'from', label: say('from') },
    { kind: 'day', name: 'to', label: say('to') },
  ]
}
