// The texts for shoppers when the server asks for patience.
import type { Localized } from '@mangaassist/protocol'
import type { PressureAction } from '#app/pressure/pressure.ts'

export const backpressureWords: Readonly<Record<PressureAction, Localized>> = {
  pause: {
    ja: 'ただいま大変混み合っています。少しお待ちいただいてからお送りください。',
    en: 'We are very busy right now. Please wait a little before you send your next message.',
  },
  slow: {
    ja: '混み合っているため、お答えに少しお時間をいただくことがあります。',
    en: 'It is busy at the moment, so answers may take a little longer.',
  },
  none: { ja: 'いつもどおりお使いいただけます。', en: 'Everything is back to normal.' },
}
