// Which of the two a record is, and its id. Pure.
import type { RecordView, RefusalView } from '@mangaassist/protocol/admin'

export function isRefusedRecord(record: RecordView): record is RefusalView {
  return record.kind === 'refusal'
}

export function recordIdOf(record: RecordView): string {
  return isRefusedRecord(record) ? record.refusalId : record.turnId
}
