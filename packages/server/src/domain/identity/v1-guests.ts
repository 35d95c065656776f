// Decides whether guests may use `/v1`, where callers bring their own prompts. If any model costs money, only the setting
// `auth.v1Guests` allows it.

interface Chosen {
  readonly auth: { readonly v1Guests?: boolean }
  readonly models: Readonly<Record<string, { readonly provider: string }>>
}

export function v1TakesGuests({ auth, models }: Chosen): boolean {
  return auth.v1Guests ?? Object.values(models).every(({ provider }) => provider === 'embedded')
}
