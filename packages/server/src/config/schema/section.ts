// What the parts of the configuration's schema are written with.
import Type from 'typebox'

/** A name that is not there is a mistake, and told. */
export const section = <Properties extends Type.TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

/** A secret itself is never configuration: the variable that holds it is. */
export const EnvironmentName = Type.String({
  pattern: '^[A-Z][A-Z0-9_]{0,63}$',
  description: 'the name of an environment variable, such as SHOP_API_KEY: capitals, digits and underscores',
})

export const Positive = Type.Integer({ minimum: 1 })
export const Whole = Type.Integer({ minimum: 0 })
