// Whether `/v1` takes guests, who bring prompts of their own: where a vendor is paid for them, only when that was chosen.

interface Chosen {
  readonly auth: { readonly v1Guests?: boolean }
  readonly models: Readonly<Record<string, { readonly provider: string }>>
}

export function v1TakesGuests({ auth, models }: Chosen): boolean {
  return auth.v1Guests ?? Object.values(models).every(({ provider }) => provider === 'embedded')
}
