// Voice input with a scripted recognition: words, refusals, and browsers without it.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createVoiceInput, recognitionOf } from './voice-input.ts'
import type { RecognitionConstructor } from './voice-input.ts'

type Recognition = InstanceType<RecognitionConstructor>

function setUp({ refusesStart = false } = {}) {
  const made: Recognition[] = []
  const received: string[] = []
  const recognition: RecognitionConstructor = class implements Recognition {
    lang = ''
    interimResults = false
    continuous = true
    onresult: Recognition['onresult'] = null
    onerror: Recognition['onerror'] = null
    onend: Recognition['onend'] = null
    constructor() {
      made.push(this)
    }
    start(): void {
      if (refusesStart) throw new Error('already started')
    }
    stop(): void {
      this.onend?.()
    }
    abort(): void {
      this.onend?.()
    }
  }
  const voice = createVoiceInput({
    recognition,
    changed: () => {},
    started: () => {},
    received: (text) => received.push(text),
  })
  return { voice, made, received }
}

test('words are recognised in the language of the interface until the shopper ends it', () => {
  const { voice, made, received } = setUp()
  voice.toggle('ja')
  assert.deepEqual([voice.isListening, made[0]?.lang], [true, 'ja-JP'])
  made[0]?.onresult?.({ results: [[{ transcript: '進撃の' }], [{ transcript: '巨人' }]] })
  voice.toggle('ja')
  assert.deepEqual([voice.isListening, received], [false, ['進撃の巨人']])
  made[0]?.onresult?.({ results: [[{ transcript: 'late' }]] })
  assert.equal(received.length, 1, 'late words change nothing')
})

test('a refused microphone, a failure and silence are different', () => {
  const { voice, made } = setUp()
  const problems = ['not-allowed', 'network', 'no-speech', 'aborted'].map((error) => {
    voice.toggle('en')
    made.at(-1)?.onerror?.({ error })
    made.at(-1)?.onend?.()
    return voice.problem
  })
  assert.deepEqual(problems, ['voiceRefused', 'voiceFailed', undefined, undefined])
})

test('a browser that refuses to start is a failure, and closing ends the listening', () => {
  const refusing = setUp({ refusesStart: true })
  refusing.voice.toggle('en')
  assert.deepEqual([refusing.voice.isListening, refusing.voice.problem], [false, 'voiceFailed'])
  const { voice } = setUp()
  voice.toggle('en')
  voice.close()
  assert.equal(voice.isListening, false)
})

test('there is no voice input without recognition, a secure page and the policy’s leave', () => {
  const SpeechRecognition = setUp as unknown as RecognitionConstructor
  const forbids = { featurePolicy: { allowsFeature: () => false } }
  assert.equal(recognitionOf({}), undefined)
  assert.equal(recognitionOf({ SpeechRecognition, isSecureContext: false }), undefined)
  assert.equal(recognitionOf({ SpeechRecognition, document: forbids }), undefined)
  assert.equal(recognitionOf({ webkitSpeechRecognition: SpeechRecognition }), SpeechRecognition)
})
