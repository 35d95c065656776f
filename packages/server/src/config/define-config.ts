// The type of `mangaassist.config.ts`. Every setting is optional.
import type { Config } from './config.ts'

type PartialDeep<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Key in keyof Value]?: PartialDeep<Value[Key]> }
    : Value

export type UserConfig = PartialDeep<Config>

export function defineConfig(config: UserConfig): UserConfig {
  return config
}
