// The folders of prompts that the arms of experiments name.
import type { Config } from '../config.ts'

type Experiments = Config['experiments']

/** The same experiments with each folder replaced. */
export function withFolders({ list, ...rest }: Experiments, place: (folder: string) => string): Experiments {
  const experiments = Object.entries(list).map(([name, { arms, ...experiment }]) => {
    const placed = Object.entries(arms).map(([arm, { change, ...own }]) => {
      if (change?.prompts === undefined) return [arm, change === undefined ? own : { ...own, change }] as const
      return [arm, { ...own, change: { ...change, prompts: place(change.prompts) } }] as const
    })
    return [name, { ...experiment, arms: Object.fromEntries(placed) }] as const
  })
  return { ...rest, list: Object.fromEntries(experiments) }
}

/** Each with the path of its setting. */
export function foldersOf({ list }: Experiments): readonly { readonly path: string; readonly folder: string }[] {
  return Object.entries(list).flatMap(([name, { arms }]) =>
    Object.entries(arms).flatMap(([arm, { change }]) =>
      change?.prompts === undefined
        ? []
        : [{ path: `experiments.list.${name}.arms.${arm}.change.prompts`, folder: change.prompts }],
    ),
  )
}
