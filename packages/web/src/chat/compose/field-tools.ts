// Serves the field apart from sending: the stored draft, the characters left, and voice input. The element owns the
// field, and its value is the only state of the text.
import type { Language } from '@mangaassist/protocol'
import { roomFor } from './characters.ts'
import type { Room } from './characters.ts'
import { createDraft } from './draft.ts'
import { createVoiceInput, recognitionOf } from './voice-input.ts'
import type { VoiceInput } from './voice-input.ts'

export interface FieldTools {
  readonly voice: VoiceInput
  room(charactersMax: number | undefined): Room | undefined
  /** Must be called after each change of the field, also by script. */
  written(field: HTMLTextAreaElement): void
  /** The draft that was kept; empty when there is none. */
  readonly draft: string
  listen(language: Language): void
  close(): void
}

export interface FieldToolsParts {
  readonly server: string
  readonly field: () => HTMLTextAreaElement | null
  /** Adapts the field to a text that was put into it. */
  readonly grow: (field: HTMLTextAreaElement) => void
  readonly changed: () => void
}

export function createFieldTools({ server, field, grow, changed }: FieldToolsParts): FieldTools {
  const draft = createDraft(server)
  let text = ''
  let limit: number | undefined
  /** What stood in the field when the shopper began to speak. */
  let beforeSpeech = ''
  const voice = createVoiceInput({
    recognition: recognitionOf(window),
    changed,
    started: () => (beforeSpeech = field()?.value ?? ''),
    received(words) {
      const target = field()
      if (target === null) return
      target.value = beforeSpeech === '' ? words : `${beforeSpeech.trimEnd()} ${words}`
      grow(target)
    },
  })
  return {
    voice,
    room(charactersMax) {
      limit = charactersMax
      return roomFor(text, limit)
    },
    written(target) {
      const before = roomFor(text, limit)
      text = target.value
      draft.keep(text)
      // Only near the limit; otherwise each key would render the panel again.
      if (before !== undefined || roomFor(text, limit) !== undefined) changed()
    },
    draft: draft.recall(),
    listen: (language) => voice.toggle(language),
    close: () => voice.close(),
  }
}
