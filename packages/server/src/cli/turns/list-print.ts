// One line for each turn and refusal of a list.
import type { RecordView } from '@mangaassist/protocol/admin'
import { oneLine } from '#lib/text/readable.ts'
import { usd } from '../usage/print.ts'

export function idOfView(record: RecordView): string {
  return 'refusalId' in record ? record.refusalId : record.turnId
}

export function lineOf(record: RecordView): string {
  return cellsOf(record).map(oneLine).join('  ').trimEnd()
}

export const LIST_HEADER = [
  'time'.padEnd(24),
  'id'.padEnd(31),
  'user'.padEnd(28),
  'outcome'.padEnd(15),
  'answered by'.padEnd(28),
  'first'.padStart(7),
  'total'.padStart(7),
  'USD'.padStart(10),
].join('  ')

function cellsOf(record: RecordView): readonly string[] {
  const id = idOfView(record).padEnd(31)
  if ('refusalId' in record) {
    const { at, code, count, door, principalId, reason, route, scope } = record
    const by = [scope, reason].filter((word) => word !== undefined).join(' ')
    const where = route === undefined ? door : `${door} ${route}`
    return [at, id, (principalId || '-').padEnd(28), code.padEnd(15), `${by} by ${where}`.padEnd(28), `${count}×`]
  }
  const { at, costMicroUsd, finishReason, firstWordMs, model, principalId, tier, totalMs } = record
  return [
    at,
    id,
    principalId.padEnd(28),
    finishReason.padEnd(15),
    `${model} (${tier})`.padEnd(28),
    seconds(firstWordMs).padStart(7),
    seconds(totalMs).padStart(7),
    usd(costMicroUsd).padStart(10),
    notesOf(record).join(' '),
  ]
}

type TurnView = Exclude<RecordView, { readonly kind: 'refusal' }>

function notesOf({ attempts, epoch = 1, isDegraded, reason, received, stop }: TurnView): readonly string[] {
  return [
    ...(isDegraded ? [`degraded${reason === undefined ? '' : `: ${reason}`}`] : []),
    ...(attempts > 1 ? [`${attempts} calls`] : []),
    ...(epoch > 1 ? ['taken over'] : []),
    ...(stop === undefined ? [] : [stop]),
    ...(received.feedback === undefined ? [] : [`thumb ${received.feedback.value}`]),
  ]
}

export function seconds(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '-'
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}
