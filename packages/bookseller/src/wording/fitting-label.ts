// The label of a follow-up within the limit of the protocol. A label that names its series says which of the cards it means; where the
// titles are too long for it, a shorter one is used. Pure.
import { SUGGESTION_LABEL_MAX } from '@mangaassist/protocol'

export function fittingLabel(label: string, shorter: string): string {
  return label.length <= SUGGESTION_LABEL_MAX ? label : shorter
}
