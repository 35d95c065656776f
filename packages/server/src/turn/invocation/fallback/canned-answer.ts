// The answers when no model can answer: the FAQ's own answer, else an honest message with a next step. In memory and
// synchronous, because it must work when everything else is down.
import type { FinishReason } from '@mangaassist/protocol'
import type { FallbackStep } from '#domain/answers/fallback-plan.ts'
import { deferredWords, messageWords, redirectWords } from './copy.ts'
import type { MessageExtras, Words } from './copy.ts'

export interface Fallback {
  readonly tier: 'faq' | 'message'
  readonly confidence: number
  readonly text: string
  readonly finishReason: FinishReason
}

export interface FallbackMaterial extends Words, MessageExtras {
  /** Answer of the matching entry, where the plan has it. */
  readonly faqAnswer: string
  /** How long a deferred question may wait. */
  readonly waitMs: number
}

type SpokenStep = Extract<FallbackStep, { readonly kind: 'faq' | 'defer' | 'redirect' | 'message' }>

const CONFIDENCE = { faq: 0.3, message: 0.1 } as const

/** The text of a step that needs no model and no store. For `defer`, after the question was stored. */
export function fallbackSaid(step: SpokenStep, material: FallbackMaterial): Fallback {
  switch (step.kind) {
    case 'faq':
      return { tier: 'faq', confidence: CONFIDENCE.faq, text: material.faqAnswer, finishReason: 'stop' }
    case 'defer':
      return message(deferredWords(material, material.waitMs), 'deferred')
    case 'redirect':
      return message(redirectWords(material), 'blocked')
    case 'message':
      return message(messageWords(material, material), 'stop')
  }
}

function message(text: string, finishReason: FinishReason): Fallback {
  return { tier: 'message', confidence: CONFIDENCE.message, text, finishReason }
}
