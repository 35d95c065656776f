// Warns about an unencrypted address of the hand-over's webhook. The address may be a secret, so only its scheme is shown.
import type { ConfigCheck } from '#config/load-config.ts'
import { isLocal } from '../models/model-secrets.ts'
import type { Environment } from '../models/model-secrets.ts'

export function checkHandover({ env }: { readonly env: Environment }): ConfigCheck {
  return async ({ store }, isWrong) => {
    if (['store', 'store.handover', 'store.handover.url', 'store.handover.urlEnv'].some(isWrong)) return []
    const { url, urlEnv } = store.handover ?? {}
    const address = url ?? env[urlEnv ?? '']
    if (address === undefined || !/^http:/i.test(address) || isLocal(address)) return []
    return [
      {
        path: url === undefined ? 'store.handover.urlEnv' : 'store.handover.url',
        given: 'an http:// address of another machine',
        allowed: 'https, or http on this machine',
        fix: 'Use https://: over http the call, and with withText the question, can be read on the network.',
        isWarning: true,
      },
    ]
  }
}
