// Voice input with the browser's own recognition, in the language of the interface. The words go into the field, and the
// shopper sends them. Where the browser has none, or the page may not use the microphone, there is no button.
import type { Language } from '@mangaassist/protocol'

/** The part of `SpeechRecognition` that is used here; not all browsers have it, and some under another name. */
interface Recognition {
  lang: string
  interimResults: boolean
  continuous: boolean
  onresult: ((event: RecognitionEvent) => void) | null
  onerror: ((event: { readonly error: string }) => void) | null
  onend: (() => void) | null
  start(): void
  abort(): void
  stop(): void
}
interface RecognitionEvent {
  readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }>>
}
export type RecognitionConstructor = new () => Recognition

export interface VoiceInput {
  /** The button is shown. */
  readonly isAvailable: boolean
  readonly isListening: boolean
  readonly problem: 'voiceRefused' | 'voiceFailed' | undefined
  /** Starts listening, or stops it and keeps the recognised words. */
  toggle(language: Language): void
  close(): void
}

export interface VoiceInputParts {
  readonly recognition: RecognitionConstructor | undefined
  readonly changed: () => void
  /** All words since the start; they may still change. */
  readonly received: (text: string) => void
  readonly started: () => void
}

const locales = { ja: 'ja-JP', en: 'en-US' } as const
const refusals: readonly string[] = ['not-allowed', 'service-not-allowed', 'audio-capture']

export function createVoiceInput({ recognition, changed, received, started }: VoiceInputParts): VoiceInput {
  let current: Recognition | undefined
  let problem: VoiceInput['problem']

  function become(next: Recognition | undefined): void {
    current = next
    changed()
  }

  function start(language: Language, create: RecognitionConstructor): void {
    const mine = new create()
    const isMine = (): boolean => current === mine
    mine.lang = locales[language]
    mine.interimResults = true
    mine.continuous = false
    mine.onresult = ({ results }) => {
      if (isMine()) received(Array.from(results, (result) => result[0]?.transcript ?? '').join(''))
    }
    mine.onerror = ({ error }) => {
      // Silence, or an end that the shopper wanted, is no problem.
      if (!isMine() || error === 'no-speech' || error === 'aborted') return
      problem = refusals.includes(error) ? 'voiceRefused' : 'voiceFailed'
      changed()
    }
    mine.onend = () => isMine() && become(undefined)
    problem = undefined
    started()
    try {
      mine.start()
      become(mine)
    } catch {
      problem = 'voiceFailed'
      changed()
    }
  }

  return {
    get isAvailable() {
      return recognition !== undefined
    },
    get isListening() {
      return current !== undefined
    },
    get problem() {
      return problem
    },
    toggle(language) {
      if (current !== undefined) current.stop()
      else if (recognition !== undefined) start(language, recognition)
    },
    close() {
      const last = current
      current = undefined
      last?.abort()
    },
  }
}

interface PageWithRecognition {
  readonly SpeechRecognition?: RecognitionConstructor
  readonly webkitSpeechRecognition?: RecognitionConstructor
  readonly isSecureContext?: boolean
  readonly document?: { readonly featurePolicy?: { allowsFeature(name: string): boolean } }
}

/** Undefined where the browser has no recognition, or the policy of the page forbids the microphone. */
export function recognitionOf(page: object): RecognitionConstructor | undefined {
  const { SpeechRecognition, webkitSpeechRecognition, isSecureContext, document } = page as PageWithRecognition
  if (isSecureContext === false || document?.featurePolicy?.allowsFeature('microphone') === false) return undefined
  return SpeechRecognition ?? webkitSpeechRecognition
}
