// Reads an answer aloud with the browser's own voices, in the voice of its language. One answer is read at a time.
import type { Language } from '@mangaassist/protocol'

export interface ReadAloud {
  /** There is a voice for the language. Voices may load late: `changed` is called then. */
  canRead(language: Language): boolean
  readonly readingId: number | undefined
  start(id: number, text: string, language: Language): void
  stop(): void
  close(): void
}

/** Browsers cut or freeze long utterances: each sentence is one, and a long sentence is cut. */
const utteranceCharactersMax = 180

export function createReadAloud(
  changed: () => void,
  synthesis: SpeechSynthesis | undefined = globalThis.speechSynthesis,
): ReadAloud {
  let readingId: number | undefined
  const onVoices = (): void => changed()
  synthesis?.addEventListener?.('voiceschanged', onVoices)

  const voiceFor = (language: Language): SpeechSynthesisVoice | undefined => {
    const voices = synthesis?.getVoices().filter(({ lang }) => lang.toLowerCase().startsWith(language)) ?? []
    return voices.find((voice) => voice.default) ?? voices[0]
  }

  function become(id: number | undefined): void {
    readingId = id
    changed()
  }

  function stop(): void {
    if (readingId === undefined) return
    become(undefined)
    synthesis?.cancel()
  }

  return {
    canRead: (language) => voiceFor(language) !== undefined,
    get readingId() {
      return readingId
    },
    start(id, text, language) {
      stop()
      const voice = voiceFor(language)
      const pieces = sentencesOf(text)
      if (synthesis === undefined || voice === undefined || pieces.length === 0) return
      become(id)
      pieces.forEach((piece, index) => {
        const utterance = new SpeechSynthesisUtterance(piece)
        utterance.voice = voice
        utterance.lang = voice.lang
        // Stopping also ends the utterances; by then another answer may be read.
        const end = (): void => void (readingId === id && become(undefined))
        if (index === pieces.length - 1) utterance.onend = end
        utterance.onerror = end
        synthesis.speak(utterance)
      })
    },
    stop,
    close() {
      stop()
      synthesis?.removeEventListener?.('voiceschanged', onVoices)
    },
  }
}

export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[。！？!?\n])|(?<=\.)(?=\s)/u)
    .flatMap((sentence) => sentence.match(new RegExp(`[\\s\\S]{1,${utteranceCharactersMax}}`, 'gu')) ?? [])
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
}
