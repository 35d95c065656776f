// Helpers for the parts of the configuration's schema.
import Type from 'typebox'

/** An object whose unknown names are reported as mistakes. */
export const section = <Properties extends Type.TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

/** The name of the variable that holds a secret; the secret itself never belongs in the configuration. */
export const EnvironmentName = Type.String({
  pattern: '^[A-Z][A-Z0-9_]{0,63}$',
  description: 'the name of an environment variable, such as SHOP_API_KEY: capitals, digits and underscores',
})

export const PackageName = Type.String({
  pattern: '^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$',
  description: 'the name of an npm package, such as @ai-sdk/xai',
})

export const Positive = Type.Integer({ minimum: 1 })
export const Whole = Type.Integer({ minimum: 0 })
