// Which of the two a record is, its id, and why a request was refused. Pure.
import type { RecordView, RefusalView } from '@mangaassist/protocol/admin'

export function isRefusedRecord(record: RecordView): record is RefusalView {
  return record.kind === 'refusal'
}

export function recordIdOf(record: RecordView): string {
  return isRefusedRecord(record) ? record.refusalId : record.turnId
}

/** The limit that refused it, or another reason such as `blocked`; undefined where the code says all. */
export function whyRefused({ reason, scope }: RefusalView): string | undefined {
  return scope ?? reason
}
